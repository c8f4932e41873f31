"""Gram matrices of some columns of a matrix in rows, panel after panel.

A panel is a few hundred rows of the columns, dense, centered and in float64: it stays in the cache
between gathering, scaling and the product, and its memory is used again for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.linalg.blas import dsyrk

from banditcd._typing import Floats
from banditcd.solvers.arrays import is_sparse

#: Entries of a panel: half a megabyte.
PANEL_ENTRIES = 1 << 16


def panels(X: Any, columns: Any, shift: Floats | None) -> Iterator[tuple[slice, Floats]]:
    """Yield rows and the panel (X - shift)[rows, columns], which may be written to."""
    sparse = is_sparse(X)
    some = X[:, columns] if sparse and columns is not None else X
    center = shift if shift is None or columns is None else shift[columns]
    width = X.shape[1] if columns is None else len(columns)
    step = max(1, PANEL_ENTRIES // max(1, width))
    room: Floats = np.empty((min(step, X.shape[0]), width))
    for first in range(0, X.shape[0], step):
        rows = slice(first, min(first + step, X.shape[0]))
        panel = room[: rows.stop - first]
        if sparse:
            panel[:] = some[rows].toarray()
        elif columns is None:
            panel[:] = X[rows]
        elif X.dtype == np.float64:
            np.take(X[rows], columns, axis=1, out=panel, mode="clip")  # else it buffers a copy
        else:
            panel[:] = X[rows].take(columns, axis=1)
        if center is not None:
            panel -= center
        yield rows, panel


def symmetric_gram(
    X: Any, columns: Any, weight: Any, vectors: tuple[Any, ...], shift: Floats | None
) -> tuple[Floats, list[Floats]]:
    """Return A' diag(weight) A and v A for every vector v, A = (X - shift)[:, columns].

    Half of the products are computed: those of sqrt(weight) A with itself. Weights are at least 0.
    """
    width = X.shape[1] if columns is None else len(columns)
    gram: Floats = np.zeros((width, width), order="F")
    sums: Floats = np.zeros((len(vectors), width))
    stacked: Floats = np.stack(vectors) if vectors else np.empty((0, X.shape[0]))
    root = None if weight is None else np.sqrt(weight)
    for rows, panel in panels(X, columns, shift):
        sums += stacked[:, rows] @ panel
        if root is not None:
            panel *= root[rows, None]
        if width > 0:
            gram = dsyrk(1.0, panel.T, beta=1.0, c=gram, overwrite_c=1)
    upper = np.triu(gram, 1)
    return np.triu(gram) + upper.T, list(sums)


def cross_gram(X: Any, columns: Any, more: Any, weight: Any, shift: Floats | None) -> Floats:
    """Return the weighted Gram matrix of two sets of columns."""
    both = np.concatenate([columns, more])
    total: Floats = np.zeros((len(columns), len(more)))
    for rows, panel in panels(X, both, shift):
        right = panel[:, len(columns) :]
        if weight is not None:
            right *= weight[rows, None]
        total += panel[:, : len(columns)].T @ right
    return total
