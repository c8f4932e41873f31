"""Many responses: each is solved as if it were alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import ElasticNetSession, ElasticNetTargets

STORES = {
    "dense": np.asfortranarray,
    "float32": lambda X: np.asfortranarray(X, dtype=np.float32),
    "csc": sparse.csc_matrix,
}


def problem(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.5) + 1.0
    X[:, 0] = 2.0
    X = X.astype(np.float32).astype(np.float64)
    Y = X @ (rng.standard_normal((d, 3)) * (rng.random((d, 3)) < 0.3))
    return X, Y + rng.standard_normal((n, 3))


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("shape", [(80, 10), (300, 90), (40, 90)])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_each_response_is_solved_as_if_alone(store, shape, intercept, weighted):
    X, Y = problem(*shape)
    sides = {"fit_intercept": intercept, "penalty_weights": np.linspace(0.5, 2.0, shape[1])}
    if weighted:
        sides["sample_weight"] = np.arange(shape[0]) % 5 + 0.5
    shared = ElasticNetTargets(STORES[store](X), targets=20, **sides)
    assert shared.shares_gram == (shape[0] > shape[1])
    l1, l2 = np.array([0.3, 0.03]), np.array([0.0, 0.01])
    for y in Y.T:
        path = shared.path(y, l1, l2, tol=1e-9, max_iter=1000)
        session = ElasticNetSession(STORES[store](X), y, **sides)
        alone = session.path(l1, l2, tol=1e-9, max_iter=1000)
        assert path.converged.all()
        np.testing.assert_allclose(path.primal, alone.primal, rtol=1e-8)
        np.testing.assert_allclose(path.target, alone.target, rtol=1e-12)


def test_a_start_is_used():
    X, Y = problem(40, 90)
    shared = ElasticNetTargets(np.asfortranarray(X), targets=3)
    l1 = np.array([0.1])
    first = shared.path(Y[:, 0], l1, 0.0 * l1, tol=1e-9, max_iter=1000)
    again = shared.path(Y[:, 0], l1, 0.0 * l1, tol=1e-6, max_iter=1000, start=first.coefs[:, 0])
    assert again.n_iter[0] == 0
    assert first.n_iter[0] > 0


def test_native_checks_come_before_memory():
    X, Y = problem(20, 5)
    X, one = np.asfortranarray(X), np.ones(1)
    with pytest.raises(ValueError, match="penalty_weights needs one value per column"):
        ElasticNetTargets(X, penalty_weights=np.ones(4))
    shared = ElasticNetTargets(X)
    with pytest.raises(ValueError, match="y needs one value per row"):
        shared.path(Y[1:, 0], one, one, tol=1e-4, max_iter=10)
    with pytest.raises(ValueError, match="a start needs one value per column"):
        shared.path(Y[:, 0], one, one, tol=1e-4, max_iter=10, start=np.ones(4))
