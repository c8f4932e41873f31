"""Sparse matrices whose arrays fit each other: SciPy reads and writes behind the ends of others."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_arrays(X: Any) -> None:
    """Refuse a sparse matrix with arrays too short for each other, or entries outside its shape."""
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimension(s); it must have 2.")
    if X.format in ("csr", "csc", "bsr"):
        problem = _compressed(X)
    elif X.format == "coo":
        problem = _places(X)
    elif X.format == "dia":
        fits = X.data.ndim == 2 and len(X.offsets) == len(X.data)
        problem = "" if fits else "offsets and data differ in length"
    else:
        problem = ""
    if problem:
        raise ValueError(
            f"X is a {X.format.upper()} matrix of shape {X.shape} whose arrays do not fit each "
            f"other: {problem}. Pass the X of the fit."
        )


def _compressed(X: Any) -> str:
    height, width = X.blocksize if X.format == "bsr" else (1, 1)
    lines, across = X.shape[0] // height, X.shape[1] // width
    if X.format == "csc":
        lines, across = across, lines
    starts = np.asarray(X.indptr)
    if len(starts) != lines + 1:
        return f"indptr has {len(starts)} entries and must have {lines + 1}"
    if starts[0] != 0 or (starts[1:] < starts[:-1]).any():
        return "indptr must start at 0 and not decrease"
    if starts[-1] > min(len(X.indices), len(X.data)):
        return "data and indices are shorter than indptr says"
    return _outside(X.indices[: starts[-1]], across)


def _places(X: Any) -> str:
    if not len(X.row) == len(X.col) == len(X.data):
        return "row, col and data differ in length"
    return _outside(X.row, X.shape[0]) or _outside(X.col, X.shape[1])


def _outside(places: Any, size: int) -> str:
    inside = len(places) == 0 or 0 <= places.min() <= places.max() < size
    return "" if inside else f"an index is not from 0 to {size - 1}"
