"""Several classes without a penalty, on columns that depend on each other."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import L2MultinomialSession, MultinomialSession, Result

REGIMES = ["newton_diagonal", "newton_shared", "newton_blocks", "newton_coupled", "quasi_newton"]


def objective(X: np.ndarray, y: np.ndarray, result: Result) -> float:
    """Return the mean loss of the coefficients themselves."""
    z = X @ result.coef.T + result.intercept
    top = z.max(axis=1)
    loss = np.log(np.exp(z - top[:, None]).sum(axis=1)) + top - z[np.arange(len(y)), y.astype(int)]
    return float(loss.mean())


@pytest.mark.parametrize("regime", [None, *REGIMES])
@pytest.mark.parametrize(("n", "d", "rank"), [(60, 40, 10), (300, 60, 20)])
def test_dependent_columns_are_certified_as_independent_ones_are(
    n: int, d: int, rank: int, regime: str | None
) -> None:
    """Coefficients grew to 1e15 along what columns have in common, and the loss was anything."""
    rng = np.random.default_rng(n)
    base = rng.standard_normal((n, rank))
    X = base @ rng.standard_normal((rank, d))
    z = base @ rng.standard_normal(rank)
    y = np.digitize(z / z.std() + rng.standard_normal(n), [-0.4, 0.4]).astype(float)
    best = L2MultinomialSession(base, y, 3, fit_intercept=True).solve(0.0, tol=1e-9)
    session = L2MultinomialSession(X, y, 3, fit_intercept=True)
    if regime is not None:
        session.force_regime(regime)
    result = session.solve(0.0, tol=1e-6)
    assert result.converged
    assert abs(result.primal - objective(X, y, result)) < 1e-9
    assert result.primal - best.primal <= result.gap + best.gap
    assert np.abs(result.coef).max() < 1e3


@pytest.mark.parametrize("seed", range(10))
def test_what_is_reported_is_the_objective_of_the_coefficients(seed: int) -> None:
    """Of separable classes as well, where nothing holds the coefficients."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((12, 3)) @ rng.standard_normal((3, 10))
    y = np.r_[0.0, 1.0, 2.0, rng.integers(0, 3, 9)]
    for max_iter in (3, 30, 300):
        session = L2MultinomialSession(X, y, 3, fit_intercept=True)
        result = session.solve(0.0, tol=1e-6, max_iter=max_iter)
        off = abs(result.primal - objective(X, y, result))
        assert off <= max(0.2 * result.target, 1e-9), result


@pytest.mark.parametrize("classes", [3, 4, 5])
@pytest.mark.parametrize("ratio", [1.0, 0.999])
@pytest.mark.parametrize("mean", [1e2, 1e3, 1e4])
def test_columns_far_from_zero_without_an_intercept(
    mean: float, ratio: float, classes: int
) -> None:
    r"""All columns are nearly the same one, and what all classes of one share has no curvature.

    With an odd number of classes the L1 norm has a slope along it: every Newton direction of the
    model led 1e9 times too far, stopped at the first coefficient that came to zero, and the epochs
    in between brought back what four steps had left out. Such fits stalled with 0.8 of the
    objective as the gap, after ten looks at all columns.
    """
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = np.asfortranarray(mean + rng.standard_normal((200, 10)))
        y = rng.integers(0, classes, 200).astype(float)
        session = MultinomialSession(X, y, classes, fit_intercept=False)
        result = session.solve(5e-3 * ratio, 5e-3 * (1.0 - ratio), tol=1e-6)
        assert result.converged, result
