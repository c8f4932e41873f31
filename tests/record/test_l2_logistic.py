"""L2-logistic regression against independent oracles: dual value, scikit-learn, cvxpy."""

from __future__ import annotations

import itertools

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit, xlogy
from sklearn.linear_model import LogisticRegression

from banditcd.record import L2LogisticSession

SHAPES = [(60, 7), (25, 70), (300, 90)]
STORAGE = ["c", "f64", "f32", "csc64", "csr"]
REGIMES = ["newton", "newton_cg", "rowspace", None]
TOL = 1e-10


class Oracle:
    """The documented objective and a dual value at a projected point, in dense NumPy."""

    def __init__(self, X, y, l2, fit_intercept=False, sample_weight=None, penalty_weights=None):
        self.X = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
        self.y, self.l2, self.fit_intercept = y, l2, fit_intercept
        n, d = self.X.shape
        self.s = np.ones(n) if sample_weight is None else sample_weight
        self.p = np.ones(d) if penalty_weights is None else penalty_weights
        self.keep = ~np.isinf(self.p)

    def null(self):
        if not self.fit_intercept:
            return np.mean(self.s) * np.log(2.0)
        share = self.s @ (self.y > 0) / self.s.sum()
        return -np.mean(self.s) * (xlogy(share, share) + xlogy(1 - share, 1 - share))

    def primal(self, coef, intercept):
        assert np.all(coef[~self.keep] == 0.0)
        m = self.y * (self.X @ coef + intercept)
        w, p = coef[self.keep], self.p[self.keep]
        return np.mean(self.s * np.logaddexp(0.0, -m)) + 0.5 * self.l2 * p @ w**2

    def dual_value(self, q):
        """D at alpha = y s q / n, for any feasible q."""
        v = self.X.T @ (self.y * self.s * q) / len(q)
        free = self.keep & (self.p * self.l2 == 0.0)
        assert np.all(np.abs(v[free]) <= 1e-9)
        assert np.all((q >= 0.0) & (q <= 1.0))
        if self.fit_intercept:
            assert abs(np.mean(self.y * self.s * q)) <= 1e-9
        strength = self.l2 * self.p
        penalized = self.keep & (strength > 0)
        entropy = -np.mean(self.s * (xlogy(q, q) + xlogy(1 - q, 1 - q)))
        return max(0.0, entropy - np.sum(v[penalized] ** 2 / (2 * strength[penalized])))

    def dual(self, coef, intercept):
        m = self.y * (self.X @ coef + intercept)
        q = expit(-m)
        free = self.keep & (self.p * self.l2 == 0.0)
        F = self.X[:, free]
        if self.fit_intercept:
            F = np.column_stack([F, np.ones(len(m))])
        if F.shape[1]:
            curvature = self.s * q * (1 - q)
            moved = np.linalg.lstsq(
                np.sqrt(curvature)[:, None] * F,
                np.divide(
                    self.y * self.s * q,
                    np.sqrt(curvature),
                    out=np.zeros_like(q),
                    where=curvature > 0,
                ),
                rcond=None,
            )[0]
            q = q - q * (1 - q) * self.y * (F @ moved)
            if np.any(q < 0) or np.any(q > 1):
                return None  # the plain projection leaves the box
        return self.dual_value(q)


def design(rng, n, d, storage):
    X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((n, 1)) + 0.5
    if storage.startswith("cs"):
        X *= rng.random((n, d)) < 0.3
        return sparse.csc_matrix(X) if storage.startswith("csc") else sparse.csr_matrix(X)
    X = X.astype(np.float32) if storage == "f32" else X
    return np.asfortranarray(X) if storage == "f64" else X


def labels(rng, X):
    score = np.asarray(X @ rng.standard_normal(X.shape[1])).ravel()
    y = np.where(score + 2 * rng.standard_normal(X.shape[0]) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return y


def options(rng, n, d):
    out = {"fit_intercept": bool(rng.integers(2))}
    if rng.integers(2):
        out["sample_weight"] = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.1)
        out["sample_weight"][:2] = 1.0
    if rng.integers(2):
        p = rng.random(d) + 0.5
        p[rng.integers(d)] = np.inf
        p[rng.integers(d)] = 0.0
        out["penalty_weights"] = p
    return out


@pytest.mark.parametrize(("shape", "storage"), list(itertools.product(SHAPES, STORAGE)))
def test_internal_gap_is_the_independent_gap(shape, storage):
    rng = np.random.default_rng([*shape, STORAGE.index(storage)])
    n, d = shape
    for regime, l2, tol in itertools.product(REGIMES, [1.0, 1e-2, 1e-4], [1e-2, TOL]):
        X, extra = design(rng, n, d, storage), options(rng, n, d)
        y = labels(rng, X)
        session = L2LogisticSession(X, y, **extra)
        if regime == "rowspace" and "penalty_weights" in extra:
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


@pytest.mark.parametrize("storage", ["c", "f32", "csr"])
@pytest.mark.parametrize("intercept", [False, True])
def test_tall_data_starts_from_a_sample(storage, intercept):
    rng = np.random.default_rng(9)
    X = design(rng, 4001, 9, storage)
    y, weight = labels(rng, X), rng.random(4001)
    for l2, tol in itertools.product([1.0, 1e-3], [1e-2, TOL]):
        extra = {"fit_intercept": intercept, "sample_weight": weight}
        result = L2LogisticSession(X, y, **extra).solve(l2, tol=tol)
        oracle = Oracle(X, y, l2, **extra)
        assert result.converged
        assert result.passes % 1.0 != 0.0  # the sample's passes are fractions of one
        primal = oracle.primal(result.coef, result.intercept)
        gap = primal - oracle.dual(result.coef, result.intercept)
        assert result.gap == pytest.approx(gap, rel=1e-4, abs=1e-12 * oracle.null())


@pytest.mark.parametrize("storage", ["c", "csr"])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_dual_descent_certifies_itself(storage, intercept, weighted):
    rng = np.random.default_rng(11)
    for n, d in [(80, 200), (200, 60)]:
        X = design(rng, n, d, storage)
        y = labels(rng, X)
        weight = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.1) if weighted else None
        for l2, tol in itertools.product([1.0, 1e-2, 1e-4], [1e-2, 1e-5, TOL]):
            extra = {"fit_intercept": intercept, "sample_weight": weight}
            session = L2LogisticSession(X, y, **extra)
            session.force_regime("dual_descent")
            result = session.solve(l2, tol=tol)
            best = L2LogisticSession(X, y, **extra).solve(l2, tol=1e-13).primal
            oracle = Oracle(X, y, l2, **extra)
            assert result.status == "converged"
            assert result.regime == "dual_descent"
            assert result.gap <= result.target
            primal = oracle.primal(result.coef, result.intercept)
            assert result.primal == pytest.approx(primal, rel=1e-11)
            assert primal - best <= result.gap * (1 + 1e-9) + 1e-13 * oracle.null()
            again = session.solve(l2, tol=tol)  # from the point of the last solve
            assert again.converged


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


def test_extreme_margins_do_not_overflow():
    X = np.array([[1e8], [-1e8], [3e7], [1e-8]])
    y = np.array([1.0, -1.0, -1.0, 1.0])
    with np.errstate(all="raise"):
        session = L2LogisticSession(X, y, fit_intercept=True)
        session.start_at(np.array([5.0]), -100.0)
        result = session.solve(1e-6, tol=1e-8)
    assert result.converged
    assert np.isfinite(result.primal)


def test_separable_data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 5))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    for l2 in (1e-2, 1e-6, 1e-10):
        result = L2LogisticSession(X, y, fit_intercept=True).solve(l2, tol=1e-6)
        assert result.converged, (l2, result)
    free = L2LogisticSession(X, y).solve(0.0, tol=1e-6)
    assert free.converged  # the losses go below the target, and no dual value is negative
    assert free.gap <= free.primal


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("C", [0.1, 100.0])
def test_an_old_factor_leads_to_the_same_point(C, intercept):
    rng = np.random.default_rng(12)
    n, d = 600, 200
    X, y = rng.standard_normal((n, d)), np.where(rng.random(n) < 0.5, -1.0, 1.0)
    y[:400] = np.sign(X[:400, 0] + 0.1)
    session = L2LogisticSession(X, y, fit_intercept=intercept)
    session.force_regime("newton")
    result = session.solve(1 / (C * n), tol=TOL)
    assert result.converged
    other = L2LogisticSession(X, y, fit_intercept=intercept)
    other.force_regime("newton_cg")
    point = other.solve(1 / (C * n), tol=TOL)
    np.testing.assert_allclose(result.primal, point.primal, rtol=1e-9)
    oracle = Oracle(X, y, 1 / (C * n), fit_intercept=intercept)
    np.testing.assert_allclose(oracle.primal(result.coef, result.intercept), result.primal)


def test_no_penalty_at_all():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((200, 5))
    y = labels(rng, X)
    result = L2LogisticSession(X, y, fit_intercept=True).solve(0.0, tol=1e-9)
    peer = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky").fit(X, y)
    assert result.converged
    np.testing.assert_allclose(result.coef, peer.coef_[0], rtol=1e-4, atol=1e-5)


def test_corner_matrices():
    y = np.array([1.0, -1.0, 1.0])
    for X in (sparse.csr_matrix((3, 4)), np.zeros((3, 4)), np.ones((3, 2)), np.zeros((3, 0))):
        for intercept in (False, True):
            result = L2LogisticSession(X, y, fit_intercept=intercept).solve(0.1, tol=1e-8)
            assert result.converged, (X, intercept, result)
    result = L2LogisticSession(np.zeros((3, 1)), y, fit_intercept=True).solve(0.1, tol=1e-10)
    assert result.intercept == pytest.approx(np.log(2.0), abs=1e-4)


def test_limits_and_bad_labels():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 150))
    y = labels(rng, X)
    few = L2LogisticSession(X, y).solve(1e-6, tol=1e-12, max_iter=1)
    assert few.status == "max_iter"
    late = L2LogisticSession(X, y).solve(1e-6, tol=1e-12, max_seconds=0.0)
    assert late.status == "max_seconds"
    assert late.gap > late.target
    with pytest.raises(ValueError, match="-1 or 1"):
        L2LogisticSession(X, 2 * y)


def test_warm_start_keeps_the_answer():
    rng = np.random.default_rng(4)
    X = design(rng, 100, 10, "csr")
    y = labels(rng, X)
    session = L2LogisticSession(X, y, fit_intercept=True)
    for l2 in (1.0, 1e-1, 1e-2):
        warm = session.solve(l2, tol=1e-12)
        cold = L2LogisticSession(X, y, fit_intercept=True).solve(l2, tol=1e-12)
        np.testing.assert_allclose(warm.coef, cold.coef, atol=1e-6)
