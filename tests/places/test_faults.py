"""Faults of a cluster of processes: the right answer or a clear error, never a hang."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from banditcd import Lasso
from banditcd.places import tasks, workers
from banditcd.places.cluster import DaskPlace
from banditcd.places.place import one
from tests.deadlines import HUNG

da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

RNG = np.random.default_rng(11)
X = RNG.standard_normal((400, 40))
Y = X[:, :6] @ RNG.standard_normal(6) + RNG.standard_normal(400)
EXACT = Lasso(0.02, tol=1e-10).fit(X, Y)
BLOCKS = 8


def behind(block, gate, block_id=None):
    """Return a block, the last one only once the gate is open: no fit ends before its fault."""
    until = time.monotonic() + HUNG
    while block_id[0] == BLOCKS - 1 and not Path(gate).exists() and time.monotonic() < until:
        time.sleep(0.01)
    return block


@pytest.fixture
def gate(tmp_path):
    """Return a file that is not there yet; the last block waits for it."""
    yield tmp_path / "gate"
    (tmp_path / "gate").touch()


def placed(gate):
    rows = da.from_array(X, chunks=(len(X) // BLOCKS, 40))
    kept = rows.map_blocks(behind, gate=str(gate), dtype=float, meta=np.empty((0, 0)))
    return kept, da.from_array(Y, chunks=len(X) // BLOCKS)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2, timeout=HUNG)
        yield client


def processes(client):
    return [worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()]


def during_the_fit(client, act, gate):
    """Act in another thread as soon as a task of ours has run on a worker, then open the gate.

    The scheduler is in this process, so its own tables say so, however busy its loop is.
    """
    tables = client.cluster.scheduler.tasks

    def seen():
        return any(
            task.state == "memory" for key, task in list(tables.items()) if "banditcd" in str(key)
        )

    def wait():
        try:
            until = time.monotonic() + HUNG
            while not seen():
                assert time.monotonic() < until, "no task of the fit was seen"
                time.sleep(0.005)
            act()
        finally:
            gate.touch()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def check(model):
    np.testing.assert_allclose(model.coef_, EXACT.coef_, atol=1e-4)
    assert model.certificate_.converged
    assert model.certificate_.primal == pytest.approx(EXACT.certificate_.primal, rel=1e-8)


def held(client):
    return [key for keys in client.has_what().values() for key in keys if "banditcd" in str(key)]


def wait_until_released(client):
    until = time.monotonic() + HUNG
    while held(client) and time.monotonic() < until:
        time.sleep(0.05)
    assert held(client) == []


def test_a_killed_worker_costs_time_only(client, gate):
    victim = processes(client)[0]
    thread = during_the_fit(client, lambda: os.kill(victim, signal.SIGKILL), gate)
    check(Lasso(0.02, tol=1e-10).fit(*placed(gate)))
    thread.join()
    wait_until_released(client)


def test_small_blocks_of_a_worker_are_one_task_until_it_dies(client):
    place = DaskPlace(da.from_array(X, chunks=(50, 40)), da.from_array(Y, chunks=50))
    first = one(place, tasks.responses)
    two = {group.home for group in place.rows.groups}
    assert len(place.rows.groups) == len(two) == len(client.nthreads()) == 2
    second = one(place, tasks.responses)
    os.kill(processes(client)[0], signal.SIGKILL)
    third = one(place, tasks.responses)
    assert {group.home for group in place.rows.groups} != two
    assert sorted(k for group in place.rows.groups for k in group.blocks) == list(range(8))
    for sums in (second, third):
        np.testing.assert_allclose(sums, first, rtol=1e-14)
    place.rows.release()
    wait_until_released(client)


def test_a_worker_that_joins_is_no_trouble(client, gate):
    thread = during_the_fit(client, lambda: client.cluster.scale(3), gate)
    check(Lasso(0.02, tol=1e-10).fit(*placed(gate)))
    thread.join()
    wait_until_released(client)


def test_an_interrupt_cancels_what_was_submitted(client, gate):
    thread = during_the_fit(client, lambda: os.kill(os.getpid(), signal.SIGINT), gate)
    model = Lasso(0.02, tol=1e-10)
    with pytest.raises(KeyboardInterrupt) as kept:  # the traceback is kept, the rows are not
        model.fit(*placed(gate))
    thread.join()
    wait_until_released(client)
    assert kept.type is KeyboardInterrupt
    assert not hasattr(model, "coef_")
    check(model.fit(*placed(gate)))


@pytest.mark.parametrize("count", [1, 2], ids=["rows", "responses"])
def test_an_interrupt_inside_a_submission_leaves_nothing(client, monkeypatch, count):
    submit, calls = dask.persist, []

    def interrupted(*values):
        futures = submit(*values)  # which the traceback keeps
        calls.append(futures)
        if len(calls) == count:
            raise KeyboardInterrupt
        return futures

    monkeypatch.setattr(dask, "persist", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Lasso(0.02).fit(da.from_array(X, chunks=(50, 40)), da.from_array(Y, chunks=50))
    assert len(calls) == count
    wait_until_released(client)


def test_an_error_of_a_block_is_the_error_of_the_fit(client):
    bad = X.copy()
    bad[3, 4] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        Lasso(0.02).fit(da.from_array(bad, chunks=(50, 40)), Y)
    wait_until_released(client)


def test_no_worker_left_is_an_error_within_a_deadline(client, gate):
    def stop_all():
        client.cluster.scale(0)
        until = time.monotonic() + HUNG
        while client.nthreads():
            assert time.monotonic() < until, "the workers did not end"
            time.sleep(0.02)

    thread = during_the_fit(client, stop_all, gate)
    with (
        dask.config.set({"banditcd.no-worker-seconds": 2}),
        pytest.raises(RuntimeError, match="no worker for 2 seconds; start workers and fit again"),
    ):
        Lasso(0.02, tol=1e-10).fit(*placed(gate))
    thread.join()
    client.cluster.scale(2)
    client.wait_for_workers(2, timeout=HUNG)  # one that is closed while it starts may not end


def test_a_closed_scheduler_is_an_error(gate):
    with (
        distributed.LocalCluster(
            n_workers=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        thread = during_the_fit(client, client.close, gate)
        with pytest.raises(RuntimeError, match="scheduler or its client was closed during"):
            Lasso(0.02, tol=1e-10).fit(*placed(gate))
        thread.join()


def test_a_client_that_is_closed_during_a_long_wait_is_the_same_error():
    class Late:
        status = "pending"

        def result(self, timeout):
            raise TimeoutError

    class Closed:
        status, scheduler = "closed", None

        def nthreads(self):
            return self.scheduler.ncores()  # as in distributed, which has no scheduler any more

    with pytest.raises(RuntimeError, match="scheduler or its client was closed during"):
        workers._awaited(Late(), Closed(), lambda name, default: default)


@pytest.mark.full
def test_a_paused_worker_costs_time_only(client, gate):
    victim = processes(client)[0]

    def pause():
        os.kill(victim, signal.SIGSTOP)
        time.sleep(20.0)
        os.kill(victim, signal.SIGCONT)

    thread = during_the_fit(client, pause, gate)
    check(Lasso(0.02, tol=1e-10).fit(*placed(gate)))
    thread.join()


def drawn(seed, rows, columns):
    """Return a block of a large X, drawn where it is needed."""
    return np.random.default_rng(seed).standard_normal((rows, columns))


class MostSpilled(threading.Thread):
    """Watches the bytes that workers have put on their disks."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client, self.most, self.ended = client, 0, threading.Event()

    def run(self):
        while not self.ended.wait(0.2):
            workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
            on_disk = sum(worker["metrics"]["spilled_bytes"]["disk"] for worker in workers)
            self.most = max(self.most, on_disk)


@pytest.mark.full
def test_memory_pressure_spills_and_costs_time_only():
    """X takes twice the memory that workers may use for it: blocks go to disk and come back."""
    blocks, rows, columns = 32, 2_000, 1_000  # 512 MB
    limits = {
        "distributed.worker.memory.target": 0.25,
        "distributed.worker.memory.spill": 0.6,
        "distributed.worker.memory.pause": 0.9,
        "distributed.worker.memory.terminate": False,
    }
    parts = [drawn(k, rows, columns) for k in range(blocks)]
    y = np.concatenate([part[:, :5].sum(axis=1) for part in parts])
    y += np.random.default_rng(99).standard_normal(len(y))
    exact = Lasso(0.05, tol=1e-9).fit(np.concatenate(parts), y)
    del parts
    with (
        dask.config.set(limits),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="500MB",
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        lazy = [dask.delayed(drawn)(k, rows, columns) for k in range(blocks)]
        X = da.concatenate([da.from_delayed(part, (rows, columns), float) for part in lazy])
        watch = MostSpilled(client)
        watch.start()
        there = Lasso(0.05, tol=1e-9).fit(X, da.from_array(y, chunks=rows))
        watch.ended.set()
        watch.join()
        assert watch.most > 1e8
        assert there.certificate_.converged
        np.testing.assert_allclose(there.coef_, exact.coef_, atol=1e-6)
        wait_until_released(client)
