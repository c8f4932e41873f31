"""Arrays as native code takes them: converted only if they have to be."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from banditcd import _core
from banditcd._typing import Floats


def is_sparse(X: Any) -> bool:
    """Whether X is a SciPy sparse matrix or array."""
    return type(X) is not np.ndarray and bool(sparse.issparse(X))


def columns_of(X: Any) -> _core.Columns:
    """Return X by columns for native code; Fortran order and CSC are borrowed."""
    if isinstance(X, _core.Columns):
        return X
    if not is_sparse(X):
        return _core.Columns(np.asfortranarray(X, dtype=storage_type(X.dtype)))
    return _core.Columns(*_compressed(X.tocsc()), X.shape[0])


def rows_of(X: Any) -> _core.Rows:
    """Return X by rows for native code; C order and canonical CSR are borrowed."""
    if not is_sparse(X):
        return _core.Rows(np.ascontiguousarray(X, dtype=storage_type(X.dtype)))
    matrix = X.tocsr()  # no copy if it is CSR already
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is X or matrix.data is X.data else matrix
        matrix.sum_duplicates()
    return _core.Rows(*_compressed(matrix), X.shape[1])


def _compressed(matrix: Any) -> tuple[Any, Any, Any]:
    return (
        np.ascontiguousarray(matrix.data, dtype=storage_type(matrix.dtype)),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
    )


def storage_type(dtype: np.dtype[Any]) -> type[np.float32] | type[np.float64]:
    """Return the type X is stored in: float32 stays, everything else becomes float64."""
    return np.float32 if dtype == np.float32 else np.float64


def vector(values: Floats | None) -> Floats | None:
    """Return an optional array as contiguous float64."""
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64)


def normalized(weights: Floats | None) -> Floats | None:
    """Return row weights that sum to their number."""
    if weights is None:
        return None
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    total = float(weights.sum())
    if not total > 0.0:
        raise ValueError("sample_weight sums to zero: give at least one row a positive weight")
    return weights * (weights.size / total)
