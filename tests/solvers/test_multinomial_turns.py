"""Epochs and matrices take turns in the L1 multinomial solver: counted work, no clock."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

from banditcd.solvers import L2MultinomialSession, MultinomialSession
from banditcd.solvers.result import Result
from tests.solvers.covered import REGIMES

SHAPES = [(300, 150, 5), (1500, 30, 4), (100, 400, 3)]
SHARES = [0.3, 0.03, 0.003]  # of the penalty at which the model is empty
#: Of the work of the better regime alone: ski rental promises twice, and once more for a step.
MOST = 1.5


def drawn(shape: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    rows, columns, classes = shape
    rng = np.random.default_rng(columns)
    X = np.asfortranarray(rng.standard_normal((rows, columns)))
    W = rng.standard_normal((columns, classes)) * (rng.random((columns, 1)) < 0.2)
    scores = X @ W / np.sqrt(0.05 * columns) + rng.gumbel(size=(rows, classes))
    return X, scores.argmax(axis=1).astype(float)


def solved(shape: tuple[int, int, int], share: float, regime: str | None = None) -> Result:
    session = MultinomialSession(*drawn(shape), shape[2], fit_intercept=True)
    largest = session.largest_penalty()
    if regime:
        session.force_regime(regime)
    return session.solve(share * largest, tol=1e-6)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("share", SHARES)
def test_turns_cost_little_more_than_the_better_regime_alone(shape, share) -> None:
    chosen = solved(shape, share)
    alone = [solved(shape, share, regime) for regime in ("pool", "residual")]
    assert all(result.converged for result in (chosen, *alone))
    assert chosen.work <= MOST * min(result.work for result in alone)
    for result in alone:
        assert abs(result.primal - chosen.primal) <= result.target


def test_a_weak_penalty_on_square_data_costs_half_of_matrices_alone() -> None:
    shape = (300, 150, 5)
    assert solved(shape, 0.003).work <= 0.5 * solved(shape, 0.003, "pool").work


@pytest.mark.parametrize("regime", sorted(REGIMES["l2_multinomial"]))
def test_work_of_an_l2_solve_is_counted(regime) -> None:
    """Passes alone make the work of steps without a matrix; products and factors come on top."""
    X, y = drawn(SHAPES[1])
    results = []
    for _ in range(2):
        session = L2MultinomialSession(np.ascontiguousarray(X), y, SHAPES[1][2])
        session.force_regime(regime)
        results.append(session.solve(0.01, tol=1e-3))
    passes = {result.work / result.passes for result in results}
    assert results[0].work == results[1].work > 0.0
    plain = L2MultinomialSession(np.ascontiguousarray(X), y, SHAPES[1][2])
    plain.force_regime("newton_diagonal")
    result = plain.solve(0.01, tol=1e-3)
    if regime in ("newton_blocks", "newton_coupled"):
        assert min(passes) > result.work / result.passes


def test_classes_told_apart_make_newton_steps_many_and_leave_quasi_newton_the_end() -> None:
    X, y = load_digits(return_X_y=True)
    X = np.ascontiguousarray((X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0))

    def work(regime: str | None) -> float:
        session = L2MultinomialSession(X, y.astype(float), 10, fit_intercept=True)
        if regime is not None:
            session.force_regime(regime)
        result = session.solve(0.01 / len(y), tol=1e-3)
        assert result.converged
        return result.work

    assert work(None) <= 1.01 * min(work("quasi_newton"), work("newton_blocks"))
