"""What a step costs beyond the dot and the axpy of its column.

Run: python benchmarks/steps.py. Prints nanoseconds per step for each selector on a sparse problem
whose matrix fits in the L2 cache, the part that is the column's own dot and axpy, and the
difference; refresh passes are timed apart and printed beside. Then dense steps against the two
BLAS-1 calls they consist of, the overhead of a selector written in Python, and of one that chooses
and learns by batches.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg.cython_blas as blas
from scipy import sparse
from threadpoolctl import threadpool_limits

from banditcd import _core, problems, selectors, updates
from banditcd.engine.compiled import compiled_descent, compiled_run, problem_arrays

ROUNDS = 7
D = 20_000
ENTRIES_PER_COLUMN = 3
TARGETS = {"uniform": 60, "shuffled": 60, "cyclic": 60, "b_max_r": 150}


def sparse_problem() -> problems.Ridge:
    """Ridge, so that every step moves: 20 000 columns of 3 entries, 0.9 MB."""
    rng = np.random.default_rng(0)
    rows = np.sort(rng.integers(0, 2000, (D, ENTRIES_PER_COLUMN)), axis=1)
    rows += np.arange(ENTRIES_PER_COLUMN)  # no duplicates
    values = rng.normal(size=rows.size)
    starts = np.arange(0, rows.size + 1, ENTRIES_PER_COLUMN)
    X = sparse.csc_matrix((values, rows.ravel(), starts), shape=(2003, D))
    return problems.Ridge(X, rng.normal(size=2003), alpha=1e-3)


def median(measure: Callable[[], float]) -> float:
    return statistics.median(measure() for _ in range(ROUNDS))


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU time of this thread: other jobs on the machine do not count."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def step_seconds(problem: problems.Problem, name: str, steps: int) -> tuple[float, float]:
    """Return (seconds per step, seconds of refresh passes per step)."""
    run = compiled_run(problem, selectors.make(name), updates.Exact(), problem.start(), 0)
    run.advance(steps, 60.0)
    entries = run.entries
    seconds = cpu_seconds(lambda: run.advance(steps, 60.0))
    refreshed = run.entries - entries - 2 * ENTRIES_PER_COLUMN * steps
    descent = compiled_descent(problem, updates.Exact(), problem.start())
    refresh = max(refreshed, 0) / problem.A.nnz * cpu_seconds(descent.correlations)
    return seconds / steps, refresh / steps


def print_selectors() -> None:
    problem = sparse_problem()
    arrays, steps = problem_arrays(problem), 10 * D
    order = np.random.default_rng(1).integers(0, D, steps).astype(np.int32)
    column = median(lambda: cpu_seconds(lambda: _core.time_columns(arrays, order))) / steps
    in_order = np.resize(np.arange(D, dtype=np.int32), steps)
    sequential = median(lambda: cpu_seconds(lambda: _core.time_columns(arrays, in_order))) / steps
    print(f"d = {D}, {ENTRIES_PER_COLUMN} entries a column, kernels {_core.kernel_name()}; ns/step")
    print(f"{'selector':<16}{'step':>8}{'dot+axpy':>10}{'refresh':>9}{'beyond':>8}{'target':>8}")
    names = ["uniform", "shuffled", "cyclic", "importance", "b_max_r", "sqrt_r", "gap_per_epoch"]
    for name in [*names, "bandit_variance", "acf", "calendar"]:
        pairs = [step_seconds(problem, name, steps) for _ in range(ROUNDS)]
        step = statistics.median(p[0] for p in pairs)
        refresh = statistics.median(p[1] for p in pairs)
        own = sequential if name == "cyclic" else column
        beyond = 1e9 * (step - own - refresh)
        target = f"{TARGETS[name]:>8}" if name in TARGETS else f"{'':>8}"
        print(
            f"{name:<16}{1e9 * step:>8.0f}{1e9 * own:>10.0f}{1e9 * refresh:>9.0f}"
            f"{beyond:>8.0f}{target}"
        )


def blas_address(name: str) -> int:
    """Return the address of a BLAS function that SciPy carries."""
    capsule = blas.__pyx_capi__[name]
    label = ctypes.pythonapi.PyCapsule_GetName
    label.restype, label.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, label(capsule)))


def dense_row(m: int, d: int) -> tuple[float, float]:
    """Return (seconds of a step, seconds of ddot + daxpy) for an m x d dense problem."""
    rng = np.random.default_rng(2)
    X = np.asfortranarray(rng.normal(size=(m, d)))
    problem = problems.Ridge(X, rng.normal(size=m), alpha=1e-3)
    arrays, steps = problem_arrays(problem), max(2000, 20_000_000 // m)
    order = rng.integers(0, d, steps).astype(np.int32)
    ddot, daxpy = blas_address("ddot"), blas_address("daxpy")
    own = median(lambda: cpu_seconds(lambda: _core.time_blas(arrays, order, ddot, daxpy)))
    return median(lambda: step_seconds(problem, "uniform", steps)[0]), own / steps


def print_dense() -> None:
    print("\ndense steps against ddot + daxpy (ns; target: at most 1.3x)")
    print(f"{'rows':>8}{'columns':>9}{'step':>9}{'BLAS-1':>9}{'ratio':>7}")
    for m, d in ((200, 500), (1000, 100), (5000, 20), (20000, 5)):
        step, own = dense_row(m, d)
        print(f"{m:>8}{d:>9}{1e9 * step:>9.0f}{1e9 * own:>9.0f}{step / own:>7.2f}")


class PythonUniform:
    """The cheapest selector one can write in Python."""

    name = "python_uniform"

    def start(self, problem: problems.Problem, rng: selectors.RandomSource) -> None:
        self.d, self.rng = problem.d, rng

    def next(self, state: selectors.State) -> int:
        return 7

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        pass


def print_python() -> None:
    problem, steps = sparse_problem(), 100_000

    def once() -> float:
        run = compiled_run(problem, PythonUniform(), updates.Exact(), problem.start(), 0)
        return cpu_seconds(lambda: run.advance(steps, 60.0)) / steps

    print(f"\na selector written in Python: {1e9 * median(once):.0f} ns a step (target 2000)")


class Passes:
    """Cyclic passes, chosen as one batch each; this one learns nothing."""

    name = "python_passes"

    def start(self, problem: problems.Problem, rng: selectors.RandomSource) -> None:
        self.order = np.arange(problem.d, dtype=np.int32)
        self.gain = np.zeros(problem.d)

    def next(self, state: selectors.State) -> npt.NDArray[np.int32]:
        return self.order


class LearningPasses(Passes):
    """The same, remembering the last gain of every coordinate, batch by batch."""

    def observe_batch(self, indices: Any, decreases: Any, r_after: Any) -> None:
        self.gain[indices] = decreases


class SinglePasses(Passes):
    """The same, step by step."""

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        self.gain[i] = decrease


def print_batches() -> None:
    problem, steps = sparse_problem(), 10 * D

    def once(kind: Any) -> float:
        run = compiled_run(problem, kind(), updates.Exact(), problem.start(), 0)
        return cpu_seconds(lambda: run.advance(steps, 60.0)) / steps

    print("\nbatches chosen in Python, whole steps (ns; target with observe_batch: at most 60)")
    for label, kind in (
        ("no learning", Passes),
        ("observe_batch", LearningPasses),
        ("observe", SinglePasses),
    ):
        print(f"{label:<16}{1e9 * median(lambda kind=kind: once(kind)):>8.0f}")


if __name__ == "__main__":
    # One BLAS thread: the calls are compared, not the machine.
    with threadpool_limits(1):
        print_selectors()
        print_dense()
        print_python()
        print_batches()
