"""Training data as the solvers want them: checked, column by column, converted at most once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from banditcd import _core

Floats = NDArray[np.float64]
FLOAT_TYPES = [np.float64, np.float32]


@dataclass(frozen=True, slots=True)
class Training:
    """Checked data: X in Fortran order or CSC, y in float64, weights or None."""

    X: Any
    y: Floats
    sample_weight: Floats | None


def check_training(
    estimator: Any, X: Any, y: Any, sample_weight: Any, *, multi_output: bool
) -> Training:
    """Check training data; set ``n_features_in_`` and ``feature_names_in_`` of an estimator.

    Plain float arrays, the usual case, are checked by hand; everything else goes through
    scikit-learn's own validation.
    """
    if _is_plain(X, y):
        if estimator is not None:
            estimator.n_features_in_ = X.shape[1]
            estimator.__dict__.pop("feature_names_in_", None)
        y = y.astype(np.float64, copy=False)
    else:
        X, y = _validate(estimator, X, y, multi_output)
    return Training(as_columns(X), y, check_sample_weight(sample_weight, X.shape[0]))


def trusted_training(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Training:
    """Take data whose values the caller has checked (``check_input=False``)."""
    estimator.n_features_in_ = X.shape[1]
    check_consistent_length(X, y)
    y = np.asarray(y, dtype=np.float64)
    return Training(as_columns(X), y, check_sample_weight(sample_weight, X.shape[0]))


def is_sparse(X: Any) -> bool:
    """Whether X is a SciPy sparse matrix or array."""
    return type(X) is not np.ndarray and bool(sparse.issparse(X))


def as_columns(X: Any) -> Any:
    """Return X in Fortran order or as CSC without duplicate entries; copied only if it must be."""
    if not is_sparse(X):
        return np.asfortranarray(X)
    if X.format != "csc":
        X = X.tocsc()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def check_sample_weight(sample_weight: Any, n_samples: int) -> Floats | None:
    """Check weights: one per sample, none negative, not all zero; a number means no weights."""
    if sample_weight is None or isinstance(sample_weight, Number):
        return None
    weight = check_array(
        sample_weight,
        accept_sparse=False,
        ensure_2d=False,
        dtype=np.float64,
        input_name="sample_weight",
    )
    if weight.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {weight.ndim}D array. Expected "
            f"either a scalar value or a 1D array of length {n_samples}."
        )
    if weight.shape != (n_samples,):
        raise ValueError(
            f"sample_weight.shape == {weight.shape}, expected {(n_samples,)}: one weight per "
            "sample is needed."
        )
    if (weight < 0.0).any():
        raise ValueError("sample_weight has negative values; weights must be at least 0.")
    if weight.max() > np.finfo(np.float64).max / n_samples:
        raise ValueError("sample_weight has a sum that overflows; rescale the weights.")
    if not weight.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return np.asarray(weight, dtype=np.float64)


def _is_plain(X: Any, y: Any) -> bool:
    """Whether X and y are matching, finite, non-empty float arrays."""
    if type(X) is not np.ndarray or type(y) is not np.ndarray or X.ndim != 2 or y.ndim != 1:
        return False
    if X.dtype not in FLOAT_TYPES or y.dtype not in FLOAT_TYPES:
        return False
    if X.shape[0] != y.shape[0] or X.size == 0 or not X.flags.forc:
        return False
    return squares_are_finite(X.ravel(order="K")) and squares_are_finite(y)


def squares_are_finite(values: NDArray[Any]) -> bool:
    """Whether the entries are finite and their squares can be summed, in one pass."""
    if values.dtype == np.float64:
        return math.isfinite(_core.dot(np.ascontiguousarray(values), values))
    with np.errstate(over="ignore", invalid="ignore"):  # no square of a float32 is too large
        return math.isfinite(values.sum(dtype=np.float64))


def _validate(estimator: Any, X: Any, y: Any, multi_output: bool) -> tuple[Any, Floats]:
    options: dict[str, Any] = {
        "accept_sparse": "csc",
        "dtype": FLOAT_TYPES,
        "order": "F",
        "multi_output": multi_output,
        "y_numeric": True,
    }
    if estimator is None:
        X, y = check_X_y(X, y, **options)
    else:
        X, y = validate_data(estimator, X, y, **options)
    if not multi_output:
        y = column_or_1d(y)
    y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    for name, values in (("X", X.data if is_sparse(X) else X), ("y", y)):
        if not squares_are_finite(np.asarray(values).ravel(order="K")):
            raise ValueError(
                f"{name} has values whose squares overflow (the largest is "
                f"{np.abs(values).max():.1g}); rescale the data."
            )
    return X, np.asarray(y, dtype=np.float64)
