"""X with the geometry of its rows, as ridge regression needs it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import is_sparse, rows_of, vector
from banditcd.solvers.lapack import threads_of_blas
from banditcd.solvers.ridge.spectrum import Spectrum
from banditcd.solvers.threads import SHARED_PRODUCTS, default_threads

#: A Gram matrix and its factor may take this many bytes each.
GRAM_BYTES = 1 << 30
#: Entries of X from which on a copy in single precision pays.
COPY_ENTRIES = 1_000_000
#: Rows that tell how unequal the columns are, and the multiple of the mean eigenvalue that counts.
HEAD_ROWS, HEAD_FACTOR = 2000, 4.0


#: Vectors from which on dense X is multiplied by all of them at once, multiplications of one call
#: of BLAS (0.05 s on one core), and entries that are converted for it.
BLOCK, BLOCK_PRODUCTS, BLOCK_ENTRIES = 4, 1e9, 1 << 20


class RidgeRows:
    """X with the geometry of its rows: weights, and centered columns if there is an intercept."""

    def __init__(
        self,
        X: Any,
        *,
        fit_intercept: bool,
        sample_weight: Floats | None,
        n_threads: int | None = None,
    ) -> None:
        self.X = X
        self.is_sparse = is_sparse(X)
        self.shape: tuple[int, int] = X.shape
        self.native = rows_of(X, n_threads)
        self._n_threads = n_threads
        self.weight = None if sample_weight is None else vector(sample_weight)
        self.total = float(self.shape[0] if self.weight is None else self.weight.sum())
        if not self.total > 0.0:
            raise ValueError("sample_weight sums to zero: give at least one row a positive weight")
        self.mean: Floats | None = None
        if fit_intercept:
            ones = np.ones(self.shape[0]) if self.weight is None else self.weight
            self.mean = self.transposed_times(ones) / self.total
        self.data = _core.RidgeData(self.native, self.weight, self.mean)

    @cached_property
    def threads(self) -> int:
        """How many threads BLAS and LAPACK may use: one where more do not pay."""
        if math.prod(self.shape) * min(self.shape) < SHARED_PRODUCTS:
            return 1
        return default_threads() if self._n_threads is None else self._n_threads

    @property
    def copy_pays(self) -> bool:
        """Whether several products are faster on a copy in single precision, its making included.

        Dense rows in double precision that one thread reads from memory.
        """
        single = self.is_sparse or self.X.dtype == np.float32
        return not single and self.X.size >= COPY_ENTRIES and self.threads == 1

    def limited_blas(self) -> AbstractContextManager[Any]:
        """Inside, BLAS and LAPACK use as many threads as this X may."""
        return threads_of_blas(self.threads)

    def weighted(self, values: Floats) -> Floats:
        """s * values."""
        return values if self.weight is None else self.weight * values

    @cached_property
    def root(self) -> Floats | None:
        """Square roots of the weights."""
        return None if self.weight is None else np.sqrt(self.weight)

    @cached_property
    def unit(self) -> Floats:
        """Square roots of the shares of the weights: the direction that centered rows miss."""
        out: Floats = np.sqrt(self.weighted(np.ones(self.shape[0])) / self.total)
        return out

    @cached_property
    def scale(self) -> Floats:
        """The norm of every weighted column, not centered."""
        if self.is_sparse:
            square = self.X.multiply(self.X).T @ self.weighted(np.ones(self.shape[0]))
        else:
            square = np.einsum("ij,ij,i->j", self.X, self.X, self.weighted(np.ones(self.shape[0])))
        root: Floats = np.sqrt(np.asarray(square, dtype=np.float64).ravel())
        return root

    @cached_property
    def rough_pays(self) -> bool:
        """Whether Gram matrices of dense X may be made in single precision, and faster."""
        return not self.is_sparse and bool(self.native.rough_pays(self.mean is not None))

    @cached_property
    def spectrum(self) -> Spectrum:
        """What some rows tell about the eigenvalues of Xc^T S Xc."""
        return Spectrum(self)

    def head_share(self, least: float) -> float:
        """Share of the squares that lies in columns whose own are far above the mean eigenvalue.

        Counted on some of the rows; ``least`` is a bound from below for the mean eigenvalue.
        """
        some = np.zeros(self.shape[0])
        some[:: max(1, self.shape[0] // HEAD_ROWS)] = 1.0
        squares = np.empty(self.shape[1])
        self.native.squares(some, squares)
        squares *= self.total / float(some.sum())
        trace = float(squares.sum())
        far = HEAD_FACTOR * max(least, trace / min(self.shape))
        return float(squares[squares > far].sum()) / trace if trace > 0.0 else 0.0

    def average(self, y: Floats) -> float:
        """The weighted mean of y; 0 without an intercept."""
        return 0.0 if self.mean is None else float(self.weighted(y).sum() / self.total)

    def averages(self, targets: Floats) -> Floats:
        """The weighted mean of every row of targets; zeros without an intercept."""
        if self.mean is None:
            return np.zeros(len(targets))
        out: Floats = self.weighted(targets).sum(axis=1) / self.total
        return out

    def centers(self, coef: Floats) -> Floats | float:
        """The predictions of the mean row by every row of coefficients; 0 without an intercept."""
        return 0.0 if self.mean is None else coef @ self.mean

    def center(self, coef: Floats) -> float:
        """The prediction of the mean row; 0 without an intercept."""
        return 0.0 if self.mean is None else float(self.mean @ coef)

    def transposed_times(self, v: Floats) -> Floats:
        """X^T v."""
        out = np.empty(self.shape[1])
        self.native.transposed_times(np.ascontiguousarray(v), out)
        return out

    def centered_transposed_times(self, v: Floats) -> Floats:
        """(X - mean)^T v."""
        out = self.transposed_times(v)
        return out if self.mean is None else out - float(v.sum()) * self.mean

    def products(self, coef: Floats) -> Floats:
        """X w for every row w of ``coef``."""
        out = np.empty((len(coef), self.shape[0]))
        if len(coef) < BLOCK or self.is_sparse:
            for row, w in zip(out, coef, strict=True):
                self.native.times(w, row)
            return out
        with self.limited_blas():
            for part in self._parts(len(coef)):
                out[:, part] = coef @ self.X[part].astype(np.float64, copy=False).T
        return out

    def combinations(self, dual: Floats) -> Floats:
        """X^T v for every row v of ``dual``."""
        if len(dual) < BLOCK or self.is_sparse:
            return np.array([self.transposed_times(v) for v in dual])
        out = np.zeros((len(dual), self.shape[1]))
        with self.limited_blas():
            for part in self._parts(len(dual)):
                out += dual[:, part] @ self.X[part].astype(np.float64, copy=False)
        return out

    def _parts(self, count: int) -> Iterator[slice]:
        """Blocks of rows whose product with ``count`` vectors is one call of BLAS."""
        n, d = self.shape
        size = max(16, int(BLOCK_PRODUCTS / (d * count)))
        if self.X.dtype == np.float32:  # converted
            size = min(size, max(16, BLOCK_ENTRIES // d))
        for first in range(0, n, size):
            yield slice(first, first + size)

    def normal_matrix(self, max_seconds: float = math.inf, *, rough: bool = False) -> Floats:
        """The lower triangle of Xc^T S Xc, rows padded; TimeoutError if it takes too long.

        If ``rough``, products are in single precision where that is faster.
        """
        size = self.shape[1]
        out = np.empty((size, _core.padded_size(size)))
        self.native.normal_matrix(self.weight, self.mean, out, max_seconds, rough)
        return out

    def outer_matrix(self, max_seconds: float = math.inf) -> Floats:
        """The lower triangle of S^½ Xc Xc^T S^½, rows padded; TimeoutError likewise."""
        size = self.shape[0]
        out = np.zeros((size, _core.padded_size(size)))  # the unread triangle is scaled too
        self.native.outer_matrix(None, self.mean, out, max_seconds)
        if self.root is not None:
            out[:, :size] *= self.root
            out *= self.root[:, None]
        return out

    def centered_block(self, part: slice) -> Floats:
        """Some rows of X - mean, dense."""
        block: Floats = self.X[part].toarray() if self.is_sparse else self.X[part]
        block = block.astype(np.float64, copy=False)
        return block if self.mean is None else block - self.mean

    def dense(self) -> Floats:
        """S^½ (X - mean) as a dense copy."""
        copy: Floats = self.X.toarray() if self.is_sparse else np.array(self.X)
        copy = copy.astype(np.float64, copy=False)
        if self.mean is not None:
            copy -= self.mean
        if self.root is not None:
            copy *= self.root[:, None]
        return copy

    def fits(self, size: int) -> bool:
        """Whether a Gram matrix of this size is allowed."""
        return 8 * size * size <= GRAM_BYTES
