"""Calls that a place on a GPU makes of an array library; CuPy's launch our kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from banditcd._typing import Floats
from banditcd.places import card_kernels
from banditcd.places.card_kernels import NONE, PLAIN, THREADS, WEIGHTED, kernel
from banditcd.places.card_rows import CardMaths, Parts
from banditcd.places.rowwise import RowMaths

#: Entries per line and chunk of v from which on it pays that blocks hold the chunk.
ENTRIES_TO_HOLD = 64
#: Bytes from which on the card is asked for what is free, which takes longer than most launches.
WORTH_ASKING = 1 << 28
#: Blocks of threads of a launch along its second axis, and bytes of an array that are copied
#: through pinned memory, which stays with CuPy's pool.
MOST_BLOCKS, MOST_PINNED = 65535, 1 << 26
#: What is left of the memory of a block beside the part of v that it holds, in bytes.
BLOCK_RESERVE = 2048


class CardCalls(Protocol):
    """The calls of an array library that a place on a GPU makes; tests have a NumPy double."""

    xp: Any
    maths: RowMaths

    def lines(self, X: Any) -> Any:
        """Return X as passes want it: a dense X itself, the compressed lines of a sparse one."""

    def passed(self, columns: Any, v: Any, weight: Any, moments: bool) -> Any:
        """Return X'v and, if asked for, sums and squares: an array of shape (1 or 3, d)."""

    def times(self, rows: Any, w: Any) -> Any:
        """Return X w, summed in float64."""

    def gather(self, columns: Any, wanted: Any, shift: Floats, out: Any) -> None:
        """Fill a float64 array in Fortran order with some columns less their shifts."""

    def placed(self, values: Any) -> Any:
        """Return an array of the host on the card; it may change before the copy is made."""

    def host(self, values: Sequence[Any]) -> list[Any]:
        """Return arrays of the card on the host, and what is there already as it is."""

    def require(self, size: int, what: str) -> None:
        """Refuse to go on if bytes that are needed are not free."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Compressed columns or rows, and how a pass over them is launched.

    Attributes
    ----------
    data, indices : array
        As in a compressed matrix.
    bounds : array of shape (chunks + 1, lines)
        Where the entries of a line pass from one chunk of the vector to the next.
    length, chunk : int
        Length of the vector, and of its chunks.
    lanes : int
        Threads per line.
    held : bool
        Whether a block holds its chunk of the vector.
    """

    data: Any
    indices: Any
    bounds: Any
    length: int
    chunk: int
    lanes: int
    held: bool


class CupyCalls:
    """CuPy, with our kernels."""

    def __init__(self) -> None:
        import cupy

        self.xp = cupy
        self.maths: RowMaths = CardMaths(cupy)
        self._staged: list[Any] = []  # until the copies from there are made

    @cached_property
    def _card(self) -> tuple[int, int]:
        """Processors of the card, and the bytes that a block may hold."""
        found = self.xp.cuda.Device().attributes
        return int(found["MultiProcessorCount"]), int(found["MaxSharedMemoryPerBlockOptin"])

    def lines(self, X: Any) -> Any:
        """Return a dense X itself, or the lines of a compressed one in canonical form."""
        if not hasattr(X, "indptr"):
            return X
        count, length = X.shape if X.format == "csr" else X.shape[::-1]
        most = (self._card[1] - BLOCK_RESERVE) // 8
        chunks = -(-length // most)
        share = X.nnz / max(1, count * chunks)
        held = share >= ENTRIES_TO_HOLD
        if not held:
            chunks, share = 1, X.nnz / max(1, count)
        chunk = -(-length // chunks)
        lanes = 32 if share >= 256 else 16 if share >= 64 else 8
        bounds = self.xp.empty((chunks + 1, count), dtype=np.int32)
        start, index = X.indptr.astype(np.int32, copy=False), X.indices.astype(np.int32, copy=False)
        sizes = np.int64(count), np.int64(chunk), np.int64(chunks)
        grid = (-(-bounds.size // THREADS),)
        kernel("line_bounds")(grid, (THREADS,), (index, start, bounds, *sizes))
        return Lines(X.data, index, bounds, length, chunk, lanes, held)

    def passed(self, columns: Any, v: Any, weight: Any, moments: bool) -> Any:
        """Run the kernel of X's storage."""
        kind = NONE if not moments else PLAIN if weight is None else WEIGHTED
        s = self.xp.uint64(0) if weight is None else weight
        if isinstance(columns, Lines):
            return self._over_lines(columns, v, s, kind)
        n, d = columns.shape
        word, wide = _word(columns), 16 // columns.dtype.itemsize
        if not columns.flags.f_contiguous:
            return self._by_rows(columns, v, s, kind)
        out = self.xp.empty((3 if moments else 1, d))
        V = wide if n % wide == 0 and _aligned(columns) else 1
        function = kernel("fortran_pass", word, card_kernels.COLUMNS_AT_ONCE, V, kind)
        grid = (-(-d // card_kernels.COLUMNS_AT_ONCE),)
        function(grid, (THREADS,), (columns, v, s, out, np.int64(n), np.int64(d)))
        return out

    def _by_rows(self, X: Any, v: Any, s: Any, kind: int) -> Any:
        n, d = X.shape
        wide = 16 // X.dtype.itemsize if kind == NONE else 2
        V = wide if d % wide == 0 and _aligned(X) else 1
        chunk = max(1, -(-n // card_kernels.ROW_CHUNKS))
        chunks = -(-n // chunk)
        parts = self.xp.empty((chunks, 1 if kind == NONE else 3, d))
        grid = (-(-d // (V * THREADS)), chunks)
        arguments = (X, v, s, parts, np.int64(n), np.int64(d), np.int64(chunk))
        kernel("c_pass", _word(X), V, kind)(grid, (THREADS,), arguments)
        return parts.sum(axis=0)

    def _over_lines(self, lines: Lines, v: Any, s: Any, kind: int) -> Any:
        chunks, count = lines.bounds.shape[0] - 1, lines.bounds.shape[1]
        function = kernel("lines_pass", _word(lines.data), lines.lanes, lines.held, kind)
        parts = self.xp.empty((chunks, 1 if kind == NONE else 3, count))
        sizes = np.int64(lines.length), np.int64(count), np.int64(lines.chunk)
        arguments = (lines.data, lines.indices, lines.bounds, v, s, parts, *sizes)
        if lines.held:
            processors, room = self._card
            size = 8 * lines.chunk
            function.max_dynamic_shared_size_bytes = size
            blocks = processors * min(2, room // (size + BLOCK_RESERVE // 2))
            grid = (max(1, blocks // chunks), chunks)
            function(grid, (1024,), arguments, shared_mem=size)
        else:
            grid = (-(-count * lines.lanes // THREADS), 1)
            function(grid, (THREADS,), arguments)
        return parts[0] if chunks == 1 else parts.sum(axis=0)

    def times(self, rows: Any, w: Any) -> Any:
        """Run the kernel of X's storage."""
        if isinstance(rows, Lines):
            return self._over_lines(rows, w, self.xp.uint64(0), NONE)[0]
        n, d = rows.shape
        word, sizes = _word(rows), (np.int64(n), np.int64(d))
        if not rows.flags.f_contiguous:
            out = self.xp.empty(n)
            grid: tuple[int, ...] = (-(-32 * n // THREADS),)
            kernel("c_times", word)(grid, (THREADS,), (rows, w, out, *sizes))
            return out
        chunk = max(1, -(-d // card_kernels.ROW_CHUNKS))
        chunks = -(-d // chunk)
        parts = self.xp.empty((chunks, n))
        grid = (-(-n // THREADS), chunks)
        arguments = (rows, w, parts, *sizes, np.int64(chunk))
        kernel("fortran_times", word)(grid, (THREADS,), arguments)
        return parts.sum(axis=0)

    def gather(self, columns: Any, wanted: Any, shift: Floats, out: Any) -> None:
        """Run the kernel of X's storage."""
        both = np.concatenate([np.asarray(wanted, dtype=np.int64), shift.view(np.int64)])
        asked, n = (self.placed(both), np.int64(len(wanted))), np.int64(out.shape[0])
        many = min(len(wanted), MOST_BLOCKS)
        if isinstance(columns, Lines):
            word, ends = _word(columns.data), (columns.bounds[0], columns.bounds[-1])
            entries = (columns.data, columns.indices, *ends)
            kernel("gather_lines", word)((1, many), (1024,), (*entries, *asked, out, n))
            return
        steps = (np.int64(step // columns.itemsize) for step in columns.strides)
        grid = (max(1, min(32, -(-out.shape[0] // THREADS))), many)
        arguments = (columns, *asked, out, n, *steps)
        kernel("gather_dense", _word(columns))(grid, (THREADS,), arguments)

    def placed(self, values: Any) -> Any:
        """Copy from memory that the card reads by itself, which is kept until :meth:`host`."""
        staged = self._pinned(values.shape, values.dtype)
        staged[...] = values
        out = self.xp.empty(values.shape, dtype=values.dtype)
        out.data.copy_from_host_async(staged.ctypes.data, staged.nbytes)
        self._staged.append(staged)
        return out

    def host(self, values: Sequence[Any]) -> list[Any]:
        """Copy all arrays to the host, and wait once."""
        out = [self._fetched(v.values if isinstance(v, Parts) else v) for v in values]
        self.xp.cuda.get_current_stream().synchronize()
        self._staged.clear()
        pairs = zip(values, out, strict=True)
        return [v.added(found) if isinstance(v, Parts) else found for v, found in pairs]

    def _fetched(self, value: Any) -> Any:
        """Return an array of the host into which one of the card is being copied."""
        if not isinstance(value, self.xp.ndarray):
            return value
        if value.nbytes > MOST_PINNED:
            return self.xp.asnumpy(value)
        if not value.flags.c_contiguous:
            value = self.xp.ascontiguousarray(value)
        found = self._pinned(value.shape, value.dtype)
        if value.size:
            value.data.copy_to_host_async(found.ctypes.data, found.nbytes)
        return found

    def _pinned(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return an array in memory that the card reads and writes by itself.

        Sizes are powers of 2, so that CuPy's pool has them again.
        """
        count = math.prod(shape)
        size = 1 << max(9, (count * np.dtype(dtype).itemsize - 1).bit_length())
        memory = self.xp.cuda.alloc_pinned_memory(size)
        return np.frombuffer(memory, dtype, count).reshape(shape)

    def require(self, size: int, what: str) -> None:
        """Compare with the memory of the card, and with what CuPy's pool holds of it."""
        if size >= WORTH_ASKING:
            pool = self.xp.get_default_memory_pool()
            check_room(size, self.xp.cuda.runtime.memGetInfo()[0] + pool.free_bytes(), what)


def check_room(size: int, free: float, what: str) -> None:
    """Refuse an allocation that would fail, before it is made."""
    if size > free:
        raise MemoryError(
            f"{what}: {1e-9 * size:.3g} GB are needed on the card, and {1e-9 * free:.3g} GB are "
            "free."
        )


def _word(array: Any) -> str:
    return "float" if array.dtype == np.float32 else "double"


def _aligned(array: Any) -> bool:
    """Whether loads of 16 bytes may start at the array."""
    return int(array.data.ptr) % 16 == 0
