"""Weighted means and spreads of columns, and products, in float64 whatever the storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.solvers.arrays import is_sparse

_BLOCK = 1 << 18  # entries of a dense matrix taken to float64 at a time


def column_means(X: Any, sample_weight: Floats | None) -> Floats:
    """Return the weighted mean of every column."""
    share = _shares(X.shape[0], sample_weight)
    if is_sparse(X):
        return np.asarray(X.T @ share, dtype=np.float64)
    return np.concatenate([share @ block for block in _blocks(X)])


def column_spreads(X: Any, sample_weight: Floats | None, about_mean: bool) -> Floats:
    """Return the root mean square of every column, about its mean or about zero.

    0 for columns without spread (up to rounding).
    """
    share = _shares(X.shape[0], sample_weight)
    means = column_means(X, sample_weight) if about_mean else np.zeros(X.shape[1])
    if is_sparse(X):
        # Stored entries about the mean, and the mean itself for those that are not stored.
        apart = X.tocsc(copy=True).astype(np.float64)
        apart.sum_duplicates()
        off = apart.data - np.repeat(means, np.diff(apart.indptr))
        apart.data = np.ones_like(off)
        stored = np.asarray(apart.T @ share, dtype=np.float64)
        apart.data = off**2
        full = np.diff(apart.indptr) == X.shape[0]
        absent = np.where(full, 0.0, np.maximum(1.0 - stored, 0.0))
        variance = np.asarray(apart.T @ share) + absent * means**2
        raw = variance + means**2
    else:
        width = _width(X)
        parts = [
            share @ (block - means[k * width : k * width + block.shape[1]]) ** 2
            for k, block in enumerate(_blocks(X))
        ]
        variance = np.concatenate(parts)
        raw = variance + means**2
    spread = np.sqrt(variance)
    return np.where(spread <= 1e-12 * np.sqrt(raw), 0.0, spread)


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
    spread = np.max(np.abs(out), axis=0, initial=0.0)
    out[:, spread <= 1e-14 * np.abs(means)] = 0.0
    return out


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
