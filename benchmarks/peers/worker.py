"""The process in which a library runs: reads requests from stdin, fits, answers on stdout.

Started by ``client`` as ``python worker.py ADAPTER VARIANT CORES`` with the interpreter of the
library's environment. Requests and answers are lines of JSON; matrices and coefficients travel as
.npy files. Only the call of the fit is timed. Needs NumPy and SciPy, nothing else of this project.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import resource
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

KINDS = (
    *("lasso", "lasso_path", "lasso_cv"),
    *("logistic_l1", "logistic_l2", "svm_hinge", "svm_squared_hinge", "ridge"),
    *("svm_l1", "svr_linear", "svr_squared", "ridge_classifier"),
)


def read_problem(folder: Path) -> tuple[Any, Any]:
    """Return the matrix (Fortran order or CSC) and the response."""
    y = np.load(folder / "y.npy")
    if (folder / "X.npy").exists():
        return np.asfortranarray(np.load(folder / "X.npy")), y
    parts = [np.load(folder / f"X.{part}.npy") for part in ("data", "indices", "indptr")]
    X = sparse.csc_matrix(tuple(parts), shape=tuple(np.load(folder / "X.shape.npy")))
    X.has_sorted_indices = True
    return X, y


class Memory:
    """Peak resident memory of a stretch of the program, in MB."""

    _status, _reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")

    def __init__(self) -> None:
        self.before = self._read("VmRSS")
        if self._reset.exists():
            self._reset.write_text("5")  # the high-water mark falls back to what is in use

    def peak(self) -> float:
        """Return the peak since the start; where the system cannot tell, of the whole process."""
        return self._read("VmHWM")

    def _read(self, field: str) -> float:
        if not self._status.exists():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
        lines = self._status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024.0


class Worker:
    """Holds one variant of a library and its data between requests."""

    def __init__(self, adapter: str, variant: str) -> None:
        spec = importlib.util.spec_from_file_location("adapter", adapter)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if variant not in module.VARIANTS:
            raise LookupError(f"{variant} is not offered by this version")
        self.variant_class = module.VARIANTS[variant]
        self.variant: Any = None

    def load(self, request: dict[str, Any]) -> dict[str, Any]:
        """Read a problem and convert it; tell what can be asked for."""
        self.variant = None
        self.variant = self.variant_class(*read_problem(Path(request["folder"])))
        kinds = [kind for kind in KINDS if hasattr(self.variant, kind)]
        return {
            "kinds": kinds,
            "refused": {kind: self.variant.refuses(kind) for kind in kinds},
            "version": version(request["distribution"]),
            "loosest": self.variant.loosest,
            "tightest": self.variant.tightest,
            "exact": self.variant.exact,
            "target_is_tolerance": self.variant.target_is_tolerance,
        }

    def prepare(self, request: dict[str, Any]) -> dict[str, Any]:
        """Convert the data for a kind of task, once for all fits."""
        self.variant.prepare(request["kind"])
        return {}

    def fit(self, request: dict[str, Any]) -> dict[str, Any]:
        """Fit once, timed; leave the coefficients in a file."""
        method = getattr(self.variant, request["kind"])
        arguments = {
            name: np.array(value) if isinstance(value, list) else value
            for name, value in request["arguments"].items()
        }
        self.variant.note = {}
        self.variant.prepare(request["kind"])
        gc.collect()
        gc.disable()
        memory = Memory()
        cpu, wall = _cpu_time(), time.perf_counter()
        coef = method(**arguments, tol=request["tol"])
        wall, cpu = time.perf_counter() - wall, _cpu_time() - cpu
        peak = memory.peak()
        gc.enable()
        dense = coef.toarray() if sparse.issparse(coef) else np.asarray(coef, dtype=np.float64)
        np.save(request["answer"], np.squeeze(dense))
        return {
            "wall": wall,
            "cpu": cpu,
            "peak_mb": peak,
            "added_mb": peak - memory.before,
            "note": self.variant.note,
        }


def _cpu_time() -> float:
    """Return the time of this process and of children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def serve(worker: Worker, answers: Any) -> None:
    """Answer requests until stdin ends; an exception is an answer, too."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "try_out":
            try_out(worker, request, answers)
        else:
            print(answer(worker, request), file=answers, flush=True)


def answer(worker: Worker, request: dict[str, Any]) -> str:
    """Return what came out, as JSON."""
    try:
        return json.dumps(getattr(worker, request["do"])(request))
    except Exception as error:
        return json.dumps({"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]})


def try_out(worker: Worker, request: dict[str, Any], answers: Any) -> None:
    """Fit in a copy of this process, which may be killed: imports and compiled code stay.

    The first answer is the number of the copy, the second what it says, or that it ended.
    """
    answer(worker, {**request, "do": "prepare"})  # an error comes again, from the copy
    source, sink = os.pipe()
    copy = os.fork()
    if copy == 0:
        os.write(sink, answer(worker, {**request, "do": "fit"}).encode())
        os._exit(0)
    os.close(sink)
    print(json.dumps({"copy": copy}), file=answers, flush=True)
    with os.fdopen(source, "rb") as pipe:
        words = pipe.read().decode()
    _, status = os.waitpid(copy, 0)
    code = os.waitstatus_to_exitcode(status)
    words = words or json.dumps({"error": f"its process ended with code {code}"})
    print(words, file=answers, flush=True)


def main() -> None:
    """Keep stdout for answers (what libraries print goes to stderr), then serve."""
    adapter, variant, cores = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if hasattr(os, "sched_setaffinity"):  # even libraries that ignore the variables obey this
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, allowed[-int(cores) :])
    warnings.simplefilter("ignore")  # "did not converge": the gap tells
    try:
        worker = Worker(adapter, variant)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=answers, flush=True)
        return
    print(json.dumps({"ready": True}), file=answers, flush=True)
    serve(worker, answers)


if __name__ == "__main__":
    main()
