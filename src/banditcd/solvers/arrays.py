"""Arrays as native code takes them, converted only if they have to be.

X stays float32 if it is; everything else becomes float64. The vectors of ``_core.FitData`` need no
conversion here: the binding makes contiguous copies in float64 of those that are not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from banditcd import _core
from banditcd._typing import FLOAT32, FLOAT64, Floats
from banditcd.solvers.threads import SHARED_ENTRIES, SHARED_WORK, default_threads

#: Where row weights are used as they are, the largest must be between these: squares of gradients
#: vanish, or overflow, with those of the weights, and zeros would be certified.
LEAST_WEIGHT, MOST_WEIGHT = 1e-100, 1e100

#: Types of a matrix that native code copies into the other order, and the entries from which it is
#: asked to.
TURNED, TURNED_ENTRIES = (FLOAT64, FLOAT32), 1 << 12

#: The usual types, which are told without asking SciPy's abstract base class.
COMPRESSED = frozenset((sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.csc_array))


def is_sparse(X: Any) -> bool:
    """Whether X is a SciPy sparse matrix or array."""
    kind = type(X)
    return kind in COMPRESSED or (kind is not np.ndarray and bool(sparse.issparse(X)))


def in_c_order(X: Floats) -> Floats:
    """Return a matrix in C order: itself, or a copy by blocks, which is faster than NumPy's."""
    order = X.flags
    if order.c_contiguous or not order.f_contiguous or X.dtype not in TURNED:
        return np.ascontiguousarray(X)
    out = np.empty(X.shape, X.dtype)
    _core.turn(X.T, out)
    return out


def in_fortran_order(X: Floats) -> Floats:
    """Return a matrix in Fortran order, likewise."""
    return in_c_order(X.T).T


def columns_of(X: Any, n_threads: int | None = None) -> _core.Columns:
    """Return X by columns for native code; Fortran order and canonical CSC are borrowed.

    ``n_threads`` may work on it at a time; None: as many as :func:`default_threads` says.
    """
    if isinstance(X, _core.Columns):
        return X
    kind = FLOAT32 if X.dtype == FLOAT32 else FLOAT64
    if type(X) is np.ndarray or not is_sparse(X):
        if X.dtype != kind or X.flags.f_contiguous:
            X = np.asfortranarray(X, dtype=kind)
        out = _core.Columns(X if X.flags.f_contiguous else in_fortran_order(X))
    else:
        out = _core.Columns(*_compressed(_canonical(X, X.tocsc()), kind), X.shape[0])
    if n_threads is not None or X.size * max(32, X.shape[1]) > SHARED_WORK:
        out.set_threads(default_threads() if n_threads is None else n_threads)
    return out


def rows_of(X: Any, n_threads: int | None = None) -> _core.Rows:
    """Return X by rows for native code; C order and canonical CSR are borrowed.

    ``n_threads`` as in :func:`columns_of`.
    """
    kind = FLOAT32 if X.dtype == FLOAT32 else FLOAT64
    if type(X) is np.ndarray or not is_sparse(X):
        if X.dtype != kind or X.flags.c_contiguous:
            X = np.ascontiguousarray(X, dtype=kind)
        out = _core.Rows(X if X.flags.c_contiguous else in_c_order(X))
    else:
        out = _core.Rows(*_compressed(_canonical(X, X.tocsr()), kind), X.shape[1])
    if n_threads is not None or X.size >= SHARED_ENTRIES:
        out.set_threads(default_threads() if n_threads is None else n_threads)
    return out


def _canonical(X: Any, converted: Any) -> Any:
    """Return a conversion of X (itself, if it needed none) with ascending indices, each once."""
    if converted.has_canonical_format:
        return converted
    converted = converted.copy() if converted is X or converted.data is X.data else converted
    converted.sum_duplicates()
    return converted


def _compressed(matrix: Any, kind: np.dtype[Any]) -> tuple[Any, Any, Any]:
    return (
        np.ascontiguousarray(matrix.data, dtype=kind),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
    )


def vector(values: Floats | None) -> Floats | None:
    """Return an optional array as contiguous float64."""
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64)


def checked_weights(weights: Floats | None) -> Floats | None:
    """Return row weights that are used as they are; refuses those whose squares leave float64."""
    if weights is None:
        return None
    largest = float(weights.max(initial=0.0))
    if 0.0 < largest < LEAST_WEIGHT:
        raise ValueError(
            f"The largest weight of a sample is {largest:g}, too little for squares in float64. "
            f"Multiply all weights by a number so that it is at least {LEAST_WEIGHT:g}, and divide "
            "C by the same."
        )
    if largest > MOST_WEIGHT:
        raise ValueError(
            f"The largest weight of a sample is {largest:g}, too much for squares in float64. "
            f"Divide all weights by a number so that it is at most {MOST_WEIGHT:g}, and multiply C "
            "by the same."
        )
    return weights


def normalized(weights: Floats | None) -> Floats | None:
    """Return row weights that sum to their number; None where there are none."""
    if weights is None:
        return None
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    total = float(weights.sum())
    if not total > 0.0:
        raise ValueError("sample_weight sums to zero: give at least one row a positive weight")
    return weights * (weights.size / total)
