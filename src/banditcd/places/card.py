"""X on a GPU: CuPy arrays, or CUDA tensors of torch through DLPack.

X stays where it is. Passes are our own kernels (:mod:`banditcd.places.card_kernels`); Gram blocks
are products of gathered columns in float64 by the vendor's library; the pool is solved on the host.
A CSR matrix is copied once to CSC, because all passes are over columns.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from banditcd._typing import Floats
from banditcd.places import card_kernels
from banditcd.places.gathered import GatheredColumns
from banditcd.places.place import Job, Traffic, size_of

#: Entries of the float64 slabs that the Gram matrix of all columns is made of.
SLAB_ENTRIES = 1 << 26


class CardCalls(Protocol):
    """The calls of an array library that a place on a GPU makes; tests have a NumPy double."""

    xp: Any

    def passed(self, X: Any, v: Any, weight: Any, moments: bool) -> Any:
        """Return X'v and, if asked for, sums and squares: an array of shape (1 or 3, d)."""

    def times(self, X: Any, w: Any) -> Any:
        """Return X w, summed in float64; a sparse X comes by rows."""

    def gathered(self, X: Any, columns: Any) -> Any:
        """Return some columns as a dense float64 array in Fortran order."""

    def host(self, values: Any) -> Any:
        """Return an array or number of the card as one of NumPy."""


class CupyCalls:
    """CuPy, with our kernels."""

    def __init__(self) -> None:
        import cupy

        self.xp = cupy

    def passed(self, X: Any, v: Any, weight: Any, moments: bool) -> Any:
        """Run the kernel of X's storage."""
        n, d = X.shape
        word = f"{'moments_' if moments else ''}{X.dtype}"
        out = self.xp.empty((3 if moments else 1, d))
        threads = (card_kernels.THREADS,)
        arguments: tuple[Any, ...]
        ones = self.xp.uint64(0) if weight is None else weight
        if hasattr(X, "indptr"):
            grid = ((32 * d + card_kernels.THREADS - 1) // card_kernels.THREADS,)
            arguments = (X.data, X.indices, X.indptr, v, ones, out, np.int64(d))
            card_kernels.kernel(f"csc_{word}")(grid, threads, arguments)
            return out
        if X.flags.f_contiguous:
            blocks = -(-d // card_kernels.COLUMNS_AT_ONCE)
            if not moments and X.dtype == np.float32 and n % 4 == 0:
                arguments = (X, v, out, np.int64(n), np.int64(d))
                card_kernels.kernel("fortran_quads_float32")((blocks,), threads, arguments)
            else:
                arguments = (X, v, ones, out, np.int64(n), np.int64(d))
                card_kernels.kernel(f"fortran_{word}")((blocks,), threads, arguments)
            return out
        return self._by_rows(X, v, ones, word, out)

    def _by_rows(self, X: Any, v: Any, ones: Any, word: str, out: Any) -> Any:
        n, d = X.shape
        chunk = max(1, -(-n // card_kernels.ROW_CHUNKS))
        chunks = -(-n // chunk)
        parts = self.xp.empty((chunks, len(out), d))
        grid = (-(-d // card_kernels.THREADS), chunks)
        arguments = (X, v, ones, parts, np.int64(n), np.int64(d), np.int64(chunk))
        card_kernels.kernel(f"c_{word}")(grid, (card_kernels.THREADS,), arguments)
        return parts.sum(axis=0)

    def times(self, X: Any, w: Any) -> Any:
        """Run the kernel of X's storage."""
        n, d = X.shape
        size = card_kernels.THREADS
        warps = (-(-32 * n // size),)
        arguments: tuple[Any, ...]
        if hasattr(X, "indptr"):
            out = self.xp.empty(n)
            arguments = (X.data, X.indices, X.indptr, w, out, np.int64(n))
            card_kernels.kernel(f"times_csr_{X.dtype}")(warps, (size,), arguments)
            return out
        if not X.flags.f_contiguous:
            out = self.xp.empty(n)
            arguments = (X, w, out, np.int64(n), np.int64(d))
            card_kernels.kernel(f"times_c_{X.dtype}")(warps, (size,), arguments)
            return out
        chunk = max(1, -(-d // card_kernels.ROW_CHUNKS))
        chunks = -(-d // chunk)
        parts = self.xp.empty((chunks, n))
        arguments = (X, w, parts, np.int64(n), np.int64(d), np.int64(chunk))
        grid = (-(-n // size), chunks)
        card_kernels.kernel(f"times_fortran_{X.dtype}")(grid, (size,), arguments)
        return parts.sum(axis=0)

    def gathered(self, X: Any, columns: Any) -> Any:
        """Return some columns, dense."""
        part = X[:, self.xp.asarray(columns)]
        dense = part.toarray() if hasattr(part, "toarray") else part
        return self.xp.asfortranarray(dense.astype(np.float64))

    def host(self, values: Any) -> Any:
        """Copy to the host."""
        return self.xp.asnumpy(values)


class CardBlock:
    """All rows of X on one card, and the columns of the pool gathered beside them."""

    def __init__(self, X: Any, y: Any, weight: Any, calls: CardCalls) -> None:
        self.X, self.y, self.weight, self._calls = X, y, weight, calls
        read = partial(calls.gathered, X)
        self._pool = GatheredColumns(X.shape, read, calls.xp)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])

    def times(self, columns: Any, coef: Floats) -> Any:
        """Return X[:, columns] @ coef from the gathered columns."""
        xp = self._calls.xp
        if len(coef) == 0:
            return xp.zeros(self.rows)
        if columns is None:
            return self._calls.times(self._by_rows, xp.asarray(coef))
        return self._pool.times(columns, coef)

    def transposed_times(self, v: Any) -> Any:
        """Return X'v."""
        return self._calls.passed(self.X, v, None, moments=False)[0]

    def survey(self, v: Any) -> tuple[Any, Any, Any]:
        """Return X'v and the moments of the columns from one reading."""
        out = self._calls.passed(self.X, v, self.weight, moments=True)
        return out[0], out[1], out[2]

    @cached_property
    def _by_rows(self) -> Any:
        """X itself, or the rows of a sparse X: the one copy that products with all columns need."""
        return self.X.tocsr() if hasattr(self.X, "tocsr") else self.X

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Any:
        """Return the weighted Gram matrix of two sets of columns."""
        if columns is None:
            return self._whole_gram(weight, shift)
        return self._pool.gram(columns, more, weight, shift)

    def _whole_gram(self, weight: Any, shift: Floats | None) -> Any:
        """The Gram matrix of all columns, from slabs of rows in float64."""
        xp, d = self._calls.xp, self.X.shape[1]
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

    def gram_sums(self, columns: Any, weight: Any, shift: Floats | None) -> Any:
        """Return the weighted sums of some columns."""
        return weight @ self._pool.part(columns, shift)


class CardPlace:
    """One card."""

    def __init__(self, X: Any, y: Any, weight: Any = None, calls: CardCalls | None = None) -> None:
        self._calls = calls or CupyCalls()
        xp = self._calls.xp
        self.shape: tuple[int, int] = X.shape
        self.traffic = Traffic()
        columns = X.tocsc() if hasattr(X, "tocsc") else X
        placed = None if weight is None else xp.asarray(weight, dtype=np.float64)
        self._block = CardBlock(columns, xp.asarray(y, dtype=np.float64), placed, self._calls)

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return what the tasks return for the only block, on the host."""
        self.traffic.rounds += 1
        out = [
            tuple(self._on_host(value) for value in job.task(self._block, *job.arguments))
            for job in jobs
        ]
        self.traffic.bytes_moved += size_of(out)
        return out

    def _on_host(self, value: Any) -> Any:
        return value if isinstance(value, (int, float)) else self._calls.host(value)
