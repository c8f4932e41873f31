"""What the judge is given: arrays of any library, checked before any work."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.verification.problem import dense
from banditcd.verification.reading import Reading
from banditcd.verification.storage import check_arrays


def read(package: str, model: Any, X: Any, y: Any, sample_weight: Any) -> Reading:
    """Return a fitted model with its data; what does not fit together is refused in a sentence."""
    kind = type(model).__name__
    if not hasattr(model, "coef_"):
        raise ValueError(f"This {kind} is not fitted; call fit first.")
    X, y, coef = columns_of(X), np.asarray(y), dense(model.coef_)
    rows, columns = X.shape
    if rows == 0 or columns == 0:
        raise ValueError(f"X has {rows} rows and {columns} columns; it must have some of both.")
    if coef.shape[-1] != columns:
        raise ValueError(
            f"X has {columns} columns and this {kind} was fitted to {coef.shape[-1]}; pass the X "
            "of the fit."
        )
    if y.ndim not in (1, 2):
        raise ValueError(f"y has {y.ndim} dimension(s); it must have 1 or 2.")
    if len(y) != rows:
        raise ValueError(f"X has {rows} rows and y has {len(y)}.")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y has NaN or infinite values; pass the y of the fit.")
    return Reading(package, model, X, y, weights_of(sample_weight, rows), coef)


def columns_of(X: Any) -> Any:
    """Return X as float64, dense or CSR, with duplicates of sparse entries added up."""
    if hasattr(X, "tocsr"):
        check_arrays(X)
        given: Any = X.tocsr(copy=True)
        X = sparse.csr_array(given).astype(np.float64)
        X.sum_duplicates()
        values = X.data
    else:
        try:
            X = values = np.asarray(X, dtype=np.float64)
        except OverflowError as error:
            raise ValueError("X has an integer beyond float64; pass the X of the fit.") from error
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimension(s); it must have 2.")
    if not np.isfinite(values).all():
        raise ValueError("X has NaN or infinite values; pass the X of the fit.")
    return X


def weights_of(sample_weight: Any, rows: int) -> Floats:
    """Return a weight for every sample."""
    if sample_weight is None:
        return np.ones(rows)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.ndim > 1 or (weight.ndim == 1 and len(weight) != rows):
        shape = " x ".join(map(str, weight.shape))
        raise ValueError(f"X has {rows} rows and sample_weight has {shape}.")
    if not np.isfinite(weight).all() or (weight < 0.0).any():
        raise ValueError("sample_weight has NaN, infinite or negative values.")
    if not (weight > 0.0).any():
        raise ValueError("sample_weight is zero for every sample: there is nothing to judge.")
    return np.broadcast_to(weight, (rows,))
