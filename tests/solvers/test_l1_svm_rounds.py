"""L1 support vector machines far from their optimum: a solve goes on while its objective falls."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import L1SvmSession

SEEDS = range(1_000_000, 1_000_060)


def noise(seed: int, offset: float):
    """Return labels that are noise, about as many columns of unequal scales, and a weak penalty."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(30, 60)), int(rng.integers(30, 60))
    X = rng.standard_normal((n, d)) * np.exp(rng.standard_normal(d))
    X += offset * rng.standard_normal(d)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    return np.asfortranarray(X), y, 1.0 / (n * 10.0 ** rng.uniform(0.0, 2.0))


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("offset", [0.0, 3.0])
def test_patience_does_not_end_far_from_the_optimum(offset, fit_intercept) -> None:
    """Six of 60 ended with a gap of up to nine tenths of the objective."""
    for seed in SEEDS:
        X, y, penalty = noise(seed, offset)
        session = L1SvmSession(X, y, fit_intercept=fit_intercept)
        result = session.solve(penalty, tol=1e-4)
        assert result.status == "converged", seed
        assert result.n_iter <= 1000


def test_limits_hold_for_all_rounds_together() -> None:
    longest = 0
    for seed in SEEDS:
        X, y, penalty = noise(seed, 0.0)
        for limit in (10, 40):
            result = L1SvmSession(X, y).solve(penalty, tol=1e-12, max_iter=limit)
            assert result.n_iter <= limit
            longest = max(longest, result.n_iter)
    assert longest == 40


def test_a_solve_that_rounding_ends_is_not_repeated() -> None:
    X, y, penalty = noise(SEEDS[0], 0.0)
    session = L1SvmSession(X, y)
    first = session.solve(penalty, tol=0.0)
    assert first.status == "stalled"
    assert first.gap < 1e-9 * first.primal
    assert session.solve(penalty, tol=0.0).n_iter <= 12
