"""Values that are none of a parameter's: a sentence that names it, not an error of the language."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd import (
    ElasticNet,
    GroupLasso,
    GroupLogisticRegression,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskLasso,
    MultiTaskLassoCV,
    Ridge,
    RidgeCV,
    group_lasso_path,
    lasso_path,
)

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 6))
Y = X[:, 0] + 0.1 * RNG.standard_normal(40)
LABELS = np.where(Y > 0.0, 1, 0)
ARRAY = np.array([1, 2])
TALKING = [
    ElasticNet,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskLassoCV,
    Ridge,
]


@pytest.mark.parametrize("value", [ARRAY, "yes", None, -1, 0.5, []], ids=str)
@pytest.mark.parametrize("kind", TALKING)
def test_verbosity_is_a_number_or_a_boolean(kind, value):
    y = np.c_[Y, Y] if kind is MultiTaskLassoCV else LABELS
    with pytest.raises(ValueError, match=r"verbose is .*; it must be True, False or an integer"):
        kind(verbose=value).fit(X, y)


def test_verbosity_of_numpy_and_of_paths():
    for value in (np.bool_(False), np.int64(0), False):
        Lasso(verbose=value).fit(X, Y)
    for path in (lasso_path, group_lasso_path):
        with pytest.raises(ValueError, match="verbose is 'yes'"):
            path(X, Y, verbose="yes")


@pytest.mark.parametrize("value", [ARRAY, [], {}, 3], ids=str)
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (LogisticRegression, "penalty"),
        (LogisticRegressionCV, "penalty"),
        (LinearSVC, "dual"),
        (LinearSVR, "dual"),
        (LinearSVC, "multi_class"),
        (RidgeCV, "gcv_mode"),
    ],
)
def test_words_are_words(kind, name, value):
    with pytest.raises(ValueError, match=rf"{name} is .*; it must be"):
        kind(**{name: value}).fit(X, LABELS)


@pytest.mark.parametrize("value", [np.nan, np.inf, "a"])
@pytest.mark.parametrize(
    ("model", "shape"),
    [
        (Lasso(), (6,)),
        (ElasticNet(), (6,)),
        (MultiTaskLasso(), (2, 6)),
        (GroupLasso(groups=2), (6,)),
        (GroupLogisticRegression(groups=2), (1, 6)),
        (LogisticRegression(), (1, 6)),
    ],
)
def test_no_fit_starts_where_no_number_is(model, shape, value):
    """The Lasso stayed at its null model and blamed the columns, others blamed their size."""
    model.set_params(warm_start=True)
    model.coef_, model.intercept_ = np.full(shape, value), np.zeros(shape[:-1])
    y = np.c_[Y, Y] if isinstance(model, MultiTaskLasso) else LABELS
    with pytest.raises(ValueError, match="warm_start=True, but coef_"):
        model.fit(X, y)


@pytest.mark.parametrize("value", [np.nan, -np.inf, "a"])
def test_no_path_starts_where_no_number_is(value):
    with pytest.raises(ValueError, match="coef_init"):
        lasso_path(X, Y, alphas=3, coef_init=np.full(6, value))
