"""Input checks: a clear sentence before any work is done."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.storage import check_storage, is_canonical


def check_matrix(X: Any, name: str = "X", order: Literal["C", "F", "K"] = "K") -> Any:
    """Check a data matrix; return it as an ndarray or a CSC/CSR scipy matrix, copied at most once.

    float64 and float32 are kept as they are; other numbers become float64 in the given order, so
    that this is the only copy.

    Parameters
    ----------
    X : array-like or sparse matrix
        The matrix.
    name : str
        What errors call it.
    order : {"C", "F", "K"}
        Order of a copy, if one is made.
    """
    if sparse.issparse(X):
        return _check_sparse(X, name)
    check_no_mask(X, name)
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"{name} is not a rectangular table of numbers: {error}") from error
    if array.ndim != 2:
        raise ValueError(
            f"{name} has {array.ndim} dimension(s); it needs 2 (samples by features). "
            f"Use {name}.reshape(-1, 1) for a single feature."
        )
    _check_size(array.shape, name)
    array = _as_float(array, name, order)
    _check_finite(array, name)
    return array


def _check_sparse(X: Any, name: str) -> Any:
    if X.ndim != 2:
        raise ValueError(f"{name} has {X.ndim} dimension(s); it needs 2 (samples by features).")
    _check_size(X.shape, name)
    canonical = check_storage(X, name)
    if X.format not in ("csc", "csr"):
        X = X.tocsc()
        canonical = is_canonical(X, name)
    if X.shape[0] > np.iinfo(np.int32).max or X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"{name} has {X.shape} rows and columns; at most 2**31 - 1 of each fit.")
    X = X if canonical else _in_order(X)
    data = _as_float(X.data, name)
    _check_finite(data, name)
    if data is not X.data:
        X = type(X)((data, X.indices, X.indptr), shape=X.shape)
    return X


def _in_order(X: Any) -> Any:
    """Return a copy of X with sorted indices and without duplicates.

    The flags of a matrix are not believed: a careless producer may have set them.
    """
    X = X.copy()
    X.has_sorted_indices = X.has_canonical_format = False
    X.sum_duplicates()
    return X


def check_vector(y: Any, length: int, name: str = "y", of: str = "samples") -> Floats:
    """Check a vector of ``length`` finite numbers; return it as float64.

    Parameters
    ----------
    y : array-like
        The vector.
    length : int
        Its length.
    name, of : str
        What errors call it and its entries.
    """
    array = _as_float(_one_dimension(y, length, name, of), name).astype(np.float64, copy=False)
    _check_finite(array, name)
    return array


def _one_dimension(y: Any, length: int, name: str = "y", of: str = "samples") -> npt.NDArray[Any]:
    check_no_mask(y, name)
    array = np.asarray(y)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; it needs one dimension.")
    if len(array) != length:
        raise ValueError(f"{name} has {len(array)} values but X has {length} {of}.")
    return array


def check_labels(y: Any, length: int) -> Floats:
    """Check two-class labels; return -1 for the smaller label and +1 for the larger.

    Parameters
    ----------
    y : array-like
        The labels.
    length : int
        How many there must be.
    """
    array = _one_dimension(y, length)
    if array.dtype.kind == "f":
        _check_finite(array, "y")
    classes = distinct_labels(array)
    if len(classes) != 2:
        raise ValueError(
            f"y has {len(classes)} class(es); this cost needs exactly two. "
            "Choose two classes, or one against the rest."
        )
    return np.where(array == classes[1], 1.0, -1.0)


def distinct_labels(y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the different labels in order; a sentence where NumPy's error says little."""
    try:
        return np.unique(y)
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in y.ravel()})
        raise ValueError(
            f"y has labels that cannot be put in order (of type {', '.join(kinds)}); use labels "
            "of one type, for example y.astype(str)."
        ) from error


def check_no_mask(values: Any, name: str) -> None:
    """Refuse masked entries, which NumPy would silently replace by what lies under the mask.

    Parameters
    ----------
    values : array-like
        What may be a masked array.
    name : str
        What the error calls it.
    """
    if isinstance(values, np.ma.MaskedArray) and np.any(np.ma.getmaskarray(values)):
        raise ValueError(
            f"{name} has {int(np.ma.getmaskarray(values).sum())} masked value(s); fill them "
            f"({name}.filled(...)) or remove them first."
        )


def check_number(
    value: Any, name: str, *, minimum: float, maximum: float = np.inf, strict: bool = False
) -> float:
    """Check ``minimum <= value <= maximum`` (``<`` on the left if strict) for a finite number.

    Parameters
    ----------
    value : object
        The number.
    name : str
        What the error calls it.
    minimum, maximum : float
        The limits.
    strict : bool
        Whether the lower one is excluded.
    """
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a number, not {value!r}.") from error
    low_ok = number > minimum if strict else number >= minimum
    if not (np.isfinite(number) and low_ok and number <= maximum):
        left = "greater than" if strict else "at least"
        right = " and finite" if maximum == np.inf else f" and at most {maximum:g}"
        raise ValueError(f"{name} is {value!r}; it must be {left} {minimum:g}{right}.")
    return number


def unknown_name(kind: str, name: object, known: Iterable[str]) -> ValueError:
    """Return the error for a name that is not in a registry: the known ones, the nearest first.

    Parameters
    ----------
    kind : str
        What it should have named.
    name : object
        The name.
    known : iterable of str
        The names there are.
    """
    names = sorted(known)
    near = get_close_matches(str(name), names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return ValueError(f"Unknown {kind} {name!r}.{hint} Known: {', '.join(names)}.")


def _check_size(shape: tuple[int, ...], name: str) -> None:
    if shape[0] == 0:
        raise ValueError(f"{name} has no rows (shape {shape}); at least one sample is needed.")
    if shape[1] == 0:
        raise ValueError(f"{name} has no columns (shape {shape}); at least one feature is needed.")


def _as_float(
    array: npt.NDArray[Any], name: str, order: Literal["C", "F", "K"] = "K"
) -> npt.NDArray[Any]:
    if array.dtype in (np.float64, np.float32):
        return array
    if array.dtype.kind == "c":
        raise ValueError(f"{name} is complex; only real numbers are supported.")
    if array.dtype.kind not in "buif" and array.dtype != object:
        raise ValueError(f"{name} holds {array.dtype} values; it must hold numbers.")
    try:
        return array.astype(np.float64, order=order)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from error


def _check_finite(array: npt.NDArray[Any], name: str) -> None:
    # The sum is finite whenever every entry is (but for overflow): one cheap pass, no temporary.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum(dtype=np.float64)):
            return
    bad = ~np.isfinite(array)
    if bad.any():
        raise ValueError(
            f"{name} has {int(bad.sum())} NaN or infinite value(s); remove or impute them first."
        )
