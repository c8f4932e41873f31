"""Exact ridge coefficients: of every shape, storage and precision, against long double."""

from __future__ import annotations

import time

import numpy as np
import pytest
import sklearn.linear_model
from scipy import sparse

import banditcd
from banditcd.solvers import RidgeSession
from tests.deadlines import deadline

SHAPES = [(5, 10), (60, 7), (200, 700), (170, 170), (900, 40), (700, 360)]


def exact(X, Y, alpha, fit_intercept=True, weight=None):
    """Return coefficients by singular values of the data, refined in long double."""
    X = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
    s = np.ones(len(X)) if weight is None else weight
    mean, center = np.zeros(X.shape[1]), np.zeros(Y.shape[1:])
    if fit_intercept:
        mean, center = np.average(X, axis=0, weights=s), np.average(Y, axis=0, weights=s)
    A = np.sqrt(s)[:, None] * (X - mean)
    b = np.sqrt(s)[:, None] * np.reshape(Y - center, (len(X), -1))
    left, values, right = np.linalg.svd(A, full_matrices=False)
    coef = (right.T * (values / (values**2 + alpha))) @ (left.T @ b)
    long = A.astype(np.longdouble)
    for _ in range(2):
        gradient = np.asarray(long.T @ (b - long @ coef) - alpha * coef, dtype=np.float64)
        coef = coef + (right.T / (values**2 + alpha)) @ (right @ gradient)
    return coef.T if Y.ndim == 2 else coef[:, 0]


def distance(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


def data(shape, storage="c", targets=0, seed=0):
    rng = np.random.default_rng([*shape, seed])
    X = rng.standard_normal(shape) + 0.5 * rng.standard_normal((shape[0], 1)) + 1.0
    if storage == "csr":
        X = sparse.csr_array(X * (rng.random(shape) < 0.2))
    if storage == "f32":
        X = X.astype(np.float32)
    y = rng.standard_normal((shape[0], targets) if targets else shape[0]) + 2.0
    return X, y


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("storage", ["c", "csr"])
@pytest.mark.parametrize("alpha", [1e-4, 1.0, 1e6])
def test_direct_words_are_exact(shape, storage, alpha):
    X, y = data(shape, storage)
    words = ("cholesky", "svd") if storage == "csr" else ("auto", "cholesky")
    expected = exact(X, y, alpha)
    for word in words:
        model = banditcd.Ridge(alpha=alpha, solver=word).fit(X, y)
        assert model.certificate_.converged
        assert distance(model.coef_, expected) <= 1e-9, word
        assert np.any(model.coef_ != 0.0)


@pytest.mark.parametrize("shape", [(60, 7), (180, 500), (260, 200)])
@pytest.mark.parametrize("storage", ["c", "csr"])
@pytest.mark.parametrize("weighted", [True, False])
def test_several_targets_are_exact(shape, storage, weighted):
    X, Y = data(shape, storage, targets=6)
    rng = np.random.default_rng(1)
    weight = np.where(rng.random(shape[0]) < 0.2, 0.0, rng.random(shape[0])) if weighted else None
    model = banditcd.Ridge(solver="cholesky").fit(X, Y, sample_weight=weight)
    assert distance(model.coef_, exact(X, Y, 1.0, True, weight)) <= 1e-9
    several = banditcd.Ridge(alpha=[0.1, 1, 1, 1, 10, 1], solver="cholesky").fit(X, Y, weight)
    assert distance(several.coef_[0], exact(X, Y[:, 0], 0.1, True, weight)) <= 1e-9
    assert all(c.converged for c in several.certificate_)


@pytest.mark.parametrize("shape", [(500, 200), (200, 500)])
@pytest.mark.parametrize("alpha", [1e-8, 1e-3])
def test_ill_conditioned_columns_lose_digits_once_not_twice(shape, alpha):
    """The error is that of the condition number, 1e6, not of its square in a Gram matrix."""
    rng = np.random.default_rng(2)
    u, s, v = np.linalg.svd(rng.standard_normal(shape), full_matrices=False)
    X = (u * np.geomspace(1e3, 1e-3, len(s))) @ v
    y = X @ rng.standard_normal(shape[1]) + rng.standard_normal(shape[0])
    ours = banditcd.Ridge(alpha=alpha, fit_intercept=False).fit(X, y)
    assert distance(ours.coef_, exact(X, y, alpha, False)) <= 1e6 * np.finfo(np.float64).eps


@pytest.mark.parametrize("shape", SHAPES)
def test_single_precision_is_rounded_once_and_certified_after_it(shape):
    X, y = data(shape, "f32")
    model = banditcd.Ridge().fit(X, y)
    assert model.coef_.dtype == np.float32
    assert model.intercept_.dtype == np.float32
    expected = exact(X, y, 1.0)
    assert distance(model.coef_, expected) <= 1e-7
    wide = X.astype(np.float64)
    residual = y - wide @ model.coef_.astype(np.float64) - np.float64(model.intercept_)
    penalty = np.square(model.coef_, dtype=np.float64).sum()
    assert model.certificate_.primal == pytest.approx(residual @ residual + penalty, rel=1e-10)


def test_low_rank_targets_at_a_tight_tolerance_take_no_time():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((100, 4)) @ rng.standard_normal((4, 283))
    Y = rng.standard_normal((100, 5))
    for alpha in (1e-10, 1e-3):
        started = time.process_time()
        model = banditcd.Ridge(alpha=alpha, tol=1e-10).fit(X, Y)
        assert time.process_time() - started < deadline(2.5)  # it took 13 s
        assert all(c.passes < 60 for c in model.certificate_)


@pytest.mark.parametrize("shape", [(200, 1200), (1200, 200)])
def test_iterative_fits_are_no_farther_than_those_of_scikit_learn(shape):
    for seed in range(3):
        X, y = data(shape, "csr", seed=seed)
        expected = exact(X, y, 1.0)
        theirs = sklearn.linear_model.Ridge().fit(X, y)
        for word in ("auto", "sparse_cg"):
            ours = banditcd.Ridge(solver=word).fit(X, y)
            assert distance(ours.coef_, expected) <= distance(theirs.coef_, expected) + 1e-12


def test_a_race_that_is_lost_starts_anew():
    rng = np.random.default_rng(9)
    left, values, right = np.linalg.svd(rng.standard_normal((300, 1000)), full_matrices=False)
    X = left * (values * np.where(np.arange(300) < 150, 1.0, 1e-4)) @ right
    y = rng.standard_normal(300)
    session = RidgeSession(X, y)
    plan = session._plan(1e-9, 1e-9)
    assert plan.name == "dual_gram"
    result = session.solve(1e-9, tol=1e-9)[0]
    assert result.regime == "dual_gram"
    assert result.passes > 4.0 or plan.arms() is None
    assert distance(result.coef, exact(X, y, 300e-9, False)) <= 1e-7


def test_conjugate_gradients_give_up_where_a_factor_is_cheaper():
    """Columns of a power law: few directions are far above the others."""
    rng = np.random.default_rng(4)
    X = sparse.csr_array(sparse.random(400, 6000, density=0.01, random_state=rng, format="csr"))
    X = sparse.csr_array(X @ sparse.diags_array(1e3 / np.arange(1.0, 6001.0)))
    y = rng.standard_normal(400)
    model = banditcd.Ridge(alpha=0.1).fit(X, y)
    assert model.certificate_.converged
    assert model.certificate_.passes < 300
