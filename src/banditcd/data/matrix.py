"""The matrix A whose columns are the coordinates, dense or sparse."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.runs import runs

_BLOCK = 1 << 19  # entries converted at a time when a float32 matrix is multiplied in float64


class ColumnMatrix:
    """An m x d matrix stored so that a column is contiguous.

    Dense data is kept as a C-contiguous (d, m) array (row i = column i of A), sparse data as CSC.
    ``signs`` multiplies the columns without copying them: the duals of classification use
    ``a_i = y_i z_i``, with sample weights ``a_i = s_i y_i z_i``. Sums are accumulated in float64
    whatever the storage.
    """

    m: int
    d: int

    def __init__(self, storage: Any, signs: Floats | None = None) -> None:
        self.is_sparse = bool(sparse.issparse(storage))
        self.storage: Any = storage
        self.signs = signs
        rows, cols = storage.shape
        self.m, self.d = (rows, cols) if self.is_sparse else (cols, rows)
        self.nnz = int(storage.indptr[-1]) if self.is_sparse else self.m * self.d

    @classmethod
    def from_features(cls, X: Any) -> ColumnMatrix:
        """Coordinates are the columns of X. F-order and CSC are not copied."""
        if not isinstance(X, np.ndarray):
            return cls(_narrow_csc(X.tocsc()))
        return cls(np.ascontiguousarray(X.T))

    @classmethod
    def from_samples(cls, X: Any, signs: Floats | None = None) -> ColumnMatrix:
        """Coordinates are the rows of X, times ``signs``. C-order and CSR are not copied."""
        if not isinstance(X, np.ndarray):
            return cls(_narrow_csc(X.tocsr().T), signs)
        return cls(np.ascontiguousarray(X), signs)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """The start of each sparse column, as the kernels read it."""
        return np.asarray(self.storage.indptr, dtype=np.int64)

    @cached_property
    def rows(self) -> npt.NDArray[np.int32]:
        """Row of each sparse entry, as the kernels read it."""
        return np.asarray(self.storage.indices, dtype=np.int32)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.m, self.d

    def entries(self, i: int) -> int:
        """Stored entries of column i."""
        if self.is_sparse:
            return int(self.storage.indptr[i + 1] - self.storage.indptr[i])
        return self.m

    def column(self, i: int) -> tuple[Any, Floats]:
        """Rows (a slice or an index array) and values of column i."""
        if self.is_sparse:
            part = slice(self.storage.indptr[i], self.storage.indptr[i + 1])
            rows, values = self.storage.indices[part], self.storage.data[part]
        else:
            rows, values = slice(None), self.storage[i]
        values = values.astype(np.float64)
        return rows, values if self.signs is None else values * self.signs[i]

    def dot(self, i: int, w: Floats) -> float:
        """a_i . w."""
        rows, values = self.column(i)
        return float(values @ w[rows])

    def matvec(self, x: Floats) -> Floats:
        """A x."""
        x = x if self.signs is None else x * self.signs
        if self.is_sparse:
            return np.asarray(self.storage @ x, dtype=np.float64)
        if self.storage.dtype == np.float64:
            return np.asarray(x @ self.storage)
        total = np.zeros(self.m)
        for part in self._blocks():
            total += x[part] @ self.storage[part].astype(np.float64)
        return total

    def rmatvec(self, w: Floats) -> Floats:
        """A^T w."""
        if self.is_sparse:
            out = np.asarray(self.storage.T @ w, dtype=np.float64)
        elif self.storage.dtype == np.float64:
            out = np.asarray(self.storage @ w)
        else:
            parts = [self.storage[part].astype(np.float64) @ w for part in self._blocks()]
            out = np.concatenate(parts)
        return out if self.signs is None else out * self.signs

    def column_squares(self, row_weights: Floats | None = None) -> Floats:
        """Return sum_j c_j a_ji^2 for every column i (c = 1 without weights)."""
        if self.is_sparse:
            sums = [self._sparse_squares(run, row_weights) for run in runs(self.storage.indptr)]
            return self._factored(np.concatenate(sums) if sums else np.zeros(0))
        parts = []
        for part in self._blocks():
            block = self.storage[part].astype(np.float64, copy=False)
            if row_weights is None:
                parts.append(np.einsum("ij,ij->i", block, block))
            else:
                parts.append((block * block) @ row_weights)
        return self._factored(np.concatenate(parts))

    def _sparse_squares(self, run: tuple[int, int], row_weights: Floats | None) -> Floats:
        starts = self.storage.indptr[run[0] : run[1] + 1]
        squares = self.storage.data[starts[0] : starts[-1]].astype(np.float64) ** 2
        if row_weights is not None:
            squares *= row_weights[self.storage.indices[starts[0] : starts[-1]]]
        return _segment_sums(squares, starts - starts[0])

    def _factored(self, squares: Floats) -> Floats:
        return squares if self.signs is None else squares * self.signs**2

    def keep(self, columns: npt.NDArray[np.intp]) -> ColumnMatrix:
        """Return the matrix of the chosen columns, copied unless only empty ones are left out."""
        signs = None if self.signs is None else self.signs[columns]
        if self.is_sparse and self._entries_in(columns) == self.nnz:
            starts = np.append(self.storage.indptr[columns], self.storage.indptr[-1])
            parts = (self.storage.data, self.storage.indices, starts)
            shared = sparse.csc_array(parts, shape=(self.m, len(columns)), copy=False)
            return ColumnMatrix(shared, signs)
        chosen = self.storage[:, columns] if self.is_sparse else self.storage[columns]
        return ColumnMatrix(_narrow_csc(chosen) if self.is_sparse else chosen, signs)

    def _entries_in(self, columns: npt.NDArray[np.intp]) -> int:
        """Stored entries of ascending columns (-1 if they are not ascending)."""
        if np.any(np.diff(columns) <= 0):
            return -1
        return int(np.sum(self.storage.indptr[columns + 1] - self.storage.indptr[columns]))

    def to_dense(self) -> Floats:
        """Return A as a dense float64 array (for small matrices and tests)."""
        dense = self.storage.toarray() if self.is_sparse else self.storage.T
        dense = np.asarray(dense, dtype=np.float64)
        return dense if self.signs is None else dense * self.signs

    def _blocks(self) -> list[slice]:
        width = max(1, _BLOCK // max(self.m, 1))
        return [slice(start, start + width) for start in range(0, self.d, width)]


def _narrow_csc(X: Any) -> Any:
    """Return CSC with int32 indices wherever the number of entries allows it."""
    if X.nnz <= np.iinfo(np.int32).max and X.indices.dtype != np.int32:
        X = sparse.csc_array(
            (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape
        )
    return X


def _segment_sums(values: Floats, starts: npt.NDArray[np.int64]) -> Floats:
    """Sum of every segment values[starts[k]:starts[k + 1]], with 0 for empty ones."""
    out = np.zeros(len(starts) - 1)
    filled = np.flatnonzero(np.diff(starts) > 0)
    if filled.size:
        out[filled] = np.add.reduceat(values, starts[filled])
    return out
