"""Support vector machines on extreme scales: certified in the sense of long double, or refused."""

from itertools import product

import numpy as np
import pytest

from banditcd.solvers.svm import SvmSession
from banditcd.solvers.svr import SvrSession

RNG = np.random.default_rng(12)
X = RNG.standard_normal((30, 3))
RESPONSE = X @ [1.0, -2.0, 0.0] + RNG.standard_normal(30)
LABELS = np.where(RESPONSE > 0.0, 1.0, -1.0)
INTERCEPTS = [None, "penalized", "free"]
HINGES = ["hinge", "squared_hinge"]
TUBES = ["epsilon_insensitive", "squared_epsilon_insensitive"]
WIDE = np.finfo(np.longdouble).maxexp > np.finfo(np.float64).maxexp
needs_wide = pytest.mark.skipif(not WIDE, reason="long double has the range of float64 here")


def objectives(data, result, C, response, *, squared, epsilon):
    """Return P(w, b) and D(dual) in long double; classification if epsilon is None."""
    wide, C = data.astype(np.longdouble), np.longdouble(C)
    w, b = result.coef.astype(np.longdouble), np.longdouble(result.intercept)
    a, y = result.dual_coef.astype(np.longdouble), response.astype(np.longdouble)
    f = wide @ w + b
    excess = np.maximum(1 - y * f if epsilon is None else np.abs(y - f) - epsilon, 0)
    beta = y * a if epsilon is None else a
    v, penalty = wide.T @ beta, w @ w
    linear = a.sum() if epsilon is None else y @ a - epsilon * np.abs(a).sum()
    dual = linear - v @ v / 2 - (np.sum(a**2) / (4 * C) if squared else 0)
    return penalty / 2 + C * np.sum(excess**2 if squared else excess), dual, b, beta.sum()


def assert_honest(data, result, C, response, intercept, **problem):
    """Converged means finite, and proved: the gap in long double is below the target."""
    if result.status != "converged":
        return
    for value in (result.primal, result.gap, result.target):
        assert np.isfinite(value), result
    primal, dual, b, total = objectives(data, result, C, response, **problem)
    if intercept == "penalized":
        primal, dual = primal + b * b / 2, dual - total * total / 2
    null = np.longdouble(result.target) / np.longdouble(1e-6)
    assert abs(primal - result.primal) <= 1e-8 * null, result
    assert primal - dual <= result.target * 1.01 + 1e-9 * null, result


def attempt(session, C):
    """Return the result, and the sentence of a refusal in its place."""
    try:
        return session.solve(C, tol=1e-6), None
    except ValueError as error:
        return None, str(error)


@needs_wide
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("loss", HINGES)
def test_classification_on_any_scale_is_honest(loss, intercept) -> None:
    costs = (-310, -300, -200, -110, -60, 0, 60, 110, 200)
    problem = {"squared": loss == "squared_hinge", "epsilon": None}
    for of_cost, of_rows in product(costs, (-140, -60, 0, 60, 140)):
        C, data = 10.0**of_cost, 10.0**of_rows * X
        result, refusal = attempt(SvmSession(data, LABELS, loss=loss, intercept=intercept), C)
        assert (result is None) == (of_cost < -300 or of_cost > 150)
        if result is None:
            assert f"{C:g}" in refusal
        else:
            assert_honest(data, result, C, LABELS, intercept, **problem)


@needs_wide
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("loss", TUBES)
def test_regression_on_any_scale_is_honest(loss, intercept) -> None:
    for of_cost, of_y in product((-200, -50, 0, 50, 200), (-300, -150, -50, 0, 50, 150, 300)):
        C, y, epsilon = 10.0**of_cost, 10.0**of_y * RESPONSE, 10.0**of_y * 0.1
        problem = {"squared": loss == "squared_epsilon_insensitive", "epsilon": epsilon}
        session = SvrSession(X, y, epsilon=epsilon, loss=loss, intercept=intercept)
        result, refusal = attempt(session, C)
        if result is None:
            assert "float64" in refusal or "C must be a positive number" in refusal
            assert max(abs(of_cost), abs(of_y)) > 100
        else:
            assert_honest(X, result, C, y, intercept, **problem)


def test_a_cost_that_underflows_is_refused() -> None:
    with pytest.raises(ValueError, match="largest sample weight is 1e-305"):
        SvmSession(X, LABELS).solve(1e-305)
    weight = np.full(30, 1e-200)
    with pytest.raises(ValueError, match="largest sample weight is 0"):
        SvmSession(X, LABELS, sample_weight=weight).solve(1e-200)
    weighted = SvmSession(X, LABELS, sample_weight=weight).solve(1e200)
    assert weighted.converged
    np.testing.assert_allclose(weighted.coef, SvmSession(X, LABELS).solve(1.0).coef, rtol=1e-12)


@pytest.mark.parametrize("loss", HINGES)
def test_the_objective_of_a_tiny_cost_is_not_lost(loss) -> None:
    result = SvmSession(X, LABELS, loss=loss).solve(1e-250)
    assert result.converged
    assert result.primal == pytest.approx(30e-250, rel=1e-12)  # w is zero but for rounding


def test_responses_whose_squares_leave_float64_are_refused() -> None:
    for scale in (1e-250, 1e250):
        session = SvrSession(X, scale * RESPONSE, loss="squared_epsilon_insensitive")
        with pytest.raises(ValueError, match="squares of y leave float64"):
            session.solve(1.0)


@pytest.mark.parametrize("loss", HINGES)
def test_a_weight_without_an_inverse_counts_as_zero(loss) -> None:
    weight = np.where(np.arange(30) < 25, 1.0, 5e-324)
    tiny = SvmSession(X, LABELS, loss=loss, sample_weight=weight).solve(1.0, tol=1e-10)
    without = SvmSession(X[:25], LABELS[:25], loss=loss).solve(1.0, tol=1e-10)
    assert tiny.converged
    np.testing.assert_allclose(tiny.coef, without.coef, rtol=1e-9)
    assert not tiny.dual_coef[25:].any()
