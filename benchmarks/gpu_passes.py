"""Passes over arrays on a GPU: a problem of a factor model, and rates against those of a copy."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

FACTORS, TRUE_FEATURES = 16, 200
#: Sparse matrices of the passes: shape, entries per column.
SPARSE = (((20000, 100000), 1000), ((200000, 100000), 1000), ((200000, 1000000), 100))


def make(cp: Any, n: int, d: int, order: str = "F") -> tuple[Any, Any]:
    """Return X (float32) and a response of a factor model, on the card."""
    rng = cp.random.default_rng(0)
    X = cp.empty((n, d), dtype=cp.float32, order=order)
    factors = rng.standard_normal((n, FACTORS), dtype=cp.float32)
    for j in range(0, d, 2048):
        e = min(d, j + 2048)
        loadings = rng.standard_normal((FACTORS, e - j), dtype=cp.float32)
        X[:, j:e] = rng.standard_normal((n, e - j), dtype=cp.float32) + 0.5 * factors @ loadings
    y = cp.zeros(n)
    chosen = np.random.default_rng(0).permutation(d)[:TRUE_FEATURES]
    for j, w in zip(
        chosen.tolist(), np.random.default_rng(1).standard_normal(TRUE_FEATURES), strict=True
    ):
        y += w * X[:, j].astype(cp.float64)
    y += rng.standard_normal(n) * float(y.std()) * 0.5
    cp.cuda.Device().synchronize()
    return X, y


def seconds(cp: Any, call: Any, repeat: int = 5) -> float:
    """Return the median time of a call, everything on the card included."""
    times = []
    for _ in range(repeat):
        cp.cuda.Device().synchronize()
        start = time.perf_counter()
        call()
        cp.cuda.Device().synchronize()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def bandwidths(cp: Any, n: int, d: int) -> list[dict[str, Any]]:
    """Return the share of the copy bandwidth that every pass kernel reaches."""
    from banditcd.places.card_calls import CupyCalls

    calls, rows = CupyCalls(), []
    X, _ = make(cp, n, d)
    copy = cp.empty_like(X)
    copied = 2.0 * X.nbytes / seconds(cp, partial(cp.copyto, copy, X))
    storages = {"F float32": X, "C float32": cp.ascontiguousarray(X)}
    half = X[:, : d // 2]
    storages["F float64"] = cp.asfortranarray(half.astype(cp.float64))
    storages["C float64"] = cp.ascontiguousarray(half.astype(cp.float64))
    for name, matrix in storages.items():
        ends = cp.ones(n), cp.ones(matrix.shape[1])
        rows += measured(cp, name, matrix.nbytes, passes_of(calls, matrix, matrix, ends), copied)
    del X, copy, half, storages, matrix
    for shape, per in SPARSE:
        for dtype in (cp.float32, cp.float64):
            columns = filled(cp, shape, per, dtype)
            size = columns.data.nbytes + columns.indices.nbytes
            name = f"CSC {np.dtype(dtype)} {shape[0]} x {shape[1]}, {per} per column"
            by_rows = calls.lines(columns.tocsr())
            ends = cp.ones(shape[0]), cp.ones(shape[1])
            passes = passes_of(calls, calls.lines(columns), by_rows, ends)
            rows += measured(cp, name, size, passes, copied)
            del columns, by_rows, passes
            cp.get_default_memory_pool().free_all_blocks()
    rows.append({"storage": "copy", "pass": "copy", "TB/s": copied / 1e12, "share": 1.0})
    return rows


def filled(cp: Any, shape: tuple[int, int], per: int, dtype: Any) -> Any:
    """Return a sparse matrix with the same number of entries in every column, in random rows."""
    import cupyx.scipy.sparse as sparse

    rng, (n, d) = cp.random.default_rng(0), shape
    step = n // per
    indices = cp.arange(per, dtype=cp.int32) * step + rng.integers(0, step, (d, per))
    values = rng.standard_normal(d * per, dtype=cp.float32).astype(dtype)
    start = cp.arange(0, d * per + 1, per, dtype=cp.int32)
    return sparse.csc_matrix((values, indices.astype(cp.int32).ravel(), start), shape=shape)


def passes_of(calls: Any, columns: Any, rows: Any, ends: tuple[Any, Any]) -> dict[str, Any]:
    """Return the passes over a matrix by name; ``ends`` has a vector of rows and one of columns."""
    v, w = ends
    return {
        "correlate": lambda: calls.passed(columns, v, None, moments=False),
        "survey": lambda: calls.passed(columns, v, None, moments=True),
        "times": lambda: calls.times(rows, w),
    }


def measured(
    cp: Any, name: str, size: int, passes: dict[str, Any], copied: float
) -> list[dict[str, Any]]:
    """Return the rate of each pass, and its share of the copy bandwidth."""
    rows = []
    for kind, call in passes.items():
        call()
        rate = size / seconds(cp, call, 9)
        rows.append({"storage": name, "pass": kind, "TB/s": rate / 1e12, "share": rate / copied})
    return rows
