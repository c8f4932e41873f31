"""X in a file: read in blocks, one ahead, and never held as a whole.

A file in C order is read by blocks of rows, one reading for all jobs that were asked for together;
a file in Fortran order by blocks of columns, so that newcomers to the pool cost their own columns
only. Rows keep their responses, weights and the gathered columns of the pool in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.places.blocks import NativeRows
from banditcd.places.gathered import GatheredColumns
from banditcd.places.matrix_file import MatrixFile
from banditcd.places.place import Job, Traffic, summed
from banditcd.places.rowwise import ROW_MATHS


class Stretch:
    """Some rows of a file in C order: X while a reading passes by, and the gathered columns."""

    def __init__(self, file: MatrixFile, rows: tuple[int, int]) -> None:
        self.file, self.rows = file, rows
        self.values: Any = None  #: X, while it is there
        self.pool = GatheredColumns((rows[1] - rows[0], file.shape[1]), self._columns)

    def present(self) -> Any:
        """Return X."""
        return self.file.read(*self.rows) if self.values is None else self.values

    def _columns(self, columns: Any, out: Any) -> None:
        out[:] = self.present()[:, columns]


class FileRows(NativeRows):
    """A block of rows of a file in C order."""

    def __init__(self, stretch: Stretch, y: Any, weight: Any) -> None:
        self._stretch, self.pool = stretch, stretch.pool
        self.y, self.weight = y, weight

    @property
    def native(self) -> _core.Rows:
        """X for native passes, while it is there."""
        return _core.Rows(self._stretch.present())

    def times_some(self, columns: Any, coef: Floats) -> Floats:
        """Return the product of some columns with coefficients, from those that are gathered."""
        held: Floats = self.pool.times(columns, coef)
        return held

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Floats:
        """Return the weighted Gram matrix of two sets of columns (None: all)."""
        if columns is not None:
            held: Floats = self.pool.gram(columns, more, weight, shift)
            return held
        dense = self._stretch.present().astype(np.float64)
        if shift is not None:
            dense -= shift
        out: Floats = dense.T @ (dense if weight is None else dense * weight[:, None])
        return out

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Floats, list[Floats]]:
        """Return the weighted Gram matrix of some columns, and products of vectors with them."""
        return self.pool.gram_and_sums(columns, weight, vectors, shift)


class AllColumns:
    """A file in Fortran order, and the gathered columns."""

    def __init__(self, file: MatrixFile) -> None:
        self.file = file
        self.pool = GatheredColumns(file.shape, self._columns)

    def _columns(self, columns: Any, out: Any) -> None:
        for k, values in enumerate(self.file.scattered(columns)):
            out[:, k] = values


class FileColumns:
    """All rows of a file in Fortran order, read by stretches of columns."""

    maths = ROW_MATHS

    def __init__(self, columns: AllColumns, y: Any, weight: Any) -> None:
        self._file, self.pool = columns.file, columns.pool
        self.y, self.weight = y, weight

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._file.shape[0]

    def times(self, columns: Any, coef: Floats) -> Floats:
        """Return X[:, columns] @ coef."""
        if columns is not None:
            held: Floats = self.pool.times(columns, coef) if len(coef) else np.zeros(self.rows)
            return held
        models = np.atleast_2d(coef.T)
        out: Floats = np.zeros((len(models), self.rows))
        part: Floats = np.empty(self.rows)
        for first, last, values in self._file.ahead():
            rows = _core.Rows(values)
            for total, model in zip(out, models, strict=True):
                rows.transposed_times(np.ascontiguousarray(model[first:last]), part)
                total += part
        return out[0] if coef.ndim == 1 else out.T

    def transposed_times(self, v: Floats) -> Floats:
        """Return X'v."""
        vectors = np.ascontiguousarray(np.atleast_2d(v.T))
        out: Floats = np.empty((len(vectors), self._file.shape[1]))
        for first, last, values in self._file.ahead():
            rows = _core.Rows(values)
            for found, vector in zip(out, vectors, strict=True):
                rows.times(vector, found[first:last])
        return out[0] if v.ndim == 1 else out.T

    def transposed_pair(self, v: Floats, w: Floats) -> tuple[Floats, Floats]:
        """Return X'v and X'w from one reading."""
        both = self.transposed_times(np.stack([v, w], axis=1))
        return both[:, 0], both[:, 1]

    def survey(self, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return X'v, and weighted sums and squares of the columns, from one reading."""
        given = np.ones(self.rows) if self.weight is None else self.weight
        out: Floats = np.empty((3, self._file.shape[1]))
        column = np.empty(self.rows)
        pulled = column if self.weight is None else np.empty(self.rows)
        for first, last, values in self._file.ahead():
            rows = _core.Rows(values)
            rows.times(np.ascontiguousarray(v), out[0, first:last])
            rows.times(given, out[1, first:last])
            for k in range(last - first):  # not by BLAS, whose threads wait for the reading one's
                np.copyto(column, values[k])
                if self.weight is not None:
                    np.multiply(given, column, out=pulled)
                out[2, first + k] = _core.dot(column, pulled)
        return out[0], out[1], out[2]

    def gram(self, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Floats:
        """Return the weighted Gram matrix of two sets of columns (None: all)."""
        if columns is None:
            columns = more = np.arange(self._file.shape[1])
        out: Floats = self.pool.gram(columns, more, weight, shift)
        return out

    def gram_and_sums(
        self, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
    ) -> tuple[Floats, list[Floats]]:
        """Return the weighted Gram matrix of some columns, and products of vectors with them."""
        return self.pool.gram_and_sums(columns, weight, vectors, shift)


class FileMatrix:
    """A file whose readings and gathered columns several responses and weights share."""

    def __init__(self, X: Any, *, drop_behind: bool = False) -> None:
        self.file = MatrixFile(X, drop_behind=drop_behind)
        self.shape = self.file.shape
        self.stretches = [Stretch(self.file, rows) for rows in self.file.stretches]
        self.columns = AllColumns(self.file)

    def blocks(self, y: Floats, weight: Floats | None) -> list[Any]:
        """Return the blocks of responses and weights."""
        if not self.file.by_rows:
            return [FileColumns(self.columns, y, weight)]
        spans = [(stretch, slice(*stretch.rows)) for stretch in self.stretches]
        return [FileRows(s, y[at], None if weight is None else weight[at]) for s, at in spans]

    def run(self, requests: Sequence[tuple[Any, Job]]) -> list[tuple[Any, ...]]:
        """Return the sums of jobs on several places, from one reading if any."""
        parts: list[list[tuple[Any, ...]]] = [[] for _ in requests]
        if self.file.by_rows:
            self._by_rows(requests, parts)
        else:
            for part, (place, job) in zip(parts, requests, strict=True):
                part.append(job.task(place.blocks[0], *job.arguments))
        return summed(requests, parts)

    def _by_rows(
        self, requests: Sequence[tuple[Any, Job]], parts: list[list[tuple[Any, ...]]]
    ) -> None:
        ahead = any(_reads_all(job, self.stretches[0]) for _, job in requests)
        stream = self.file.ahead() if ahead else iter(())
        for k, stretch in enumerate(self.stretches):
            if ahead:
                stretch.values = next(stream)[2]
            for part, (place, job) in zip(parts, requests, strict=True):
                part.append(job.task(place.blocks[k], *job.arguments))
            stretch.values = None


class FilePlace:
    """A dense matrix in a file, with responses and weights in memory."""

    gathers, whole = True, False

    def __init__(
        self, X: Any, y: Floats, weight: Floats | None = None, *, drop_behind: bool = False
    ) -> None:
        matrix = X if isinstance(X, FileMatrix) else FileMatrix(X, drop_behind=drop_behind)
        self.matrix, self.file, self.shape = matrix, matrix.file, matrix.shape
        self.traffic, self.readings = Traffic(), 1.0 if matrix.file.by_rows else 2.0
        y = np.ascontiguousarray(y, dtype=np.float64)
        given = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
        self.blocks = matrix.blocks(y, given)

    @property
    def reads(self) -> float:
        """How often all of X was read."""
        return self.file.bytes_read / max(
            1, self.shape[0] * self.shape[1] * self.file.dtype.itemsize
        )

    def sum(self, *jobs: Job) -> list[tuple[Any, ...]]:
        """Return the sums of the jobs over all blocks, from one reading if any."""
        return self.matrix.run([(self, job) for job in jobs])

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def _reads_all(job: Job, stretch: Stretch) -> bool:
    """Whether a job needs X: looks do, and products with columns that were not gathered yet."""
    columns = getattr(job.task, "columns", None)
    return columns is None or not stretch.pool.holds(columns(*job.arguments))


def file_products(X: Any, coefs: Floats) -> Floats:
    """Return X @ coefs.T from one reading of the file."""
    file = MatrixFile(X)
    out: Floats = np.zeros((file.shape[0], len(coefs)))
    part: Floats = np.empty(file.shape[0])
    for first, last, values in file.ahead():
        rows = _core.Rows(values)
        for k, coef in enumerate(np.ascontiguousarray(coefs, dtype=np.float64)):
            if file.by_rows:
                rows.times(coef, part[first:last])
                out[first:last, k] = part[first:last]
            else:
                rows.transposed_times(np.ascontiguousarray(coef[first:last]), part)
                out[:, k] += part
    file.close()
    return out
