"""X in Dask collections: blocks of rows on workers, summed in a tree.

Every task is a pure function of a block and of a few host numbers, so nothing of ours has to
survive a worker: Dask computes lost blocks again from their graph. The rows of X are persisted once
for the fit, whatever the number of responses, and released after it; responses and weights are
persisted beside them. Arguments travel once per round, not with every task. The client holds sums
only.
"""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places.blocks import RowBlock
from banditcd.places.place import Job, Traffic, added, check_total, size_of
from banditcd.places.workers import compute, load_dask, release
from banditcd.solvers.arrays import is_sparse

#: Sums that one task of the tree adds up.
FAN_IN = 8


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


def run_jobs(X: Any, y: Floats, weight: Any, jobs: tuple[Job, ...]) -> list[tuple[Any, ...]]:
    """Return what every task returns for one block."""
    block = RowBlock(X, y, weight)
    return [job.task(block, *job.arguments) for job in jobs]


def add_results(parts: list[list[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """Return the sums of what several blocks returned, in their order."""
    return [added(list(of_job)) for of_job in zip(*parts, strict=True)]


class DaskRows:
    """The rows of X, persisted until they are released; several responses share them.

    Parameters
    ----------
    X : dask.array.Array of shape (n, d)
        One chunk of columns; blocks dense or sparse. Rechunk with ``X.rechunk({1: -1})`` otherwise.
    """

    def __init__(self, X: Any) -> None:
        dask = load_dask()
        if len(X.chunks[1]) != 1:
            raise ValueError(
                f"X has {len(X.chunks[1])} chunks of columns; blocks of rows are needed: call "
                "X.rechunk({1: -1}) first."
            )
        if X.dtype.kind == "c":
            raise ValueError("X has complex values; real ones are needed.")
        self._beside: list[Any] = []
        token = uuid.uuid4().hex  # names are never used twice: a scheduler may remember old ones
        self.blocks: list[Any] = [
            dask.delayed(make_rows)(part, dask_key_name=f"banditcd-rows-{k}-{token}")
            for k, part in enumerate(X.to_delayed().ravel())
        ]
        try:
            self.blocks = list(dask.persist(*self.blocks))
            sizes = [dask.delayed(rows)(block) for block in self.blocks]
            self.sizes: list[int] = compute(dask.delayed(together)(sizes))
            if sum(self.sizes) == 0:
                raise ValueError("X has no rows in any of its blocks.")
        except BaseException:
            self.release()
            raise
        self.shape = (sum(self.sizes), int(X.shape[1]))

    def release(self) -> None:
        """Let the workers forget the rows, and what was persisted beside them."""
        release([*self.blocks, *self._beside])
        self.blocks, self._beside = [], []

    def parts(self, values: Any, name: str) -> list[Any]:
        """Return the part of responses or weights, one number per row, of every block."""
        dask = load_dask()
        if hasattr(values, "to_delayed"):
            parts = list(np.ravel(values.to_delayed()))
            if len(parts) != len(self.blocks):
                raise ValueError(
                    f"X has {len(self.blocks)} blocks of rows and {name} {len(parts)}; rechunk "
                    f"them alike: {name}.rechunk(X.chunks[0])."
                )
        elif np.ndim(values) == 0:
            parts = [values] * len(self.blocks)
        else:
            if len(values) != self.shape[0]:
                raise ValueError(f"X has {self.shape[0]} rows and {name} has {len(values)}.")
            parts = np.split(values, np.cumsum(self.sizes)[:-1])
        vector = dask.delayed(make_vector)
        pairs = zip(self.blocks, parts, strict=True)
        made = list(dask.persist(*(vector(*pair, name) for pair in pairs)))
        self._beside += made
        return made


class DaskPlace:
    """Rows of a Dask array with responses and weights chunked like them.

    Parameters
    ----------
    X : dask.array.Array or DaskRows of shape (n, d)
        Blocks of rows; those that are given as :class:`DaskRows` stay persisted.
    y, weight : dask.array.Array, dask.dataframe.Series or ndarray of shape (n,)
        Responses, and optional row weights.
    """

    def __init__(self, X: Any, y: Any, weight: Any = None) -> None:
        self._rows = X if isinstance(X, DaskRows) else DaskRows(X)
        self.shape: tuple[int, int] = self._rows.shape
        self.traffic, self._token = Traffic(), uuid.uuid4().hex
        self._y = self._rows.parts(y, "y")
        self._weight: list[Any] = [None] * len(self._y)
        if weight is not None:
            self._weight = self._rows.parts(weight, "sample_weight")
            check_total(compute(load_dask().delayed(total)(self._weight)))

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return the sums of the jobs over all blocks, computed where the blocks are."""
        dask = load_dask()
        self.traffic.rounds += 1
        word = jobs[0].task.__name__.replace("_", "-")
        name = f"banditcd-{word}-{self.traffic.rounds}-{self._token}"
        sent = dask.delayed(jobs, name=f"{name}-arguments", traverse=False)
        parts = [
            dask.delayed(run_jobs)(*block, sent, dask_key_name=f"{name}-{k}")
            for k, (*block, size) in enumerate(
                zip(self._rows.blocks, self._y, self._weight, self._rows.sizes, strict=True)
            )
            if size > 0
        ]
        blocks, level = len(parts), 0
        while len(parts) > 1:
            level += 1
            groups = [parts[k : k + FAN_IN] for k in range(0, len(parts), FAN_IN)]
            parts = [
                dask.delayed(add_results)(group, dask_key_name=f"{name}-sum-{level}-{k}")
                for k, group in enumerate(groups)
            ]
        out: list[tuple[Any, ...]] = compute(parts[0])
        arguments = size_of([job.arguments for job in jobs])
        self.traffic.bytes_moved += size_of(out) + arguments * blocks
        return out


def rows(X: Any) -> int:
    """Return the number of rows of a block."""
    return int(X.shape[0])


def together(sizes: list[int]) -> list[int]:
    """Return the sizes of all blocks together."""
    return sizes


def total(weights: list[Floats]) -> float:
    """Return the sum of all weights."""
    return float(sum(part.sum() for part in weights))


def predicted(X: Any, coef: Floats, intercept: Any) -> Any:
    """Return X @ coef.T + intercept as a lazy Dask array."""
    X = X.rechunk({1: -1}) if len(X.chunks[1]) > 1 else X
    if coef.ndim == 1:
        shape: dict[str, Any] = {"drop_axis": 1, "meta": np.empty(0)}
    else:
        shape = {"chunks": (X.chunks[0], (len(coef),)), "meta": np.empty((0, 0))}
    return X.map_blocks(_predict_block, coef, intercept, dtype=np.float64, **shape)


def _predict_block(X: Any, coef: Floats, intercept: Any) -> Floats:
    out: Floats = np.asarray(X @ coef.T, dtype=np.float64) + intercept
    return out
