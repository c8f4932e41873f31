"""L2-logistic regression against independent oracles: dual value, scikit-learn, cvxpy."""

from __future__ import annotations

import itertools

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from banditcd.solvers import L2LogisticSession
from tests.solvers.l2_logistic_cases import Oracle, design, labels, options

SHAPES = [(60, 7), (25, 70), (300, 90)]
STORAGE = ["c", "f64", "f32", "csc64", "csr"]
REGIMES = ["newton", "newton_cg", "row_space", None]
TOL = 1e-10


@pytest.mark.parametrize(("shape", "storage"), list(itertools.product(SHAPES, STORAGE)))
def test_internal_gap_is_the_independent_gap(shape, storage):
    rng = np.random.default_rng([*shape, STORAGE.index(storage)])
    n, d = shape
    for regime, l2, tol in itertools.product(REGIMES, [1.0, 1e-2, 1e-4], [1e-2, TOL]):
        X, extra = design(rng, n, d, storage), options(rng, n, d)
        y = labels(rng, X)
        session = L2LogisticSession(X, y, **extra)
        if regime == "row_space" and "penalty_weights" in extra:
            extra["penalty_weights"][extra["penalty_weights"] == 0.0] = 0.3
            session = L2LogisticSession(X, y, **extra)
        if regime:
            session.force_regime(regime)
        result = session.solve(l2, tol=tol)
        oracle = Oracle(X, y, l2, **extra)
        scale = oracle.null()
        assert result.status == "converged", (regime, l2, extra, result)
        assert regime is None or result.regime == regime
        assert result.gap <= result.target == pytest.approx(tol * scale)
        primal = oracle.primal(result.coef, result.intercept)
        assert result.primal == pytest.approx(primal, rel=1e-11)
        carried = session.carried_dual()
        if carried is not None:
            dual = oracle.dual_value(carried)
        else:
            dual = oracle.dual(result.coef, result.intercept)
        if dual is None:  # clipped and projected again: at least it must be a bound
            best = session.solve(l2, tol=1e-11).primal
            assert primal - best <= result.gap + 1e-12 * scale
        else:
            assert result.gap == pytest.approx(primal - dual, rel=1e-4, abs=1e-12 * scale)


@pytest.mark.parametrize("storage", STORAGE)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("intercept", [False, True])
def test_coefficients_of_scikit_learn(storage, C, intercept):
    rng = np.random.default_rng(5)
    n, d = 200, 12
    X = design(rng, n, d, storage)
    y, weight = labels(rng, X), rng.random(n) + 0.1
    weight[3] = 0.0
    dense = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
    peer = LogisticRegression(C=C, fit_intercept=intercept, solver="newton-cholesky", tol=1e-12)
    peer.fit(dense, y, sample_weight=weight)
    session = L2LogisticSession(X, y, fit_intercept=intercept, sample_weight=weight)
    result = session.solve(1 / (n * C), tol=1e-14)
    np.testing.assert_allclose(result.coef, peer.coef_[0], rtol=1e-5, atol=1e-6)
    assert result.intercept == pytest.approx(np.ravel(peer.intercept_)[0], rel=1e-5, abs=1e-6)


def test_objective_not_above_cvxpy():
    rng = np.random.default_rng(8)
    X = design(rng, 40, 6, "c")
    y, s = labels(rng, X), rng.random(40) + 0.2
    p = np.array([0.0, 2.0, 1.0, 0.5, 1.0, 3.0])
    w, b = cp.Variable(6), cp.Variable()
    loss = cp.sum(cp.multiply(s, cp.logistic(cp.multiply(-y, X @ w + b)))) / 40
    problem = cp.Problem(cp.Minimize(loss + 0.05 * cp.sum(cp.multiply(p, cp.square(w)))))
    problem.solve(solver="CLARABEL")
    session = L2LogisticSession(X, y, fit_intercept=True, sample_weight=s, penalty_weights=p)
    result = session.solve(0.1, tol=1e-12)
    assert result.converged
    assert result.primal <= problem.value + 1e-9
    assert result.dual <= problem.value + 1e-7


@given(
    n=st.integers(2, 30),
    d=st.integers(1, 20),
    seed=st.integers(0, 10**6),
    l2=st.floats(1e-6, 1e2),
    scale=st.sampled_from([1e-3, 1.0, 300.0]),
    regime=st.sampled_from(REGIMES),
)
@settings(max_examples=80, deadline=None)
def test_certificate_bounds_the_suboptimality(n, d, seed, l2, scale, regime):
    rng = np.random.default_rng(seed)
    X = scale * design(rng, n, d, "c")
    X[:, rng.integers(d)] = X[:, 0]
    y, intercept = labels(rng, X), bool(rng.integers(2))
    session = L2LogisticSession(X, y, fit_intercept=intercept)
    if regime:
        session.force_regime(regime)
    loose = session.solve(l2, tol=1e-2)
    tight = session.solve(l2, tol=1e-9)
    assert tight.status == "converged"
    assert loose.gap >= 0.0
    assert loose.primal - tight.primal <= loose.gap * (1 + 1e-9) + 1e-12
    assert loose.dual <= tight.primal + 1e-12


def test_no_penalty_at_all():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((200, 5))
    y = labels(rng, X)
    result = L2LogisticSession(X, y, fit_intercept=True).solve(0.0, tol=1e-9)
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(X, y)
    assert result.converged
    np.testing.assert_allclose(result.coef, peer.coef_[0], rtol=1e-4, atol=1e-5)


def test_bad_labels_are_refused():
    with pytest.raises(ValueError, match=r"-1 or \+1"):
        L2LogisticSession(np.ones((3, 1)), np.array([1.0, 2.0, -1.0]))


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_short_rows_of_many_columns_are_left_to_dual_descent(C):
    rng = np.random.default_rng(3)
    X = sparse.random_array((600, 9000), density=0.006, rng=rng, format="csr")
    y = labels(rng, X)
    passes = {}
    for regime in ("newton_cg", None):
        session = L2LogisticSession(X, y)
        if regime:
            session.force_regime(regime)
        result = session.solve(1.0 / (C * len(y)), tol=1e-6)
        assert result.converged
        passes[regime] = result.passes
    assert result.regime == "dual_descent"
    assert passes[None] <= passes["newton_cg"]
