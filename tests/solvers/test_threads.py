"""The thread pool, and solves that do not depend on it."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest
from scipy import sparse

from banditcd import _core
from banditcd.solvers import ElasticNetSession
from banditcd.solvers.elastic_net import default_threads
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


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_coefficients_do_not_depend_on_the_number_of_threads(storage):
    rng = np.random.default_rng(41)
    X = np.asfortranarray(rng.standard_normal((3000, 1200)))
    if storage == "sparse":
        X = sparse.csc_matrix(np.where(rng.random(X.shape) < 0.4, X, 0.0))
    y = np.asarray(X[:, :20].sum(axis=1)).ravel() + rng.standard_normal(3000)
    l1 = largest_penalty(X, y) / 20
    results = [solve(X, y, l1=l1, tol=1e-8, n_threads=threads) for threads in (1, 2, 5)]
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
