"""The thread pool, and solves that do not depend on it."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from banditcd import _core
from banditcd.solvers import (
    ElasticNetSession,
    L2LogisticSession,
    L2MultinomialSession,
    RidgeSession,
    SvmSession,
    SvrSession,
)
from banditcd.solvers.arrays import rows_of
from banditcd.solvers.lapack import controller
from banditcd.solvers.threads import default_threads
from tests.solvers.solving import largest_penalty, solve


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("tasks", [0, 1, 2, 1000])
def test_every_task_runs_once(threads, tasks):
    for _ in range(20):
        out = np.zeros(tasks)
        _core.parts.thread_squares(threads, out)
        np.testing.assert_array_equal(out, np.arange(tasks, dtype=float) ** 2)


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("place", [0, 1, 500, 999])
def test_an_exception_of_a_task_reaches_the_caller(threads, place):
    for _ in range(20):
        with pytest.raises(MemoryError):
            _core.parts.one_task_throws(threads, 1000, place)
    assert _core.parts.one_task_throws(threads, 1000, 1000) == 1000  # none throws


def test_callers_in_many_threads_do_not_mix():
    outs = [np.zeros(300) for _ in range(6)]

    def work(out):
        for _ in range(50):
            out[:] = 0.0
            _core.parts.thread_squares(3, out)

    callers = [threading.Thread(target=work, args=(out,)) for out in outs]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for out in outs:
        np.testing.assert_array_equal(out, np.arange(300.0) ** 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
def test_the_pool_is_rebuilt_after_fork():
    _core.parts.thread_squares(2, np.zeros(100))
    child = os.fork()
    if child == 0:
        out = np.zeros(100)
        _core.parts.thread_squares(2, out)
        os._exit(0 if np.array_equal(out, np.arange(100.0) ** 2) else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("storage", ["dense", "float32", "sparse"])
@pytest.mark.parametrize("share", [20, 2000])  # of the columns, few and nearly all are in use
def test_coefficients_do_not_depend_on_the_number_of_threads(storage, share):
    rng = np.random.default_rng(41)
    X = np.asfortranarray(rng.standard_normal((3000, 1200)))
    if storage == "sparse":
        X = sparse.csc_matrix(np.where(rng.random(X.shape) < 0.4, X, 0.0))
    if storage == "float32":
        X = X.astype(np.float32)
    y = np.asarray(X[:, :20].sum(axis=1)).ravel() + rng.standard_normal(3000)
    l1 = largest_penalty(X, y) / share
    results = [solve(X, y, l1=l1, tol=1e-8, n_threads=threads) for threads in (1, 2, 5, 16)]
    for result in results:
        assert result.status == "converged"
        np.testing.assert_array_equal(result.coef, results[0].coef)


def test_the_environment_sets_the_default(monkeypatch):
    monkeypatch.delenv("BANDITCD_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert default_threads() == 3
    monkeypatch.setenv("BANDITCD_NUM_THREADS", "2")
    assert default_threads() == 2
    monkeypatch.setenv("BANDITCD_NUM_THREADS", "no number")
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert 1 <= default_threads() <= 4


def test_no_threads_is_an_error():
    with pytest.raises(ValueError, match="n_threads must be at least 1"):
        ElasticNetSession(np.ones((3, 2)), np.ones(3), n_threads=0)


def test_a_limit_of_threadpoolctl_holds(monkeypatch):
    for name in ("BANDITCD_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    with threadpool_limits(1):
        assert default_threads() == 1


def tall(storage):
    """Return rows that are read in more than two milliseconds, a response and its signs."""
    rng = np.random.default_rng(43)
    X = rng.standard_normal((40_000, 80))
    if storage == "sparse":
        X = sparse.csr_matrix(np.where(rng.random(X.shape) < 0.8, X, 0.0))
    y = np.asarray(X[:, :5].sum(axis=1)).ravel() + 10.0 * rng.standard_normal(X.shape[0])
    return X, y, np.where(y > 0.0, 1.0, -1.0)


def results_by_rows(X, y, sign, threads):
    """Return what each solver by rows finds with some threads."""
    logistic = L2LogisticSession(X, sign, fit_intercept=True, n_threads=threads)
    ridge = RidgeSession(X, y, fit_intercept=True, exact=True, n_threads=threads)
    steps = RidgeSession(X, y, fit_intercept=True, n_threads=threads)
    steps.force_regime("cg")
    classes = L2MultinomialSession(X, np.digitize(y, [-5.0, 5.0]) * 1.0, 3, n_threads=threads)
    return [
        logistic.solve(1e-3, tol=1e-10),
        ridge.solve(1e-3)[0],
        steps.solve(1e-3, tol=1e-10)[0],
        classes.solve(1e-3, tol=1e-10),
    ]


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_rows_are_shared_up_to_rounding_and_with_the_same_bits_again(storage):
    X, y, sign = tall(storage)
    alone, shared, again = (results_by_rows(X, y, sign, threads) for threads in (1, 3, 3))
    for one, three, same in zip(alone, shared, again, strict=True):
        assert one.status == three.status == "converged"
        np.testing.assert_array_equal(three.coef, same.coef)
        np.testing.assert_allclose(three.coef, one.coef, rtol=1e-5, atol=1e-8)
        np.testing.assert_allclose(three.primal, one.primal, rtol=1e-9)


def machines(X, y, sign, threads):
    """Return what support vector machines find with some threads, by descent and by Newton."""
    options = {"intercept": "penalized", "n_threads": threads}
    found = [
        SvmSession(X, sign, loss=loss, **options).solve(1e-3, tol=1e-8)
        for loss in ("hinge", "squared_hinge")
    ]
    found += [
        SvrSession(X, y, epsilon=0.1, loss=loss, **options).solve(1e-4, tol=1e-8)
        for loss in ("epsilon_insensitive", "squared_epsilon_insensitive")
    ]
    for regime in ("descent", "newton"):
        session = SvmSession(X, sign, **options)
        session.force_regime(regime)
        found.append(session.solve(1e-4, tol=1e-8))
    return found


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_rows_of_machines_are_shared_up_to_rounding_and_with_the_same_bits_again(storage):
    X, y, sign = tall(storage)
    alone, shared, again = (machines(X, y, sign, threads) for threads in (1, 3, 3))
    for one, three, same in zip(alone, shared, again, strict=True):
        assert one.status == three.status == "converged"
        np.testing.assert_array_equal(three.coef, same.coef)
        np.testing.assert_allclose(three.coef, one.coef, rtol=1e-3, atol=1e-5)
        np.testing.assert_allclose(three.primal, one.primal, rtol=1e-7)


@pytest.mark.parametrize("shape", [(200, 3000), (3000, 640)])
def test_gram_matrices_of_blas_are_shared_with_the_same_bits_again(shape):
    rng = np.random.default_rng(5)
    X = rng.standard_normal(shape)
    y = X[:, 0] + rng.standard_normal(len(X))
    alone, shared, again = (
        RidgeSession(X, y, fit_intercept=True, exact=True, n_threads=threads).solve(1e-2)[0]
        for threads in (1, 2, 2)
    )
    np.testing.assert_array_equal(shared.coef, again.coef)
    np.testing.assert_allclose(shared.coef, alone.coef, rtol=1e-9, atol=1e-12)


def test_the_number_of_threads_reaches_blas():
    """Where they pay: a few rows are multiplied by one, whatever the limit."""
    for shape, most in [((600, 500), 2), ((4, 3), 1)]:
        X = np.ones(shape)
        for threads in (1, 2):
            rows = RidgeSession(X, X[:, 0], n_threads=threads).rows
            with rows.limited_blas():
                pools = controller().select(user_api="blas").lib_controllers
                assert max(pool.num_threads for pool in pools) == min(threads, most)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_passes_by_rows_are_those_of_one_thread(storage):
    X, y, sign = tall(storage)
    w, d = np.linspace(-1.0, 1.0, X.shape[1]), np.abs(y)
    found = []
    for threads in (1, 2, 5):
        rows = rows_of(X, threads)
        forward, back, squares = np.empty(X.shape[0]), np.empty(X.shape[1]), np.empty(X.shape[1])
        matrix = np.empty((X.shape[1], _core.padded_size(X.shape[1])))
        rows.times(w, forward)
        rows.transposed_times(sign, back)
        rows.squares(d, squares)
        rows.normal_matrix(d, w, matrix, np.inf, False)
        found.append((forward, back, squares, np.tril(matrix[:, : X.shape[1]])))
    for shared in found[1:]:
        for one, several in zip(found[0], shared, strict=True):
            np.testing.assert_allclose(several, one, rtol=1e-10, atol=1e-8)


def test_threads_of_rows_come_before_the_first_pass():
    rows = _core.Rows(np.ones((3, 2)))
    rows.times(np.ones(2), np.empty(3))
    with pytest.raises(ValueError, match="before the first pass"):
        rows.set_threads(2)
