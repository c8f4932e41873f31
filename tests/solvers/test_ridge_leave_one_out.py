"""Leave-one-out errors: by factors and by eigenvectors, and what they keep beside X."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import RidgeSession
from banditcd.solvers.ridge import leave_one_out
from banditcd.solvers.ridge.factors import by_factors


@pytest.mark.parametrize("shape", [(60, 25), (25, 60), (40, 40)])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_factors_agree_with_eigenvectors(shape, intercept, weighted, kind):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal(shape) + 2.0, rng.standard_normal((shape[0], 3))
    weight = rng.random(shape[0]) + 0.1 if weighted else None
    session = RidgeSession(kind(X), Y, fit_intercept=intercept, sample_weight=weight)
    l2s = np.array([1e-6, 0.01, 10.0])
    found = by_factors(session.rows, session.targets, l2s)
    expected = leave_one_out._by_eigen(session.rows, session.targets, l2s)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_rows_without_weight_and_singular_matrices_are_left_to_eigenvectors():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((20, 50)), rng.standard_normal(20)
    weight = np.where(np.arange(20) < 3, 0.0, 1.0)
    rows = RidgeSession(X, y, sample_weight=weight).rows
    assert by_factors(rows, y[None], np.array([0.1])) is None
    twice = RidgeSession(np.hstack([X.T, X.T]), X[0]).rows
    assert by_factors(twice, X[:1], np.array([1e-30])) is None


@pytest.mark.parametrize("penalties", [1, 12])
def test_leave_one_out_keeps_no_copy_of_X(penalties):
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((30_000, 120)), rng.standard_normal(30_000)
    session = RidgeSession(X, y, fit_intercept=True)
    session.leave_one_out(np.ones(1))  # what is imported on first use is there
    tracemalloc.start()
    errors = session.leave_one_out(np.geomspace(0.1, 1.0, penalties))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 0.3 * X.nbytes + 3 * errors.nbytes
