"""Extreme scales: predictions are values, not NumPy's warnings; errors of folds are finite."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from banditcd import (
    ElasticNet,
    GroupLasso,
    Lasso,
    LassoCV,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskLasso,
    Ridge,
)


def float32_problem() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((30, 4)) * 1e-30).astype(np.float32)
    return X, np.where(np.arange(30) % 3 == 0, 1.0, -1.0)


@pytest.mark.parametrize("factor", [1e25, 1e38])  # the product overflows, the coefficients do
def test_values_beyond_float32_are_predicted_without_a_warning(factor) -> None:
    X, y = float32_problem()
    large = (X.astype(np.float64) * 1e50).astype(np.float32)
    model = Ridge(alpha=0.0).fit(X, y)
    model.coef_ = model.coef_ / np.abs(model.coef_).max() * factor
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.predict(large)
    exact = large.astype(np.float64) @ model.coef_ + model.intercept_
    np.testing.assert_allclose(found, exact, rtol=1e-6)


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_a_search_over_tiny_float32_columns_scores_without_a_warning(scoring) -> None:
    X, y = float32_problem()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegressionCV(
            Cs=[1.0, 1e60, 1e70],
            cv=3,
            l1_ratios=(0.0,),
            scoring=scoring,
            use_legacy_attributes=False,
        ).fit(X, y)
        model.predict_proba(X)
    assert np.isfinite(model.coef_).all()


@pytest.mark.parametrize("shape", [(6, 88), (52, 402)])
@pytest.mark.parametrize("kind", ["plain", "far", "unpenalized"])
def test_errors_of_folds_are_finite_at_tiny_penalties(shape, kind) -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal(shape) * (rng.random(shape) < 0.4)
    X = sparse.csc_matrix(X + 3e7 if kind == "far" else X)
    y = rng.standard_normal(shape[0])
    weights = rng.choice([0.0, 1.0], shape[1]) if kind == "unpenalized" else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LassoCV(alphas=[1e-9, 1e-12, 1e-15], cv=3, penalty_weights=weights).fit(X, y)
    assert np.isfinite(model.mse_path_).all()


@pytest.mark.parametrize("seed", range(8))
def test_sparse_columns_far_from_zero_never_end_worse_than_the_null_model(seed) -> None:
    rng = np.random.default_rng(seed)
    X = sparse.csc_matrix(1e8 + rng.standard_normal((12, 4)))
    y = rng.standard_normal(12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = Lasso(1e-3, tol=1e-10).fit(X, y)
    null = 0.5 * np.mean((y - y.mean()) ** 2)
    assert model.certificate_.primal <= null * (1.0 + 1e-9)


def test_no_penalty_to_speak_of_and_nothing_to_tell_classes_by_but_scale_ends():
    """Strategies yielded to each other for ever where gaps said nothing."""
    rng = np.random.default_rng(0)
    X = 1e-19 * rng.standard_normal((69, 58))
    y = X[:, 0] + 1e-19 * rng.standard_normal(69) > 0.0
    model = LogisticRegression(C=3.9e37, standardize=True).fit(X, y)
    assert model.n_iter_.max() <= model.max_iter
    assert model.certificate_.passes < 10_000


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-300])  # n over their sum leaves float64
@pytest.mark.parametrize(
    "model",
    [Lasso(0.1), ElasticNet(0.1), LassoCV(cv=3), GroupLasso(2, 0.1), MultiTaskLasso(0.1)],
    ids=lambda model: type(model).__name__,
)
def test_weights_count_by_their_ratios_however_small(model, tiny) -> None:
    rng = np.random.default_rng(4)
    X = rng.standard_normal((30, 4))
    y = X[:, :2] @ rng.standard_normal((2, 2)) + rng.standard_normal((30, 2))
    y = y if isinstance(model, MultiTaskLasso) else y[:, 0]
    ratios = rng.choice([1.0, 2.0, 4.0], 30)
    expected = model.fit(X, y, sample_weight=ratios).coef_
    found = model.fit(X, y, sample_weight=tiny * ratios).coef_
    assert np.count_nonzero(expected) > 0
    np.testing.assert_allclose(found, expected, rtol=1e-12)
