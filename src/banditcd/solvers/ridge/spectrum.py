"""What some rows tell about the eigenvalues that conjugate gradients meet."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from banditcd._typing import Floats

if TYPE_CHECKING:
    from banditcd.solvers.ridge.rows import RidgeRows

#: Rows that tell how unequal the eigenvalues are: at least the first number, as many as have the
#: last number of entries, at most the second number. Rows that tell of a dominant direction.
MOMENT_ROWS, DOMINANCE_ROWS = (24, 64, 1 << 14), 48


class Spectrum:
    """Of Xc^T S Xc, with its largest possible number of eigenvalues, r = min(n, d)."""

    def __init__(self, rows: RidgeRows) -> None:
        self._rows = rows

    @property
    def mean(self) -> float:
        """The mean; of dense X an estimate, of sparse X with all weights at their mean."""
        rows = self._rows
        if not rows.is_sparse:
            return self._moments[0]
        trace = float(np.vdot(rows.X.data, rows.X.data)) * rows.total / rows.shape[0]
        if rows.mean is not None:
            trace -= rows.total * float(rows.mean @ rows.mean)
        return max(trace, 0.0) / min(rows.shape)

    @property
    def variance(self) -> float:
        """The variance over the squared mean, of dense X; not a number if there is no mean."""
        return self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """Mean and variance, estimated from some rows.

        The sum of the eigenvalues is that of the squared rows, the sum of their squares that of
        all squared products of two rows. The variance is no less than that of independent entries
        (Marchenko and Pastur 1967).
        """
        n, d = self._rows.shape
        least, most, entries = MOMENT_ROWS
        some, root = self._some_rows(min(max(least, entries // d), most))
        if root is not None:
            some = root[:, None] * some
        limited = self._rows.limited_blas()
        with limited, np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            gram = some @ some.T
            count, square = len(gram), np.trace(gram) / len(gram)
            shares = np.square(gram / square)
        own, rank = float(np.trace(shares)), min(n, d)
        other = (float(shares.sum()) - own) / max(count * (count - 1), 1)
        variance = rank * (own / count + (n - 1) * other) / n - 1.0
        return float(square) * n / rank, max(variance, rank / max(n, d))

    def dominance(self) -> float:
        """Largest over mean eigenvalue of the Gram matrix of some dense rows."""
        some, _ = self._some_rows(DOMINANCE_ROWS)
        with self._rows.limited_blas():
            gram = some @ some.T
            largest = scipy.linalg.eigvalsh(gram, check_finite=False)[-1]
        trace = float(np.trace(gram))
        return float(largest) * len(some) / trace if trace > 0.0 else np.inf

    def _some_rows(self, count: int) -> tuple[Floats, Floats | None]:
        """About ``count`` rows of dense Xc, evenly spread, and the roots of their weights."""
        rows = self._rows
        part = slice(None, None, max(1, rows.shape[0] // count))
        some: Floats = rows.X[part][:count].astype(np.float64, copy=False)
        if rows.mean is not None:
            some = some - rows.mean
        return some, None if rows.root is None else rows.root[part][:count]
