"""The tasks that Dask's workers run: pure functions of blocks and of a few host numbers."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.places.blocks import RowBlock
from banditcd.places.place import Job, added
from banditcd.places.shares import RowShare
from banditcd.solvers.arrays import is_sparse

#: The workers on which blocks were worked on, and the sums of every job.
Sums: TypeAlias = tuple[list[str], list[tuple[Any, ...]]]


def make_rows(X: Any) -> Any:
    """Return a block of X in C order or CSR, in float32 if it is, else in float64."""
    if isinstance(X, np.ma.MaskedArray):
        raise ValueError("X has masked blocks; fill them first: da.ma.filled(X, value).")
    kind = np.float32 if X.dtype == np.float32 else np.float64
    if not is_sparse(X):
        return np.ascontiguousarray(X, dtype=kind)
    rows = X.tocsr().astype(kind, copy=False)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def make_vector(X: Any, values: Any, name: str) -> Floats:
    """Return one number per row of a block, where the block is."""
    shape = X.shape[:1] if np.ndim(values) == 0 else np.shape(values)
    vector: Floats = np.ascontiguousarray(np.broadcast_to(values, shape), dtype=np.float64)
    if vector.shape != (X.shape[0],):
        raise ValueError(
            f"A block of X has {X.shape[0]} rows, and its part of {name} has shape "
            f"{vector.shape}; rechunk them alike: {name}.rechunk(X.chunks[0])."
        )
    if name == "sample_weight" and (vector < 0.0).any():
        raise ValueError("sample_weight has negative values; weights must be at least 0.")
    return vector


def make_share(X: Any, values: Floats | None, share: RowShare) -> Floats:
    """Return how often every row of a block counts, times its weight."""
    counts = share.weights(X.shape[0])
    return counts if values is None else counts * values


def run_jobs(
    requests: list[tuple[int, Job]], blocks: list[Any], vectors: list[list[tuple[Floats, Any]]]
) -> Sums:
    """Return the sums of jobs over some blocks, with the responses and weights they ask for."""
    parts = []
    for X, of_block in zip(blocks, vectors, strict=True):
        rows = [RowBlock(X, y, weight) for y, weight in of_block]
        parts.append([job.task(rows[k], *job.arguments) for k, job in requests])
    return [home()], _added(parts)


def add_results(parts: list[Sums]) -> Sums:
    """Return the sums of what several groups of blocks returned, in their order."""
    return [name for homes, _ in parts for name in homes], _added([sums for _, sums in parts])


def _added(parts: list[list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    return [added(list(of_job)) for of_job in zip(*parts, strict=True)]


def home() -> str:
    """Return the address of the worker that runs this, empty for a scheduler of this process."""
    if "distributed" not in sys.modules:
        return ""
    try:
        return str(sys.modules["distributed"].get_worker().address)
    except ValueError:
        return ""


def rows(X: Any) -> int:
    """Return the number of rows of a block."""
    return int(X.shape[0])


def together(sizes: list[int]) -> list[int]:
    """Return the sizes of all blocks together."""
    return sizes


def total(weights: list[Floats]) -> float:
    """Return the sum of all weights."""
    return float(sum(part.sum() for part in weights))


def predict_block(X: Any, coef: Floats, intercept: Any) -> Floats:
    """Return the predictions of a block."""
    out: Floats = np.asarray(X @ coef.T, dtype=np.float64) + intercept
    return out
