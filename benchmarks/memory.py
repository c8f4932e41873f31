"""Memory of fits: ``python -m benchmarks.memory growth`` and ``python -m benchmarks.memory peak``.

growth: objects and bytes in use after many small fits of every estimator, beyond those after the
first ones.
peak: the largest resident memory of a fit beyond its input, as a multiple of X, for every estimator
and storage, each in a process of its own (Linux).
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

ENTRIES = 50  # of a sparse row, unless told otherwise
WARM = 30  # fits before the first count: imports, caches, pools
STORAGES = ("C", "F", "C float32", "F float32", "csr", "csc", "csr float32", "csc float32")


class _Mallinfo2(ctypes.Structure):
    _fields_ = [  # in the order of <malloc.h>
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd")),
        *((name, ctypes.c_size_t) for name in ("usmblks", "fsmblks", "uordblks", "fordblks")),
        ("keepcost", ctypes.c_size_t),
    ]


def _bytes_in_use() -> int:
    """Return the bytes of malloc that are allocated and not freed (glibc 2.33, or newer)."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = _Mallinfo2
    found = mallinfo2()
    return int(found.uordblks + found.hblkhd)


def _empty_caches() -> None:
    """Free what Python keeps for speed.

    Its cache of attributes holds the last 4096 names by their addresses: NumPy asks for attributes
    by strings that it makes anew, each of which stays there until another takes its place.
    """
    getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()
    gc.collect()


def counts(name: str, fits: int, turns: int = 4) -> np.ndarray:
    """Return small objects and bytes of larger blocks, before and after each turn of some fits.

    Python's allocator holds objects of at most 512 bytes and counts them one by one; everything
    else, native memory included, is of malloc.
    """
    from tests.faults.fits import fitted

    out = np.zeros((turns + 1, 2), dtype=np.int64)  # made before, so that it is not counted
    for _ in range(WARM):
        fitted(name)
    gc.collect()
    gc.freeze()  # what is there now need not be looked through at each count
    for turn in range(turns + 1):
        for _ in range(fits if turn else 0):
            fitted(name)
        _empty_caches()
        out[turn] = sys.getallocatedblocks(), _bytes_in_use()
    return out


def growth(name: str, fits: int) -> list[int]:
    """Return the small objects and the bytes of larger blocks that fits of an estimator leave.

    The least of four turns of the same number of fits: a leak is in each of them, a table that
    Python enlarges is not.
    """
    return [int(least) for least in np.diff(counts(name, fits // 4), axis=0).min(axis=0)]


def _resident(key: str) -> int:
    """Return a figure of the process, in bytes: VmRSS now, VmHWM the peak since it was reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(f"{key}:"))
    return 1024 * int(line.split()[1])


def _matrix(storage: str, megabytes: float, per_row: int = ENTRIES) -> Any:
    """Return a matrix of a size and storage, made without a larger one.

    Sparse rows have ``per_row`` entries, each anywhere within some columns of its own.
    """
    rng = np.random.default_rng(0)
    kind = np.float32 if "float32" in storage else np.float64
    size, columns = np.dtype(kind).itemsize, max(500, 2 * per_row)
    if storage.startswith("cs"):
        rows = max(1, int(megabytes * 1e6 / (size + 4)) // per_row)
        each = columns // per_row
        places = rng.integers(0, each, (rows, per_row), dtype=np.int32)
        places += each * np.arange(per_row, dtype=np.int32)
        data = rng.standard_normal(rows * per_row, dtype=kind)
        starts = np.arange(0, per_row * rows + 1, per_row)
        X = sparse.csr_matrix((data, places.ravel(), starts), (rows, columns))
        return X.tocsc() if storage.startswith("csc") else X
    columns = 500
    rows = int(megabytes * 1e6 / size / columns)
    if storage.startswith("F"):
        return rng.standard_normal((columns, rows), dtype=kind).T
    return rng.standard_normal((rows, columns), dtype=kind)


def peak(
    name: str, storage: str, megabytes: float, per_row: int = ENTRIES, **settings: Any
) -> float:
    """Return the peak of a fit beyond what was there before it, in units of X.

    ``settings`` are parameters of the model that differ from those of ``tests.faults.fits``.
    """
    from tests.faults.fits import MODELS, fitted

    warnings.simplefilter("ignore")
    fitted(name)  # imports
    X = _matrix(storage, megabytes, per_row)
    y = np.asarray(X[:, :9].sum(axis=1), dtype=np.float64).ravel()
    model = MODELS[name]().set_params(**settings)
    if hasattr(model, "decision_function"):
        y = (y > 0.0).astype(int)
    elif name.startswith("MultiTask"):
        y = np.column_stack([y, -y])
    parts = (X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # memory of the making of X, which a fit could use again
    Path("/proc/self/clear_refs").write_text("5")
    before = _resident("VmRSS")
    model.fit(X, y)
    return (_resident("VmHWM") - before) / sum(part.nbytes for part in parts)


def _child(*arguments: str) -> str:
    """Run one measurement in a new process."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.memory", *arguments]
    environment = {**os.environ, "BANDITCD_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr[-200:]}"


def main() -> None:
    """Measure one pair, or all of them as a table in Markdown."""
    from tests.faults.fits import MODELS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=("growth", "peak"))
    parser.add_argument("--model", choices=list(MODELS))
    parser.add_argument("--storage", choices=STORAGES)
    parser.add_argument("--fits", type=int, default=10_000)
    parser.add_argument("--megabytes", type=float, default=500.0)
    parser.add_argument("--entries", type=int, default=ENTRIES, help="of a sparse row")
    parser.add_argument("--standardize", action="store_true", help="of the models that can")
    parser.add_argument("--pool-bytes", type=int, help="of the models that have such a limit")
    given = parser.parse_args()
    if given.question == "growth" and given.model:
        found = counts(given.model, given.fits // 4)
        print(*(found[-1] - found[1]), sep=" | ")
    elif given.question == "growth":
        print(f"| estimator | objects left by {3 * (given.fits // 4)} fits | bytes left |")
        print("|---|---:|---:|")
        for name in MODELS:
            found = _child("growth", "--model", name, "--fits", str(given.fits))
            print(f"| {name} | {found} |", flush=True)
    elif given.model and given.storage:
        settings = {} if given.pool_bytes is None else {"pool_bytes": given.pool_bytes}
        settings |= {"standardize": True} if given.standardize else {}
        found = peak(given.model, given.storage, given.megabytes, given.entries, **settings)
        print(f"{found:.3f}")
    else:
        size = ["--megabytes", str(given.megabytes), "--entries", str(given.entries)]
        size += ["--standardize"] if given.standardize else []
        size += [] if given.pool_bytes is None else ["--pool-bytes", str(given.pool_bytes)]
        print("| estimator | " + " | ".join(STORAGES) + " |\n|---|" + "---:|" * len(STORAGES))
        for name in [given.model] if given.model else MODELS:
            cells = [_child("peak", "--model", name, "--storage", s, *size) for s in STORAGES]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
