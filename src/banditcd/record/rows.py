"""A data matrix by rows, as the smooth solvers read it."""

from __future__ import annotations

from typing import Any

from banditcd import _core
from banditcd.record.arrays import on_rows


def native_rows(X: Any) -> _core.SmoothRows:
    """Wrap X for the native code; C order and canonical CSR are borrowed, the rest is converted.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32 stays as it is, any other type becomes float64.
    """
    return on_rows(X, _core.smooth_dense, _core.smooth_sparse)
