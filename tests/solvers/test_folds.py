"""Folds that share one Gram matrix: the same problems as their training rows alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import ElasticNetFolds, ElasticNetSession

STORES = {
    "dense": np.asfortranarray,
    "float32": lambda X: np.asfortranarray(X, dtype=np.float32),
    "csc": sparse.csc_matrix,
    "csc32": lambda X: sparse.csc_array(X.astype(np.float32)),
}


def problem(n=90, d=12, seed=0, shift=3.0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.5) + shift
    X[:, 3] = 0.0
    X[:, 4] = 7.0
    X = X.astype(np.float32).astype(np.float64)
    y = X @ (rng.standard_normal(d) * (rng.random(d) < 0.6)) + rng.standard_normal(n) + 5.0
    fold = rng.permutation(np.arange(n) % 4).astype(np.int32)
    return X, y, fold


def error(X, y, weight, coef, intercept):
    return np.average((y - intercept - X @ coef) ** 2, weights=weight)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_a_fold_is_its_training_rows(store, intercept, weighted):
    X, y, fold = problem()
    weight = np.random.default_rng(1).random(len(y)) * (np.arange(len(y)) % 7 > 0)
    weight = weight if weighted else None
    stored = STORES[store](X)
    folds = ElasticNetFolds(stored, y, fold, fit_intercept=intercept, sample_weight=weight)
    l1 = np.geomspace(1.0, 1e-3, 15) * folds.largest_penalty()
    for k in range(folds.count):
        path = folds.path(k, l1, 0.1 * l1, tol=1e-10, max_iter=1000)
        assert path.converged.all()
        assert set(path.regime) == {"whole_gram"}
        train, test = fold != k, fold == k
        part = None if weight is None else weight[train]
        session = ElasticNetSession(
            STORES[store](X[train]), y[train], fit_intercept=intercept, sample_weight=part
        )
        alone = session.path(l1, 0.1 * l1, tol=1e-10, max_iter=1000)
        np.testing.assert_allclose(path.primal, alone.primal, rtol=1e-9)
        np.testing.assert_allclose(path.target, alone.target, rtol=1e-9)
        np.testing.assert_allclose(path.coefs, alone.coefs, atol=1e-4)
        expected = [
            error(X[test], y[test], None if weight is None else weight[test], coef, b)
            for coef, b in zip(path.coefs.T, path.intercepts, strict=True)
        ]
        np.testing.assert_allclose(folds.errors(k, path)[0], expected, rtol=1e-8)


@pytest.mark.parametrize("store", ["dense", "csc"])
def test_all_rows(store):
    X, y, fold = problem()
    folds = ElasticNetFolds(STORES[store](X), y, fold, fit_intercept=True)
    session = ElasticNetSession(STORES[store](X), y, fit_intercept=True, solves=9)
    assert folds.largest_penalty() == pytest.approx(session.largest_penalty(), rel=1e-9)
    l1 = np.geomspace(1.0, 1e-3, 9) * folds.largest_penalty()
    whole = folds.path(folds.count, l1, 0.0 * l1, tol=1e-9, max_iter=1000)
    alone = session.path(l1, 0.0 * l1, tol=1e-9, max_iter=1000)
    np.testing.assert_allclose(whole.primal, alone.primal, rtol=1e-7)


@pytest.mark.parametrize("store", ["dense", "csc"])
@pytest.mark.parametrize("size", [1e2, 1e8])
def test_columns_that_live_in_one_fold_are_not_lost(store, size):
    """Subtraction would leave rounding of the test rows in place of the training rows."""
    X, y, fold = problem(shift=0.0)
    X[:, 1] = np.where(fold == 2, size * X[:, 1], 1e-3 * X[:, 1])  # nearly all of it in one fold
    X[:, 2] = np.where(fold == 2, 1.0, 0.0)  # constant in training
    X[:, 5] = np.where(fold == 1, X[:, 5], 0.0)
    folds = ElasticNetFolds(STORES[store](X), y, fold, fit_intercept=True)
    train = fold != 2
    for l1 in (np.array([1e-2]), np.array([1e-4])):
        path = folds.path(2, l1, 0.0 * l1, tol=1e-9, max_iter=1000)
        session = ElasticNetSession(STORES[store](X[train]), y[train], fit_intercept=True)
        alone = session.path(l1, 0.0 * l1, tol=1e-9, max_iter=1000)
        assert path.converged.all()
        np.testing.assert_allclose(path.primal, alone.primal, rtol=1e-8)
        assert path.coefs[2, 0] == 0.0


def test_a_tolerance_below_rounding_goes_back_to_the_rows():
    X, y, fold = problem(shift=1e4)
    folds = ElasticNetFolds(np.asfortranarray(X), y, fold, fit_intercept=True)
    l1 = np.array([0.1])
    path = folds.path(0, l1, 0.0 * l1, tol=1e-14, max_iter=200)
    train = fold != 0
    session = ElasticNetSession(np.asfortranarray(X[train]), y[train], fit_intercept=True)
    alone = session.path(l1, 0.0 * l1, tol=1e-14, max_iter=200)
    assert path.passes[0] > 2.0
    np.testing.assert_allclose(path.primal, alone.primal, rtol=1e-10)


def test_errors_that_cancel_are_not_reported():
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.standard_normal((60, 3)))
    y = X @ np.array([1.0, 2.0, 3.0])
    folds = ElasticNetFolds(X, y, (np.arange(60) % 3).astype(np.int32))
    l1 = np.array([1.0, 1e-9])
    path = folds.path(0, l1, 0.0 * l1, tol=1e-12, max_iter=100)
    errors, lost = folds.errors(0, path)
    assert lost == 1
    assert np.isfinite(errors[0])
    assert np.isnan(errors[1])


def test_native_checks_come_before_memory():
    X, y, fold = problem()
    X = np.asfortranarray(X)
    with pytest.raises(ValueError, match="one fold per row"):
        ElasticNetFolds(X, y, fold[:-1])
    with pytest.raises(ValueError, match="a fold has no rows"):
        ElasticNetFolds(X, y, np.where(fold == 1, 0, fold).astype(np.int32))
    with pytest.raises(ValueError, match="two folds"):
        ElasticNetFolds(X, y, 0 * fold)
    with pytest.raises(ValueError, match="no such fold"):
        ElasticNetFolds(X, y, fold - 1)
    folds = ElasticNetFolds(X, y, fold)
    one = np.ones(1)
    with pytest.raises(ValueError, match="no such fold"):
        folds.path(5, one, one, tol=1e-4, max_iter=10)
    with pytest.raises(ValueError, match="one place per penalty"):
        folds.path(0, one, np.ones(2), tol=1e-4, max_iter=10)


def test_when_they_pay():
    tall, wide = np.empty((5000, 100), order="F"), np.empty((50, 1000), order="F")
    assert ElasticNetFolds.pay(tall, 5, 100)
    assert not ElasticNetFolds.pay(wide, 5, 100)
    assert not ElasticNetFolds.pay(tall, 5, 100, pool_bytes=100_000)
    assert not ElasticNetFolds.pay(np.empty((100_000, 1000), order="F"), 5, 1)


@pytest.mark.parametrize("tol", [1e-6, 1e-11])
@pytest.mark.parametrize("intercept", [False, True])
def test_lines_of_a_fold_are_certified(tol, intercept):
    rng = np.random.default_rng(5)
    X = np.asfortranarray(rng.standard_normal((120, 8)) + 0.5)
    y = X[:, :3].sum(axis=1) + rng.standard_normal(120)
    fold = (np.arange(120) // 30).astype(np.int32)
    folds = ElasticNetFolds(X, y, fold, fit_intercept=intercept)
    l1 = np.geomspace(1.0, 1e-3, 60) * folds.largest_penalty()
    for k in range(4):
        path = folds.path(k, l1, 0.0 * l1, tol=tol, max_iter=100)
        assert path.converged.all()
        assert path.n_iter.sum() < len(l1)  # most lie on a line between two others
        rows = fold != k
        session = ElasticNetSession(np.asfortranarray(X[rows]), y[rows], fit_intercept=intercept)
        for place, strength in enumerate(l1):
            best = session.solve(strength, tol=1e-14)
            assert path.primal[place] - best.primal + best.gap >= -1e-13
            assert path.primal[place] - best.primal <= path.gap[place] + best.gap + 1e-14


@pytest.mark.parametrize("store", ["dense", "csc"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("tol", [1e-3, 1e-4, 1e-6])
def test_folds_work_below_what_they_promise_without_the_rows(store, intercept, tol):
    """The bound of rounding may exceed the aim; what counts is that it is far below the promise."""
    X, y, fold = problem(n=2000, d=60, shift=0.5)
    folds = ElasticNetFolds(STORES[store](X), y, fold, fit_intercept=intercept)
    l1 = np.geomspace(1.0, 1e-3, 30) * folds.largest_penalty()
    for k in range(folds.count):
        loose = folds.path(k, l1, 0.0 * l1, tol=1e-2, max_iter=1000)
        path = folds.path(k, l1, 0.0 * l1, tol=tol, aim=1e-12, max_iter=1000)
        assert path.passes.sum() == loose.passes.sum()  # those of the shared Gram matrix
        assert path.converged.all()
        train = fold != k
        session = ElasticNetSession(X[train], y[train], fit_intercept=intercept, solves=len(l1))
        exact = session.path(l1, 0.0 * l1, tol=1e-14, max_iter=1000)
        np.testing.assert_allclose(path.target, tol / 1e-14 * exact.target, rtol=1e-9)
        assert (path.gap <= path.target).all()
        null = exact.target / 1e-14
        above = (path.primal - exact.primal) / null
        assert above.max() <= 1e-11  # as good as the aim, up to rounding
        assert (above <= path.gap / null + 1e-14).all()  # and the certificate is one
        np.testing.assert_allclose(path.coefs, exact.coefs, atol=1e-5)
