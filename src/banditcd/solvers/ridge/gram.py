"""Gram matrices of the rows or the columns of X, and their factors.

Small ones are products of our own kernels. From ``BLAS_SIDE`` on, those of dense X are made by
SciPy's BLAS from blocks of X that are centered and weighted in a buffer: a call takes a few
milliseconds, and Ctrl-C acts between two of them. On one core a product in single precision takes
half the time of one in double; true residuals refine what it leads to.
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from typing import Any, Literal

import numpy as np
import scipy.linalg
from scipy.linalg import blas, lapack

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.lapack import one_thread
from banditcd.solvers.ridge.rows import RidgeRows

#: Penalties that are worth an eigendecomposition instead of one factorization each.
EIGEN_SOLVES = 24
#: A pivot below this share of its diagonal entry is not trusted; the same in single precision.
PIVOT, SINGLE_PIVOT = 1e-13, 1e-5
#: The side of a Gram matrix from which BLAS is faster than our products: in double precision, of
#: the columns in single, of the rows in single.
BLAS_SIDE, BLAS_COLUMNS, BLAS_ROWS = 600, 350, 160
#: Entries of a buffer between X and BLAS, and the side up to which LAPACK factors in one call
#: (0.15 s on one core).
BUFFER_ENTRIES, LAPACK_SIDE = 1 << 18, 2500
#: Single precision holds diagonals between these.
SINGLE_RANGE = 1e-25, 1e30


class Gram:
    """The lower triangle of A A^T (``wide``) or A^T A with A = S^½ Xc, and its inverse.

    ``single`` precision is taken for one solve of dense data large enough to be worth it; after
    :meth:`refine` it is double.
    """

    def __init__(self, rows: RidgeRows, *, wide: bool, solves: int) -> None:
        self.rows, self.wide, self.solves = rows, wide, solves
        self._side = rows.shape[0] if wide else rows.shape[1]
        self._matrix: Floats | None = None
        self._factor: tuple[float, Any] | None = None
        self.single = solves == 1 and self._single_pays()
        self.typical = 0.0

    @property
    def there(self) -> bool:
        """Whether other penalties can use the matrix."""
        return self._matrix is not None and not self.single

    def refine(self) -> None:
        """From here on in double precision."""
        self.single, self._matrix, self._factor = False, None, None

    def inverse_times(self, B: Floats, lam: float, max_seconds: float) -> Floats | None:
        """(G + lam)^-1 b for every row b of B; None if G + lam is singular to this precision."""
        if self._matrix is None:
            self._matrix = self._filled(self._build(max_seconds))
        if self.solves >= EIGEN_SOLVES:
            return self._by_eigen(B, lam)
        if self._factor is None or self._factor[0] != lam:
            self._factor = lam, self._factored(lam)
        factor = self._factor[1]
        return None if factor is None else factor(B)

    def root_inverse(self, lam: float) -> Floats | None:
        """An upper triangle R with (G + lam)^-1 = R R^T; None beyond one call of LAPACK."""
        if self._side > LAPACK_SIDE:
            return None
        if self._matrix is None:
            self._matrix = self._filled(self._build(math.inf))
        factor = self._cholesky(lam)
        if factor is None:
            return None
        with self.rows.limited_blas():
            inverse: Floats = lapack.dtrtri(np.triu(factor), overwrite_c=1)[0]
        return inverse

    def _single_pays(self) -> bool:
        large = not self.wide or self._side >= BLAS_ROWS
        return large and self.rows.rough_pays

    def _build(self, max_seconds: float) -> Floats:
        """The matrix, rows possibly padded; TimeoutError if it takes too long."""
        rows = self.rows
        least = (BLAS_ROWS if self.wide else BLAS_COLUMNS) if self.single else BLAS_SIDE
        if not rows.is_sparse and self._side >= least:
            return self._by_blas(max_seconds)
        if self.wide:
            return rows.outer_matrix(max_seconds)
        return rows.normal_matrix(max_seconds, rough=self.single)

    def _by_blas(self, max_seconds: float) -> Floats:
        X, mean, root = self.rows.X, self.rows.mean, self.rows.root
        kind: Any = np.float32 if self.single else np.float64
        product: Any = blas.ssyrk if self.single else blas.dsyrk
        out = np.zeros((self._side, self._side), kind, order="F")
        long = X.shape[1] if self.wide else X.shape[0]
        count = max(64, self.rows.threads * BUFFER_ENTRIES // self._side)
        stop = time.perf_counter() + max_seconds
        with self.rows.limited_blas(), np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for first in range(0, long, count):
                part = slice(first, first + count)
                block = X[:, part] if self.wide else X[part]
                weight = root if root is None or self.wide else root[part]
                center = mean if mean is None or not self.wide else mean[part]
                if center is not None:
                    center = center.astype(X.dtype, copy=False)
                block = _prepared(block, center, weight, kind)
                out = product(1.0, block.T, 1.0, out, trans=int(self.wide), overwrite_c=1)
                if time.perf_counter() > stop:
                    raise TimeoutError
        return out.T

    def _filled(self, matrix: Floats) -> Floats:
        """Give the direction that centered rows do not have a typical eigenvalue, ``typical``.

        No right side has a part in it, and a factor is as well conditioned as the rest.
        """
        if not self.wide or self.rows.mean is None:
            return matrix
        size, unit = len(matrix), self.rows.unit
        self.typical = float(np.diagonal(matrix).mean())
        if matrix.shape[1] == size:
            update = blas.ssyr if matrix.dtype == np.float32 else blas.dsyr
            update(self.typical, unit, a=matrix.T, overwrite_a=1)
        else:
            matrix[:, :size] += np.outer(self.typical * unit, unit)
        return matrix

    def _factored(self, lam: float) -> Any:
        """A function that solves with a factor of G + lam, or None if a pivot is too small."""
        assert self._matrix is not None
        if BLAS_ROWS <= self._side <= LAPACK_SIDE:
            factor = self._cholesky(lam)
            return None if factor is None else _Lapack(factor)
        matrix = np.asarray(self._matrix, dtype=np.float64)
        native = _core.Factor(matrix, lam, SINGLE_PIVOT if self.single else PIVOT)
        return _Native(native) if native.good else None

    def _cholesky(self, lam: float) -> Any:
        """LAPACK's upper factor of G + lam, or None if a pivot is too small."""
        assert self._matrix is not None
        upper = np.array(self._matrix[:, : self._side].T, order="F")
        single = upper.dtype == np.float32
        places = np.diag_indices(self._side)
        with np.errstate(over="ignore"):
            diagonal = upper[places] + lam
        if single and not _in_range(diagonal):
            return None
        upper[places] = diagonal
        with self.rows.limited_blas():
            factorize = lapack.spotrf if single else lapack.dpotrf
            factor, failed = factorize(upper, overwrite_a=1, clean=0)
        pivot = SINGLE_PIVOT if self.single else PIVOT
        if failed or not np.all(factor[places] ** 2 > pivot * diagonal):
            return None
        return factor

    @cached_property
    def _eigen(self) -> tuple[Floats, Floats]:
        assert self._matrix is not None
        with self.rows.limited_blas():
            return symmetric_eigen(self._matrix)

    def _by_eigen(self, B: Floats, lam: float) -> Floats | None:
        values, vectors = self._eigen
        if not values.min(initial=math.inf) + lam > PIVOT * values.max(initial=0.0):
            return None
        with self.rows.limited_blas():
            out: Floats = ((B @ vectors) / (values + lam)) @ vectors.T
        return out


class _Native:
    """Solves with our factor, one right side after another."""

    def __init__(self, factor: _core.Factor) -> None:
        self._factor = factor

    def __call__(self, B: Floats) -> Floats:
        out = np.array(B, order="C")
        for row in out:
            self._factor.solve(row)
        return out


class _Lapack:
    """Solves with LAPACK's factor, all right sides at once."""

    def __init__(self, factor: Floats) -> None:
        self._factor = factor

    def __call__(self, B: Floats) -> Floats:
        single = self._factor.dtype == np.float32
        solve, unit = lapack.dpotrs, 1.0
        if single:  # right sides may be far smaller than single precision holds
            solve, unit = lapack.spotrs, float(np.abs(B).max(initial=0.0)) or 1.0
        with one_thread():
            found, _ = solve(self._factor, np.asfortranarray((B / unit).T, self._factor.dtype))
        return np.ascontiguousarray(found.T, dtype=np.float64) * unit


def symmetric_eigen(gram: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues (not below zero) and -vectors of a lower triangle with padded rows."""
    # The upper triangle is not initialized, hence no check of the whole. SciPy 1.12 gives evd too
    # little room for a single entry, and refuses it.
    driver: Literal["ev", "evd"] = "evd" if len(gram) > 1 else "ev"
    values, vectors = scipy.linalg.eigh(
        gram[:, : len(gram)], lower=True, driver=driver, check_finite=False
    )
    return np.maximum(values, 0.0), vectors


def _prepared(block: Any, center: Floats | None, weight: Floats | None, kind: Any) -> Any:
    """A block of X, centered and weighted, in C order and the precision of ``kind``."""
    if center is None and weight is None:
        return np.ascontiguousarray(block, dtype=kind)
    out = np.empty(block.shape, kind)
    if center is None:
        np.multiply(block, weight[:, None], out=out, casting="same_kind")  # type: ignore[index]
        return out
    np.subtract(block, center, out=out, casting="same_kind")
    if weight is not None:
        np.multiply(out, weight[:, None], out=out, casting="same_kind")
    return out


def _in_range(diagonal: Floats) -> bool:
    least, most = SINGLE_RANGE
    return bool(diagonal.max() < most and diagonal.min() > least)
