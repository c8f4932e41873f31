"""X in Dask collections: blocks of rows on workers, summed in a tree.

Every task is a pure function of a block and of a few host numbers, so nothing of ours has to
survive a worker: Dask computes lost blocks again from their graph. The rows of X are persisted once
for the fit, whatever the number of responses, and released after it; responses and weights are
persisted beside them. Large arguments travel once per round, not with every task, and small blocks
that lie on one worker are one task (:mod:`banditcd.places.groups`). The client holds sums only.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places.cluster_tasks import (
    add_results,
    make_rows,
    make_share,
    make_vector,
    predict_block,
    rows,
    run_jobs,
    together,
    total,
)
from banditcd.places.groups import alone, by_home
from banditcd.places.kinds import vector_of
from banditcd.places.place import Job, Traffic, check_length, check_total, size_of
from banditcd.places.shares import RowShare
from banditcd.places.workers import asked, compute, current_client, forget, load_dask, release

#: Sums that one task of the tree adds up.
FAN_IN = 8
#: Arguments up to this many bytes travel with every task; larger ones once per round, which takes
#: a trip between workers.
SMALL_ARGUMENTS = 1 << 16


class Parts(list[Any]):
    """One number per row on the workers: a delayed array for every block of X."""


class DaskRows:
    """The rows of X, persisted until they are released; several responses share them.

    Parameters
    ----------
    X : dask.array.Array of shape (n, d)
        Blocks dense or sparse. Where columns are in chunks, workers put blocks of rows together.
    """

    def __init__(self, X: Any) -> None:
        dask = load_dask()
        if X.dtype.kind == "c":
            raise ValueError("X has complex values; real ones are needed.")
        X = in_row_blocks(X)
        self._beside: list[Any] = []
        self._token = uuid.uuid4().hex  # names are never used twice: a scheduler may remember them
        self._round, self._client = 0, current_client()
        self.blocks: list[Any] = [
            dask.delayed(make_rows)(part, dask_key_name=self._name("rows", k))
            for k, part in enumerate(X.to_delayed().ravel())
        ]
        try:
            self.blocks = list(dask.persist(*self.blocks))
            known = not np.isnan(X.chunks[0]).any()
            self.sizes: list[int] = list(X.chunks[0]) if known else self._counted()
            if sum(self.sizes) == 0:
                raise ValueError("X has no rows in any of its blocks.")
        except BaseException:
            self.release(failed=True)
            raise
        self.shape = (sum(self.sizes), int(X.shape[1]))
        self._filled = [k for k, size in enumerate(self.sizes) if size > 0]
        self.groups = alone(self._filled)

    def _counted(self) -> list[int]:
        """Return the number of rows of every block, where X does not know it."""
        delayed = load_dask().delayed
        sizes = [
            delayed(rows)(block, dask_key_name=self._name("sizes", k))
            for k, block in enumerate(self.blocks)
        ]
        found: list[int] = compute(
            delayed(together)(sizes, dask_key_name=self._name("sizes", "all"))
        )
        return found

    def release(self, failed: bool = False) -> None:
        """Let the workers forget the rows, and what was persisted beside them.

        After an exception also what it left on its way to them.
        """
        release([*self.blocks, *self._beside])
        self.blocks, self._beside = [], []
        if failed and self._client is not None and self._client.status == "running":
            forget(self._client, self._token)

    def vector(self, values: Any, name: str) -> Parts:
        """Return responses or weights, one number per row, beside the blocks."""
        parts = self._cut(vector_of(values, name), name)
        arguments = [(part, name) for part in parts]
        made = self._persisted(make_vector, name.replace("_", "-"), arguments)
        if name == "sample_weight":
            word = self._name("sample-weight", "all")
            check_total(compute(load_dask().delayed(total)(list(made), dask_key_name=word)))
        return made

    def share(self, weight: Parts | None, share: RowShare) -> Parts:
        """Return row weights, multiplied by how often every row counts."""
        ends = np.cumsum(self.sizes).tolist()
        spans = zip([0, *ends[:-1]], ends, strict=True)
        given = [None] * len(self.blocks) if weight is None else weight
        arguments = [(w, share.part(*span)) for w, span in zip(given, spans, strict=True)]
        return self._persisted(make_share, "fold", arguments)

    def place(self, y: Parts, weight: Parts | None = None) -> DaskPlace:
        """Return the rows with responses and weights."""
        return DaskPlace(self, y, weight)

    def run(self, requests: Sequence[tuple[Any, Job]]) -> list[tuple[Any, ...]]:
        """Return the sums of jobs over all blocks in one trip to the workers."""
        self._round += 1
        word = "-".join(dict.fromkeys(job.task.__name__.replace("_", "-") for _, job in requests))
        places = list({id(place): place for place, _ in requests}.values())
        numbers = {id(place): k for k, place in enumerate(places)}
        jobs = [(numbers[id(place)], job) for place, job in requests]
        sizes = [size_of(job.arguments) for _, job in requests]
        out: list[tuple[Any, ...]]
        homes, out = compute(self._tree(word, places, self._task(word, jobs)), self._client)
        for place in places:
            place.traffic.rounds += 1
        for (place, _), size, sums in zip(requests, sizes, out, strict=True):
            place.traffic.bytes_moved += size_of(sums) + len(self.groups) * size
        self._follow(homes)
        return out

    def _follow(self, homes: list[str]) -> None:
        """Group the blocks anew, if they were not where they were thought to be."""
        if self._client is None or len(self._filled) == 1:
            return
        if sorted(homes) != sorted(group.home for group in self.groups):
            lying = [self.blocks[k] for k in self._filled]
            self.groups = asked(self._client, by_home, self._filled, lying)

    def _task(self, word: str, jobs: list[tuple[int, Job]]) -> Any:
        """Return the delayed function of blocks, responses and weights that does some jobs."""
        delayed = load_dask().delayed
        if size_of([job.arguments for _, job in jobs]) <= SMALL_ARGUMENTS:
            return delayed(partial(run_jobs, jobs))
        name = self._name(f"{word}-arguments", self._round)
        return partial(delayed(run_jobs), delayed(jobs, name=name, traverse=False))

    def _tree(self, word: str, places: list[DaskPlace], task: Any) -> Any:
        """Return the delayed sum of a task over all groups of blocks."""
        dask = load_dask()
        parts = [
            task(
                [self.blocks[k] for k in group.blocks],
                [[(place.y[k], place.weight[k]) for place in places] for k in group.blocks],
                dask_key_name=self._name(word, self._round, number),
            )
            for number, group in enumerate(self.groups)
        ]
        level = 0
        while len(parts) > 1:
            level += 1
            groups = [parts[k : k + FAN_IN] for k in range(0, len(parts), FAN_IN)]
            parts = [
                dask.delayed(add_results)(
                    group, dask_key_name=self._name(f"{word}-sum", self._round, level, k)
                )
                for k, group in enumerate(groups)
            ]
        return parts[0]

    def _cut(self, values: Any, name: str) -> list[Any]:
        """Return the part of a vector that belongs to every block of X."""
        if hasattr(values, "to_delayed"):
            values = like_blocks(values, self.sizes, name)
            parts = list(np.ravel(values.to_delayed()))
            if len(parts) != len(self.blocks) == getattr(values, "npartitions", None):
                parts = list(np.ravel(values.to_delayed(optimize_graph=False)))  # fused otherwise
            if len(parts) != len(self.blocks):
                raise ValueError(
                    f"X has {len(self.blocks)} blocks of rows and {name} {len(parts)}; rechunk "
                    f"them alike: {name}.rechunk(X.chunks[0])."
                )
            return parts
        if np.ndim(values) == 0:
            return [values] * len(self.blocks)
        check_length(values, self.shape[0], name)
        return np.split(values, np.cumsum(self.sizes)[:-1])

    def _persisted(self, task: Any, word: str, arguments: list[tuple[Any, ...]]) -> Parts:
        """Return a task of every block and its arguments, persisted."""
        dask, count = load_dask(), len(self._beside)
        made = [
            dask.delayed(task)(block, *given, dask_key_name=self._name(word, count, k))
            for k, (block, given) in enumerate(zip(self.blocks, arguments, strict=True))
        ]
        kept = Parts(dask.persist(*made))
        self._beside += kept
        return kept

    def _name(self, word: str, *numbers: Any) -> str:
        """Return a key whose first part is what Dask's dashboard shows."""
        return f"banditcd-{word}-{'-'.join(map(str, numbers))}-{self._token}"


class DaskPlace:
    """Rows of a Dask array with responses and weights chunked like them.

    Parameters
    ----------
    X : dask.array.Array or DaskRows of shape (n, d)
        Blocks of rows; those that are given as :class:`DaskRows` stay persisted.
    y, weight : dask.array.Array, dask.dataframe.Series, ndarray of shape (n,), or Parts
        Responses, and optional row weights.
    """

    gathers, whole, readings = False, False, 1.0

    def __init__(self, X: Any, y: Any, weight: Any = None) -> None:
        self.rows = X if isinstance(X, DaskRows) else DaskRows(X)
        self.shape: tuple[int, int] = self.rows.shape
        self.traffic = Traffic()
        self.y = y if isinstance(y, Parts) else self.rows.vector(y, "y")
        self.weight: Parts = Parts([None] * len(self.y))
        if weight is not None:
            given = isinstance(weight, Parts)
            self.weight = weight if given else self.rows.vector(weight, "sample_weight")

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return the sums of the jobs over all blocks, computed where the blocks are."""
        return self.rows.run([(self, job) for job in jobs])


def in_row_blocks(X: Any) -> Any:
    """Return X in blocks that have all columns, put together by the workers if need be."""
    if len(X.chunks[1]) == 1:
        return X
    many = len(X.chunks[0]) > 1 or np.isnan(X.chunks[0]).any()
    return X.rechunk({1: -1} if many else {0: "auto", 1: -1})


def like_blocks(values: Any, sizes: list[int], name: str) -> Any:
    """Return a Dask vector of known sizes in the blocks of X; one of unknown sizes as it is."""
    chunks = getattr(values, "chunks", None)
    if chunks is None or np.isnan(chunks[0]).any():
        return values
    check_length(values, sum(sizes), name)
    return values if chunks[0] == tuple(sizes) else values.rechunk((tuple(sizes),))


def predicted(X: Any, coef: Floats, intercept: Any) -> Any:
    """Return X @ coef.T + intercept as a lazy Dask array."""
    X = X.rechunk({1: -1}) if len(X.chunks[1]) > 1 else X
    if coef.ndim == 1:
        shape: dict[str, Any] = {"drop_axis": 1, "meta": np.empty(0)}
    else:
        shape = {"chunks": (X.chunks[0], (len(coef),)), "meta": np.empty((0, 0))}
    return X.map_blocks(predict_block, coef, intercept, dtype=np.float64, **shape)
