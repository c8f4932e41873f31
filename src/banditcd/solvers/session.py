"""Sessions on columns: one penalty after another, warm-started."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.solvers.result import Result, result_of

#: Bytes the pool's Gram matrix may take; beyond them the solver works on the residual.
POOL_BYTES = 1 << 30


class ColumnSession:
    """A native solver with an L1 and an L2 penalty, and the shape of its matrix."""

    shape: tuple[int, int]
    _native: Any

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` at which no penalized coefficient is non-zero."""
        return float(self._native.largest_penalty() / self.shape[0])

    def solve(
        self,
        l1: float,
        l2: float = 0.0,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
    ) -> Result:
        """Minimize for one penalty, warm-started.

        Parameters
        ----------
        l1, l2 : float
            Weights of ``|w|`` and of ``w²/2`` beside the mean loss.
        tol : float
            Stop when the duality gap is at most ``tol`` times the null model's objective.
        max_iter : float
            Limit on bins (refreshes of what is known about all columns).
        max_seconds : float
            Limit on wall-clock time.

        Returns
        -------
        Result
            The point, its certificate and its cost.

        Raises
        ------
        KeyboardInterrupt
            Within about a twentieth of a second of Ctrl-C; the session stays usable.
        """
        n, d = self.shape
        coef: Floats = np.empty(d)
        report = self._native.solve(n * l1, n * l2, tol, max_iter, max_seconds, coef)
        return result_of(report, coef, 1.0 / n)
