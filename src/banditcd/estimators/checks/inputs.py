"""Training data as the solvers want them: checked, column by column, converted at most once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from banditcd import _core
from banditcd._typing import FLOAT32, FLOAT64, Floats
from banditcd.data import check_no_mask
from banditcd.data.storage import check_storage, is_canonical
from banditcd.estimators.checks.numbers import as_numbers
from banditcd.solvers.arrays import (
    COMPRESSED,
    TURNED_ENTRIES,
    in_c_order,
    in_fortran_order,
    is_sparse,
)

FLOAT_TYPES = [np.float64, np.float32]
FLOATS = frozenset((FLOAT32, FLOAT64))  # in the byte order of the machine
SMALL_WEIGHT = 1e-280


@dataclass(slots=True)
class Training:
    """Checked data: X by columns or by rows, y in float64, weights or None."""

    X: Any
    y: Floats
    sample_weight: Floats | None


def check_training(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    multi_output: bool,
    rows: bool = False,
    values: bool = True,
    normalized: bool = True,
) -> Training:
    """Check training data; set ``n_features_in_`` and ``feature_names_in_`` of an estimator.

    X comes back by columns (Fortran order, CSC) or by rows (C order, CSR). Plain float arrays
    and compressed matrices, the usual case, are checked by hand; everything else goes through
    scikit-learn's validation. ``values=False`` leaves the values of plain arrays to a solver whose
    first pass raises OverflowError if a square is not finite: call again to raise the sentence.
    ``normalized`` says that only the ratios of the weights matter.
    """
    canonical = type(X) is not np.ndarray and check_storage(X)
    if is_plain_matrix(X, values, True) and _is_plain_response(y, X.shape[0], values):
        _set_features(estimator, X)
        y = y if y.dtype == FLOAT64 else y.astype(np.float64)
    else:
        X, y = _validate(estimator, X, y, multi_output, rows)
        canonical = False
    if sample_weight is not None:
        sample_weight = check_sample_weight(sample_weight, X.shape[0], normalized)
    X = as_rows(X, canonical) if rows else as_columns(X, canonical)
    return Training(X, y, sample_weight)


def check_samples_and_labels(
    estimator: Any, X: Any, y: Any, sample_weight: Any, *, rows: bool, values: bool = True
) -> tuple[Any, Any, Floats | None]:
    """Check the data of a classifier; X comes back by rows (C order, CSR) or by columns.

    ``values=False`` leaves the values of plain matrices to a solver whose first pass raises
    OverflowError if a square is not finite: call again to raise the sentence.
    """
    canonical = type(X) is not np.ndarray and check_storage(X)
    if is_plain_matrix(X, values, values) and _are_plain_labels(y, X.shape[0]):
        _set_features(estimator, X)
    else:
        check_no_mask(X, "X")
        check_no_mask(y, "y")
        options: dict[str, Any] = {
            "accept_sparse": "csr" if rows else "csc",
            "dtype": FLOAT_TYPES,
            "order": "C" if rows else "F",
        }
        X, y = _converted(estimator, X, y, options)
        _check_squares("X", X.data if is_sparse(X) else X)
        canonical = False
    if sample_weight is not None:
        sample_weight = check_sample_weight(sample_weight, X.shape[0], normalized=False)
    return (as_rows(X, canonical) if rows else as_columns(X, canonical)), y, sample_weight


def trusted_training(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Training:
    """Take data whose values the caller has checked (``check_input=False``)."""
    canonical = check_storage(X)
    _set_features(estimator, X)
    check_consistent_length(X, y)
    y = np.asarray(y, dtype=np.float64)
    return Training(as_columns(X, canonical), y, check_sample_weight(sample_weight, X.shape[0]))


def as_columns(X: Any, canonical: bool = False) -> Any:
    """Return X in Fortran order or as CSC without duplicate entries; copied only if it must be.

    ``canonical`` says that a sparse X is known to have none.
    """
    if type(X) is np.ndarray or not is_sparse(X):
        if X.size < TURNED_ENTRIES or X.flags.f_contiguous:
            return np.asfortranarray(X)
        return in_fortran_order(X)
    if X.format != "csc":
        X = _marked(X.tocsc(), canonical)
    return X if canonical else _without_duplicates(X)


def as_rows(X: Any, canonical: bool = False) -> Any:
    """Return X in C order or as CSR without duplicate entries; copied only if it must be.

    ``canonical`` as in :func:`as_columns`.
    """
    if type(X) is np.ndarray or not is_sparse(X):
        if X.size < TURNED_ENTRIES or X.flags.c_contiguous:
            return np.ascontiguousarray(X)
        return in_c_order(X)
    if X.format != "csr":
        X = _marked(X.tocsr(), canonical)
    return X if canonical else _without_duplicates(X)


def _marked(converted: Any, canonical: bool) -> Any:
    """Return a conversion, which a canonical matrix stays in: nobody need look once more."""
    if canonical:
        converted.has_canonical_format = True
    return converted


def _without_duplicates(X: Any) -> Any:
    """Return a CSR or CSC matrix with ascending indices, each once, whatever its flags say."""
    if is_canonical(X):
        return X
    X = type(X)((X.data, X.indices, X.indptr), shape=X.shape, copy=True)
    X.sum_duplicates()
    return X


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows in the storage of X."""
    if is_sparse(X):
        return X[rows].asformat(X.format)
    return X[rows] if X.flags.c_contiguous else np.take(X.T, rows, axis=1).T


def check_sample_weight(
    sample_weight: Any, n_samples: int, normalized: bool = True
) -> Floats | None:
    """Check weights: one per sample, none negative, not all zero.

    One number is the weight of every sample, which means nothing if weights are normalized.
    """
    if sample_weight is None or (normalized and isinstance(sample_weight, Number)):
        return None
    if isinstance(sample_weight, Number):
        sample_weight = np.full(n_samples, sample_weight)
    check_no_mask(sample_weight, "sample_weight")
    with as_numbers(sample_weight=sample_weight):
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
    if normalized and weight.max() < SMALL_WEIGHT:  # n over the sum would overflow
        weight = np.ldexp(weight, 600)
    return np.asarray(weight, dtype=np.float64)


def _set_features(estimator: Any, X: Any) -> None:
    """Note the number of features of a matrix without names; forget those of an earlier fit."""
    if estimator is not None:
        estimator.n_features_in_ = X.shape[1]
        estimator.__dict__.pop("feature_names_in_", None)


def _is_plain_response(y: Any, n_samples: int, values: bool) -> bool:
    """Whether y is an array of as many floats, finite if ``values`` are looked at."""
    if type(y) is not np.ndarray or y.shape != (n_samples,) or y.dtype not in FLOATS:
        return False
    return not values or squares_are_finite(y)


def is_plain_matrix(X: Any, values: bool, stored: bool) -> bool:
    """Whether X is a non-empty float array, or compressed rows or columns of them.

    Finite, too, if ``values`` are looked at, or those ``stored`` in a compressed matrix.
    """
    if type(X) is np.ndarray:
        if X.ndim != 2 or X.dtype not in FLOATS or X.size == 0 or not X.flags.forc:
            return False
        return not values or squares_are_finite(X.ravel(order="K"))
    if type(X) not in COMPRESSED:
        return False
    if X.dtype not in FLOATS or X.ndim != 2 or not (X.shape[0] and X.shape[1]):
        return False
    finite = not stored or squares_are_finite(X.data[: X.nnz])
    return X.indices.dtype == np.int32 and finite


def _are_plain_labels(y: Any, n_samples: int) -> bool:
    """Whether y is a one-dimensional array of as many strings or finite numbers."""
    if type(y) is not np.ndarray or y.shape != (n_samples,):
        return False
    return y.dtype.kind in "biuU" or (y.dtype in FLOATS and squares_are_finite(y))


def squares_are_finite(values: NDArray[Any]) -> bool:
    """Whether the entries are finite and their squares can be summed, in one pass."""
    if values.dtype == FLOAT64:
        return math.isfinite(_core.dot(np.ascontiguousarray(values), values))
    with np.errstate(over="ignore", invalid="ignore"):  # no square of a float32 is too large
        if math.isfinite(np.dot(values, values)):  # ten times as fast
            return True
        return math.isfinite(values.sum(dtype=np.float64))


def _validate(estimator: Any, X: Any, y: Any, multi_output: bool, rows: bool) -> tuple[Any, Floats]:
    check_no_mask(X, "X")
    check_no_mask(y, "y")
    options: dict[str, Any] = {
        "accept_sparse": "csr" if rows else "csc",
        "dtype": FLOAT_TYPES,
        "order": "C" if rows else "F",
        "multi_output": multi_output,
        "y_numeric": True,
    }
    X, y = _converted(estimator, X, y, options)
    if not multi_output:
        y = column_or_1d(y)
    with as_numbers(y=y):
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    _check_squares("X", X.data if is_sparse(X) else X)
    _check_squares("y", y)
    return X, np.asarray(y, dtype=np.float64)


def _converted(estimator: Any, X: Any, y: Any, options: dict[str, Any]) -> tuple[Any, Any]:
    labels = "y_numeric" not in options  # these may be anything
    with as_numbers(X=X) if labels else as_numbers(X=X, y=y):
        if estimator is None:
            X, y = check_X_y(X, y, **options)
        else:
            X, y = validate_data(estimator, X, y, **options)
    return X, y


def _check_squares(name: str, values: Any) -> None:
    if not squares_are_finite(np.asarray(values).ravel(order="K")):
        raise ValueError(
            f"{name} has values whose squares overflow (the largest is "
            f"{np.abs(values).max():.1g}); rescale the data."
        )
