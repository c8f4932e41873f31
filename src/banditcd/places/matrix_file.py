"""A dense matrix in a file, read in order through a few buffers."""

from __future__ import annotations

import mmap
import os
import weakref
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Bytes of one reading.
READ_BYTES = 1 << 26
#: Readings under way while one is worked on.
READS_AHEAD = 2


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
        self._offset, self._drop = _position(source), drop_behind
        self.name = str(source.filename)
        self._number = os.open(self.name, os.O_RDONLY)
        self.close = weakref.finalize(self, os.close, self._number)  # at the latest with the object

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """First and last row (column in Fortran order) of every reading."""
        count = self.shape[0] if self.by_rows else self.shape[1]
        step = max(1, READ_BYTES // max(1, self._width * self.dtype.itemsize))
        return [(first, min(first + step, count)) for first in range(0, count, step)]

    def read(self, first: int, last: int, into: NDArray[Any] | None = None) -> Any:
        """Return rows (columns) first to last, one after another in C order.

        ``into`` is a buffer to fill: fresh memory costs about as much time as reading it does.
        """
        row_bytes = self._width * self.dtype.itemsize
        room = np.empty((last - first, self._width), self.dtype) if into is None else into
        out: NDArray[Any] = room[: last - first]
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

    def scattered(self, numbers: Any) -> Iterator[Any]:
        """Yield rows (columns) by their numbers, each valid until the next one is asked for.

        The system is told the next ones, so that it may fetch several at a time, and to forget
        those that were read, with the pages they share with neighbors: pages left here and there
        interrupt its read-ahead, and make the next reading of the file take twice as long.
        """
        row_bytes = self._width * self.dtype.itemsize
        room = np.empty((1, self._width), self.dtype)
        window, told = 1 + READ_BYTES // max(1, row_bytes), 0
        for k, number in enumerate(numbers):
            while told < min(k + window, len(numbers)):
                self._advise(int(numbers[told]) * row_bytes, row_bytes, "POSIX_FADV_WILLNEED")
                told += 1
            values = self.read(int(number), int(number) + 1, room)[0]
            self._advise(int(number) * row_bytes, row_bytes, "POSIX_FADV_DONTNEED")
            yield values

    def _advise(self, at: int, count: int, word: str) -> None:
        """Tell the system what will become of the pages of some bytes of the matrix."""
        if hasattr(os, "posix_fadvise"):  # hints only: a system without them loses time
            begin, page = self._offset + at, mmap.PAGESIZE
            end = -(-(begin + count) // page) * page
            begin -= begin % page
            os.posix_fadvise(self._number, begin, end - begin, getattr(os, word))

    def ahead(self) -> Iterator[tuple[int, int, Any]]:
        """Yield all stretches in order, valid until the next one is asked for.

        The next ones are read meanwhile, into buffers that are used again.
        """
        stretches = self.stretches
        size = max(last - first for first, last in stretches)
        free = [np.empty((size, self._width), self.dtype) for _ in stretches[: READS_AHEAD + 1]]
        coming: deque[Future[Any]] = deque()
        with ThreadPoolExecutor(1, "banditcd-read") as reader:
            for k, (first, last) in enumerate(stretches):
                while len(coming) <= READS_AHEAD and free and k + len(coming) < len(stretches):
                    begin, end = stretches[k + len(coming)]
                    coming.append(reader.submit(self.read, begin, end, free.pop()))
                values = coming.popleft().result()
                yield first, last, values
                free.append(values.base)


def _position(source: np.memmap[Any, Any]) -> int:
    """Return where in its file a mapped array begins; a slice has the offset of the whole."""
    pages: Any = source
    while not isinstance(pages, mmap.mmap):
        pages = pages.base
    begin = int(source.offset) - int(source.offset) % mmap.ALLOCATIONGRANULARITY
    return begin + _address(source) - _address(np.frombuffer(pages, dtype=np.uint8))


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])
