"""The logistic fast solver: certificates, agreement with others, paths and sessions."""

from __future__ import annotations

import warnings

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from banditcd import _core
from banditcd.solvers import LogisticSession
from tests.solvers.logistic_cases import LogisticCase, random_case, random_labels
from tests.solvers.solving import solve_logistic, solve_logistic_path

STORAGES = ["f", "c", "f32", "csc", "csc32"]


def solve_case(case: LogisticCase, tol: float = 1e-9):
    return solve_logistic(case.X, case.y, l1=case.l1, l2=case.l2, tol=tol, **case.options())


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    storage=st.sampled_from(STORAGES),
    tol=st.sampled_from([1e-1, 1e-4, 1e-8, 1e-11]),
    scale=st.sampled_from([1e-3, 1.0, 1e3]),
)
def test_a_converged_gap_is_true(seed, storage, tol, scale):
    case = random_case(seed, storage)
    case.X = case.X * case.X.dtype.type(scale)
    case.l1, case.l2 = case.l1 * scale, case.l2 * scale**2
    if case.lower is not None:
        case.lower, case.upper = case.lower / scale, case.upper / scale
    result = solve_case(case, tol)
    assert result.converged
    P0 = case.null_objective()
    assert case.gap(result.coef, result.intercept) <= tol * P0 + 1e-12 * P0


@pytest.mark.parametrize("seed", range(12))
def test_no_worse_than_a_cone_solver(seed):
    case = random_case(seed)
    X, s, p, lower, upper = case.parts()
    n, d = X.shape
    w, b = cvxpy.Variable(d), cvxpy.Variable()
    margins = cvxpy.multiply(case.y, X @ w + b)
    finite = np.where(np.isinf(p), 0.0, p)
    objective = (
        cvxpy.sum(cvxpy.multiply(s, cvxpy.logistic(-margins))) / n
        + case.l1 * cvxpy.norm1(cvxpy.multiply(finite, w))
        + 0.5 * case.l2 * cvxpy.sum(cvxpy.multiply(finite, cvxpy.square(w)))
    )
    box = [w[j] >= lower[j] for j in range(d) if np.isfinite(lower[j])]
    box += [w[j] <= upper[j] for j in range(d) if np.isfinite(upper[j])]
    box += [w[j] == 0 for j in range(d) if np.isinf(p[j])]
    if not case.fit_intercept:
        box.append(b == 0)
    best = cvxpy.Problem(cvxpy.Minimize(objective), box).solve(solver="CLARABEL")
    result = solve_case(case)
    assert result.primal <= best + 1e-8
    assert result.primal >= best - 1e-6  # the other solver is that far from feasible


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.4])
@pytest.mark.parametrize("storage", ["f", "csc"])
def test_agrees_with_saga(storage, l1_ratio, fit_intercept):
    case = random_case(2, storage, fit_intercept=fit_intercept, sample_weight=None)
    case = LogisticCase(
        case.X, case.y, l1=0.01 * l1_ratio, l2=0.01 * (1 - l1_ratio), fit_intercept=fit_intercept
    )
    n = case.X.shape[0]
    peer = LogisticRegression(
        solver="saga", C=100 / n, l1_ratio=l1_ratio, fit_intercept=fit_intercept,
        tol=1e-10, max_iter=20000, penalty="elasticnet",
    )  # fmt: skip
    with warnings.catch_warnings():  # newer releases deprecate the word "penalty"
        warnings.simplefilter("ignore", FutureWarning)
        peer.fit(case.X, case.y)
    result = solve_case(case, 1e-12)
    np.testing.assert_allclose(result.coef, peer.coef_[0], atol=2e-6)
    if fit_intercept:
        assert result.intercept == pytest.approx(peer.intercept_[0], abs=2e-6)


def test_agrees_with_liblinear():
    case = random_case(2, "csc")
    case = LogisticCase(case.X, case.y, l1=0.02)
    peer = LogisticRegression(
        solver="liblinear", C=50 / case.X.shape[0], penalty="l1", fit_intercept=False, tol=1e-9,
        max_iter=5000,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer.fit(case.X, case.y)
    np.testing.assert_allclose(solve_case(case, 1e-12).coef, peer.coef_[0], atol=1e-5)


@pytest.mark.parametrize("kernels", ["portable", "avx2", "avx512"])
@pytest.mark.parametrize("storage", ["f", "csc"])
def test_every_instruction_set_gives_the_same_point(kernels, storage):
    case = random_case(1, storage)
    before = solve_case(case, 1e-12)
    try:
        _core.select_kernels(kernels)
    except ValueError:
        pytest.skip(f"this CPU does not have {kernels}")
    try:
        after = solve_case(case, 1e-12)
    finally:
        _core.select_kernels("auto")
    np.testing.assert_allclose(after.coef, before.coef, atol=1e-8)
    assert after.primal == pytest.approx(before.primal, rel=1e-12)


@pytest.mark.parametrize("storage", ["f", "csc"])
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_a_path_solves_every_penalty(storage, fit_intercept):
    case = random_case(3, storage, fit_intercept=fit_intercept)
    options = case.options()
    largest = LogisticSession(case.X, case.y, **options).largest_penalty()
    alphas = largest * np.geomspace(1.1, 1e-3, 12)
    path = solve_logistic_path(case.X, case.y, alphas=alphas, l1_ratio=0.9, tol=1e-8, **options)
    for alpha, result in zip(alphas, path, strict=True):
        case.l1, case.l2 = 0.9 * alpha, 0.1 * alpha
        assert result.converged
        assert case.gap(result.coef, result.intercept) <= 1.001e-8 * case.null_objective()


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_largest_penalty_is_sharp(fit_intercept, weighted):
    case = random_case(0, fit_intercept=fit_intercept, lower=None, upper=None)
    case.penalty_weights = np.linspace(0.5, 2.0, case.X.shape[1]) if weighted else None
    session = LogisticSession(case.X, case.y, **case.options())
    largest = session.largest_penalty()
    assert not np.any(session.solve(largest * (1 + 1e-9), tol=1e-12).coef)
    assert np.any(session.solve(largest * (1 - 1e-4), tol=1e-12).coef)


def test_the_largest_penalty_fits_the_unpenalized_columns_first():
    case = random_case(0, lower=None, upper=None, sample_weight=None)
    case.penalty_weights = np.ones(case.X.shape[1])
    case.penalty_weights[3] = 0.0
    largest = LogisticSession(case.X, case.y, **case.options()).largest_penalty()
    for factor, support in ((1.0001, 1), (0.999, 2)):
        result = solve_logistic(case.X, case.y, l1=factor * largest, tol=1e-12, **case.options())
        assert result.converged
        assert result.support == support


@pytest.mark.parametrize("storage", ["f", "csc"])
def test_other_labels_share_the_matrix(storage):
    rng = np.random.default_rng(5)
    case = random_case(2, storage, lower=None, upper=None, sample_weight=None)
    session = LogisticSession(case.X, case.y, **case.options())
    session.solve(case.l1)
    other = random_labels(rng, case.X)
    weight = rng.random(other.size)
    for s in (None, weight):
        shared = session.with_labels(other, s).solve(case.l1, tol=1e-12)
        fresh = solve_logistic(
            case.X, other, l1=case.l1, tol=1e-12, **(case.options() | {"sample_weight": s})
        )
        np.testing.assert_allclose(shared.coef, fresh.coef, atol=1e-8)


@pytest.mark.parametrize("n", [3000, 40000])
def test_many_rows_start_from_a_sample(n):
    rng = np.random.default_rng(n)
    X = sparse.random(n, 30, density=0.4, random_state=rng, format="csc")
    y = random_labels(rng, X)
    case = LogisticCase(X, y, l1=1e-3, fit_intercept=True)
    result = solve_case(case, 1e-10)
    assert result.converged
    assert case.gap(result.coef, result.intercept) <= 1.01 * result.target
