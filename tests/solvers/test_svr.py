"""Support vector regression against independent gaps, scikit-learn and a quadratic program."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.svm import SVR, LinearSVR

from banditcd.solvers.svr import SvrSession
from tests.solvers.problems import Svr, certified
from tests.solvers.svm_cases import INTERCEPTS
from tests.solvers.svm_cases import TUBES as LOSSES


def solve(X, y, *, C, tol=1e-6, max_iter=1e5, **options):
    return SvrSession(X, y, **options).solve(C, tol=tol, max_iter=max_iter)


def responses(rng, n, d, noise=1.0, shift=0.0):
    X = rng.standard_normal((n, d)) + 0.3
    return X, X @ rng.standard_normal(d) + noise * rng.standard_normal(n) + shift


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    d=st.integers(1, 30),
    density=st.sampled_from([0.1, 0.5, 1.0]),
    power=st.integers(-3, 3),
    unit=st.sampled_from([1e-9, 1.0, 1e6]),
    epsilon=st.sampled_from([0.0, 0.5, 1.0, 40.0]),
    loss=st.sampled_from(LOSSES),
    intercept=st.sampled_from(INTERCEPTS),
    scaling=st.sampled_from([0.1, 1.0, 20.0]),
    weighted=st.booleans(),
)
def test_any_small_problem_is_certified(
    seed, n, d, density, power, unit, epsilon, loss, intercept, scaling, weighted
) -> None:
    rng = np.random.default_rng(seed)
    X = np.round(2 * rng.standard_normal((n, d))) * (rng.random((n, d)) < density)
    y = unit * np.round(3.0 * rng.standard_normal(n))  # ties, and zeros
    C = 10.0**power * (unit if loss == LOSSES[0] else 1.0)
    options = {"loss": loss, "intercept": intercept, "epsilon": epsilon * unit}
    options["intercept_scaling"] = scaling
    if weighted:
        options["sample_weight"] = rng.integers(0, 3, n) * 0.5
    stored = sparse.csr_matrix(X) if density < 1 else X
    certified(Svr(stored, y, (C,), options), 1e-6, max_iter=1e6)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("epsilon", [0.0, 0.4])
def test_no_worse_than_liblinear(loss, fit_intercept, epsilon) -> None:
    rng = np.random.default_rng(3)
    X, y = responses(rng, 120, 10, shift=1.0)
    weight = rng.uniform(0.1, 2.0, len(y))
    for C in (0.01, 1.0):
        peer = LinearSVR(
            C=C, loss=loss, epsilon=epsilon, fit_intercept=fit_intercept, intercept_scaling=2.0,
            dual=True, tol=1e-9, max_iter=2_000_000, random_state=0,
        )  # fmt: skip
        peer.fit(X, y, sample_weight=weight)
        ours = solve(
            X, y, C=C, tol=1e-12, loss=loss, epsilon=epsilon, sample_weight=weight,
            intercept="penalized" if fit_intercept else None, intercept_scaling=2.0,
        )  # fmt: skip
        np.testing.assert_allclose(ours.coef, peer.coef_.ravel(), atol=2e-5)
        bias = float(peer.intercept_[0]) if fit_intercept else 0.0
        assert ours.intercept == pytest.approx(bias, abs=2e-5)


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_free_intercept_is_libsvms(C) -> None:
    rng = np.random.default_rng(4)
    X, y = responses(rng, 90, 4, shift=20.0)
    weight = rng.uniform(0.5, 1.5, len(y))
    peer = SVR(C=C, epsilon=0.2, kernel="linear", tol=1e-9).fit(X, y, sample_weight=weight)
    ours = solve(
        X, y, C=C, epsilon=0.2, tol=1e-11, loss=LOSSES[0], sample_weight=weight, intercept="free"
    )
    # The cost is strongly convex: ours are within sqrt(2 gap) of the optimum, 2e-6 and less.
    np.testing.assert_allclose(ours.coef, peer.coef_.ravel(), atol=2e-5)
    u = np.maximum(np.abs(y - peer.predict(X)) - 0.2, 0.0)
    theirs = 0.5 * np.sum(peer.coef_**2) + C * weight @ u
    assert ours.dual <= theirs
    assert ours.primal <= theirs * (1 + 1e-9)


@pytest.mark.parametrize(("loss", "intercept"), [*itertools.product(LOSSES, INTERCEPTS)])
def test_optimum_of_a_quadratic_program(loss, intercept) -> None:
    cvxpy = pytest.importorskip("cvxpy", reason="the quadratic program needs cvxpy")
    X, y = responses(np.random.default_rng(5), 40, 6, shift=2.0)
    w, b = cvxpy.Variable(6), cvxpy.Variable()
    u = cvxpy.pos(cvxpy.abs(y - X @ w - (0 if intercept is None else b)) - 0.3)
    cost = 0.5 * cvxpy.sum_squares(w) + 2.0 * cvxpy.sum(u if loss == LOSSES[0] else u**2)
    if intercept == "penalized":
        cost += 0.5 * (b / 3.0) ** 2
    optimum = cvxpy.Problem(cvxpy.Minimize(cost)).solve(solver="CLARABEL")
    options = {"loss": loss, "intercept": intercept, "epsilon": 0.3, "intercept_scaling": 3.0}
    ours = solve(X, y, C=2.0, tol=1e-10, **options)
    assert ours.primal == pytest.approx(optimum, rel=1e-6)
    assert ours.dual <= optimum * (1 + 1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_columns_on_different_scales_take_few_passes(loss) -> None:
    """Dual coordinate descent alone crawls here: the gap hardly falls in a thousand epochs."""
    rng = np.random.default_rng(8)
    X, y = responses(rng, 3000, 12)
    X *= 10.0 ** np.linspace(-3, 3, 12)
    problem = {"loss": loss, "epsilon": 0.1, "intercept": "penalized"}
    for C in (0.01, 1.0, 100.0):
        result = certified(Svr(X, y, (C,), problem), 1e-6, max_iter=100)
        assert "newton" in result.regime
