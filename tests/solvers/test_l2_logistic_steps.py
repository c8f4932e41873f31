"""The ways to an L2-logistic solution, their dual points and corner cases."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import L2LogisticSession
from banditcd.solvers.arrays import rows_of
from tests.solvers.l2_logistic_cases import Oracle, design, labels

TOL = 1e-10
MANY = 100_000


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
            result = session.solve(l2, tol=tol, max_iter=MANY)  # nobody takes over
            best = L2LogisticSession(X, y, **extra).solve(l2, tol=1e-13).primal
            oracle = Oracle(X, y, l2, **extra)
            assert result.status == "converged"
            assert result.regime == "dual_descent"
            assert result.gap <= result.target
            primal = oracle.primal(result.coef, result.intercept)
            assert result.primal == pytest.approx(primal, rel=1e-11)
            assert primal - best <= result.gap * (1 + 1e-9) + 1e-13 * oracle.null()
            again = session.solve(l2, tol=tol, max_iter=MANY)  # from the point of the last solve
            assert again.converged


def test_dual_descent_needs_few_passes_at_weak_penalties():
    # |x_i|^2 / lambda is up to 6e6 there: a coordinate must be solved for its logit, not for a
    # share of its residual.
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 600))
    y = np.where(X[:, 0] + rng.standard_normal(80) > 0.0, 1.0, -1.0)
    for C in (1.0, 1e2, 1e4):
        session = L2LogisticSession(X, y)
        session.force_regime("dual_descent")
        result = session.solve(1.0 / (C * len(y)), tol=1e-4)
        assert result.status == "converged"
        assert result.n_iter <= 4


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


def test_corner_matrices():
    y = np.array([1.0, -1.0, 1.0])
    for X in (sparse.csr_matrix((3, 4)), np.zeros((3, 4)), np.ones((3, 2)), np.zeros((3, 0))):
        for intercept in (False, True):
            result = L2LogisticSession(X, y, fit_intercept=intercept).solve(0.1, tol=1e-8)
            assert result.converged, (X, intercept, result)
    result = L2LogisticSession(np.zeros((3, 1)), y, fit_intercept=True).solve(0.1, tol=1e-10)
    assert result.intercept == pytest.approx(np.log(2.0), abs=1e-4)


def test_warm_start_keeps_the_answer():
    rng = np.random.default_rng(4)
    X = design(rng, 100, 10, "csr")
    y = labels(rng, X)
    session = L2LogisticSession(X, y, fit_intercept=True)
    for l2 in (1.0, 1e-1, 1e-2):
        warm = session.solve(l2, tol=1e-12)
        cold = L2LogisticSession(X, y, fit_intercept=True).solve(l2, tol=1e-12)
        np.testing.assert_allclose(warm.coef, cold.coef, atol=1e-6)


@pytest.mark.parametrize("storage", ["c", "csr"])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("regime", ["newton", "row_space"])
def test_a_predicted_dual_point_certifies_weak_penalties(storage, intercept, regime):
    rng = np.random.default_rng(21)
    n, d = (400, 30) if regime == "newton" else (60, 200)
    X, found = design(rng, n, d, storage), 0
    y = labels(rng, X)
    for l2, tol in itertools.product([1e-3 / n, 10.0 / n], 10.0 ** np.arange(-1.0, -9.0, -0.5)):
        session = L2LogisticSession(X, y, fit_intercept=intercept)
        session.force_regime(regime)
        result = session.solve(l2, tol=tol)
        assert result.converged
        p = session.carried_dual()
        if p is None:
            continue
        found += 1
        oracle = Oracle(X, y, l2, intercept)
        assert result.dual == pytest.approx(oracle.dual_value(p), rel=1e-9, abs=1e-14)
        own = oracle.dual(result.coef, result.intercept)  # None: not even feasible
        assert own is None or own <= result.dual + 1e-14
    assert found > 0 or regime == "row_space"  # separable rows often need no help


def test_a_hessian_in_single_precision_leads_to_the_same_point():
    rng = np.random.default_rng(22)
    n, d = 1500, 300
    X = rng.standard_normal((n, d))
    y = labels(rng, X)
    for C, tied in itertools.product([0.1, 100.0], [False, True]):
        if tied:
            X[:, 1:9] = X[:, :1] + 1e-6 * X[:, 1:9]
        session = L2LogisticSession(X, y)
        session.force_regime("newton")
        result = session.solve(1 / (C * n), tol=1e-11)
        assert result.converged
        oracle = Oracle(X, y, 1 / (C * n))
        best = oracle.dual(result.coef, 0.0)
        assert oracle.primal(result.coef, 0.0) - best <= 1e-9 * oracle.null()


def test_descent_copies_rows_only_where_passes_lie_ahead():
    rng = np.random.default_rng(2)
    n, d = 60, 5000
    X, y = rng.standard_normal((n, d)), np.sign(rng.standard_normal(n))
    alike = X + 3.0 * rng.standard_normal(d)

    def beside(X, tol):
        """Work beside whole passes, for each pass of the descent: less where a copy was read."""
        session = L2LogisticSession(X, y)
        session.force_regime("dual_descent")
        result = session.solve(1.0 / n, tol=tol)
        assert result.converged
        return (result.work - result.passes * rows_of(X).costs[2]) / (result.n_iter + 1)

    easy = beside(X, 1e-2)
    assert easy > 0.0
    assert beside(alike, 1e-8) < easy
