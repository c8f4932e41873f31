"""The judge of the benchmarks: a bound that holds, is tight at the optimum, and is never fooled."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Lasso

from benchmarks.gap import largest_penalty, lasso_gap, lasso_gaps


def problem(seed: int, n: int, d: int, storage: str):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.7)
    y = X[:, : min(3, d)].sum(axis=1) + 0.3 * rng.standard_normal(n)
    return (sparse.csc_matrix(X) if storage == "sparse" else np.asfortranarray(X)), y


def objective(X, y, w, penalty):
    residual = y - X @ w
    return 0.5 * residual @ residual + penalty * np.abs(w).sum()


CASES = [(0, 30, 8, "dense"), (1, 12, 40, "dense"), (2, 30, 8, "sparse"), (3, 12, 40, "sparse")]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("divisor", [2, 10, 100])
def test_the_gap_bounds_the_distance_to_the_optimum_and_closes_there(case, divisor):
    X, y = problem(*case)
    penalty = largest_penalty(X, y) / divisor
    model = Lasso(alpha=penalty / len(y), fit_intercept=False, tol=1e-14, max_iter=10**6)
    best = model.fit(X, y).coef_
    assert abs(lasso_gap(X, y, best, penalty)) < 1e-11
    rng = np.random.default_rng(9)
    for size in (1e-4, 1e-2, 1.0):
        other = best + size * rng.standard_normal(len(best))
        excess = objective(X, y, other, penalty) - objective(X, y, best, penalty)
        assert lasso_gap(X, y, other, penalty) >= excess / (0.5 * y @ y) - 1e-12


def test_zero_is_optimal_from_the_largest_penalty_on_and_not_below():
    X, y = problem(4, 20, 6, "dense")
    largest, zero = largest_penalty(X, y), np.zeros(6)
    assert abs(lasso_gap(X, y, zero, largest)) < 1e-14
    assert abs(lasso_gap(X, y, zero, 3.0 * largest)) < 1e-14
    assert lasso_gap(X, y, zero, 0.9 * largest) > 1e-3


def test_columns_are_judged_one_by_one_and_numbers_that_are_none_have_no_gap():
    X, y = problem(5, 20, 6, "sparse")
    penalties = largest_penalty(X, y) / np.array([2.0, 5.0, 9.0])
    coefs = np.random.default_rng(0).standard_normal((6, 3))
    coefs[2, 1] = np.nan
    gaps = lasso_gaps(X, y, coefs, penalties)
    assert gaps[1] == np.inf
    for k in (0, 2):
        assert gaps[k] == pytest.approx(lasso_gap(X, y, coefs[:, k], penalties[k]))


def test_a_perfect_fit_pays_for_its_penalty():
    X, y = np.eye(3, order="F"), np.array([1.0, 2.0, 3.0])
    assert lasso_gap(X, y, y, 0.5) == pytest.approx(0.5 * 6.0 / (0.5 * 14.0))
