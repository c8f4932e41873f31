"""Parts of independent duality gaps, and the storages that estimators are tested on."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def largest_scale(u, l1, l2, lower, upper) -> float:
    """Return the largest t at which the conjugate at t u is finite."""
    hard = (l2 == 0) & np.where(u > 0, np.isinf(upper), np.isinf(lower)) & (np.abs(u) > 0)
    return float(np.min(l1[hard] / np.abs(u[hard]), initial=np.inf)) * (1.0 - 1e-15)


def conjugate(v, l1, l2, lower, upper):
    """Return max over lower <= w <= upper of v w - l1 |w| - l2 w^2 / 2."""
    slope = np.maximum(np.abs(v) - l1, 0.0)
    end = np.where(v > 0, upper, -lower)
    with np.errstate(divide="ignore", invalid="ignore"):
        w = np.minimum(np.where(l2 > 0, slope / l2, np.inf), end)
        value = slope * w - 0.5 * l2 * w**2
    return np.where(slope > 1e-15 * np.maximum(l1, 1.0), value, 0.0)


STORES = {
    "dense": np.ascontiguousarray,
    "fortran": np.asfortranarray,
    "float32": lambda X: np.asfortranarray(X, dtype=np.float32),
    "csc": sparse.csc_matrix,
    "csr32": lambda X: sparse.csr_array(X.astype(np.float32)),
}
