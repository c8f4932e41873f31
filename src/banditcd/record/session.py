"""What the sessions on columns have in common: one penalty after another, warm-started."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from banditcd import _core
from banditcd.record.arrays import Floats
from banditcd.record.result import RecordResult

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
        max_bins: int = 1000,
        max_seconds: float = math.inf,
    ) -> RecordResult:
        """Minimize for one penalty, warm-started.

        Parameters
        ----------
        l1, l2 : float
            Weights of ``|w|`` and of ``w²/2`` beside the mean loss.
        tol : float
            Stop when the duality gap is at most ``tol`` times the null model's objective.
        max_bins : int
            Limit on bins (refreshes of what is known about all columns).
        max_seconds : float
            Limit on wall-clock time.

        Returns
        -------
        RecordResult
            The point, its certificate and its cost.

        Raises
        ------
        KeyboardInterrupt
            Within about a twentieth of a second of Ctrl-C; the session stays usable.
        """
        n, d = self.shape
        coef = np.empty(d)
        intercept, values = self._solve_into(n * l1, n * l2, tol, max_bins, max_seconds, coef)
        return from_values(values, n, coef, intercept)

    def _solve_into(self, *arguments: Any) -> tuple[float, tuple[Any, ...]]:
        """Solve, fill the coefficients, which come last; return the intercept and the values."""
        report = self._native.solve(*arguments[:-1])
        self._native.coefficients(arguments[-1])
        return self._native.intercept, report.values()


def as_result(
    report: _core.RecordReport, rows: int, coef: Floats, intercept: float
) -> RecordResult:
    """Translate a native report (in sums) to means."""
    return from_values(report.values(), rows, coef, intercept)


def from_values(values: tuple[Any, ...], rows: int, coef: Floats, intercept: float) -> RecordResult:
    """Translate the values of a native report (in sums) to means."""
    status, regime, primal, gap, target, passes, bins, seconds, size, support = values
    if status == "stalled" and not math.isfinite(gap):
        status = "uncertified"
    gap, primal = gap / rows, primal / rows
    return RecordResult(
        coef,
        intercept,
        primal,
        primal - gap,
        gap,
        target / rows,
        status,
        regime,
        passes,
        bins,
        seconds,
        size,
        support,
    )
