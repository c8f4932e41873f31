"""X in Dask collections: blocks of rows on workers, summed in a tree.

Every task is a pure function of a block and of a few host numbers, so nothing of ours has to
survive a worker: Dask computes lost blocks again from their graph. A block joins X, y and the
weights of its rows once; it is persisted for the fit and released after it. Arguments travel once
per round, not with every task. The client holds sums only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places.blocks import RowBlock
from banditcd.places.place import Job, Traffic, added, size_of

#: Sums that one task of the tree adds up.
FAN_IN = 8


def _dask() -> Any:
    try:
        import dask
    except ImportError as error:
        raise ImportError(
            "Dask collections need the package's dask extra: pip install 'banditcd[dask]'"
        ) from error
    return dask


def make_block(X: Any, y: Any, weight: Any) -> RowBlock:
    """Return the block of some rows; X becomes C order or CSR once."""
    X = X.tocsr() if hasattr(X, "tocsr") else np.ascontiguousarray(X)
    y = np.ascontiguousarray(y, dtype=np.float64).ravel()
    return RowBlock(X, y, None if weight is None else np.asarray(weight, dtype=np.float64).ravel())


def run_jobs(block: RowBlock, jobs: tuple[Job, ...]) -> list[tuple[Any, ...]]:
    """Return what every task returns for one block."""
    return [job.task(block, *job.arguments) for job in jobs]


def add_results(parts: list[list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """Return the sums of what several blocks returned, in their order."""
    return [added(list(of_job)) for of_job in zip(*parts, strict=True)]


class DaskPlace:
    """Rows of a Dask array with responses and weights chunked like them.

    Parameters
    ----------
    X : dask.array.Array of shape (n, d)
        One chunk of columns; blocks dense or sparse. Rechunk with ``X.rechunk({1: -1})`` otherwise.
    y, weight : dask.array.Array or ndarray of shape (n,)
        Responses, and optional row weights.
    """

    def __init__(self, X: Any, y: Any, weight: Any = None) -> None:
        dask = _dask()
        if len(X.chunks[1]) != 1:
            raise ValueError(
                f"X has {len(X.chunks[1])} chunks of columns; blocks of rows are needed: call "
                "X.rechunk({1: -1}) first."
            )
        self.traffic, self._rounds = Traffic(), 0
        delayed = dask.delayed
        rows = self._pieces(X.chunks[0], y), self._pieces(X.chunks[0], weight)
        blocks = [
            delayed(make_block)(part, label, given, dask_key_name=f"banditcd-block-{k}-{id(self)}")
            for k, (part, label, given) in enumerate(
                zip(X.to_delayed().ravel(), *rows, strict=True)
            )
        ]
        self._blocks = list(dask.persist(*blocks))
        sizes = dask.compute(*[delayed(_rows)(block) for block in self._blocks])
        self._blocks = [b for b, size in zip(self._blocks, sizes, strict=True) if size > 0]
        if not self._blocks:
            raise ValueError("X has no rows in any of its blocks.")
        self.shape: tuple[int, int] = (int(sum(sizes)), int(X.shape[1]))

    @staticmethod
    def _pieces(chunks: tuple[Any, ...], values: Any) -> list[Any]:
        """Return the parts of an array that belong to the blocks of rows."""
        if values is None:
            return [None] * len(chunks)
        if hasattr(values, "to_delayed"):
            parts = list(values.to_delayed().ravel())
            if len(parts) != len(chunks):
                raise ValueError(
                    f"X has {len(chunks)} blocks of rows and y (or sample_weight) {len(parts)}; "
                    "rechunk them alike: y.rechunk(X.chunks[0])."
                )
            return parts
        if any(np.isnan(size) for size in chunks):
            raise ValueError(
                "X has blocks of unknown size and y is in memory; call X.compute_chunk_sizes() or "
                "give y as a Dask array made of the same parts."
            )
        return np.split(np.asarray(values), np.cumsum(chunks)[:-1])

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return the sums of the jobs over all blocks, computed where the blocks are."""
        dask = _dask()
        self.traffic.rounds += 1
        word = jobs[0].task.__name__.replace("_", "-")
        name = f"banditcd-{word}-{id(self)}-{self.traffic.rounds}"
        sent = dask.delayed(jobs, name=f"{name}-arguments", traverse=False)
        parts = [
            dask.delayed(run_jobs)(block, sent, dask_key_name=f"{name}-{k}")
            for k, block in enumerate(self._blocks)
        ]
        level = 0
        while len(parts) > 1:
            level += 1
            groups = [parts[k : k + FAN_IN] for k in range(0, len(parts), FAN_IN)]
            parts = [
                dask.delayed(add_results)(group, dask_key_name=f"{name}-sum-{level}-{k}")
                for k, group in enumerate(groups)
            ]
        out: list[tuple[Any, ...]] = parts[0].compute()
        arguments = size_of([job.arguments for job in jobs])
        self.traffic.bytes_moved += size_of(out) + arguments * len(self._blocks)
        return out


def _rows(block: RowBlock) -> int:
    return block.rows


def predicted(X: Any, coef: Floats, intercept: Any) -> Any:
    """Return X @ coef.T + intercept as a lazy Dask array."""
    if coef.ndim == 1:
        shape: dict[str, Any] = {"drop_axis": 1, "meta": np.empty(0)}
    else:
        shape = {"chunks": (X.chunks[0], (len(coef),)), "meta": np.empty((0, 0))}
    return X.map_blocks(_predict_block, coef, intercept, dtype=np.float64, **shape)


def _predict_block(X: Any, coef: Floats, intercept: Any) -> Floats:
    out: Floats = np.asarray(X @ coef.T, dtype=np.float64) + intercept
    return out
