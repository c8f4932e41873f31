"""Labels and folds that are found by hand: the same as by NumPy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold

from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.labels import NUMBERS, check_labels
from banditcd.estimators.search.splits import RowBlocks, make_folds, partition


@pytest.mark.parametrize("kind", sorted(NUMBERS, key=str), ids=str)
@pytest.mark.parametrize("values", [(0, 1), (1, 0), (5, 100)])
def test_two_classes_are_those_of_unique(kind, values):
    rng = np.random.default_rng(0)
    y = np.array([values[0], *rng.choice(values, 40), values[1]]).astype(kind)
    for given in (y, np.repeat(y, 2)[::2]):
        if len(np.unique(given)) < 2:  # 5 and 100 are the same truth value
            continue
        found = check_labels(given)
        classes, codes = np.unique(given, return_inverse=True)
        assert found.classes.dtype == kind
        np.testing.assert_array_equal(found.classes, classes)
        np.testing.assert_array_equal(found.codes, codes)
        np.testing.assert_array_equal(found.signs(0), np.where(codes == 1, 1.0, -1.0))


def test_fractions_are_no_classes():
    with pytest.raises(ValueError, match="Unknown label type"):
        check_labels(np.array([0.0, 1.5, 0.0]))


def test_several_classes_are_not_two():
    np.testing.assert_array_equal(check_labels(np.array([2, 1, 3, 1, 2, 3])).classes, [1, 2, 3])


@pytest.mark.parametrize(("rows", "count"), [(10, 5), (11, 3), (5, 5), (101, 7)])
def test_blocks_of_rows_are_the_folds_of_scikit_learn(rows, count):
    data = Training(np.ones((rows, 1)), np.zeros(rows), None)
    folds = make_folds(KFold(count), data)
    assert isinstance(folds, RowBlocks)
    for fold, (train, test) in zip(folds, KFold(count).split(data.X), strict=True):
        np.testing.assert_array_equal(fold.train, train)
        np.testing.assert_array_equal(fold.test, test)
    np.testing.assert_array_equal(partition(folds, rows), partition(list(folds), rows))
