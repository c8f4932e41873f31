"""Multinomial Newton steps with a diagonal preconditioner, where a few rows have large norms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import L2MultinomialSession

CLASSES = 5


def heavy_rows(seed):
    rng = np.random.default_rng(seed)
    rows, columns = 600, 1500
    counts = rng.geometric(0.5, (rows, columns)) * (rng.random((rows, columns)) < 0.02)
    counts[::20] *= 50
    return counts.astype(float), rng.integers(0, CLASSES, rows).astype(float)


def solved(X, y, tol=1e-8, **options):
    session = L2MultinomialSession(X, y, CLASSES, fit_intercept=True, **options)
    session.force_regime("newton_diagonal")
    return session.solve(0.1, tol=tol)


@pytest.mark.parametrize("seed", range(3))
def test_rows_of_large_norm_do_not_mislead_the_diagonal(seed):
    """The diagonal of X'SX, and steps merely halved, take 270 to 340 passes."""
    X, y = heavy_rows(seed)
    result = solved(sparse.csr_matrix(X), y)
    assert result.status == "converged"
    assert result.passes < 230


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_dense_and_sparse_rows_have_the_same_solution(kind):
    X, y = heavy_rows(0)
    dense = solved(X.astype(kind), y, tol=1e-12)
    compressed = solved(sparse.csr_matrix(X.astype(kind)), y, tol=1e-12)
    shared = solved(sparse.csr_matrix(X.astype(kind)), y, tol=1e-12, n_threads=2)
    for other in (compressed, shared):
        np.testing.assert_allclose(other.coef, dense.coef, atol=1e-5)
        np.testing.assert_allclose(other.intercept, dense.intercept, atol=1e-5)
    again = solved(sparse.csr_matrix(X.astype(kind)), y, tol=1e-12)
    np.testing.assert_array_equal(again.coef, compressed.coef)
