"""Shapes for which the logistic solver has ways of its own: each against the independent gap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd import _core
from banditcd.solvers import LogisticSession
from banditcd.solvers.arrays import columns_of
from tests.solvers.logistic_cases import LogisticCase, random_labels


def certified(case: LogisticCase, tol: float):
    """Solve, check the certificate, and return the result."""
    session = LogisticSession(case.X, case.y, **case.options())
    result = session.solve(case.l1, case.l2, tol=tol)
    assert result.converged
    assert case.gap(result.coef, result.intercept) <= 1.01 * result.target
    assert result.primal == pytest.approx(case.primal(result.coef, result.intercept), rel=1e-9)
    return result


def one_hot(rows: int, columns: int, seed: int) -> sparse.csc_matrix:
    """A sparse matrix of ones whose columns fill from a half to few of their rows."""
    rng = np.random.default_rng(seed)
    fill = np.minimum(0.5, 2.0 / np.arange(1, columns + 1))
    return sparse.csc_matrix((rng.random((rows, columns)) < fill).astype(np.float64))


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(300, 40), (60, 300), (3000, 60)])
def test_columns_of_ones_are_like_others(rows, columns, fit_intercept):
    X = one_hot(rows, columns, seed=rows)
    y = random_labels(np.random.default_rng(1), X)
    largest = LogisticSession(X, y, fit_intercept=fit_intercept).largest_penalty()
    case = LogisticCase(X, y, largest / 30, fit_intercept=fit_intercept)
    result = certified(case, 1e-10)
    # The same numbers, but no longer all of them ones.
    halves = X.copy()
    halves.data[:] = 0.5
    halved = LogisticCase(halves, y, case.l1 / 2, fit_intercept=fit_intercept)
    assert certified(halved, 1e-10).primal == pytest.approx(result.primal, abs=2 * result.target)
    dense = LogisticCase(np.asfortranarray(X.toarray()), y, case.l1, fit_intercept=fit_intercept)
    assert certified(dense, 1e-10).primal == pytest.approx(result.primal, abs=2 * result.target)


@pytest.mark.parametrize("ones", [False, True])
@pytest.mark.parametrize("columns", [3, 40, 300])
def test_a_matrix_of_rows_that_count(columns, ones):
    rng = np.random.default_rng(columns)
    X = one_hot(500, columns, seed=columns)
    if not ones:
        X.data[:] = rng.standard_normal(X.nnz)
    weight = np.where(rng.random(500) < 0.3, rng.random(500), 0.0)
    matrix = columns_of(X)
    expected = (X.T @ X.multiply(weight[:, None])).toarray()
    for thinned in (False, True, True, False):
        out = np.empty((columns, columns))
        _core.parts.weighted_gram(matrix, weight, thinned, out)
        np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("divisor", [20, 500])
def test_many_rows_and_few_in_doubt(divisor, fit_intercept):
    """A rare class: the curvatures of few rows stand for all of them."""
    rng = np.random.default_rng(8)
    X = one_hot(24_000, 120, seed=8)
    X = sparse.hstack([X, one_hot(24_000, 100, seed=9)[:, 8:]], format="csc")
    z = X @ (rng.standard_normal(X.shape[1]) * 2) - 5.0
    y = np.where(rng.random(24_000) < 1 / (1 + np.exp(-z)), 1.0, -1.0)
    largest = LogisticSession(X, y, fit_intercept=fit_intercept).largest_penalty()
    certified(LogisticCase(X, y, largest / divisor, fit_intercept=fit_intercept), 1e-6)


@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_wide_data_with_a_large_support(dtype, fit_intercept):
    rng = np.random.default_rng(4)
    X = np.asfortranarray(rng.standard_normal((250, 1500)), dtype=dtype)
    y = random_labels(rng, X)
    largest = LogisticSession(X, y, fit_intercept=fit_intercept).largest_penalty()
    case = LogisticCase(X, y, largest / 300, fit_intercept=fit_intercept)
    result = certified(case, 1e-4)
    assert result.pool_size > 128  # where models that are passed through have no matrix
    certified(case, 1e-9)


@pytest.mark.parametrize("offset", [1e3, 1e6, -1e8])
@pytest.mark.parametrize("columns", [20, 150])
def test_columns_far_from_zero(columns, offset):
    """An intercept takes up the shift of the columns, without the digits it would cost."""
    rng = np.random.default_rng(3)
    Z = np.round(rng.standard_normal((200, columns)) * 64) / 64  # so that Z + offset is exact
    y = random_labels(rng, Z)
    l1 = LogisticSession(np.asfortranarray(Z), y, fit_intercept=True).largest_penalty() / 30
    near = LogisticSession(np.asfortranarray(Z), y, fit_intercept=True).solve(l1, tol=1e-8)
    session = LogisticSession(np.asfortranarray(Z + offset), y, fit_intercept=True)
    far = session.solve(l1, tol=1e-8)
    assert far.converged
    np.testing.assert_allclose(far.coef, near.coef, atol=1e-4)
    predictors = (Z + offset) @ far.coef + far.intercept
    atol = 1e-3 + 1e-12 * abs(offset)
    np.testing.assert_allclose(predictors, Z @ near.coef + near.intercept, atol=atol)
    # A start in the coordinates of the data, and other labels on the same matrix.
    session.start_at(far.coef, far.intercept)
    again = session.solve(l1, tol=1e-8)
    assert again.converged
    assert again.n_iter <= 1
    turned = session.with_labels(-y).solve(l1, tol=1e-8)
    assert turned.converged
    np.testing.assert_allclose(turned.coef, -far.coef, atol=1e-4)
