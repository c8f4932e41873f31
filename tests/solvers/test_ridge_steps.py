"""The ways to a ridge solution: races, carried dual points, products in either precision."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import RidgeSession
from banditcd.solvers.ridge.regimes import EVEN
from tests.solvers.ridge_cases import Oracle


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("l2", [1e-7, 1e-4, 1e-2])
def test_sparse_wide_rows_carry_a_dual_point_that_is_better_than_the_residual(
    intercept, weighted, l2
):
    rng = np.random.default_rng(12)
    n, d, tol = 400, 1500, 1e-5
    X = sparse.random(n, d, density=0.02, format="csr", random_state=rng)
    y = rng.standard_normal(n) + 2.0
    s = np.where(rng.random(n) < 0.1, 0.0, rng.random(n) + 0.5) if weighted else None
    session = RidgeSession(X, y, fit_intercept=intercept, sample_weight=s)
    session.force_regime("cg")
    (result,) = session.solve(l2, tol=tol)
    oracle = Oracle(X, y, l2, intercept, s)
    (exact,) = RidgeSession(X, y, fit_intercept=intercept, sample_weight=s).solve(l2, tol=1e-14)
    primal = oracle.primal(result.coef, result.intercept)
    assert result.converged
    assert result.gap <= result.target == pytest.approx(tol * oracle.null())
    assert result.primal == pytest.approx(primal, rel=1e-12)
    assert result.dual <= exact.primal + 1e-13 * primal
    assert result.gap <= primal - oracle.dual(result.coef, result.intercept)
    assert result.n_iter == 1


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-6])
def test_wide_rows_are_certified_by_the_dual_point_of_the_race(intercept, weighted, tol):
    rng = np.random.default_rng(8)
    n, d, l2 = 600, 2000, 1e-3
    X, y = rng.standard_normal((n, d)) + 3.0 * intercept, rng.standard_normal(n) + 5.0
    s = np.where(rng.random(n) < 0.1, 0.0, rng.random(n) + 0.5) if weighted else np.ones(n)
    weight = {"sample_weight": s} if weighted else {}
    (result,) = RidgeSession(X, y, fit_intercept=intercept, **weight).solve(l2, tol=tol)
    assert result.converged
    assert result.regime == "cg"
    assert result.passes < 35
    mean, center = (s @ X / s.sum(), s @ y / s.sum()) if intercept else (0.0, 0.0)
    A, c = (X - mean) * np.sqrt(s)[:, None], (y - center) * np.sqrt(s)
    best = A.T @ np.linalg.solve(A @ A.T + n * l2 * np.eye(n), c)
    oracle = Oracle(X, y, l2, intercept, s)
    lowest = oracle.primal(best, center - np.sum(mean * best))
    primal = oracle.primal(result.coef, result.intercept)
    np.testing.assert_allclose(result.primal, primal, rtol=1e-12)
    assert primal - lowest <= result.gap + 1e-13 * primal
    assert result.gap <= result.target
    np.testing.assert_allclose(result.target, tol * oracle.null(), rtol=1e-12)


@pytest.mark.parametrize("scale", [1.0, 1e-21, 1e21], ids=["in range", "too small", "too large"])
def test_products_that_read_a_copy_in_single_precision_are_certified_by_the_data(scale):
    rng = np.random.default_rng(10)
    n, d, l2 = 600, 2000, 1e-2
    X, y = scale * rng.standard_normal((n, d)), rng.standard_normal(n)
    session = RidgeSession(X, y, n_threads=1)
    assert session.rows.copy_pays
    session.force_regime("cg")
    (result,) = session.solve(l2 * scale**2, tol=1e-4)
    assert result.converged
    K = X / scale
    best = K.T @ np.linalg.solve(K @ K.T + n * l2 * np.eye(n), y)
    oracle = Oracle(K, y, l2)
    lowest, primal = oracle.primal(best, 0.0), oracle.primal(scale * result.coef, 0.0)
    np.testing.assert_allclose(result.primal, primal, rtol=1e-12)
    assert primal - lowest <= result.gap + 1e-13 * primal
    assert result.gap <= 1e-4 * oracle.null() * (1.0 + 1e-12)


def test_a_race_that_is_too_slow_is_given_up():
    rng = np.random.default_rng(9)
    X, y = rng.standard_normal((600, 2000)), rng.standard_normal(600)
    left, values, right = np.linalg.svd(X, full_matrices=False)
    X = left * (values * np.where(np.arange(600) < 300, 1.0, 1e-4)) @ right
    (result,) = RidgeSession(X, y).solve(1e-9, tol=1e-9)
    assert result.converged
    assert result.regime == "dual_gram"


@pytest.mark.parametrize("share", [0.05, 0.9])
@pytest.mark.parametrize("intercept", [True, False])
def test_sparse_products_by_scatter_or_by_dense_blocks(share, intercept):
    rng = np.random.default_rng(10)
    X = (rng.random((900, 33)) < share) * rng.standard_normal((900, 33))
    y, s = rng.standard_normal(900), rng.random(900)
    options = {"fit_intercept": intercept, "sample_weight": s}
    (result,) = RidgeSession(sparse.csr_matrix(X), y, **options).solve(1e-3, tol=1e-12)
    (dense,) = RidgeSession(X, y, **options).solve(1e-3, tol=1e-12)
    assert result.converged
    assert result.n_iter == 1  # one step is enough if the matrix is right
    np.testing.assert_allclose(result.coef, dense.coef, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("scales", [(1e50, 1e150), (1e100, 1e100)])
def test_gradients_whose_squares_overflow_are_no_warning(scales):
    rng = np.random.default_rng(11)
    X, y = scales[0] * rng.standard_normal((30, 4)), scales[1] * rng.standard_normal(30)
    (result,) = RidgeSession(X, y).solve(1.0, tol=1e-4)
    assert np.isfinite(result.gap)
    assert result.gap <= result.primal


@pytest.mark.parametrize("l2", [1e246, 1e300])
def test_a_penalty_far_beyond_the_eigenvalues_leaves_a_forecast(l2):
    """What a step leaves of the residual is below the smallest number of float64."""
    X = 1e-50 * np.random.default_rng(3).standard_normal((4000, 300))
    (result,) = RidgeSession(X, X[:, 0]).solve(l2, tol=1e-4)
    assert result.converged


def test_race_ends_with_either():
    rng = np.random.default_rng(6)
    X, y = rng.standard_normal((400, 380)), rng.standard_normal(400)
    left, _, right = np.linalg.svd(X, full_matrices=False)
    X = left * np.logspace(0, -2, 380) @ right  # no scaling of columns makes it round
    seen = []
    for strong, tol in ((10.0, 1e-2), (0.02, 1e-3)):
        l2 = float(np.vdot(X, X)) / 380 / 400 * strong
        (result,) = RidgeSession(X, y).solve(l2, tol=tol)
        assert result.converged
        seen.append(result.regime)
    assert seen == ["cg", "normal_equations"]


@pytest.mark.parametrize("unequal", [True, False])
def test_columns_of_unequal_size_are_scaled(unequal):
    rng = np.random.default_rng(15)
    n, d = 300, 1200
    X = sparse.random(n, d, density=0.05, format="csr", random_state=rng)
    if unequal:
        X = sparse.csr_matrix(X @ sparse.diags_array(10.0 ** rng.uniform(-3, 3, d)))
    y = rng.standard_normal(n)
    session = RidgeSession(X, y)
    assert (session.rows.head_share(1e-3) > 0.25) is unequal
    session.force_regime("cg")
    (result,) = session.solve(1e-5, tol=1e-6)
    (exact,) = RidgeSession(X, y).solve(1e-5, tol=1e-13)
    assert result.converged
    assert result.dual <= exact.primal <= result.primal


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-12])
def test_products_in_single_precision_are_refined(intercept, weighted, tol):
    rng = np.random.default_rng(13)
    n, d, l2 = 2000, 250, 1e-5
    X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((n, 1)) + 300.0 * intercept
    y = X[:, 0] + rng.standard_normal(n)
    s = np.where(rng.random(n) < 0.1, 0.0, rng.random(n) + 0.5) if weighted else None
    session = RidgeSession(X, y, fit_intercept=intercept, sample_weight=s)
    session.force_regime("normal_equations")
    assert session.rows.native.rough_pays(intercept)
    (result,) = session.solve(l2, tol=tol)
    oracle = Oracle(X, y, l2, intercept, s)
    assert result.converged
    assert result.n_iter <= (2 if tol < 1e-6 else 1)
    primal = oracle.primal(result.coef, result.intercept)
    gap = primal - oracle.dual(result.coef, result.intercept)
    assert result.gap == pytest.approx(gap, rel=1e-4, abs=1e-12 * primal)
    assert gap <= tol * oracle.null() + 1e-12 * primal


@pytest.mark.parametrize("far", [True, False])
def test_double_precision_where_single_is_not_enough(far):
    rng = np.random.default_rng(14)
    n, d = 2000, 250
    X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    if far:
        X += 500.0
    else:
        X[:, 1:20] = X[:, :1] + 1e-5 * X[:, 1:20]
    session = RidgeSession(X, y)
    session.force_regime("normal_equations")
    (result,) = session.solve(1e-9, tol=1e-9)
    assert session.rows.native.rough_pays(False) is not far
    assert result.converged
    assert result.regime == "normal_equations"
    oracle = Oracle(X, y, 1e-9)
    gap = oracle.primal(result.coef, 0.0) - oracle.dual(result.coef, 0.0)
    assert gap <= 1.01e-9 * oracle.null()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("n", "d"), [(150, 6000), (4000, 100), (300, 300)])
def test_the_spectrum_is_estimated_from_some_rows(n, d, intercept, weighted):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((n, d)) + 2.0 * intercept
    s = rng.random(n) + 0.5 if weighted else np.ones(n)
    rows = RidgeSession(X, X[:, 0], fit_intercept=intercept, sample_weight=s).rows
    A = np.sqrt(s)[:, None] * (X - (s @ X / s.sum() if intercept else 0.0))
    values = np.linalg.eigvalsh(A @ A.T if n < d else A.T @ A)
    mean, variance = rows.spectrum.mean, rows.spectrum.variance
    assert mean == pytest.approx(values.mean(), rel=0.15)
    assert abs(variance - values.var() / values.mean() ** 2) < 0.15


def test_a_spectrum_without_numbers_is_not_even():
    for scale in (0.0, 1e200):
        rows = RidgeSession(np.full((40, 90), scale), np.arange(40.0)).rows
        assert not rows.spectrum.variance <= EVEN


@pytest.mark.parametrize("tol", [0.3, 1e-2])
@pytest.mark.parametrize(("n", "d"), [(200, 8000), (6000, 150)])
def test_even_eigenvalues_need_few_steps_and_no_factor(n, d, tol):
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
    (even,) = RidgeSession(X, y).solve(0.1, tol=tol)
    assert even.regime == "cg"
    assert even.passes <= 8
    assert even.gap <= even.target
    X[:, : d // 10] += 3.0 * rng.standard_normal((n, 1))  # one direction holds most of it
    (uneven,) = RidgeSession(X, y).solve(0.1, tol=tol)
    assert uneven.gap <= uneven.target
