"""Ridge on columns of very different size: where sums over columns lose the small ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import RidgeSession
from banditcd.solvers.ridge.regimes import REGIMES


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


@pytest.mark.parametrize("powers", [(-300, -250), (-300, 250), (300, -250), (300, 330), (-330, 0)])
@pytest.mark.parametrize("regime", [*REGIMES, "auto", "exact"])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_gaps_at_extreme_scales_are_those_of_ordinary_ones(storage, regime, powers):
    """X and y times powers of two: the same bits times powers of two, and no gap underflows."""
    rng = np.random.default_rng(9)
    X, Y = rng.standard_normal((30, 40)), rng.standard_normal((30, 2))
    Y[:, 1] *= 1e-3
    of_X, of_y = (2.0**power for power in powers)

    def solved(X, Y, l2):
        session = RidgeSession(storage(X), Y, fit_intercept=True, exact=regime == "exact")
        if regime in REGIMES:
            session.force_regime(regime)
        return session.solve(l2, tol=1e-3, max_iter=7)

    plain, extreme = solved(X, Y, 1e-2), solved(of_X * X, of_y * Y, 1e-2 * of_X**2)
    for one, other in zip(plain, extreme, strict=True):
        assert (one.status, one.regime) == (other.status, other.regime)
        np.testing.assert_array_equal(other.coef, one.coef / of_X * of_y)
        for name in ("primal", "gap", "target"):
            assert getattr(other, name) == pytest.approx(
                getattr(one, name) * of_y * of_y, rel=1e-12, abs=1e-300
            )
        assert one.gap > 0.0


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
