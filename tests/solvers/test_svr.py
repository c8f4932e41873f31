"""Support vector regression against independent gaps, scikit-learn and a quadratic program."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse
from sklearn.svm import SVR, LinearSVR

from banditcd.solvers.svr import SvrSession

LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")
INTERCEPTS = (None, "penalized", "free")


def solve(X, y, *, C, tol=1e-6, max_iter=1e5, **options):
    return SvrSession(X, y, **options).solve(C, tol=tol, max_iter=max_iter)


def independent(X, y, result, C, *, epsilon, loss, weight=None, intercept=None, scaling=1.0):
    """Return P, D and the violation of sum beta = 0, from the returned points alone."""
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    X = X.astype(np.float64)
    cost = C * (np.ones(len(y)) if weight is None else weight)
    beta, w, b = result.dual_coef, result.coef, result.intercept
    v = X.T @ beta
    norms = [w @ w, v @ v]
    if intercept == "penalized":
        norms = [norms[0] + (b / scaling) ** 2, norms[1] + (scaling * beta.sum()) ** 2]
    u = np.maximum(np.abs(y - X @ w - b) - epsilon, 0.0)
    assert np.all(beta[cost == 0.0] == 0.0)
    primal = 0.5 * norms[0] + cost @ (u if loss == LOSSES[0] else u * u)
    dual = y @ beta - epsilon * np.abs(beta).sum() - 0.5 * norms[1]
    if loss == LOSSES[0]:
        assert np.all(np.abs(beta) <= cost * (1.0 + 1e-15))
    else:
        dual -= np.sum(beta[cost > 0] ** 2 / (4.0 * cost[cost > 0]))
    balance = abs(beta.sum()) if intercept == "free" else 0.0
    return primal, dual, balance / max(np.abs(beta).sum(), 1e-300)


def null_objective(y, C, *, epsilon, loss, weight=None, intercept=None, scaling=1.0):
    """Return the objective of the best constant, by a search over where it can be."""
    cost = C * (np.ones(len(y)) if weight is None else weight)
    ridge = scaling**-2 if intercept == "penalized" else 0.0

    def objective(b):
        u = np.maximum(np.abs(y - b) - epsilon, 0.0)
        return 0.5 * ridge * b * b + cost @ (u if loss == LOSSES[0] else u * u)

    if intercept is None:
        return objective(0.0)
    ends = min(0.0, y.min()) - 1e-9, max(0.0, y.max()) + 1e-9
    best = optimize.minimize_scalar(
        objective, bounds=ends, method="bounded", options={"xatol": 1e-13 * (ends[1] - ends[0])}
    )
    kinks = [objective(b) for b in np.concatenate([y - epsilon, y + epsilon, [0.0]])]
    return min(best.fun, *kinks)


def assert_certified(X, y, result, C, tol, **problem):
    primal, dual, balance = independent(X, y, result, C, **problem)
    P0 = null_objective(y, C, **problem)
    rounding = 1e-10 * max(P0, primal)
    assert result.status == "converged", result
    assert result.target == pytest.approx(tol * P0, rel=1e-6, abs=tol * 1e-12)
    assert 0.0 <= result.gap <= result.target
    assert result.primal == pytest.approx(primal, rel=1e-9, abs=rounding)
    # Both sides of a sample as one variable are at least as good a dual point.
    assert -rounding <= primal - dual <= result.gap + rounding
    assert balance <= 1e-12


def responses(rng, n, d, noise=1.0, shift=0.0):
    X = rng.standard_normal((n, d)) + 0.3
    return X, X @ rng.standard_normal(d) + noise * rng.standard_normal(n) + shift


def stored(X, storage):
    if storage == "csr":
        return sparse.csr_matrix(X)
    if storage == "csc32":
        return sparse.csc_matrix(X.astype(np.float32))
    if storage == "fortran32":
        return np.asfortranarray(X.astype(np.float32))
    return X


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("shape", [(200, 8), (60, 30), (40, 120), (1500, 5)])
@pytest.mark.parametrize("storage", ["c", "csr", "csc32", "fortran32"])
def test_certificate_is_the_independent_gap(loss, intercept, shape, storage) -> None:
    rng = np.random.default_rng(sum(shape))
    X, y = responses(rng, *shape, shift=3.0)
    X *= rng.random(shape) < 0.5
    weight = rng.integers(0, 3, len(y)).astype(float)
    X = stored(X, storage)
    problem = {"loss": loss, "intercept": intercept, "epsilon": 0.3}
    for C, tol in itertools.product((1e-3, 1.0, 1e3), (1e-2, 1e-8)):
        result = solve(X, y, C=C, tol=tol, sample_weight=weight, **problem)
        assert_certified(X, y, result, C, tol, weight=weight, **problem)


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
    weight = rng.integers(0, 3, n) * 0.5 if weighted else None
    C = 10.0**power * (unit if loss == LOSSES[0] else 1.0)
    problem = {"loss": loss, "intercept": intercept, "epsilon": epsilon * unit}
    result = solve(
        sparse.csr_matrix(X) if density < 1 else X, y, C=C, tol=1e-6, max_iter=1e6,
        sample_weight=weight, intercept_scaling=scaling, **problem,
    )  # fmt: skip
    primal, dual, balance = independent(X, y, result, C, weight=weight, scaling=scaling, **problem)
    P0 = null_objective(y, C, weight=weight, scaling=scaling, **problem)
    assert result.status == "converged", result
    assert 0.0 <= result.gap <= result.target
    assert result.target == pytest.approx(1e-6 * P0, rel=1e-5, abs=1e-16 * C * unit)
    assert primal - dual <= result.gap + 1e-10 * max(P0, primal)
    assert balance <= 1e-12


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
    # The cost is strongly convex: both are this close to the optimum.
    np.testing.assert_allclose(ours.coef, peer.coef_.ravel(), atol=1.1 * np.sqrt(2 * ours.gap))
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
def test_weights_repeat_rows(loss) -> None:
    rng = np.random.default_rng(6)
    X, y = responses(rng, 50, 5)
    times = rng.integers(0, 4, len(y))
    options = {"loss": loss, "C": 0.7, "tol": 1e-12, "intercept": "free", "epsilon": 0.1}
    weighted = solve(X, y, sample_weight=times.astype(float), **options)
    repeated = solve(np.repeat(X, times, axis=0), np.repeat(y, times), **options)
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-6)
    assert weighted.primal == pytest.approx(repeated.primal, rel=1e-10)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shape", [(300, 6), (50, 400)])
def test_a_warm_start_is_cheap_and_right(loss, shape) -> None:
    X, y = responses(np.random.default_rng(7), *shape)
    problem = {"loss": loss, "epsilon": 0.1}
    session = SvrSession(X, y, **problem)
    cold = session.solve(1.0, tol=1e-6)
    again = session.solve(1.0, tol=1e-6)
    assert again.converged
    assert again.n_iter <= cold.n_iter
    larger = session.solve(2.0, tol=1e-6)
    assert_certified(X, y, larger, 2.0, 1e-6, **problem)
    other = SvrSession(X, y, **problem)
    other.start_at(larger.dual_coef)
    assert_certified(X, y, other.solve(2.0, tol=1e-6), 2.0, 1e-6, **problem)


@pytest.mark.parametrize("loss", LOSSES)
def test_columns_on_different_scales_take_few_passes(loss) -> None:
    """Dual coordinate descent alone crawls here: the gap hardly falls in a thousand epochs."""
    rng = np.random.default_rng(8)
    X, y = responses(rng, 3000, 12)
    X *= 10.0 ** np.linspace(-3, 3, 12)
    problem = {"loss": loss, "epsilon": 0.1, "intercept": "penalized"}
    for C in (0.01, 1.0, 100.0):
        result = solve(X, y, C=C, tol=1e-6, max_iter=100, **problem)
        assert_certified(X, y, result, C, 1e-6, **problem)
        assert "newton" in result.regime
