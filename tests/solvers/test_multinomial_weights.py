"""Multinomial fits with weights and columns of very different size end at their target.

With weights of 1000 and 1e-4 the objective is about 1e-7 of all weight, and so is what the
certificate may lose: sums of weights have no such digits, sums of wrong probabilities do.
"""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import L2MultinomialSession
from tests.solvers.covered import REGIMES
from tests.solvers.multinomial_cases import MultinomialCase

STRENGTHS = np.logspace(-6, 2, 9)


def noisy_classes(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 34).astype(float)
    X = 20.0 * rng.standard_normal((34, 2)) + rng.uniform(-10.0, 10.0, (3, 2))[y.astype(int)]
    return X, y, np.array([1000.0, 1e-4, 1e-4])[y.astype(int)]


@pytest.mark.parametrize("regime", sorted(REGIMES["l2_multinomial"]))
@pytest.mark.parametrize("seed", range(4))
def test_class_weights_of_seven_orders_leave_the_gap_its_digits(regime, seed):
    """Imbalances rounded by all weight end at 1e-8 of the null model's objective."""
    X, y, weight = noisy_classes(seed)
    session = L2MultinomialSession(X, y, 3, fit_intercept=True, sample_weight=weight)
    session.force_regime(regime)
    for l2 in STRENGTHS:
        result = session.solve(l2, tol=1e-11)
        assert result.status == "converged", l2
        case = MultinomialCase(
            *(X, y, 0.0, l2), classes=3, fit_intercept=True, sample_weight=weight
        )
        objective, bound = case.ruling(result.coef, result.intercept)
        assert objective - bound <= 1e-6 * case.null()


@pytest.mark.parametrize("seed", range(12))
def test_weights_of_rows_from_1e_minus_4_to_1e4_converge(seed):
    rng = np.random.default_rng(seed)
    rows, columns, classes = 60, int(rng.integers(2, 20)), int(rng.integers(3, 6))
    X = rng.standard_normal((rows, columns)) * 10.0 ** rng.uniform(-2.0, 2.0, columns)
    y = rng.permutation(np.arange(rows) % classes).astype(float)
    weight = 10.0 ** rng.uniform(-4.0, 4.0, rows)
    session = L2MultinomialSession(X, y, classes, fit_intercept=True, sample_weight=weight)
    for l2 in (10.0, 0.1, 1e-3):
        assert session.solve(l2, tol=1e-9).status == "converged", l2


@pytest.mark.parametrize("power", [-40, -30, 24, 40])
def test_the_scale_of_the_columns_changes_no_quasi_newton_step(power):
    """Scaled by a power of two, every product is; steps without memory would be 104, not 38."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 200)) * 10.0 ** rng.uniform(-1.0, 1.0, 200)
    y = rng.permutation(np.arange(80) % 4).astype(float)
    found = []
    for factor in (1.0, 2.0**power):
        session = L2MultinomialSession(factor * X, y, 4)
        session.force_regime("quasi_newton")
        found.append(session.solve(factor**2 * 1e-2, tol=1e-7))
    assert found[1].n_iter == found[0].n_iter
    np.testing.assert_array_equal(2.0**power * found[1].coef, found[0].coef)


@pytest.mark.parametrize("regime", ["quasi_newton", "newton_diagonal"])
def test_columns_without_penalty_and_far_from_zero_are_left_to_blocks(regime):
    """The dual point must be orthogonal to them: a diagonal alone never gets there."""
    rng = np.random.default_rng(59)
    X = rng.standard_normal((72, 201)) + 100.0
    y = rng.permutation(np.arange(72) % 6).astype(float)
    prices = np.ones(201)
    prices[[40, 120]] = 0.0
    session = L2MultinomialSession(X, y, 6, penalty_weights=prices)
    session.force_regime(regime)
    for tol in (1e-2, 1e-8):
        assert session.solve(10.0, tol=tol, max_iter=2000).status == "converged", tol
