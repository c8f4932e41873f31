"""Talk to a library in its own process: start it, give it data, let it fit, end it when late."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.peers.environments import ENVIRONMENTS, ensure

HERE = Path(__file__).parent
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
)
START_LIMIT = 180.0  # seconds for imports, for reading data, for compiling at the first fit
ASLEEP = 10.0  # times the limit that a process may take on the wall
LATE = "over the limit"


class FitError(Exception):
    """The library raised an exception, or its process ended."""


class TimeLimitError(Exception):
    """The call took longer than it was given; the process was ended."""


@dataclass(frozen=True)
class Fit:
    """One timed call."""

    coef: NDArray[np.float64]
    wall: float
    cpu: float
    peak_mb: float
    added_mb: float
    note: dict[str, Any]


def write_problem(folder: Path, X: Any, y: NDArray[np.float64]) -> None:
    """Store a problem for the workers: Fortran order, or the three arrays of CSC."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "y.npy", y)
    is_sparse: bool = sparse.issparse(X)
    if not is_sparse:
        np.save(folder / "X.npy", np.asfortranarray(X))
        return
    X = X.tocsc()
    np.save(folder / "X.data.npy", X.data)
    np.save(folder / "X.indices.npy", X.indices.astype(np.int32))
    np.save(folder / "X.indptr.npy", X.indptr.astype(np.int32))
    np.save(folder / "X.shape.npy", np.array(X.shape))


class Peer:
    """One variant of a library, in a process that lives until it is late or closed.

    Parameters
    ----------
    environment : str
        Name in ``ENVIRONMENTS``; the adapter has the same name.
    variant : str
        Name in the adapter's ``VARIANTS``.
    threads : int
        Threads and processor cores it may use.
    """

    def __init__(self, environment: str, variant: str, *, threads: int = 1) -> None:
        self.environment, self.name, self.threads = ENVIRONMENTS[environment], variant, threads
        self.is_ours = environment == "banditcd"
        self.about: dict[str, Any] = {}
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._scratch = tempfile.TemporaryDirectory(prefix="banditcd-peer-")
        self._errors = Path(self._scratch.name, "stderr.txt")
        self._loads: tuple[Path, ...] = ()
        self._warm: dict[str, tuple[Path, dict[str, Any]]] = {}
        self._warmed: set[tuple[str, str]] = set()

    def load(self, folder: Path) -> None:
        """Give it the problem stored in this folder; raises FitError or TimeLimitError."""
        self._loads = (folder,)
        self.about = self._load(folder)

    def warm_up_with(self, kind: str, folder: Path, arguments: dict[str, Any]) -> None:
        """Declare the small task that is run, untimed, before the first fit of this kind.

        The name of the folder tells one kind of data from another: each is warmed up once.
        """
        self._warm[kind] = (folder, arguments)

    def fit(self, kind: str, arguments: dict[str, Any], tol: float, limit: float) -> Fit:
        """Run one task, timed; raises FitError or TimeLimitError, which ends the process."""
        self._warm_up(kind)
        return self._fit(kind, arguments, tol, limit)

    def try_out(self, kind: str, arguments: dict[str, Any], tol: float, limit: float) -> Fit:
        """Run one task in a copy of the process, so that being late costs no second start."""
        self._warm_up(kind)
        return self._fit(kind, arguments, tol, limit, do="try_out")

    def _warm_up(self, kind: str) -> None:
        if self._process is None:  # the last call was late
            self._load(self._loads[0])
        if kind not in self._warm:
            return
        folder, small = self._warm[kind]
        if (kind, folder.name) not in self._warmed:
            self._load(folder)
            self._fit(kind, small, 1e-3, START_LIMIT)
            self._load(self._loads[0])
            self._warmed.add((kind, folder.name))

    def close(self) -> None:
        """End the process and remove its files."""
        self._end()
        self._scratch.cleanup()

    def _load(self, folder: Path) -> dict[str, Any]:
        distribution = self.environment.distribution
        request = {"do": "load", "folder": str(folder), "distribution": distribution}
        return self._ask(request, START_LIMIT)

    def _fit(
        self, kind: str, arguments: dict[str, Any], tol: float, limit: float, do: str = "fit"
    ) -> Fit:
        file = Path(self._scratch.name, "coef.npy")
        plain = {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in arguments.items()
        }
        request = {"do": do, "kind": kind, "arguments": plain, "tol": tol, "answer": str(file)}
        answer = self._ask(request, limit)
        return Fit(coef=np.load(file), **answer)

    def _ask(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._death() from None
        return self._answer(limit)

    def _answer(self, limit: float) -> dict[str, Any]:
        assert self._process is not None
        answer = self._line(limit, self._process.pid)
        if "copy" in answer:  # of the process, which fits and says what comes out
            answer = self._line(limit, answer["copy"])
        if "error" in answer:
            raise FitError(answer["error"])
        return answer

    def _line(self, limit: float, pid: int) -> dict[str, Any]:
        """Return the next answer; a process or copy that is late is ended."""
        assert self._process is not None
        try:
            line = self._wait(limit, pid)
        except queue.Empty:
            if pid == self._process.pid:
                self._end()
            else:
                with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
                    os.kill(pid, signal.SIGKILL)
                self._answers.get()  # the end of the copy
            raise TimeLimitError(f"{LATE} of {limit:.0f} s") from None
        if not line:
            raise self._death()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _wait(self, limit: float, pid: int) -> str:
        """Return the next line; raises queue.Empty after ``limit`` seconds of the process's own.

        A process that shares its core with others is not late because of them; one that sleeps is,
        after ``ASLEEP`` times the limit.
        """
        start, end = self._seconds_used(pid), time.monotonic() + ASLEEP * limit
        while True:
            left = limit - (self._seconds_used(pid) - start)
            if left <= 0.0 or time.monotonic() > end:
                raise queue.Empty
            with contextlib.suppress(queue.Empty):
                return self._answers.get(timeout=max(left, 0.05))

    def _seconds_used(self, pid: int) -> float:
        """Return the CPU time of a process, per thread it may use; else the time on the wall."""
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return time.monotonic()
        ticks = int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK") / self.threads

    def _start(self) -> None:
        """Start the process; raises DoesNotBuildError if there is no environment for it."""
        python = ensure(self.environment)
        adapter = HERE / "adapters" / f"{self.environment.name}.py"
        command = [str(python), str(HERE / "worker.py"), str(adapter), self.name]
        limits = dict.fromkeys(THREAD_VARIABLES, str(self.threads))
        with self._errors.open("w", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [*command, str(self.threads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **limits},
            )
        self._process, self._answers, self._warmed = process, queue.SimpleQueue(), set()
        threading.Thread(target=_forward, args=(process, self._answers), daemon=True).start()
        self._answer(START_LIMIT)

    def _death(self) -> FitError:
        """Return an error with the last words of the process, after clearing it away."""
        code = self._process.wait() if self._process is not None else None
        self._end()
        words = self._errors.read_text("utf-8", errors="replace").strip().splitlines()
        return FitError(f"its process ended with code {code}: {words[-1] if words else 'no words'}")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # a request it did not live to read
                process.stdin.close()


def _forward(process: subprocess.Popen[str], answers: queue.SimpleQueue[str]) -> None:
    """Move lines to the queue; an empty one at the end."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            answers.put(line)
    answers.put("")
