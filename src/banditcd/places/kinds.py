"""The kind of place an array asks for, found without importing its library."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places.place import Place

#: Share of the machine's memory beyond which a mapped file is read in blocks instead of loaded.
MEMORY_SHARE = 0.25


def kind_of(X: Any) -> str | None:
    """Return "dask", "cupy", "torch" or "file", or None for arrays that are solved in memory."""
    module = type(X).__module__.partition(".")[0]
    if module in ("dask", "dask_expr"):
        return "dask"
    if module in ("cupy", "cupyx"):
        return "cupy"
    if module == "torch" and bool(getattr(X, "is_cuda", False)):
        return "torch"
    if isinstance(X, np.memmap) and X.ndim == 2 and X.nbytes > MEMORY_SHARE * _memory():
        return "file"
    return None


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
        return X.to_dask_array(lengths=True)
    return X


def place_of(X: Any, y: Any, weight: Any = None) -> Place:
    """Return the place of a matrix with its responses and row weights."""
    kind = kind_of(X)
    X = matrix_of(X)
    if kind == "dask":
        from banditcd.places.cluster import DaskPlace

        return DaskPlace(X, y, weight)
    if kind in ("cupy", "torch"):
        from banditcd.places.card import CardPlace

        check_device(X, y, weight)
        return CardPlace(X, y, weight)
    if kind == "file":
        from banditcd.places.disk import FilePlace

        return FilePlace(X, y, weight)
    from banditcd.places.blocks import ArrayPlace

    return ArrayPlace(X, y, weight)


def check_device(X: Any, *others: Any) -> None:
    """Refuse arrays that live on another card than X."""
    home = X.data.device if hasattr(X, "indptr") else X.device
    for other in others:
        device = getattr(other, "device", None)
        if device is not None and hasattr(other, "__cuda_array_interface__") and device != home:
            raise ValueError(
                f"X is on {home} and y or sample_weight on {device}; move them to one device."
            )


def classes_of(y: Any) -> Any:
    """Return the classes of labels, on the host."""
    if hasattr(y, "to_delayed"):
        import dask

        blocks = y.to_dask_array() if not hasattr(y, "chunks") else y
        parts = dask.compute(*[dask.delayed(np.unique)(part) for part in blocks.to_delayed()])
        return np.unique(np.concatenate([np.asarray(part) for part in parts]))
    if type(y).__module__.partition(".")[0] == "torch":
        return np.unique(y.detach().cpu().numpy())
    if hasattr(y, "__cuda_array_interface__"):
        return np.unique(_cupy().asnumpy(y))
    return np.unique(np.asarray(y))


def signs_of(y: Any, positive: Any) -> Any:
    """Return +1.0 where labels are ``positive`` and -1.0 elsewhere, where the labels live."""
    if hasattr(y, "to_delayed"):
        blocks = y.to_dask_array(lengths=True) if not hasattr(y, "chunks") else y
        return blocks.map_blocks(_signs, positive, dtype=np.float64)
    if type(y).__module__.partition(".")[0] == "torch":
        y = _cupy().from_dlpack(y.detach()) if y.is_cuda else y.numpy()
    return 2.0 * (y == positive) - 1.0


def _signs(y: Any, positive: Any) -> Floats:
    out: Floats = 2.0 * (np.asarray(y) == positive) - 1.0
    return out


def predictions(X: Any, coef: Floats, intercept: Any) -> Any:
    """Return X @ coef + intercept in the kind of X; lazily for Dask."""
    kind = kind_of(X)
    X = matrix_of(X)
    if kind == "dask":
        from banditcd.places.cluster import predicted

        return predicted(X, coef, intercept)
    if kind in ("cupy", "torch"):
        cupy = _cupy()
        out = X @ cupy.asarray(coef.T, dtype=X.dtype) + cupy.asarray(intercept, dtype=X.dtype)
        if kind == "cupy":
            return out
        import torch

        return torch.from_dlpack(out)
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
    return _cupy().asarray(function(_cupy().asnumpy(matrix_of(values))))


def labels_of(scores: Any, classes: Any) -> Any:
    """Return the class of the largest decision value of each row, in the kind of the scores."""
    if kind_of(scores) == "dask":
        narrow = {"drop_axis": 1} if scores.ndim == 2 else {}
        return scores.map_blocks(_labels, classes, dtype=classes.dtype, **narrow)
    return _cupy().asarray(_labels(_cupy().asnumpy(matrix_of(scores)), classes))


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
