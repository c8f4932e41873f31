"""Corners of the logistic fast solver: separable and degenerate data, extremes, limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import LogisticSession
from tests.deadlines import HUNG
from tests.solvers.logistic_cases import LogisticCase, random_case
from tests.solvers.solving import solve_logistic


def separable(n: int = 80, d: int = 5) -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(1).standard_normal((n, d))
    return X, np.where(X[:, 0] > 0, 1.0, -1.0)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("shrink", [1e-2, 1e-4, 1e-6])
def test_separable_data(shrink, fit_intercept):
    X, y = separable()
    session = LogisticSession(X, y, fit_intercept=fit_intercept)
    l1 = shrink * session.largest_penalty()
    result = session.solve(l1, tol=1e-10)
    case = LogisticCase(X, y, l1, fit_intercept=fit_intercept)
    assert result.converged
    assert case.gap(result.coef, result.intercept) <= 1.01 * result.target


@pytest.mark.parametrize("l2_share", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_separating_entries_of_very_different_size(l2_share, fit_intercept):
    """Rows that are certain hardly bend the loss, and their large entries must not pretend so."""
    rng = np.random.default_rng(83)
    x = np.where(np.arange(60) < 15, rng.standard_normal(60), 0.0) * 10.0 ** rng.uniform(1, 4.5, 60)
    y = np.where(x > 0, 1.0, np.where(x < 0, -1.0, rng.choice([-1.0, 1.0], 60)))
    case = LogisticCase(
        x[:, None], y, (1 - l2_share) / 1400, l2_share / 1400, fit_intercept=fit_intercept
    )
    result = solve_logistic(
        case.X, y, l1=case.l1, l2=case.l2, fit_intercept=fit_intercept, tol=1e-9
    )
    assert result.converged
    assert case.gap(result.coef, result.intercept) <= 1.01 * result.target


def test_separated_by_an_unpenalized_column_has_no_minimizer():
    X, y = separable()
    result = solve_logistic(
        X, y, l1=0.1, penalty_weights=np.array([0.0, 1, 1, 1, 1]), tol=1e-10, max_seconds=HUNG
    )
    # The infimum is not attained: either the point is good enough, or the status says it is not.
    assert result.converged == (result.gap <= result.target)
    assert result.primal < 1e-3


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_one_class_with_an_intercept(sign):
    X, _ = separable()
    result = solve_logistic(X, np.full(80, sign), l1=0.1, fit_intercept=True)
    assert result.converged
    assert result.primal == 0.0
    assert not np.any(result.coef)
    assert np.sign(result.intercept) == sign


def test_one_class_without_an_intercept():
    X, _ = separable()
    case = LogisticCase(np.abs(X), np.ones(80), l1=0.01)
    result = solve_logistic(case.X, case.y, l1=0.01, tol=1e-10)
    assert result.converged
    assert case.gap(result.coef, 0.0) <= 1.01 * result.target


def test_weight_on_one_class_only_and_no_weight_at_all():
    X, y = separable()
    for s in (np.where(y > 0, 1.0, 0.0), np.zeros(80)):
        result = solve_logistic(X, y, l1=0.1, fit_intercept=True, sample_weight=s)
        assert result.converged
        assert result.primal == 0.0


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("storage", ["f", "csc"])
def test_zero_constant_and_duplicate_columns(storage, fit_intercept):
    case = random_case(2, storage, fit_intercept=fit_intercept)
    X = case.X.toarray() if sparse.issparse(case.X) else case.X
    n = X.shape[0]
    X = np.column_stack([X, X[:, :5], -2 * X[:, :3], np.zeros(n), np.full(n, 3.0)])
    stored = sparse.csc_matrix(X) if storage == "csc" else X
    for l1 in (1e-2, 1e-4):
        wider = LogisticCase(stored, case.y, l1=l1, fit_intercept=fit_intercept)
        result = solve_logistic(stored, case.y, l1=l1, tol=1e-9, fit_intercept=fit_intercept)
        assert result.converged
        assert result.coef[-2] == 0.0
        assert not (fit_intercept and result.coef[-1] != 0.0)
        assert wider.gap(result.coef, result.intercept) <= 1.01 * result.target


@pytest.mark.parametrize("scale", [1e-8, 1e6, 1e12])
def test_extreme_columns_and_margins(scale):
    case = random_case(0, lower=None, upper=None, sample_weight=None, penalty_weights=None)
    X = np.asfortranarray(case.X)
    X[:, 0] *= scale
    session = LogisticSession(X, case.y, fit_intercept=True)
    result = session.solve(1e-3 * session.largest_penalty(), tol=1e-8)
    assert result.converged
    # Margins of a wild start are far outside the range of exp.
    session.start_at(np.full(X.shape[1], 1e4), -1e5)
    again = session.solve(1e-3 * session.largest_penalty(), tol=1e-8)
    assert again.converged
    assert again.primal == pytest.approx(result.primal, rel=1e-6)


def test_columns_whose_squares_overflow_are_refused():
    X = np.full((4, 2), 1e200)
    with pytest.raises(OverflowError, match="scale the data down"):
        solve_logistic(X, np.array([1.0, -1, 1, -1]), l1=0.1)


@pytest.mark.parametrize("storage", ["f", "csc"])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("free", [1, 4])
def test_unpenalized_columns_are_certified(free, fit_intercept, storage):
    case = random_case(2, storage, fit_intercept=fit_intercept, lower=None, upper=None)
    case.penalty_weights = np.ones(case.X.shape[1])
    case.penalty_weights[:free] = 0.0
    case.l2 = 0.0
    for tol in (1e-3, 1e-9):
        result = solve_logistic(case.X, case.y, l1=case.l1, tol=tol, **case.options())
        assert result.converged
        assert case.gap(result.coef, result.intercept) <= 1.001 * result.target


def test_no_penalty_at_all_is_plain_maximum_likelihood():
    case = random_case(2, lower=None, upper=None, sample_weight=None, penalty_weights=None)
    case.y[::3] *= -1  # not separable
    case.l1, case.l2 = 0.0, 0.0
    result = solve_logistic(case.X, case.y, l1=0.0, tol=1e-9, **case.options())
    assert result.converged
    slope = case.X.T @ (case.y / (1 + np.exp(case.y * (case.X @ result.coef + result.intercept))))
    assert np.abs(slope).max() <= 1e-7


def test_ridge_alone():
    case = random_case(2, lower=None, upper=None)
    case.l1, case.l2 = 0.0, 0.1
    result = solve_logistic(case.X, case.y, l1=0.0, l2=0.1, tol=1e-10, **case.options())
    assert result.converged
    assert case.gap(result.coef, result.intercept) <= 1.01 * result.target


@pytest.mark.parametrize("storage", ["f", "csc"])
def test_without_memory_for_a_matrix_the_residual_is_used(storage):
    for seed in (1, 2, 3):
        case = random_case(seed, storage)
        result = solve_logistic(
            case.X, case.y, l1=case.l1, l2=case.l2, tol=1e-9, pool_bytes=32, **case.options()
        )
        assert result.regime in ("residual", "null", "pool")
        assert result.converged
        assert case.gap(result.coef, result.intercept) <= 1.01 * result.target + 1e-13


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("divisor", [20.0, 500.0])
def test_text_is_solved_on_scaled_columns(fit_intercept, divisor):
    rng = np.random.default_rng(11)
    X = sparse.random(500, 900, density=0.02, format="csc", random_state=rng)
    y = np.where(X @ rng.normal(size=900) + 0.3 * rng.normal(size=500) > 0.1, 1.0, -1.0)
    weight = rng.integers(0, 3, size=500).astype(float)
    sides = {"fit_intercept": fit_intercept, "sample_weight": weight}
    l1 = LogisticSession(X, y, **sides).largest_penalty() / divisor
    case = LogisticCase(X, y, l1, 0.1 * l1, **sides)
    result = solve_logistic(X, y, l1=l1, l2=0.1 * l1, tol=1e-9, **sides)
    assert result.converged
    assert result.regime == "residual"
    assert case.gap(result.coef, result.intercept) <= 1.01 * result.target + 1e-13


def test_shapes_and_labels_are_checked_natively():
    X, y = separable()
    with pytest.raises(ValueError, match="every y must be -1 or"):
        LogisticSession(X, np.zeros(80))
    with pytest.raises(ValueError, match="y needs one value per row"):
        LogisticSession(X, y[:-1])
    with pytest.raises(ValueError, match="a start needs one value per column"):
        LogisticSession(X, y).start_at(np.zeros(3))
    with pytest.raises(ValueError, match="sample_weight needs one value per row"):
        LogisticSession(X, y).with_labels(y, np.ones(3))


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1)])
def test_tiny_shapes(shape):
    X = np.arange(1.0, 1.0 + shape[0] * shape[1]).reshape(shape)
    y = np.where(np.arange(shape[0]) % 2 == 0, 1.0, -1.0)
    case = LogisticCase(X, y, l1=0.01)
    result = solve_logistic(X, y, l1=0.01, tol=1e-10)
    assert result.converged
    assert case.gap(result.coef, 0.0) <= 1.01 * result.target


def test_no_columns():
    result = solve_logistic(np.empty((3, 0)), np.array([1.0, -1.0, 1.0]), l1=0.1)
    assert result.converged
    assert result.regime == "null"
