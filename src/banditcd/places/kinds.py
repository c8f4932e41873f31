"""The kind of place an array asks for, found without importing its library."""

from __future__ import annotations

import math
import os
from contextlib import nullcontext
from typing import Any

import numpy as np

from banditcd._typing import Floats

#: Share of the machine's memory beyond which a mapped file is read in blocks instead of loaded.
MEMORY_SHARE = 0.25


def kind_of(X: Any) -> str | None:
    """Return the kind of place an array asks for, or None for arrays that are solved in memory.

    "dask", "cupy", "torch", "file" (a mapped matrix) or "sparse file" (a CSR matrix of mapped
    arrays, as the cache of parsed files holds them).
    """
    module = type(X).__module__.partition(".")[0]
    if module in ("dask", "dask_expr"):
        return "dask"
    if module in ("cupy", "cupyx"):
        return "cupy"
    if module == "torch" and bool(getattr(X, "is_cuda", False)):
        return "torch"
    if isinstance(X, np.memmap) and X.ndim == 2 and X.nbytes > MEMORY_SHARE * _memory():
        return "file"
    if module == "scipy" and getattr(X, "format", "") == "csr" and _is_mapped(X.data):
        return "sparse file" if X.data.nbytes > MEMORY_SHARE * _memory() else None
    return None


def type_name(X: Any) -> str:
    """Return the name of a type with its home, for a sentence that refuses it."""
    kind = type(X)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _is_mapped(values: Any) -> bool:
    """Whether an array is a view of a mapped file."""
    while isinstance(values, np.ndarray):
        if isinstance(values, np.memmap):
            return True
        values = values.base
    return False


def _memory() -> float:
    """Return the bytes of memory of this machine; without a way to ask, no file is too large."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        return math.inf


def matrix_of(X: Any) -> Any:
    """Return X as its place takes it: data frames as arrays, tensors as arrays of CuPy."""
    kind = kind_of(X)
    if kind == "torch":
        return _cupy().from_dlpack(X.detach())
    if kind == "dask" and not hasattr(X, "chunks"):
        return frame_array(X)
    return X


def check_matrix(X: Any) -> None:
    """Refuse an X without rows and columns."""
    found = getattr(X, "ndim", None)
    if not isinstance(found, int):
        raise TypeError(f"X is of type {type_name(X)}; an array or a data frame is needed.")
    if found != 2:
        raise ValueError(f"X has {found} dimension(s); two are needed.")


def frame_array(X: Any) -> Any:
    """Return a data frame or series as an array with the same partitions.

    Optimized, a frame that comes from files may have fewer partitions than it says.
    """
    return X.to_dask_array(optimize=False) if hasattr(X, "expr") else X.to_dask_array()


def vector_of(values: Any, name: str) -> Any:
    """Return responses or weights, one number per row, where they live; lists become arrays."""
    if values is None and name == "y":
        raise ValueError("y is None; a fit needs one response per row.")
    if values is None or (name == "sample_weight" and np.ndim(values) == 0):
        return values
    found = values if hasattr(values, "ndim") and _elsewhere(values) else np.asarray(values)
    if found.ndim != 1:
        raise ValueError(
            f"{name} has {found.ndim} dimension(s); data that live elsewhere are fitted to one "
            "response at a time, with one value per row."
        )
    return found


def _elsewhere(values: Any) -> bool:
    module = type(values).__module__.partition(".")[0]
    return module in ("dask", "dask_expr", "cupy", "torch")


def of_cupy(values: Any) -> Any:
    """Return a tensor of torch as an array of CuPy (of NumPy, if it is on the host)."""
    if type(values).__module__.partition(".")[0] != "torch":
        return values
    return _cupy().from_dlpack(values.detach()) if values.is_cuda else values.detach().numpy()


def classes_of(y: Any) -> Any:
    """Return the classes of labels, on the host."""
    if hasattr(y, "to_delayed"):
        from banditcd.places.workers import compute, load_dask

        dask = load_dask()
        parts = [dask.delayed(_unique)(part) for part in y.to_delayed()]
        return np.unique(compute(dask.delayed(np.concatenate)(parts)))
    if type(y).__module__.partition(".")[0] == "torch":
        return np.unique(y.detach().cpu().numpy())
    if type(y).__module__.partition(".")[0] == "cupy":
        return _classes_on_card(y)
    return np.unique(np.asarray(y))


def _classes_on_card(y: Any) -> Any:
    """Return the classes of an array of CuPy; if there are two, its labels stay there."""
    if y.size and y.dtype.kind in "iuf":
        ends = y.min(), y.max()
        if bool(((y == ends[0]) | (y == ends[1])).all()):
            return np.unique([_cupy().asnumpy(end) for end in ends]).astype(y.dtype)
    return np.unique(_cupy().asnumpy(y))


def _unique(part: Any) -> Any:
    return np.unique(np.asarray(part))


def signs_of(y: Any, positive: Any) -> Any:
    """Return +1.0 where labels are ``positive`` and -1.0 elsewhere, where the labels live."""
    if hasattr(y, "to_delayed"):
        if not hasattr(y, "chunks"):  # a series
            return 2.0 * (y == positive).astype(np.float64) - 1.0
        return y.map_blocks(_signs, positive, dtype=np.float64)
    y = of_cupy(y)
    return 2.0 * (y == positive) - 1.0


def _signs(y: Any, positive: Any) -> Floats:
    out: Floats = 2.0 * (np.asarray(y) == positive) - 1.0
    return out


def codes_of(y: Any, classes: Any) -> Any:
    """Return the number of every label's class as a float, where the labels live."""
    if hasattr(y, "to_delayed"):
        if not hasattr(y, "chunks"):  # a series
            y = frame_array(y)
        return y.map_blocks(_codes, classes, dtype=np.float64)
    y = of_cupy(y)
    if type(y).__module__.partition(".")[0] == "cupy":
        return _cupy().asarray(_codes(_cupy().asnumpy(y), classes))
    return _codes(y, classes)


def _codes(y: Any, classes: Any) -> Floats:
    return np.searchsorted(classes, np.asarray(y)).astype(np.float64)


def names_of(X: Any) -> list[Any] | None:
    """Return the names of the columns of a data frame, None for an array."""
    return list(X.columns) if hasattr(X, "columns") else None


def check_like_fit(estimator: Any, X: Any) -> None:
    """Refuse samples with other columns than those of the fit."""
    check_matrix(X)
    names, known = names_of(X), getattr(estimator, "feature_names_in_", None)
    count = int(X.shape[1]) if names is None else len(names)
    if count != estimator.n_features_in_:
        raise ValueError(
            f"X has {count} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input."
        )
    if names is not None and known is not None and names != list(known):
        raise ValueError("The columns of X have other names, or another order, than in the fit.")


def in_kind_of(X: Any, values: Floats) -> Any:
    """Return numbers in the library, on the device and in the float type of an X on a GPU."""
    kind = kind_of(X)
    if kind not in ("cupy", "torch"):
        return values
    if kind == "torch":
        import torch

        return torch.as_tensor(
            values, dtype=X.dtype if X.dtype.is_floating_point else None, device=X.device
        )
    device = X.data.device if hasattr(X, "indptr") else X.device
    with device if hasattr(device, "__enter__") else nullcontext():
        known = X.dtype in (np.float32, np.float64)
        return _cupy().asarray(values, dtype=X.dtype if known else np.float64)


def predictions(X: Any, coef: Any, intercept: Any) -> Any:
    """Return X @ coef + intercept in the kind of X; lazily for Dask."""
    kind = kind_of(X)
    coef, intercept = on_host(coef), on_host(intercept)
    X = matrix_of(X)
    if kind == "dask":
        from banditcd.places.cluster import predicted

        return predicted(X, coef, intercept)
    if kind in ("cupy", "torch"):
        cupy = _cupy()
        dtype = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        X = X.astype(dtype, copy=False)
        out = X @ cupy.asarray(coef.T, dtype=dtype) + cupy.asarray(intercept, dtype=dtype)
        return _in_kind(out, kind)
    if kind == "file":
        from banditcd.places.disk import file_products

        found = file_products(X, np.atleast_2d(coef)) + intercept
        return found[:, 0] if coef.ndim == 1 else found
    return X @ coef.T + intercept


def by_rows(values: Any, function: Any, columns: int = 0) -> Any:
    """Return a NumPy function of rows in the kind of its argument; lazily for Dask.

    ``columns`` is the number of columns of the result, 0 for none. On a GPU the rows make a round
    trip to the host.
    """
    if kind_of(values) == "dask":
        wide = {"new_axis": 1, "chunks": (values.chunks[0], (columns,))} if columns else {}
        if columns and values.ndim == 2:
            wide = {"chunks": (values.chunks[0], (columns,))}
        meta = np.empty((0,) * (2 if columns else 1))
        return values.map_blocks(function, dtype=np.float64, meta=meta, **wide)
    return _in_kind(function(_cupy().asnumpy(matrix_of(values))), kind_of(values))


def _in_kind(values: Any, kind: str | None) -> Any:
    """Return an array of CuPy or NumPy as one of CuPy or a tensor; words stay on the host."""
    if values.dtype.kind not in "fiub":
        return values
    placed = _cupy().asarray(values)
    if kind != "torch":
        return placed
    import torch

    return torch.from_dlpack(placed)


def labels_of(scores: Any, classes: Any) -> Any:
    """Return the class of the largest decision value of each row, in the kind of the scores."""
    if kind_of(scores) == "dask":
        narrow = {"drop_axis": 1} if scores.ndim == 2 else {}
        return scores.map_blocks(_labels, classes, dtype=classes.dtype, **narrow)
    return _in_kind(_labels(_cupy().asnumpy(matrix_of(scores)), classes), kind_of(scores))


def _labels(scores: Any, classes: Any) -> Any:
    best = (scores > 0.0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    return classes[best]


def on_host(values: Any) -> Any:
    """Return an array of any kind as one of NumPy."""
    if values is None or isinstance(values, np.ndarray):
        return values
    if hasattr(values, "to_delayed"):
        return np.asarray(values.compute())
    if type(values).__module__.partition(".")[0] == "torch":
        return values.detach().cpu().numpy()
    if hasattr(values, "__cuda_array_interface__"):
        return _cupy().asnumpy(values)
    return np.asarray(values)


def _cupy() -> Any:
    try:
        import cupy
    except ImportError as error:
        raise ImportError(
            "Arrays on a GPU need CuPy: pip install 'banditcd[cuda12]' (or banditcd[cuda13])"
        ) from error
    return cupy
