"""Weighted means and spreads of columns, and products, in float64 whatever the storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.runs import runs
from banditcd.solvers.arrays import is_sparse

_BLOCK = 1 << 18  # entries of a dense matrix taken to float64 at a time


def column_means(X: Any, sample_weight: Floats | None) -> Floats:
    """Return the weighted mean of every column."""
    share = _shares(X.shape[0], sample_weight)
    if not is_sparse(X):
        return np.concatenate([share @ block for block in _blocks(X)])
    means: Floats = np.zeros(X.shape[1])
    for part in compressed_blocks(X):
        means[part.columns] += part.block.T @ share[part.rows]
    return means


def column_spreads(X: Any, sample_weight: Floats | None, about_mean: bool) -> Floats:
    """Return the root mean square of every column, about its mean or about zero.

    0 for columns without spread (up to rounding).
    """
    share = _shares(X.shape[0], sample_weight)
    means = column_means(X, sample_weight) if about_mean else np.zeros(X.shape[1])
    if is_sparse(X):
        variance = _sparse_variances(X, share, means)
    else:
        width = _width(X)
        parts = [
            share @ (block - means[k * width : k * width + block.shape[1]]) ** 2
            for k, block in enumerate(_blocks(X))
        ]
        variance = np.concatenate(parts)
    spread = np.sqrt(variance)
    return np.where(spread <= 1e-12 * np.sqrt(variance + means**2), 0.0, spread)


def _sparse_variances(X: Any, share: Floats, means: Floats) -> Floats:
    """Stored entries about the mean, and the mean itself for those that are not stored."""
    variance, stored = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    count = np.zeros(X.shape[1], dtype=np.int64)
    for part in compressed_blocks(X):
        block, weight = part.block, share[part.rows]
        places = block.tocoo().col if block.format == "csc" else block.indices
        off = block.data - means[part.columns][places]
        count[part.columns] += np.bincount(places, minlength=block.shape[1])
        block.data = np.ones_like(off)
        stored[part.columns] += block.T @ weight
        block.data = off**2
        variance[part.columns] += block.T @ weight
    absent = np.where(count == X.shape[0], 0.0, np.maximum(1.0 - stored, 0.0))
    return variance + absent * means**2


def exact_product(X: Any, coefs: Floats) -> Floats:
    """Return X times coefficients of shape (n_features, n_models), summed up in float64.

    Only the columns that some model uses are read, and taken to float64 a block at a time.
    """
    used = np.flatnonzero(coefs.any(axis=1))
    total: Floats = np.zeros((X.shape[0], coefs.shape[1]))
    width = _width(X)
    for start in range(0, len(used), width):
        some = used[start : start + width]
        block = X[:, some].astype(np.float64)
        total += np.asarray(block @ coefs[some])
    return total


def centered(X: NDArray[Any], means: Floats) -> Floats:
    """Return X minus its column means in float64 and Fortran order; constant columns become 0."""
    out: Floats = np.empty(X.shape, order="F")
    np.subtract(X, means, out=out)
    spread = np.maximum(out.max(axis=0, initial=0.0), -out.min(axis=0, initial=0.0))
    out[:, spread <= 1e-14 * np.abs(means)] = 0.0
    return out


class Part(NamedTuple):
    """Some rows or columns of a sparse matrix in float64, and which they are."""

    block: Any
    rows: slice
    columns: slice


def compressed_blocks(X: Any) -> Iterator[Part]:
    """Copies of a sparse matrix, some rows of CSR or columns of another at a time.

    Each is canonical; they are small beside X, but have as many entries as a row is long.
    """
    X = X if X.format in ("csr", "csc") else X.tocsc()
    by_rows = X.format == "csr"
    make, starts = sparse.csr_array if by_rows else sparse.csc_array, X.indptr
    across = X.shape[1] if by_rows else X.shape[0]
    for first, last in runs(starts, across if by_rows else 0):
        entries = slice(int(starts[first]), int(starts[last]))
        arrays = X.data[entries].astype(np.float64), X.indices[entries].copy()
        shape = (last - first, across) if by_rows else (across, last - first)
        block = make((*arrays, starts[first : last + 1] - starts[first]), shape=shape)
        block.sum_duplicates()
        some, every = slice(first, last), slice(0, across)
        yield Part(block, *((some, every) if by_rows else (every, some)))


def _shares(n: int, sample_weight: Floats | None) -> Floats:
    if sample_weight is None:
        return np.full(n, 1.0 / n)
    return np.asarray(sample_weight / sample_weight.sum())


def _width(X: NDArray[Any]) -> int:
    rows: int = X.shape[0]
    return max(1, _BLOCK // max(rows, 1))


def _blocks(X: NDArray[Any]) -> Iterator[Floats]:
    width = _width(X)
    for start in range(0, X.shape[1], width):
        yield np.asarray(X[:, start : start + width], dtype=np.float64)
