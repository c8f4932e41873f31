"""Degenerate data: every case must end certified, judged by the independent gap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import ElasticNetSession, GroupSession, LogisticSession
from tests.solvers.solving import largest_penalty, solve

RNG = np.random.default_rng(12)
BASE = RNG.standard_normal((30, 12))
RESPONSE = BASE[:, 0] - 0.5 * BASE[:, 1] + 0.3 * RNG.standard_normal(30) + 2.0


def duplicated():
    return np.hstack([BASE, BASE, -BASE, 2.0 * BASE])


def collinear():
    return np.hstack([BASE, BASE[:, :3] @ RNG.standard_normal((3, 60))])


def constant_and_zero():
    return np.hstack([BASE, np.ones((30, 1)), np.zeros((30, 2)), np.full((30, 1), 1e5)])


def scaled():
    return BASE * np.logspace(-6, 6, 12)


def offset():
    return BASE + 1e3


def saturated():
    return np.random.default_rng(1).standard_normal((15, 400))


DESIGNS = [duplicated, collinear, constant_and_zero, scaled, offset, saturated]


@pytest.mark.parametrize("build", DESIGNS)
@pytest.mark.parametrize("store", [np.asfortranarray, sparse.csc_matrix])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("divisor", [0.5, 1.0, 10.0, 100.0, 1000.0])
def test_degenerate_designs_are_certified(build, store, intercept, divisor, make_instance):
    X = store(build())
    y = RESPONSE[: X.shape[0]]
    tol = 1e-8
    instance = make_instance(
        X, y, largest_penalty(X, y, fit_intercept=intercept) / divisor, fit_intercept=intercept
    )
    result = solve(X, y, l1=instance.l1, tol=tol, fit_intercept=intercept)
    assert result.status == "converged", result
    gap = instance.gap(result.coef, result.intercept)
    assert gap <= tol * instance.null_objective() * (1 + 1e-4) + 1e-13
    if divisor <= 1.0:
        assert result.support == 0


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("shape", [(40, 6), (10, 25)])
def test_least_squares_has_a_certificate(shape, intercept, make_instance):
    rng = np.random.default_rng(2)
    X, y = np.asfortranarray(rng.standard_normal(shape)), rng.standard_normal(shape[0]) + 1.0
    instance = make_instance(X, y, 0.0, fit_intercept=intercept)
    result = solve(X, y, l1=0.0, tol=1e-8, fit_intercept=intercept)
    assert result.status == "converged", result
    assert instance.gap(result.coef, result.intercept) <= 1e-7 * instance.null_objective()


def test_non_negative_least_squares(make_instance):
    from scipy.optimize import nnls

    rng = np.random.default_rng(4)
    X, y = np.asfortranarray(rng.standard_normal((40, 10))), rng.standard_normal(40)
    result = solve(X, y, l1=0.0, tol=1e-8, lower=np.zeros(10))
    assert result.status == "converged", result
    best = nnls(X, y)[1] ** 2 / 80
    assert result.primal == pytest.approx(best, rel=1e-8)


@pytest.mark.parametrize("l1", [0.0, 0.1])
def test_ridge_only_and_both(l1, make_instance):
    rng = np.random.default_rng(5)
    X, y = np.asfortranarray(rng.standard_normal((20, 50))), rng.standard_normal(20)
    instance = make_instance(X, y, l1, 0.5)
    result = solve(X, y, l1=l1, l2=0.5, tol=1e-10)
    assert result.status == "converged", result
    assert instance.gap(result.coef, 0.0) <= 1.1e-10 * instance.null_objective()
    if l1 == 0.0:
        exact = np.linalg.solve(X.T @ X / 20 + 0.5 * np.eye(50), X.T @ y / 20)
        np.testing.assert_allclose(result.coef, exact, atol=1e-5)


@pytest.mark.parametrize("intercept", [False, True])
def test_zero_response(intercept):
    result = solve(np.asfortranarray(BASE), np.zeros(30), l1=0.1, fit_intercept=intercept)
    assert result.status == "converged"
    assert result.gap == 0.0
    assert not result.coef.any()


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3)])
@pytest.mark.parametrize("intercept", [False, True])
def test_tiny_shapes(shape, intercept, make_instance):
    rng = np.random.default_rng(9)
    X, y = np.asfortranarray(rng.standard_normal(shape)), rng.standard_normal(shape[0])
    instance = make_instance(X, y, 0.01, fit_intercept=intercept)
    result = solve(X, y, l1=0.01, tol=1e-10, fit_intercept=intercept)
    assert result.status == "converged"
    assert instance.gap(result.coef, result.intercept) <= 1e-9 * instance.null_objective() + 1e-15


def test_no_columns():
    result = solve(np.empty((4, 0), order="F"), np.ones(4), l1=0.1)
    assert result.status == "converged"
    assert result.coef.shape == (0,)


@pytest.mark.parametrize(("x_scale", "y_scale"), [(1e160, 1.0), (1.0, 1e200)])
def test_squares_that_overflow_are_refused(x_scale, y_scale):
    rng = np.random.default_rng(0)
    X, y = x_scale * rng.normal(size=(8, 3)), y_scale * rng.normal(size=8)
    with pytest.raises(OverflowError, match="overflow float64; scale the data down"):
        solve(X, y, l1=0.1)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("scale", [1e-148, 1e-163, 1e-200])
@pytest.mark.parametrize("session", [ElasticNetSession, LogisticSession, GroupSession])
@pytest.mark.parametrize("store", [np.asfortranarray, sparse.csc_matrix])
def test_squares_that_vanish_are_refused(session, store, scale, fit_intercept):
    """Zero was certified as the optimum: the columns seemed to have no entries."""
    rng = np.random.default_rng(0)
    X, y = scale * rng.normal(size=(8, 3)), np.sign(rng.normal(size=8))
    with pytest.raises(OverflowError, match="vanish in float64; scale the data up"):
        session(store(X), y, fit_intercept=fit_intercept).solve(1e-3 * scale, 0.0, tol=1e-6)


@pytest.mark.parametrize("value", [0.0, 3.0, 1e-130])
@pytest.mark.parametrize("session", [ElasticNetSession, LogisticSession, GroupSession])
def test_columns_without_entries_and_constant_ones_are_not_refused(session, value):
    y = np.sign(np.random.default_rng(0).normal(size=8))
    result = session(np.full((8, 3), value, order="F"), y, fit_intercept=True).solve(1e-3, 0.0)
    assert not result.coef.any()
    assert result.status == "converged"


@pytest.mark.parametrize("scale", [1e-75, 1e-45, 1e-20])
@pytest.mark.parametrize("tol", [1e-2, 1e-7])
def test_an_l2_part_that_is_lost_beside_the_squares_of_x_does_not_spoil_the_gap(scale, tol):
    """Its conjugate divides rounding by a penalty as tiny as the response."""
    y = scale * RESPONSE
    l1 = 0.1 * float(np.abs(BASE.T @ y).max()) / len(y)
    result = ElasticNetSession(BASE, y).solve(l1, l1, tol=tol)
    assert result.status == "converged", result
    residual = y - BASE @ result.coef
    # The residual scaled into the box of the L1 part is a dual point, and proves as much.
    point = residual * min(1.0, l1 * len(y) / float(np.abs(BASE.T @ residual).max()))
    dual = float(point @ y - 0.5 * point @ point) / len(y)
    assert result.primal - dual <= 1.01 * result.target + 0.5 * l1 * result.coef @ result.coef
