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

from banditcd.solvers import SvrSession
from tests.solvers.problems import Svm, certified
from tests.solvers.solving import solve_svm
from tests.solvers.svm_cases import HINGES as LOSSES
from tests.solvers.svm_cases import INTERCEPTS, svm_null, svm_values


def classes(rng, n, d, noise=1.0):
    X = rng.standard_normal((n, d)) + 0.3
    y = np.where(X @ rng.standard_normal(d) + noise * rng.standard_normal(n) > 0.3, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return X, y


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
    options = {"loss": loss, "intercept": intercept, "intercept_scaling": scaling}
    if weighted:
        options["sample_weight"] = rng.integers(0, 3, n) * 0.5
    stored = sparse.csr_matrix(X) if density < 1 else X
    certified(Svm(stored, y, (10.0**power,), options), 1e-6, max_iter=1e6)


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
@pytest.mark.parametrize("intercept", [None, "penalized"])
@pytest.mark.parametrize("offset", [0.0, 30.0])
def test_long_descents_are_certified_on_the_data_themselves(loss, intercept, offset) -> None:
    """Dense rows may be read in single precision on the way, far from zero or not."""
    rng = np.random.default_rng(5)
    X = rng.standard_normal((1200, 500)) + offset
    y = rng.choice([-1.0, 1.0], 1200)
    C = 0.01 / (1.0 + offset**2)
    problem = Svm(X, y, (C,), {"loss": loss, "intercept": intercept})
    result = certified(problem, 1e-6, max_iter=20_000)
    assert offset > 0.0 or result.passes > 30.0  # long enough for a copy of the rows


@pytest.mark.parametrize("loss", LOSSES)
def test_descent_that_crawls_is_given_up_early(loss) -> None:
    """After one pass that gained next to nothing Newton takes over."""
    X, y = classes(np.random.default_rng(6), 3000, 40, noise=8.0)
    X[:, :5] += 3.0
    result = certified(Svm(X, y, (100.0,), {"loss": loss}), 1e-6)
    assert "newton" in result.regime
    assert result.passes < 100.0


@pytest.mark.parametrize("shape", [(1000, 25), (5000, 15), (2000, 20)])
@pytest.mark.parametrize("epsilon", [None, 0.1])
def test_descent_goes_first_where_it_is_quick(shape, epsilon) -> None:
    """Newton costs as little as a trial of descent here; C |z|^2 and the digits decide."""
    X, y = classes(np.random.default_rng(7), *shape)
    square = float(np.mean(np.sum(X * X, axis=1)))

    def solved(q: float, tol: float):
        if epsilon is None:
            return certified(Svm(X, y, (q / square,), {"loss": "hinge"}), tol)
        session = SvrSession(X, y, epsilon=epsilon)
        return session.solve(q / square, tol=tol)

    for q in (0.01, 0.1, 0.5):
        for tol in (1e-1, 1e-2, 1e-4):
            result = solved(q, tol)
            assert result.status == "converged"
            assert "descent" in result.regime
            assert result.passes < 30.0
    assert solved(0.5, 1e-9).regime == "proximal_newton"
    assert solved(100.0, 1e-2).regime == "proximal_newton"


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shape", [(60, 4), (20, 80), (3, 2)])
def test_a_free_intercept_takes_up_columns_far_from_zero(loss, shape) -> None:
    X, y = classes(np.random.default_rng(11), *shape)
    options = {"C": 178.0, "loss": loss, "intercept": "free", "tol": 1e-6}
    near = solve_svm(X, y, **options)
    for far in (X + 1000.0, (X + 1000.0).astype(np.float32), np.asfortranarray(X - 3e4)):
        result = solve_svm(far, y, **options)
        primal, dual, balance = svm_values(
            X_of(far, X), y, shifted(result, far, X), 178.0, loss=loss, intercept="free"
        )
        rounding = 1e-7 * primal  # of an intercept of about 1e4
        assert result.status == "converged"
        assert balance <= 1e-13
        assert abs(result.primal - primal) <= rounding
        assert primal - dual <= result.target + rounding
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
    assert result.gap <= svm_null(y, 1e4, loss="squared_hinge", intercept="free") * (1 + 1e-12)
