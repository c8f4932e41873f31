"""Ridge against independent oracles: gap, scikit-learn, brute-force leave-one-out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import Ridge

from banditcd.solvers import RidgeSession
from tests.solvers.ridge_cases import Oracle, design, options

SHAPES = [(60, 7), (25, 70), (40, 40), (300, 90)]
STORAGE = ["c", "f64", "f32", "csc64", "csr"]
REGIMES = ["normal_equations", "dual_gram", "cg", "least_squares", None]
TOL = 1e-11


@pytest.mark.parametrize(("shape", "storage"), list(itertools.product(SHAPES, STORAGE)))
def test_internal_gap_is_the_independent_gap(shape, storage):
    rng = np.random.default_rng([*shape, STORAGE.index(storage)])
    n, d = shape
    for regime, l2 in itertools.product(REGIMES, [10.0, 1e-2, 1e-6]):
        X, extra = design(rng, n, d, storage), options(rng, n)
        Y = rng.standard_normal((n, 2)) + 3.0
        session = RidgeSession(X, Y, **extra)
        if regime:
            session.force_regime(regime)
        for y, result in zip(Y.T, session.solve(l2, tol=TOL), strict=True):
            oracle = Oracle(X, y, l2, **extra)
            scale = oracle.null()
            assert result.status == "converged", (regime, l2, result)
            assert regime is None or result.regime == regime
            assert result.gap <= result.target == pytest.approx(TOL * scale)
            primal = oracle.primal(result.coef, result.intercept)
            assert result.primal == pytest.approx(primal, rel=1e-10, abs=1e-13 * scale)
            gap = primal - oracle.dual(result.coef, result.intercept)
            if result.regime != "cg":  # which may have a better dual point than the residual
                assert result.gap == pytest.approx(gap, rel=1e-5, abs=1e-13 * scale)
            assert result.gap <= gap * (1 + 1e-5) + 1e-13 * scale
            (exact,) = RidgeSession(X, y, **extra).solve(l2, tol=1e-15)
            assert result.dual <= exact.primal + 1e-13 * scale


def test_loose_gaps_agree_too():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((80, 50)), rng.standard_normal(80)
    for tol in (0.3, 1e-2, 1e-4):
        session = RidgeSession(X, y, fit_intercept=True)
        session.force_regime("cg")
        (result,) = session.solve(1e-3, tol=tol)
        oracle = Oracle(X, y, 1e-3, fit_intercept=True)
        exact = Ridge(alpha=80 * 1e-3, solver="svd").fit(X, y)
        best = oracle.primal(exact.coef_, exact.intercept_)
        assert result.converged
        assert result.primal - best <= result.gap * (1 + 1e-9)
        gap = result.primal - oracle.dual(result.coef, result.intercept)
        assert result.gap == pytest.approx(min(gap, result.primal), rel=1e-9)


@pytest.mark.parametrize("storage", STORAGE)
@pytest.mark.parametrize("shape", SHAPES)
def test_coefficients_of_scikit_learn(shape, storage):
    rng = np.random.default_rng(5)
    n, d = shape
    X, Y = design(rng, n, d, storage), rng.standard_normal((n, 3))
    weight = rng.random(n) + 0.1
    peer = Ridge(alpha=0.7, solver="sparse_cg" if sparse.issparse(X) else "cholesky", tol=1e-12)
    dense = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
    peer.set_params(solver="cholesky").fit(dense, Y, sample_weight=weight)
    session = RidgeSession(X, Y, fit_intercept=True, sample_weight=weight)
    for t, result in enumerate(session.solve(0.7 / n, tol=1e-16)):
        np.testing.assert_allclose(result.coef, peer.coef_[t], rtol=1e-6, atol=1e-7)
        assert result.intercept == pytest.approx(peer.intercept_[t], rel=1e-6, abs=1e-7)


@given(
    n=st.integers(1, 25),
    d=st.integers(1, 25),
    seed=st.integers(0, 10**6),
    l2=st.floats(1e-6, 1e3),
    scale=st.sampled_from([1e-3, 1.0, 1e4]),
)
@settings(max_examples=60, deadline=None)
def test_certificate_bounds_the_suboptimality(n, d, seed, l2, scale):
    rng = np.random.default_rng(seed)
    X = scale * design(rng, n, d, "c")
    X[:, rng.integers(d)] = X[:, 0]
    y, extra = rng.standard_normal(n), options(rng, n)
    if "sample_weight" in extra:
        extra["sample_weight"][0] = 1.0
    (result,) = RidgeSession(X, y, **extra).solve(l2, tol=1e-6)
    oracle = Oracle(X, y, l2, **extra)
    root, center = np.sqrt(oracle.s), np.zeros(d)
    middle = 0.0
    if extra["fit_intercept"]:
        center, middle = np.average(X, axis=0, weights=oracle.s), np.average(y, weights=oracle.s)
    A = np.vstack([root[:, None] * (X - center), np.sqrt(n * l2) * np.eye(d)])
    best = np.linalg.lstsq(A, np.concatenate([root * (y - middle), np.zeros(d)]), rcond=None)[0]
    least = oracle.primal(best, middle - center @ best)
    assert result.status == "converged"
    assert result.gap >= 0.0
    assert result.primal - least <= result.gap + 1e-12 * (oracle.null() + 1e-300)


@pytest.mark.parametrize("shape", [(40, 6), (12, 30)])
@pytest.mark.parametrize("storage", ["c", "csr"])
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_what_refitting_gives(shape, storage, weighted):
    rng = np.random.default_rng(3)
    n, d = shape
    X, Y = design(rng, n, d, storage), rng.standard_normal((n, 2)) + 1.0
    weight = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.5) if weighted else None
    for intercept in (False, True):
        session = RidgeSession(X, Y, fit_intercept=intercept, sample_weight=weight)
        l2s = np.array([1e-3, 0.5])
        errors = session.leave_one_out(l2s)
        assert errors.shape == (2, n, 2)
        for k, l2 in enumerate(l2s):
            for i in range(0, n, 5):
                keep = np.arange(n) != i
                part = None if weight is None else weight[keep]
                left = RidgeSession(X[keep], Y[keep], fit_intercept=intercept, sample_weight=part)
                for t, fit in enumerate(left.solve(l2 * n / (n - 1), tol=1e-16)):
                    row = X[[i]].toarray()[0] if storage == "csr" else X[i]
                    expected = Y[i, t] - fit.intercept - row @ fit.coef
                    assert errors[k, i, t] == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_a_path_shares_one_eigendecomposition():
    rng = np.random.default_rng(1)
    for n, d in [(50, 20), (20, 50)]:
        X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
        session = RidgeSession(X, y, fit_intercept=True, solves=40)
        for l2 in np.logspace(2, -4, 7):
            (many,) = session.solve(l2, tol=1e-12)
            (once,) = RidgeSession(X, y, fit_intercept=True).solve(l2, tol=1e-12)
            assert many.converged
            np.testing.assert_allclose(many.coef, once.coef, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("shape", [(40, 8), (8, 40), (30, 30)])
@pytest.mark.parametrize("storage", ["c", "csr"])
def test_no_penalty_is_least_squares_of_smallest_norm(shape, storage):
    rng = np.random.default_rng(2)
    X, y = design(rng, *shape, storage), rng.standard_normal(shape[0])
    (result,) = RidgeSession(X, y).solve(0.0, tol=1e-8)
    dense = X.toarray() if storage == "csr" else X
    expected = np.linalg.lstsq(dense, y, rcond=None)[0]
    np.testing.assert_allclose(result.coef, expected, rtol=1e-6, atol=1e-8)
    assert result.status == "converged"


def test_no_certificate_is_said():
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((40, 8)), rng.standard_normal(40)
    X[:, 0] *= 1e12  # the residual cannot be orthogonal to both kinds of columns
    X[:, 1] = X[:, 0] * (1 + 1e-15)
    session = RidgeSession(X, y)
    session.force_regime("cg")
    (result,) = session.solve(0.0, tol=1e-30, max_iter=20)
    assert result.status in {"uncertified", "max_iter"}
    assert result.gap <= result.primal


def test_ill_conditioned_duplicates_and_constants():
    rng = np.random.default_rng(4)
    base = rng.standard_normal((60, 5))
    X = np.hstack([base, base, 1e-7 * base, np.ones((60, 2)), np.zeros((60, 1)), 1e6 + base])
    y = rng.standard_normal(60) + 5.0
    for l2 in (1.0, 1e-6):
        (result,) = RidgeSession(X, y, fit_intercept=True).solve(l2, tol=1e-6)
        assert result.status == "converged", (l2, result)
        assert np.all(np.isfinite(result.coef))
    # Here the rounding of correlations with the far columns is as large as the target.
    (result,) = RidgeSession(X, y, fit_intercept=True).solve(1e-12, tol=1e-6)
    assert result.gap <= 10.0 * result.target
    assert (result.status == "converged") == (result.gap <= result.target)


def test_constant_target_and_empty_rows():
    X = sparse.csr_matrix((5, 3))
    (result,) = RidgeSession(X, np.full(5, 2.0), fit_intercept=True).solve(1.0)
    assert result.status == "converged"
    assert result.intercept == 2.0
    assert not result.coef.any()


def test_weights_that_sum_to_zero_are_refused():
    with pytest.raises(ValueError, match="positive weight"):
        RidgeSession(np.ones((3, 1)), np.ones(3), sample_weight=np.zeros(3))
