"""A data matrix by rows, as the smooth solvers read it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from banditcd import _core

Floats = NDArray[np.float64]


def native_rows(X: Any) -> _core.SmoothRows:
    """Wrap X for the native code; C order and canonical CSR are borrowed, the rest is converted.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32 stays as it is, any other type becomes float64.
    """
    is_sparse: bool = sparse.issparse(X)
    if not is_sparse:
        dense: Any = np.ascontiguousarray(X, dtype=storage_type(X.dtype))
        return _core.smooth_dense(dense)
    matrix: Any = X.tocsr()  # no copy if it is CSR already
    if not matrix.has_canonical_format:
        matrix = matrix.copy() if matrix is X or matrix.data is X.data else matrix
        matrix.sum_duplicates()
    entries: Any = np.ascontiguousarray(matrix.data, dtype=storage_type(matrix.dtype))
    return _core.smooth_sparse(
        entries,
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        matrix.shape[1],
    )


def storage_type(dtype: np.dtype[Any]) -> type[np.float32] | type[np.float64]:
    """float32 stays, everything else becomes float64."""
    return np.float32 if dtype == np.float32 else np.float64


def vector(values: Floats | None) -> Floats | None:
    """A contiguous float64 vector, or None."""
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64)
