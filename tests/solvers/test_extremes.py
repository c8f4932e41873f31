"""What float64 cannot hold is refused, or leaves a gap: it never certifies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import (
    ElasticNetSession,
    GroupSession,
    L1SvmSession,
    L2LogisticSession,
    L2MultinomialSession,
    LogisticSession,
    MultinomialSession,
)

RNG = np.random.default_rng(0)
X = np.asfortranarray(RNG.standard_normal((60, 6)))
Y = X @ RNG.standard_normal(6) + RNG.standard_normal(60)
SIGNS = np.where(Y > 0.0, 1.0, -1.0)
CLASSES = (SIGNS + 1.0) / 2.0


@pytest.mark.parametrize("store", [np.asfortranarray, sparse.csc_matrix])
@pytest.mark.parametrize(
    "session", [ElasticNetSession, LogisticSession, L1SvmSession, GroupSession]
)
def test_a_short_column_is_refused_where_nothing_is_penalized(session: Any, store: Any) -> None:
    """It was taken for an empty one, and a model without it certified; a penalty outweighs it."""
    short, y = store(X * [1e-200, 1.0, 1.0, 1.0, 1.0, 1.0]), SIGNS
    solver = session(short, y)
    assert solver.solve(0.01, 0.0).converged
    for each in (solver, session(short, y)):
        with pytest.raises(OverflowError, match="squares of a column without a penalty vanish"):
            each.solve(0.0, 0.0)
    assert solver.solve(0.01, 0.0).converged  # the session is as it was


@pytest.mark.parametrize("solves", [1, 3])
def test_a_path_that_ends_without_a_penalty_refuses_a_short_column(solves: int) -> None:
    session = ElasticNetSession(X * [1e-200, 1.0, 1.0, 1.0, 1.0, 1.0], Y, solves=solves)
    penalties = np.array([0.1, 1e-3, 0.0])
    with pytest.raises(OverflowError, match="squares of a column without a penalty vanish"):
        session.path(penalties, np.zeros(3))
    path = ElasticNetSession(X, Y, solves=solves).path(penalties, np.zeros(3))
    assert path.result(2).converged


@pytest.mark.parametrize("l1", [0.0, 1e-3])
@pytest.mark.parametrize("l2", [1e-306, 1e-310, 5e-324])
def test_an_l2_part_whose_inverse_overflows_certifies_nothing_that_is_not_so(
    l1: float, l2: float
) -> None:
    """The conjugate was inf - inf, which passed for a gap of zero at zero coefficients."""
    for make in (
        lambda: ElasticNetSession(X, Y),
        lambda: GroupSession(X, Y),
        lambda: LogisticSession(X, SIGNS),
        lambda: L1SvmSession(X, SIGNS),
        lambda: GroupSession(X, SIGNS, logistic=True),
        lambda: MultinomialSession(X, CLASSES, 2),
    ):
        result, best = make().solve(l1, l2), make().solve(l1, 0.0, tol=1e-10)
        assert not result.gap < (result.primal - best.primal) * (1.0 - 1e-6) - best.target


@pytest.mark.parametrize("weight", [1e-110, 1e-165, 1e-300, 5e-324, 1e110, 1e155, 1e300])
def test_weights_whose_squares_leave_float64_are_refused(weight: float) -> None:
    """Zero coefficients were certified with a gap of zero, beside 1e155 those of groups."""
    given = {"sample_weight": np.where(CLASSES > 0.0, weight, 0.5 * weight)}
    for make in (
        lambda: LogisticSession(X, SIGNS, **given),
        lambda: LogisticSession(X, SIGNS).with_labels(SIGNS, given["sample_weight"]),
        lambda: L1SvmSession(X, SIGNS, **given),
        lambda: L2LogisticSession(X, SIGNS, **given),
        lambda: GroupSession(X, SIGNS, logistic=True, **given),
        lambda: MultinomialSession(X, CLASSES, 2, **given),
        lambda: L2MultinomialSession(X, CLASSES, 2, **given),
    ):
        with pytest.raises(ValueError, match="largest weight of a sample"):
            make()


def test_a_column_that_lives_on_tiny_weights_still_counts() -> None:
    """Its weighted square vanished beside a row of weight zero: zero was certified for it."""
    weight = np.full(60, 1e-50)
    weight[0] = 0.0
    column = np.asfortranarray(1e-140 * X[:, :1])
    result = LogisticSession(column, SIGNS, sample_weight=weight).solve(0.0, 0.0)
    assert not result.converged or abs(result.coef[0]) > 1e139


def test_a_deadline_in_gram_space_proves_no_more_than_the_data() -> None:
    """Far columns: a stop before the data are read left a gap that rounding had made."""
    rng = np.random.default_rng(1)
    near = rng.standard_normal((20, 10))
    far = near + 1e6
    signal = near @ rng.standard_normal(10)
    y, l1 = signal / signal.std() + 0.05 * rng.standard_normal(20), 2e-3
    centered, response, stored = far - far.mean(axis=0), y - y.mean(), sparse.csc_matrix(far)

    def objective(coef: np.ndarray) -> float:
        residual = response - centered @ coef
        return float(residual @ residual) / 40.0 + l1 * float(np.abs(coef).sum())

    best = objective(ElasticNetSession(stored, y, fit_intercept=True).solve(l1, tol=1e-12).coef)
    for seconds in np.geomspace(4e-6, 1e-4, 400):
        session = ElasticNetSession(stored, y, fit_intercept=True)
        result = session.solve(l1, tol=1e-6, max_seconds=seconds)
        assert result.gap >= objective(result.coef) - best - 1e-12, result
