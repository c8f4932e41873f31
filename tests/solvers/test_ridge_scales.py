"""Ridge on columns of very different size: where sums over columns lose the small ones."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import RidgeSession


def gap(X, y, l2, coef, intercept):
    """Duality gap from coefficients, in plain NumPy: |X'r/n - l2 w|² / (2 l2)."""
    residual = y - X @ coef - intercept
    v = X.T @ (residual / len(y)) - l2 * coef
    return float(v @ v) / (2.0 * l2)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("scale", [1e6, 1e7])
@pytest.mark.parametrize("alpha", [1e-5, 10.0])
def test_one_huge_column_beside_many_small_ones(alpha, scale, fit_intercept):
    rng = np.random.default_rng(17)
    n, d = 60, 200
    X = rng.standard_normal((n, d))
    X[:, 3] *= scale
    y = rng.standard_normal(n)
    l2 = alpha / n
    result = RidgeSession(X, y, fit_intercept=fit_intercept).solve(l2, tol=1e-8)[0]
    assert result.status == "converged", result
    assert gap(X, y, l2, result.coef, result.intercept) <= 1.01 * result.target + 1e-14


def test_a_tolerance_that_rounding_forbids_ends_as_stalled():
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((50, 20)), rng.standard_normal(50)
    result = RidgeSession(X, y).solve(1e-3, tol=1e-60, max_iter=10**6)[0]
    assert result.status == "stalled"
    assert result.gap <= 1e-25
    assert result.passes < 500


def test_the_penalty_of_tiny_coefficients_does_not_underflow():
    """Squares of the coefficients are below the smallest float64, their penalty is not."""
    rng = np.random.default_rng(4)
    X, y = 1e76 * rng.standard_normal((30, 10)), 1e-90 * rng.standard_normal(30)
    l2 = 1e152
    result = RidgeSession(X, y).solve(l2, tol=1e-7)[0]
    assert np.all(result.coef**2 == 0.0)
    assert np.any(result.coef != 0.0)
    residual = y - X @ result.coef
    primal = residual @ residual / (2 * len(y)) + 0.5 * (l2 * result.coef) @ result.coef
    assert result.primal == pytest.approx(primal, rel=1e-9)
    assert result.primal > (1 + 1e-6) * (residual @ residual) / (2 * len(y))
