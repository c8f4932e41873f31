"""X on a GPU: CuPy arrays, or CUDA tensors of torch through DLPack.

X stays where it is, if it is contiguous, in float32 or float64, and (sparse) compressed by columns
without duplicates; else one copy is made that is. Passes are our own kernels
(:mod:`banditcd.places.card_kernels`); Gram blocks are products of gathered columns in float64 by
the vendor's library; the pool is solved on the host.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places.card_calls import CardCalls, CupyCalls
from banditcd.places.card_columns import CardColumns
from banditcd.places.gathered import LastProducts
from banditcd.places.place import Job, Traffic, by_columns, size_of

#: Entries of the float64 slabs that the Gram matrix of all columns is made of.
SLAB_ENTRIES = 1 << 26


class CardBlock:
    """All rows of X on one card, and the columns of the pool gathered beside them."""

    def __init__(self, X: Any, y: Any, weight: Any, calls: CardCalls) -> None:
        self.X, self.y, self.weight, self._calls = X, y, weight, calls
        self._columns, self._products = calls.lines(X), LastProducts()
        self._pool, self.maths = CardColumns(self._columns, X.shape, calls), calls.maths

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])

    def placed(self, values: Floats) -> Any:
        """Return numbers of the host on the card."""
        return self._calls.placed(values)

    def times(self, columns: Any, coef: Any) -> Any:
        """Return X[:, columns] @ coef, from the gathered columns unless all are meant."""
        xp = self._calls.xp
        if not isinstance(coef, np.ndarray):
            return self._calls.times(self._rows, coef)
        if not np.any(coef):
            return xp.zeros((self.rows, *coef.shape[1:]))
        if columns is None and coef.ndim == 2:
            return by_columns(lambda part: self.times(None, part), coef)
        if columns is None:
            return self._products.of(
                (coef,), lambda: self._calls.times(self._rows, self._calls.placed(coef))
            )
        return self._pool.times(columns, coef)

    def transposed_times(self, v: Any) -> Any:
        """Return X'v."""
        if v.ndim == 2:
            return by_columns(self.transposed_times, v)
        return self._calls.passed(self._columns, v, None, moments=False)[0]

    def transposed_pair(self, v: Any, w: Any) -> tuple[Any, Any]:
        """Return X'v and X'w from one pass, that of a survey with weights w."""
        out = self._calls.passed(self._columns, v, w, moments=True)
        return out[0], out[1]

    def survey(self, v: Any) -> tuple[Any, Any, Any]:
        """Return X'v and the moments of the columns from one reading."""
        out = self._calls.passed(self._columns, v, self.weight, moments=True)
        return out[0], out[1], out[2]

    @cached_property
    def _by_rows(self) -> Any:
        """X itself, or the rows of a sparse X: the one copy that products with all columns need."""
        if not hasattr(self.X, "tocsr"):
            return self.X
        self._calls.require(self.X.nnz * (self.X.dtype.itemsize + 4), "The rows of a sparse X")
        return self.X.tocsr()

    @cached_property
    def _rows(self) -> Any:
        return self._calls.lines(self._by_rows)

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Any:
        """Return the weighted Gram matrix of two sets of columns."""
        if columns is None:
            return self._whole_gram(weight, shift)
        return self._pool.gram(columns, more, weight, shift)

    def _whole_gram(self, weight: Any, shift: Floats | None) -> Any:
        """The Gram matrix of all columns, from slabs of rows in float64."""
        xp, d = self._calls.xp, self.X.shape[1]
        self._calls.require(8 * (2 * d * d + 3 * SLAB_ENTRIES), "The Gram matrix of all columns")
        total = xp.zeros((d, d))
        step = max(1, SLAB_ENTRIES // d)
        center = None if shift is None else xp.asarray(shift)
        for first in range(0, self.rows, step):
            slab = self._by_rows[first : first + step]
            slab = (slab.toarray() if hasattr(slab, "toarray") else slab).astype(np.float64)
            if center is not None:
                slab = slab - center
            part = slab if weight is None else slab * weight[first : first + step, None]
            total += slab.T @ part
        return total

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Any, list[Any]]:
        """Return the weighted Gram matrix of some columns, and products of vectors with them."""
        return self._pool.gram_and_sums(columns, weight, vectors, shift)


def _laid_out(X: Any, calls: CardCalls) -> Any:
    """Return X in a layout that the kernels read: itself, or a copy."""
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X has values of type {X.dtype}; real numbers are needed.")
    dtype = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
    dtype = np.dtype(np.float32) if X.dtype == np.float16 else dtype
    if not hasattr(X, "tocsc"):
        if dtype == X.dtype and (X.flags.c_contiguous or X.flags.f_contiguous):
            return X
        calls.require(X.size * dtype.itemsize, "A contiguous copy of X in float32 or float64")
        return calls.xp.ascontiguousarray(X, dtype=dtype)
    if dtype != X.dtype or X.format != "csc":
        calls.require(X.nnz * (dtype.itemsize + 4), "A copy of X, compressed by columns")
    columns = X.astype(dtype, copy=False).tocsc()
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    return columns


class CardPlace:
    """One card."""

    gathers, whole, readings = True, True, 2.0

    def __init__(self, X: Any, y: Any, weight: Any = None, calls: CardCalls | None = None) -> None:
        self._calls = calls or CupyCalls()
        xp = self._calls.xp
        self.shape: tuple[int, int] = X.shape
        self.traffic = Traffic()
        columns = _laid_out(X, self._calls)
        placed = None if weight is None else xp.ascontiguousarray(xp.asarray(weight), np.float64)
        y = xp.ascontiguousarray(xp.asarray(y), np.float64)
        self._block = CardBlock(columns, y, placed, self._calls)

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return what the tasks return for the only block, on the host."""
        self.traffic.rounds += 1
        found = [job.task(self._block, *job.arguments) for job in jobs]
        values = iter(self._calls.host([value for part in found for value in part]))
        out = [tuple(next(values) for _ in part) for part in found]
        self.traffic.bytes_moved += size_of(out)
        return out
