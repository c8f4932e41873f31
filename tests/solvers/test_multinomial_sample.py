"""Matrices of samples in the L1 multinomial solver: tall data, whose steps they make cheap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import MultinomialSession
from banditcd.solvers.result import Result
from tests.solvers.multinomial_cases import MultinomialCase

ROWS, COLUMNS, CLASSES = 4000, 32, 5
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "intercept": {"fit_intercept": True},
    "weights": {"fit_intercept": True, "sample_weight": np.tile([0.0, 1.0, 3.0, 0.5], ROWS // 4)},
    "bounds": {"lower": np.full(COLUMNS, -0.2), "upper": np.full(COLUMNS, 0.4)},
    "free": {"fit_intercept": True, "penalty_weights": np.array([0.0] + [1.0] * (COLUMNS - 1))},
    "excluded": {"penalty_weights": np.array([np.inf] + [1.0] * (COLUMNS - 1))},
}
SHAPES = {"dense": np.asfortranarray, "float32": np.float32, "sparse": sparse.csc_matrix}


def drawn(order: str = "random") -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    X = rng.standard_normal((ROWS, COLUMNS)) * (rng.random((ROWS, COLUMNS)) < 0.8)
    scores = X @ rng.standard_normal((COLUMNS, CLASSES))
    y = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1).astype(float)
    rows = np.argsort(y, kind="stable") if order == "sorted" else np.arange(ROWS)
    if order == "periodic":  # every eighth row is one of the first class, while there are any
        first, rest = np.flatnonzero(y == 0.0), np.flatnonzero(y != 0.0)
        taken = first[: ROWS // 8]
        rows = np.empty(ROWS, dtype=np.intp)
        sampled = np.arange(0, ROWS, 8)[: len(taken)]
        rows[sampled] = taken
        others = np.setdiff1d(np.arange(ROWS), sampled)
        rows[others] = np.concatenate([first[ROWS // 8 :], rest])
    return X[rows], y[rows]


def solved(X: Any, y: np.ndarray, regime: str | None = None, **options: Any) -> Result:
    session = MultinomialSession(X, y, CLASSES, **options)
    if regime is not None:
        session.force_regime(regime)
    return session.solve(1e-5, 0.0, tol=1e-8)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("storage", SHAPES)
def test_steps_with_a_sample_end_where_matrices_of_all_rows_do(name: str, storage: str) -> None:
    X, y = drawn()
    X, options = SHAPES[storage](X), OPTIONS[name]
    chosen, alone = solved(X, y, **options), solved(X, y, "pool", **options)
    assert chosen.converged
    assert alone.converged
    assert abs(chosen.primal - alone.primal) <= alone.target


def test_the_judge_agrees() -> None:
    X, y = drawn()
    result = solved(np.asfortranarray(X), y, **OPTIONS["weights"])
    case = MultinomialCase(X, y, 1e-5, 0.0, classes=CLASSES, **OPTIONS["weights"])
    objective, bound = case.ruling(result.coef, result.intercept)
    assert abs(objective - result.primal) <= 1e-10 * case.null()
    assert result.primal - bound <= 2e-8 * case.null()


@pytest.mark.parametrize("order", ["sorted", "periodic"])
def test_a_sample_unlike_the_rest_is_given_up(order: str) -> None:
    X, y = drawn(order)
    chosen = solved(np.asfortranarray(X), y, fit_intercept=True)
    alone = solved(np.asfortranarray(X), y, "pool", fit_intercept=True)
    assert chosen.converged
    assert abs(chosen.primal - alone.primal) <= alone.target


def test_samples_save_most_of_the_work_of_whole_matrices() -> None:
    rng = np.random.default_rng(1)
    X = np.asfortranarray(rng.standard_normal((20_000, 40)))
    scores = X @ (rng.standard_normal((40, 7)) * (rng.random((40, 1)) < 0.2))
    y = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1).astype(float)

    def work(regime: str | None) -> float:
        session = MultinomialSession(X, y, 7, fit_intercept=True)
        if regime is not None:
            session.force_regime(regime)
        return session.solve(1.0 / 20_000, tol=1e-3).work

    assert work(None) <= 0.5 * work("pool")


def test_no_sample_is_larger_than_the_memory_allowed() -> None:
    X, y = drawn()
    found = [
        MultinomialSession(X, y, CLASSES, pool_bytes=most).solve(1e-4, 0.0, tol=1e-4)
        for most in (1 << 30, X.nbytes // 16)
    ]
    assert all(result.converged for result in found)
    assert found[0].regime == "pool"
    assert found[1].regime == "residual"
    assert abs(found[0].primal - found[1].primal) <= found[0].target
