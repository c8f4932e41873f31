"""Rows in memory and in files: NumPy arrays and SciPy matrices, block after block.

This is the reference of all places, and the way from a disk: blocks of a memory-mapped file are
read one ahead into buffers, and each reading serves all jobs that were asked for together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.places.panels import cross_gram, symmetric_gram
from banditcd.places.place import Job, Traffic, added, by_columns, summed
from banditcd.places.rowwise import ROW_MATHS
from banditcd.solvers.arrays import is_sparse, rows_of

#: Bytes of X in one block: large enough for a disk, small enough for a cache of the second level.
BLOCK_BYTES = 1 << 25
#: Bytes of the rows that several native passes read one after another.
CACHE_BYTES = 1 << 20


class NativeRows:
    """Rows of X, with responses and weights, that native code passes over."""

    y: Any
    weight: Any
    maths = ROW_MATHS

    @property
    def native(self) -> _core.Rows:
        """X for native passes."""
        raise NotImplementedError

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.y)

    def times(self, columns: Any, coef: Floats) -> Floats:
        """Return X[:, columns] @ coef."""
        if len(coef) == 0:
            return np.zeros(self.rows)
        if columns is not None:
            return self.times_some(columns, coef)
        if coef.ndim == 2:
            many: Floats = by_columns(lambda part: self.times(None, part), coef)
            return many
        out: Floats = np.empty(self.rows)
        self.native.times(coef, out)
        return out

    def times_some(self, columns: Any, coef: Floats) -> Floats:
        """Return the product of some columns with coefficients."""
        raise NotImplementedError

    def transposed_times(self, v: Floats) -> Floats:
        """Return X.T @ v."""
        if v.ndim == 2:
            many: Floats = by_columns(self.transposed_times, v)
            return many
        native = self.native
        out: Floats = np.empty(native.shape[1])
        native.transposed_times(np.ascontiguousarray(v), out)
        return out

    def transposed_pair(self, v: Floats, w: Floats) -> tuple[Floats, Floats]:
        """Return X.T @ v and X.T @ w."""
        return self.transposed_times(v), self.transposed_times(w)

    def survey(self, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return X'v, and weighted sums and squares of the columns."""
        given = np.ones(self.rows) if self.weight is None else self.weight
        native = self.native
        squares: Floats = np.empty(native.shape[1])
        native.squares(given, squares)
        return self.transposed_times(v), self.transposed_times(given), squares


class RowBlock(NativeRows):
    """Rows of a C-ordered or CSR matrix."""

    def __init__(self, X: Any, y: Floats, weight: Floats | None) -> None:
        self.X, self.y, self.weight = X, y, weight

    @cached_property
    def native(self) -> _core.Rows:
        """X for native passes, made on first use."""
        return rows_of(self.X)

    def survey(self, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return X'v, and weighted sums and squares of the columns, while rows are in the cache."""
        parts = [super(RowBlock, part).survey(v[at]) for at, part in self._pieces()]
        return cast("tuple[Floats, Floats, Floats]", added(parts))

    def transposed_pair(self, v: Floats, w: Floats) -> tuple[Floats, Floats]:
        """Return X.T @ v and X.T @ w, while rows are in the cache."""
        parts = [super(RowBlock, part).transposed_pair(v[at], w[at]) for at, part in self._pieces()]
        return cast("tuple[Floats, Floats]", added(parts))

    def _pieces(self) -> Iterator[tuple[slice, RowBlock]]:
        """Yield rows that a cache holds; a sparse block stays whole."""
        step = max(1, self.rows)
        if not is_sparse(self.X):
            step = max(1, CACHE_BYTES // (self.X.shape[1] * self.X.itemsize))
        for first in range(0, self.rows, step):
            at = slice(first, first + step)
            weight = None if self.weight is None else self.weight[at]
            yield at, RowBlock(self.X[at], self.y[at], weight)

    def times_some(self, columns: Any, coef: Floats) -> Floats:
        """Return the product of some columns with coefficients."""
        return np.asarray(self.X[:, columns] @ coef, dtype=np.float64)

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Floats:
        """Return the weighted Gram matrix of two sets of columns."""
        if columns is more:
            return symmetric_gram(self.X, columns, weight, (), shift)[0]
        return cross_gram(self.X, columns, more, weight, shift)

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Floats, list[Floats]]:
        """Return the weighted Gram matrix of some columns, and products of vectors with them."""
        return symmetric_gram(self.X, columns, weight, vectors, shift)


class ArrayPlace:
    """X in memory, cut into blocks of rows; the reference."""

    gathers, whole, readings = False, False, 1.0

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None = None, block_rows: int | None = None
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        self.traffic = Traffic()
        self._X = X.tocsr() if is_sparse(X) else X
        self._y = np.ascontiguousarray(y, dtype=np.float64)
        self._weight = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
        row_bytes = max(1, stored_bytes(X) // max(1, self.shape[0]))
        self._block_rows = block_rows or max(1, BLOCK_BYTES // row_bytes)

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return the sums of the jobs over all blocks."""
        return run_together([(self, job) for job in jobs])

    def blocks(self, places: Sequence[ArrayPlace]) -> Iterator[dict[int, RowBlock]]:
        """Yield the blocks of this X with the responses and weights of several places, by id."""
        for first in range(0, self.shape[0], self._block_rows):
            rows = slice(first, first + self._block_rows)
            X = self._X[rows]
            yield {id(place): place.block(X, rows) for place in places}

    def block(self, X: Any, rows: slice) -> RowBlock:
        """Return some rows with the responses and weights of this place."""
        weight = None if self._weight is None else self._weight[rows]
        return RowBlock(X, self._y[rows], weight)


def run_together(requests: Sequence[tuple[ArrayPlace, Job]]) -> list[tuple[Any, ...]]:
    """Return the sums of jobs on several places of the same rows, from one reading."""
    places = list({id(place): place for place, _ in requests}.values())
    parts: list[list[tuple[Any, ...]]] = [[] for _ in requests]
    for blocks in places[0].blocks(places):
        for part, (place, job) in zip(parts, requests, strict=True):
            part.append(job.task(blocks[id(place)], *job.arguments))
    return summed(requests, parts)


def stored_bytes(X: Any) -> int:
    """Return the bytes that a dense or sparse matrix takes."""
    if is_sparse(X):
        return int(sum(getattr(X, part).nbytes for part in ("data", "indices", "indptr")))
    return int(X.nbytes)
