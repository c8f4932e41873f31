"""Sparse matrices whose arrays fit each other: looked at before anybody reads them.

SciPy's converters, splits and products follow ``indptr`` and ``indices`` wherever they lead, and
believe the flags of canonical form; a matrix that was changed by hand may lie about both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from banditcd import _core


def check_storage(X: Any, name: str = "X") -> bool:
    """Refuse a sparse matrix with arrays too short for each other, or entries outside its shape.

    Returns whether it is compressed and canonical, as :func:`is_canonical` finds.
    """
    if type(X) is np.ndarray or not bool(sparse.issparse(X)) or X.ndim != 2:
        return False
    if X.format in ("csr", "csc"):
        return is_canonical(X, name)
    if X.format == "coo":
        _check_places(X, name)
    elif X.format in ("bsr", "dia"):
        _check_blocks(X, name)
    return False


def is_canonical(X: Any, name: str = "X") -> bool:
    """Whether the indices of a CSR or CSC matrix ascend, without a duplicate, in one pass.

    The flags of the matrix are not asked. Raises ValueError if its arrays do not fit.
    """
    wide = X.indices.dtype == np.int64
    indices: Any = np.ascontiguousarray(X.indices, dtype=np.int64 if wide else np.int32)
    indptr = np.ascontiguousarray(X.indptr, dtype=np.int64)
    major, minor = X.shape if X.format == "csr" else X.shape[::-1]
    try:
        if len(indptr) != major + 1:
            raise ValueError(f"indptr has {len(indptr)} entries and must have {major + 1}")
        return _core.check_compressed(indptr, indices, len(X.data), minor)
    except ValueError as problem:
        raise ValueError(_sentence(name, X, str(problem))) from None


def _check_places(X: Any, name: str) -> None:
    row, col = X.row, X.col  # SciPy has X.coords from 1.13 on
    if not len(row) == len(col) == len(X.data):
        raise ValueError(_sentence(name, X, "row, col and data differ in length"))
    for places, size in ((row, X.shape[0]), (col, X.shape[1])):
        if len(places) and not 0 <= places.min() <= places.max() < size:
            raise ValueError(_sentence(name, X, f"an index is not from 0 to {size - 1}"))


def _check_blocks(X: Any, name: str) -> None:
    if X.format == "dia":
        if X.data.ndim != 2 or len(X.offsets) != len(X.data):
            raise ValueError(_sentence(name, X, "offsets and data differ in length"))
        return
    height, width = X.blocksize
    indptr = np.ascontiguousarray(X.indptr, dtype=np.int64)
    indices = np.ascontiguousarray(X.indices, dtype=np.int64)
    try:
        if len(indptr) != X.shape[0] // height + 1:
            raise ValueError("indptr does not have one entry per row of blocks and one more")
        _core.check_compressed(indptr, indices, len(X.data), X.shape[1] // width)
    except ValueError as problem:
        raise ValueError(_sentence(name, X, str(problem))) from None


def _sentence(name: str, X: Any, problem: str) -> str:
    return (
        f"{name} is a {X.format.upper()} matrix of shape {X.shape} whose arrays do not fit each "
        f"other: {problem}. Build it again from its entries."
    )
