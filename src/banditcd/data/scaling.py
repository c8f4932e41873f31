"""Steps that rescale the matrix of a data set. A sparse matrix stays sparse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.dataset import Dataset
from banditcd.data.libsvm import as_csr


def unit_columns(dataset: Dataset) -> Dataset:
    """Divide every column by its Euclidean norm; empty columns stay empty."""
    return _scale_columns(dataset, np.sqrt(_column_sums(dataset.X, 2)))


def unit_rows(dataset: Dataset) -> Dataset:
    """Divide every row by its Euclidean norm; empty rows stay empty."""
    X = dataset.X
    if isinstance(X, np.ndarray):
        norms = np.sqrt(np.einsum("ij,ij->i", X, X))
        return replace(dataset, X=X / _or_one(norms)[:, None])
    lengths = np.diff(X.indptr)
    rows = np.repeat(np.arange(X.shape[0]), lengths)
    norms = np.sqrt(np.bincount(rows, weights=X.data**2, minlength=X.shape[0]))
    return replace(dataset, X=_with_values(X, X.data / _or_one(norms)[rows]))


def unit_variance(dataset: Dataset) -> Dataset:
    """Divide every column by its standard deviation (of all rows); constant columns stay."""
    X = dataset.X
    if isinstance(X, np.ndarray):
        return _scale_columns(dataset, X.std(axis=0))
    mean = _column_sums(X, 1) / X.shape[0]
    filled = np.bincount(X.indices, minlength=X.shape[1])
    deviations = (X.data - mean[X.indices]) ** 2
    squares = np.bincount(X.indices, weights=deviations, minlength=X.shape[1])
    squares += (X.shape[0] - filled) * mean**2
    return _scale_columns(dataset, np.sqrt(squares / X.shape[0]))


def standardize(dataset: Dataset) -> Dataset:
    """Give every column mean 0 and variance 1 (constant columns become 0); dense matrices only."""
    X = dataset.X
    if not isinstance(X, np.ndarray):
        raise ValueError(
            f"'standardize' would fill the sparse matrix of {dataset.name}; "
            "use 'unit_variance', which scales without centering."
        )
    centered = X - X.mean(axis=0)
    spread = centered.std(axis=0)
    rounding = 1e-14 * np.abs(X).max(axis=0)  # what is left of a constant column
    centered[:, spread <= rounding] = 0.0
    return replace(dataset, X=centered / _or_one(np.where(spread <= rounding, 0.0, spread)))


def scale01(dataset: Dataset) -> Dataset:
    """Map every column linearly to [0, 1]; constant columns become 0.

    In a sparse matrix a column with negative entries is filled: its zeros are no minimum.
    """
    X = dataset.X
    if isinstance(X, np.ndarray):
        low, high = X.min(axis=0), X.max(axis=0)
        return replace(dataset, X=(X - low) / _or_one(high - low))
    columns: Any = sparse.csc_matrix(X)
    low = columns.min(axis=0).toarray().ravel()
    width = _or_one(columns.max(axis=0).toarray().ravel() - low)
    scaled = columns.copy()
    scaled.data /= np.repeat(width, np.diff(columns.indptr))
    shifted = np.flatnonzero(low)  # where 0 is not the minimum
    filled = (columns[:, shifted].toarray() - low[shifted]) / width[shifted]
    others = np.flatnonzero(low == 0.0)
    stacked = sparse.hstack([scaled[:, others], sparse.csc_matrix(filled)], format="csc")
    back = np.argsort(np.concatenate([others, shifted]))
    return replace(dataset, X=_canonical(stacked[:, back]))


def log1p(dataset: Dataset) -> Dataset:
    """Replace every entry x > -1 by log(1 + x)."""
    X = dataset.X
    values = X if isinstance(X, np.ndarray) else X.data
    if values.size and values.min() <= -1.0:
        raise ValueError(
            f"'log1p' needs entries above -1, but {dataset.name} has {values.min():g}; "
            "scale it first."
        )
    return replace(dataset, X=_with_values(X, np.log1p(values)))


def _column_sums(X: Any, power: int) -> Floats:
    if isinstance(X, np.ndarray):
        return np.asarray((X**power).sum(axis=0))
    return np.bincount(X.indices, X.data**power, X.shape[1]).astype(np.float64, copy=False)


def _scale_columns(dataset: Dataset, divisor: Floats) -> Dataset:
    X, divisor = dataset.X, _or_one(divisor)
    if isinstance(X, np.ndarray):
        return replace(dataset, X=X / divisor)
    return replace(dataset, X=_with_values(X, X.data / divisor[X.indices]))


def _or_one(divisor: Floats) -> Floats:
    """Return the divisor with 1 in the place of 0: an empty column or row is left alone."""
    return np.where(divisor > 0.0, divisor, 1.0)


def _with_values(X: Any, values: Floats) -> Any:
    """Return X with other values; the structure of a sparse matrix is shared, not copied."""
    if isinstance(X, np.ndarray):
        return values
    return as_csr(values, X.indices, X.indptr, X.shape)


def _canonical(X: Any) -> sparse.csr_matrix:
    rows = sparse.csr_matrix(X)
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows
