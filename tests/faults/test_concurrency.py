"""Fits at the same time, in threads and in processes: the bits of fits one after another."""

from __future__ import annotations

import functools
import multiprocessing
import os
import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.deadlines import HUNG
from tests.faults.fits import MODELS, X, Y, all_bits, bits, fitted

THREADS = 16


@functools.cache
def bits_alone(storage):
    """Return the bits of fits one after another, made once."""
    return all_bits(storage)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_sixteen_threads_give_the_bits_of_one(storage):
    alone = bits_alone(storage)
    gate = threading.Barrier(THREADS)

    def work(turn):
        names = list(MODELS)
        gate.wait()
        return {n: bits(fitted(n, storage)) for n in names[turn % len(names) :] + names[:turn]}

    with ThreadPoolExecutor(THREADS) as pool:
        for together in pool.map(work, range(THREADS)):
            assert {name: alone[name] for name in together} == together


def test_one_estimator_fitted_by_many_threads_ends_in_one_of_their_fits():
    model = fitted("Lasso")
    expected = bits(model)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: model.fit(X, Y), range(4 * THREADS)))
    assert bits(model) == expected


def _send(queue):
    queue.put(all_bits())


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes_give_the_bits_of_the_parent(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system does not {method}")
    alone = bits_alone("dense")  # before the children: threads of the pool are running
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_send, args=(queue,))
    child.start()
    assert queue.get(timeout=HUNG) == alone
    child.join(HUNG)
    assert child.exitcode == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_in_the_middle_of_fits_of_other_threads():
    """The child has none of the threads, and must not wait for what they held."""
    alone, stop = bits(fitted("LassoCV")), threading.Event()

    def work():
        while not stop.is_set():
            fitted("LassoCV")

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if bits(fitted("LassoCV")) == alone else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"),
    reason="this interpreter has a global lock; 3.13t and 3.14t have not",
)
def test_threads_without_the_global_lock_give_the_bits_of_one():
    command = [sys.executable, "-m", "pytest", "-q", "-k", "sixteen", __file__]
    done = subprocess.run(command, env={**os.environ, "PYTHON_GIL": "0"}, check=False)
    assert done.returncode == 0
