"""Short ways around checks that take longer than a small fit: they decide as the long ways do."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd import Lasso, LogisticRegression, Ridge
from banditcd.estimators.backends.binary import BinaryData
from banditcd.estimators.checks.column_options import PLAIN
from banditcd.estimators.checks.inputs import as_columns, as_rows
from banditcd.solvers.ridge import units

RNG = np.random.default_rng(5)
X = np.where(RNG.random((40, 6)) < 0.4, RNG.standard_normal((40, 6)), 0.0)
Y = X @ np.arange(6.0) + RNG.standard_normal(40)
KINDS = [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array]
MODELS = [Lasso(0.01), Ridge(), LogisticRegression()]


def fitted(model):
    return model.fit(X, Y > 0.0 if isinstance(model, LogisticRegression) else Y)


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", KINDS)
def test_predictions_of_sparse_samples_are_those_of_dense_ones(model, dtype, kind):
    samples = X.astype(dtype)
    found, dense = (fitted(model).predict(form) for form in (kind(samples), samples))
    assert found.dtype == dense.dtype
    np.testing.assert_allclose(found, dense, rtol=1e-4 if dtype == np.float32 else 1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_samples_are_checked_before_they_are_predicted(kind):
    model = fitted(Ridge())
    for value in (np.nan, np.inf):
        bad = kind(X)
        bad.data[3] = value
        with pytest.raises(ValueError, match=r"NaN|infinity"):
            model.predict(bad)
    with pytest.raises(ValueError, match="features"):
        model.predict(kind(X[:, :5]))
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(kind(X[:0]))
    lying = kind(X)
    lying.indices[-1] = 1000
    with pytest.raises(ValueError, match="do not fit"):
        model.predict(lying)
    assert np.isfinite(model.predict(kind(1e200 * X))).all()  # squares overflow, products do not


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("convert", [as_columns, as_rows])
def test_a_conversion_that_is_marked_canonical_is_canonical(kind, convert):
    given = kind(X)
    converted = convert(given, canonical=True)
    fresh = type(converted)((converted.data, converted.indices, converted.indptr), converted.shape)
    assert fresh.has_canonical_format
    np.testing.assert_array_equal(converted.toarray(), X)


@pytest.mark.parametrize("size", [0.0, 1e-200, 1e-21, 1e-20, 1.0, 1e20, 1e21, 1e200])
@pytest.mark.parametrize("count", [1, 3])
def test_units_are_left_alone_where_the_largest_entries_are_in_range(size, count):
    targets = np.tile(np.array([0.0, 0.25, -1.0, 0.5]) * size, (count, 1))
    scaled, powers = units.in_units(targets)
    if size == 0.0 or units.PLAIN[0] <= size <= units.PLAIN[1]:
        assert powers is None
        assert scaled is targets
    else:
        np.testing.assert_array_equal(scaled * powers[:, None], targets)
        assert np.all((np.abs(scaled).max(axis=1) >= 1.0) & (np.abs(scaled).max(axis=1) < 2.0))


@pytest.mark.parametrize("other", [None, 0, 3, 15, 16, 39])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_side_is_told_wherever_the_other_begins(other, weighted):
    target = np.ones(40)
    if other is not None:
        target[other] = -1.0
    weight = np.where(np.arange(40) == other, 0.0, 1.0) if weighted else None
    assert BinaryData(X, target, weight, PLAIN).is_one_sided == (other is None or weighted)
