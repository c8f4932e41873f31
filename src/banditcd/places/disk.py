"""X in a file: read in blocks, one ahead, and never held as a whole.

A file in C order is read by blocks of rows, one reading for all jobs that were asked for together;
a file in Fortran order by blocks of columns, so that newcomers to the pool cost their own columns
only. Rows keep their responses, weights and the gathered columns of the pool in memory.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd import _core
from banditcd._typing import Floats
from banditcd.places.gathered import GatheredColumns
from banditcd.places.place import Job, Traffic, added, size_of

#: Bytes of one reading.
READ_BYTES = 1 << 26


class MatrixFile:
    """A dense matrix in a file, read by stretches of its long axis.

    Parameters
    ----------
    source : numpy.memmap
        A mapped array of two dimensions, in C or Fortran order; the mapping itself is not used.
    drop_behind : bool
        Tell the system to forget what was read: for files that would push everything else out of
        the page cache.
    """

    def __init__(self, source: np.memmap[Any, Any], *, drop_behind: bool = False) -> None:
        if source.filename is None or source.ndim != 2:
            raise ValueError("A matrix on disk must be a numpy.memmap with two dimensions.")
        self.by_rows = bool(source.flags.c_contiguous)
        if not (self.by_rows or source.flags.f_contiguous):
            raise ValueError("A matrix on disk must be contiguous, in C or in Fortran order.")
        self.shape: tuple[int, int] = source.shape
        self.dtype: np.dtype[Any] = source.dtype
        self.bytes_read = 0
        self._width = self.shape[1] if self.by_rows else self.shape[0]
        self._offset, self._drop = int(source.offset), drop_behind
        self.name = str(source.filename)
        self._number = os.open(self.name, os.O_RDONLY)
        self.close = weakref.finalize(self, os.close, self._number)  # at the latest with the object

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """First and last row (column in Fortran order) of every reading."""
        count = self.shape[0] if self.by_rows else self.shape[1]
        step = max(1, READ_BYTES // max(1, self._width * self.dtype.itemsize))
        return [(first, min(first + step, count)) for first in range(0, count, step)]

    def read(self, first: int, last: int) -> Any:
        """Return rows (columns) first to last, one after another in C order."""
        row_bytes = self._width * self.dtype.itemsize
        out: NDArray[Any] = np.empty((last - first, self._width), dtype=self.dtype)
        view, at = memoryview(out.data).cast("B"), self._offset + first * row_bytes
        done = 0
        while done < len(view):
            got = os.preadv(self._number, [view[done:]], at + done)
            if got == 0:
                raise OSError(f"The file {self.name} is shorter than its header says.")
            done += got
        self.bytes_read += done
        if self._drop:
            os.posix_fadvise(self._number, at, done, os.POSIX_FADV_DONTNEED)
        return out

    def ahead(self) -> Iterator[tuple[int, int, Any]]:
        """Yield all stretches in order; the next one is read while this one is worked on."""
        with ThreadPoolExecutor(1, "banditcd-read") as reader:
            coming = [reader.submit(self.read, *stretch) for stretch in self.stretches[:1]]
            for k, (first, last) in enumerate(self.stretches):
                values = coming.pop().result()
                if k + 1 < len(self.stretches):
                    coming.append(reader.submit(self.read, *self.stretches[k + 1]))
                yield first, last, values


class FileRows:
    """A block of rows of a file in C order; X is there while a reading passes by."""

    def __init__(self, file: MatrixFile, rows: tuple[int, int], y: Any, weight: Any) -> None:
        self._file, self._rows = file, rows
        self.y, self.weight = y, weight
        self.values: Any = None  #: X, while it is there
        self.pool = GatheredColumns((self.rows, file.shape[1]), self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._rows[1] - self._rows[0]

    @property
    def _native(self) -> _core.Rows:
        return _core.Rows(self._present())

    def _present(self) -> Any:
        return self._file.read(*self._rows) if self.values is None else self.values

    def _columns(self, columns: Any) -> Any:
        return np.asfortranarray(self._present()[:, columns].astype(np.float64))

    def times(self, columns: Any, coef: Floats) -> Floats:
        """Return X[:, columns] @ coef."""
        if len(coef) == 0:
            return np.zeros(self.rows)
        if columns is not None:
            held: Floats = self.pool.times(columns, coef)
            return held
        out: Floats = np.empty(self.rows)
        self._native.times(coef, out)
        return out

    def transposed_times(self, v: Floats) -> Floats:
        """Return X'v."""
        out: Floats = np.empty(self._file.shape[1])
        self._native.transposed_times(np.ascontiguousarray(v), out)
        return out

    def survey(self, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return X'v, and weighted sums and squares of the columns."""
        given = np.ones(self.rows) if self.weight is None else self.weight
        squares: Floats = np.empty(self._file.shape[1])
        self._native.squares(given, squares)
        return self.transposed_times(v), self.transposed_times(given), squares

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Floats:
        """Return the weighted Gram matrix of two sets of columns (None: all)."""
        if columns is not None:
            held: Floats = self.pool.gram(columns, more, weight, shift)
            return held
        dense = self._present().astype(np.float64)
        if shift is not None:
            dense -= shift
        out: Floats = dense.T @ (dense if weight is None else dense * weight[:, None])
        return out

    def gram_sums(self, columns: Any, weight: Floats, shift: Floats | None) -> Floats:
        """Return the weighted sums of some columns."""
        out: Floats = weight @ self.pool.part(columns, shift)
        return out


class FileColumns:
    """All rows of a file in Fortran order, read by stretches of columns."""

    def __init__(self, file: MatrixFile, y: Any, weight: Any) -> None:
        self._file, self.y, self.weight = file, y, weight
        self.pool = GatheredColumns(file.shape, self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._file.shape[0]

    def _columns(self, columns: Any) -> Any:
        parts = [self._file.read(int(j), int(j) + 1)[0] for j in columns]
        return np.array(parts, dtype=np.float64).T

    def times(self, columns: Any, coef: Floats) -> Floats:
        """Return X[:, columns] @ coef."""
        if columns is not None:
            held: Floats = self.pool.times(columns, coef) if len(coef) else np.zeros(self.rows)
            return held
        out: Floats = np.zeros(self.rows)
        part: Floats = np.empty(self.rows)
        for first, last, values in self._file.ahead():
            _core.Rows(values).transposed_times(np.ascontiguousarray(coef[first:last]), part)
            out += part
        return out

    def transposed_times(self, v: Floats) -> Floats:
        """Return X'v."""
        out: Floats = np.empty(self._file.shape[1])
        for first, last, values in self._file.ahead():
            _core.Rows(values).times(np.ascontiguousarray(v), out[first:last])
        return out

    def survey(self, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return X'v, and weighted sums and squares of the columns, from one reading."""
        given = np.ones(self.rows) if self.weight is None else self.weight
        out: Floats = np.empty((3, self._file.shape[1]))
        for first, last, values in self._file.ahead():
            rows = _core.Rows(values)
            rows.times(np.ascontiguousarray(v), out[0, first:last])
            rows.times(given, out[1, first:last])
            for k in range(last - first):
                column = values[k].astype(np.float64)
                out[2, first + k] = column @ (given * column)
        return out[0], out[1], out[2]

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Floats:
        """Return the weighted Gram matrix of two sets of columns (None: all)."""
        if columns is None:
            columns = more = np.arange(self._file.shape[1])
        out: Floats = self.pool.gram(columns, more, weight, shift)
        return out

    def gram_sums(self, columns: Any, weight: Floats, shift: Floats | None) -> Floats:
        """Return the weighted sums of some columns."""
        out: Floats = weight @ self.pool.part(columns, shift)
        return out


class FilePlace:
    """A dense matrix in a file, with responses and weights in memory."""

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None = None, *, drop_behind: bool = False
    ) -> None:
        self.file = MatrixFile(X, drop_behind=drop_behind)
        self.shape = self.file.shape
        self.traffic = Traffic()
        y = np.ascontiguousarray(y, dtype=np.float64)
        given = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
        self._blocks: list[Any] = (
            [
                FileRows(self.file, (a, b), y[a:b], None if given is None else given[a:b])
                for a, b in self.file.stretches
            ]
            if self.file.by_rows
            else [FileColumns(self.file, y, given)]
        )

    @property
    def reads(self) -> float:
        """How often all of X was read."""
        return self.file.bytes_read / max(
            1, self.shape[0] * self.shape[1] * self.file.dtype.itemsize
        )

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return the sums of the jobs over all blocks, from one reading if any."""
        self.traffic.rounds += 1
        ahead = self.file.by_rows and any(_reads_all(job, self._blocks[0]) for job in jobs)
        stream = self.file.ahead() if ahead else iter(())
        parts: list[list[tuple[Any, ...]]] = [[] for _ in jobs]
        for block in self._blocks:
            if ahead:
                block.values = next(stream)[2]
            for part, job in zip(parts, jobs, strict=True):
                part.append(job.task(block, *job.arguments))
            if ahead:
                block.values = None
        out = [added(part) for part in parts]
        self.traffic.bytes_moved += size_of(out)
        return out

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def _reads_all(job: Job, block: FileRows) -> bool:
    """Whether a job needs X: looks do, and products with columns that were not gathered yet."""
    columns = getattr(job.task, "columns", None)
    return columns is None or not block.pool.holds(columns(*job.arguments))
