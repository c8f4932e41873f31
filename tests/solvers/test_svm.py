"""The support vector solver against independent gaps, scikit-learn and a quadratic program."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.svm import SVC, LinearSVC

from banditcd.solvers.svm import SvmSession
from tests.solvers.solving import solve_svm

LOSSES = ("hinge", "squared_hinge")
INTERCEPTS = (None, "penalized", "free")


def independent(X, y, result, C, loss="squared_hinge", weight=None, intercept=None, scaling=1.0):
    """Return P, the gap and the violation of sum y a = 0, from the returned points alone."""
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    X = X.astype(np.float64)
    cost = C * (np.ones(len(y)) if weight is None else weight)
    a, w = result.dual_coef, result.coef
    v = X.T @ (a * y)
    norms = w @ w, v @ v
    if intercept == "penalized":
        norms = norms[0] + (result.intercept / scaling) ** 2, norms[1] + (scaling * (a @ y)) ** 2
    u = np.maximum(1.0 - y * (X @ w + result.intercept), 0.0)
    assert np.all(a >= 0.0)
    assert np.all(a[cost == 0.0] == 0.0)
    primal = 0.5 * norms[0] + cost @ (u if loss == "hinge" else u * u)
    dual = a.sum() - 0.5 * norms[1]
    if loss == "hinge":
        assert np.all(a <= cost)
    else:
        dual -= np.sum(a[cost > 0] ** 2 / (4.0 * cost[cost > 0]))
    balance = abs(a @ y) if intercept == "free" else 0.0
    return primal, primal - dual, balance / max(a.sum(), 1e-300)


def null_objective(y, C, loss, weight=None, intercept=None):
    cost = C * (np.ones(len(y)) if weight is None else weight)
    if intercept != "free":
        return cost.sum()
    up, down = cost[y > 0].sum(), cost[y < 0].sum()
    return 2 * min(up, down) if loss == "hinge" else 4 * up * down / max(up + down, 1e-300)


def assert_certified(X, y, result, C, tol, **problem):
    primal, gap, balance = independent(X, y, result, C, **problem)
    problem.pop("scaling", None)
    P0 = null_objective(y, C, **{"loss": "squared_hinge"} | problem)
    assert result.status == "converged", result
    assert result.target == pytest.approx(tol * P0, rel=1e-12)
    assert result.gap <= result.target
    assert result.primal == pytest.approx(primal, rel=1e-10, abs=1e-14 * P0)
    assert result.gap == pytest.approx(gap, rel=1e-5, abs=1e-10 * max(primal, P0))
    assert balance <= 1e-13


def classes(rng, n, d, noise=1.0):
    X = rng.standard_normal((n, d)) + 0.3
    y = np.where(X @ rng.standard_normal(d) + noise * rng.standard_normal(n) > 0.3, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return X, y


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
    X, y = classes(rng, *shape)
    X *= rng.random(shape) < 0.5
    weight = rng.integers(0, 3, len(y)).astype(float)
    X = stored(X, storage)
    problem = {"loss": loss, "intercept": intercept}
    for C, tol in itertools.product((1e-3, 1.0, 1e3), (1e-2, 1e-8)):
        result = solve_svm(X, y, C=C, tol=tol, max_iter=1e5, sample_weight=weight, **problem)
        assert_certified(X, y, result, C, tol, weight=weight, **problem)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    d=st.integers(1, 30),
    density=st.sampled_from([0.1, 0.5, 1.0]),
    power=st.integers(-4, 4),
    loss=st.sampled_from(LOSSES),
    intercept=st.sampled_from(INTERCEPTS),
    scaling=st.sampled_from([0.1, 1.0, 20.0]),
    weighted=st.booleans(),
)
def test_any_small_problem_is_certified(
    seed, n, d, density, power, loss, intercept, scaling, weighted
) -> None:
    rng = np.random.default_rng(seed)
    X = np.round(2 * rng.standard_normal((n, d))) * (rng.random((n, d)) < density)
    y = rng.choice([-1.0, 1.0], n)
    weight = rng.integers(0, 3, n) * 0.5 if weighted else None
    C, tol = 10.0**power, 1e-6
    problem = {"loss": loss, "intercept": intercept}
    result = solve_svm(
        sparse.csr_matrix(X) if density < 1 else X,
        y, C=C, tol=tol, max_iter=1e6, sample_weight=weight, intercept_scaling=scaling, **problem,
    )  # fmt: skip
    assert_certified(X, y, result, C, tol, weight=weight, scaling=scaling, **problem)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_no_worse_than_liblinear(loss, fit_intercept) -> None:
    rng = np.random.default_rng(3)
    X, y = classes(rng, 120, 10)
    weight = rng.uniform(0.1, 2.0, len(y))
    for C in (0.01, 1.0):
        peer = LinearSVC(
            C=C, loss=loss, fit_intercept=fit_intercept, intercept_scaling=2.0,
            dual=True, tol=1e-9, max_iter=2_000_000, random_state=0,
        )  # fmt: skip
        peer.fit(X, y, sample_weight=weight)
        ours = solve_svm(
            X, y, C=C, tol=1e-12, loss=loss, sample_weight=weight,
            intercept="penalized" if fit_intercept else None, intercept_scaling=2.0,
        )  # fmt: skip
        np.testing.assert_allclose(ours.coef, peer.coef_.ravel(), atol=2e-5)
        bias = float(peer.intercept_[0]) if fit_intercept else 0.0
        assert ours.intercept == pytest.approx(bias, abs=2e-5)


@pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
def test_free_intercept_of_the_hinge_is_libsvms(C) -> None:
    rng = np.random.default_rng(4)
    X, y = classes(rng, 90, 4)
    weight = rng.uniform(0.5, 1.5, len(y))
    peer = SVC(C=C, kernel="linear", tol=1e-9).fit(X, y, sample_weight=weight)
    problem = {"loss": "hinge", "sample_weight": weight, "intercept": "free"}
    ours = solve_svm(X, y, C=C, tol=1e-11, max_iter=1e5, **problem)
    # The cost is strongly convex: both are this close to the optimum.
    np.testing.assert_allclose(ours.coef, peer.coef_.ravel(), atol=1.1 * np.sqrt(2 * ours.gap))
    u = np.maximum(1 - y * (X @ peer.coef_.ravel() + peer.intercept_[0]), 0.0)
    theirs = 0.5 * np.sum(peer.coef_**2) + C * weight @ u
    assert ours.primal <= theirs * (1 + 1e-9)
    assert ours.dual <= theirs


@pytest.mark.parametrize(("loss", "intercept"), [*itertools.product(LOSSES, INTERCEPTS)])
def test_optimum_of_a_quadratic_program(loss, intercept) -> None:
    cvxpy = pytest.importorskip("cvxpy", reason="the quadratic program needs cvxpy")
    rng = np.random.default_rng(5)
    X, y = classes(rng, 40, 6)
    w, b = cvxpy.Variable(6), cvxpy.Variable()
    u = cvxpy.pos(1 - cvxpy.multiply(y, X @ w + (0 if intercept is None else b)))
    cost = 0.5 * cvxpy.sum_squares(w) + 2.0 * cvxpy.sum(u if loss == "hinge" else u**2)
    if intercept == "penalized":
        cost += 0.5 * b**2
    optimum = cvxpy.Problem(cvxpy.Minimize(cost)).solve(solver="CLARABEL")
    ours = solve_svm(X, y, C=2.0, tol=1e-10, max_iter=1e5, loss=loss, intercept=intercept)
    assert ours.primal == pytest.approx(optimum, rel=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_repeat_rows(loss) -> None:
    rng = np.random.default_rng(6)
    X, y = classes(rng, 50, 5)
    times = rng.integers(0, 4, len(y))
    options = {"loss": loss, "C": 0.7, "tol": 1e-12, "intercept": "free", "max_iter": 1e5}
    weighted = solve_svm(X, y, sample_weight=times.astype(float), **options)
    repeated = solve_svm(np.repeat(X, times, axis=0), np.repeat(y, times), **options)
    np.testing.assert_allclose(weighted.coef, repeated.coef, atol=1e-6)
    assert weighted.primal == pytest.approx(repeated.primal, rel=1e-10)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shape", [(300, 6), (50, 400)])
def test_a_warm_start_is_cheap_and_right(loss, shape) -> None:
    X, y = classes(np.random.default_rng(7), *shape)
    session = SvmSession(X, y, loss=loss)
    cold = session.solve(1.0, tol=1e-6)
    again = session.solve(1.0, tol=1e-6)
    assert again.converged
    assert again.n_iter <= cold.n_iter
    larger = session.solve(2.0, tol=1e-6)
    assert_certified(X, y, larger, 2.0, 1e-6, loss=loss)
    other = SvmSession(X, y, loss=loss)
    other.start_at(larger.dual_coef)
    assert_certified(X, y, other.solve(2.0, tol=1e-6), 2.0, 1e-6, loss=loss)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", [None, "penalized"])
@pytest.mark.parametrize("offset", [0.0, 30.0])
def test_long_descents_are_certified_on_the_data_themselves(loss, intercept, offset) -> None:
    """Dense rows may be read in single precision on the way, far from zero or not."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((1200, 500)) + offset
    y = rng.choice([-1.0, 1.0], 1200)
    C = 0.01 / (1.0 + offset**2)
    problem = {"loss": loss, "intercept": intercept}
    result = solve_svm(X, y, C=C, tol=1e-6, max_iter=20_000, **problem)
    assert_certified(X, y, result, C, 1e-6, **problem)
    assert offset > 0.0 or result.passes > 30.0  # long enough for a copy of the rows


@pytest.mark.parametrize("loss", LOSSES)
def test_descent_that_crawls_is_given_up_early(loss) -> None:
    """After one pass that gained next to nothing Newton takes over."""
    X, y = classes(np.random.default_rng(6), 3000, 40, noise=8.0)
    X[:, :5] += 3.0
    result = solve_svm(X, y, C=100.0, tol=1e-6, loss=loss)
    assert_certified(X, y, result, 100.0, 1e-6, loss=loss)
    assert "newton" in result.regime
    assert result.passes < 100.0


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shape", [(60, 4), (20, 80), (3, 2)])
def test_a_free_intercept_takes_up_columns_far_from_zero(loss, shape) -> None:
    X, y = classes(np.random.default_rng(11), *shape)
    options = {"C": 178.0, "loss": loss, "intercept": "free", "tol": 1e-6}
    near = solve_svm(X, y, **options)
    for far in (X + 1000.0, (X + 1000.0).astype(np.float32), np.asfortranarray(X - 3e4)):
        result = solve_svm(far, y, **options)
        primal, gap, balance = independent(
            X_of(far, X), y, shifted(result, far, X), 178.0, loss=loss, intercept="free"
        )
        rounding = 1e-7 * primal  # of an intercept of about 1e4
        assert result.status == "converged"
        assert balance <= 1e-13
        assert abs(result.primal - primal) <= rounding
        assert gap <= result.target + rounding
        if far.dtype == np.float64:
            assert abs(result.primal - near.primal) <= result.gap + near.gap + rounding


def X_of(far, X):
    """Return the far columns, moved back."""
    return far.astype(np.float64) - np.rint(np.mean(far.astype(np.float64) - X))


def shifted(result, far, X):
    """Return the same model on the columns moved back."""
    distance = np.rint(np.mean(far.astype(np.float64) - X))
    return replace(result, intercept=result.intercept + distance * result.coef.sum())


def test_no_pair_is_further_away_than_the_null_model() -> None:
    rng = np.random.default_rng(3)
    X = sparse.csr_matrix(1e6 + rng.standard_normal((6, 2)))
    y = np.array([1.0, -1.0] * 3)
    result = solve_svm(X, y, C=1e4, intercept="free", tol=1e-9)
    assert result.gap <= null_objective(y, 1e4, "squared_hinge", intercept="free") * (1 + 1e-12)
