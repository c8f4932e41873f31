"""Gram matrices in single precision in the block solver: tall data, any tolerance."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers.groups import GroupSession

ROWS, COLUMNS, WIDTH = 6000, 120, 4
GROUPS = list(np.arange(COLUMNS).reshape(-1, WIDTH))


def columns(kind: str) -> np.ndarray:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((ROWS, COLUMNS))
    if kind == "offsets":
        X += 1e4 * rng.random(COLUMNS)
    if kind == "scales":
        X *= 10.0 ** rng.uniform(-4.0, 4.0, COLUMNS // WIDTH).repeat(WIDTH)
    if kind == "near copies":  # closer than single precision tells
        X[:, 1::WIDTH] = X[:, 0::WIDTH] + 1e-9 * X[:, 1::WIDTH]
    if kind == "constant":
        X[:, 5] = 0.0
    return np.asfortranarray(X)


def responses(X: np.ndarray, tasks: int) -> np.ndarray:
    rng = np.random.default_rng(4)
    signal = (X / X.std(axis=0).clip(1e-3)) @ (
        rng.standard_normal((COLUMNS, tasks)) * (rng.random((COLUMNS, 1)) < 0.3)
    )
    return signal + 0.3 * rng.standard_normal((ROWS, tasks))


@pytest.mark.parametrize("kind", ["plain", "offsets", "scales", "near copies", "constant"])
@pytest.mark.parametrize("tasks", [1, 4])
@pytest.mark.parametrize("tol", [1e-4, 1e-12])
def test_rough_matrices_end_where_exact_ones_do(kind: str, tasks: int, tol: float) -> None:
    X = columns(kind)
    Y = responses(X, tasks)
    rough = GroupSession(X, Y, groups=GROUPS, fit_intercept=True)
    # Rows with weights have matrices in double precision.
    exact = GroupSession(X, Y, groups=GROUPS, fit_intercept=True, sample_weight=np.ones(ROWS))
    largest = exact.largest_penalty()
    for share in (0.5, 0.01, 0.1):
        found, wanted = (s.solve(share * largest, tol=tol) for s in (rough, exact))
        assert found.converged
        assert wanted.converged
        assert abs(found.primal - wanted.primal) <= wanted.target + 1e-13 * wanted.primal


def test_a_weak_penalty_takes_one_model_of_all_blocks() -> None:
    X = columns("plain")
    session = GroupSession(X, responses(X, 4))
    assert session.solve(0.01 * session.largest_penalty(), tol=1e-4).n_iter <= 2
