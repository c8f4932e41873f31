"""Leave-one-out residuals of ridge regression for every penalty, from one eigendecomposition."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from banditcd._typing import Floats
from banditcd.solvers.ridge.factors import by_factors
from banditcd.solvers.ridge.gram import symmetric_eigen
from banditcd.solvers.ridge.rows import RidgeRows

#: Entries of a block of rows, and its least rows.
BLOCK_ENTRIES, BLOCK_ROWS = 1 << 17, 256
#: The least side of a Gram matrix and the most penalties for factors instead of eigenvectors, the
#: share of their price that pays, and what they may cost where eigenvectors take more than 0.3 s
#: in one call.
FACTOR_SIDE, MOST_FACTORS, FACTOR_SHARE = 300, 8, 0.7
LONG_SIDE, LONG_SHARE = 1200, 1.6
#: Without a penalty, directions below this share of the largest eigenvalue are not in X.
RANK = 1e-12


def leave_one_out(rows: RidgeRows, targets: Floats, l2s: Floats) -> Floats:
    r"""Return r_i / (1 - h_ii) for every penalty, row and target.

    With the thin decomposition :math:`S^{1/2} X_c = U \Sigma V^\top`, fitted values are
    :math:`Z\,\mathrm{diag}(\sigma^2/(\sigma^2+\lambda))\,U^\top S^{1/2} y_c` with
    :math:`Z = S^{-1/2} U`, and :math:`h_{ii} = s_i (Z_i^2)^\top \sigma^2/(\sigma^2+\lambda)
    + s_i/\sum s` (the last term only with an intercept). Rows of weight zero are never seen, so
    their plain residual is returned.

    The eigendecomposition is one call of LAPACK, which no signal interrupts: on one core 0.6 s for
    a Gram matrix of 1500 rows, 5 s for 3000 and with their cube beyond. For a few penalties a
    factor of each costs less, and Ctrl-C acts between its calls. X is read by blocks of rows: what
    is kept beside it is the Gram matrix, its eigenvectors and the errors.
    """
    n, d = rows.shape
    if not rows.fits(min(n, d)):
        raise ValueError(
            "leave-one-out errors need a Gram matrix of n² or d² entries, which is too large here: "
            "use k-fold cross-validation (cv=5)"
        )
    found = by_factors(rows, targets, l2s) if _factors_pay(n, d, len(l2s)) else None
    return _by_eigen(rows, targets, l2s) if found is None else found


def _factors_pay(n: int, d: int, penalties: int) -> bool:
    """Whether a factor for each penalty costs less than one eigendecomposition.

    That is about 6 multiplications for each entry of a cube; a factor and its inverse are 2/3, and
    leverages from the columns' side 2 n d² for each factor, but once by eigenvectors.
    """
    if min(n, d) < FACTOR_SIDE:
        return False
    if n < d:
        return penalties <= MOST_FACTORS
    share = FACTOR_SHARE if d < LONG_SIDE else LONG_SHARE
    return penalties * (2 * n + d) <= share * (2 * n + 6 * d)


def _by_eigen(rows: RidgeRows, targets: Floats, l2s: Floats) -> Floats:
    n = rows.shape[0]
    weight = np.ones(n) if rows.weight is None else rows.weight
    response = (targets - rows.averages(targets)[:, None]).T
    out = np.empty((len(l2s), n, len(targets)))
    with rows.limited_blas():
        left = _LeftVectors(rows)
        shrinks = left.values / (left.values + n * l2s[:, None])
        seen = left.combined(weight[:, None] * response)
        for part in left.parts():
            Z, s = left.block(part), weight[part]
            leverages = (s[:, None] * Z * Z) @ shrinks.T
            if rows.mean is not None:
                leverages += (s / rows.total)[:, None]
            for k, shrink in enumerate(shrinks):
                residual = response[part] - Z @ (shrink[:, None] * seen)
                with np.errstate(divide="ignore", invalid="ignore"):
                    out[k, part] = residual / (1.0 - leverages[:, k, None])
    return out


class _LeftVectors:
    """Squared singular values of S^½ Xc that are not zero, and Z = S^-½ U by blocks of rows.

    From the columns' side Z = Xc V / sigma, and V / sigma is kept; from the rows' side the
    eigenvectors are U itself, and rows without weight, which they do not know, have
    Z = Xc A^T U / sigma².
    """

    def __init__(self, rows: RidgeRows) -> None:
        self.rows = rows
        n, d = rows.shape
        self.wide = n < d
        gram = rows.outer_matrix() if self.wide else rows.normal_matrix()
        values, vectors = symmetric_eigen(gram)
        keep = values > RANK * values.max(initial=0.0)
        self.values, self.vectors = values[keep], vectors[:, keep]
        if not self.wide:
            self.vectors /= np.sqrt(self.values)

    def parts(self) -> Iterator[slice]:
        """Blocks of rows."""
        n, d = self.rows.shape
        size = max(BLOCK_ROWS, BLOCK_ENTRIES // min(n, d))
        for first in range(0, n, size):
            yield slice(first, first + size)

    def block(self, part: slice) -> Floats:
        """Some rows of Z."""
        if not self.wide:
            Z: Floats = self.rows.centered_block(part) @ self.vectors
            return Z
        vectors, root = self.vectors[part], self.rows.root
        if root is None:
            return vectors
        unseen = np.flatnonzero(root[part] == 0.0)
        Z = vectors / np.where(root[part] > 0.0, root[part], 1.0)[:, None]
        if unseen.size:
            back = self._products(self.rows.centered_block(part)[unseen])
            Z[unseen] = back @ (self.vectors / self.values)
        return Z

    def combined(self, columns: Floats) -> Floats:
        """Z^T times columns; rows without weight are zero in them."""
        if not self.wide:
            sums = self.rows.combinations(np.ascontiguousarray(columns.T))
            if self.rows.mean is not None:
                sums -= np.outer(columns.sum(axis=0), self.rows.mean)
            along: Floats = (sums @ self.vectors).T
            return along
        root = self.rows.root
        if root is not None:
            there = root > 0.0
            columns = columns / np.where(there, root, 1.0)[:, None]
        back: Floats = self.vectors.T @ columns
        return back

    def _products(self, samples: Floats) -> Floats:
        """Products of centered samples with the rows of A."""
        mean = self.rows.mean
        out: Floats = np.asarray((self.rows.X @ samples.T).T, dtype=np.float64)
        if mean is not None:
            out = out - (samples @ mean)[:, None]
        return out if self.rows.root is None else out * self.rows.root
