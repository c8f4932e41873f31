"""The result of a solve: the point, its certificate, and what it cost.

The sentences of the statuses are imported on first use: a fit does without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from banditcd._typing import Floats

if TYPE_CHECKING:
    from banditcd import _core


@dataclass(slots=True)
class Result:
    """A point with its certificate, the same for every solver of this room.

    Objective values are in the units of the objective that the solver's module documents.

    Attributes
    ----------
    coef : ndarray of shape (d,)
        The coefficients; (classes, d) of a multinomial model.
    intercept : float
        The intercept, as it is added to ``X @ coef``; 0 without one. An array of a multinomial
        model.
    primal : float
        The objective at the point.
    gap : float
        The duality gap, computed from the data in float64: the optimum is at least
        ``primal - gap``. Infinite where no dual point is known.
    target : float
        ``tol`` times the objective of the null model (the best constant, or zero).
    status : str
        A word of :class:`banditcd.results.Status`; "converged" only if ``gap <= target``.
    regime : str
        The strategy that ran, by the name that the solver's module documents; "null" if the null
        model was enough.
    passes : float
        Entries of X read, Gram packing included, divided by the entries of X.
    n_iter : int
        Bins, Newton steps or refinements: how often the outer loop of the solver ran.
    seconds : float
        Wall-clock time.
    pool_size, support : int
        Columns in the pool, and non-zero coefficients (dual variables of a support vector machine).
    dual_coef : ndarray of shape (n,) or None
        The dual variables, where the solver works on them.
    work : float
        Counted operations times the price list, in nanoseconds; 0 where they are not counted.
    """

    coef: Floats
    intercept: Any
    primal: float
    gap: float
    target: float
    status: str
    regime: str
    passes: float
    n_iter: int
    seconds: float
    pool_size: int
    support: int
    dual_coef: Floats | None = None
    work: float = 0.0

    @property
    def dual(self) -> float:
        """The best dual value known, a lower bound of the optimum."""
        return self.primal - self.gap

    @property
    def converged(self) -> bool:
        """Whether the certificate reached the target."""
        return self.status == "converged"

    @property
    def message(self) -> str:
        """The status as a sentence."""
        from banditcd.results import Status

        return Status(self.status).sentence


def result_of(report: _core.Report, coef: Floats, unit: float) -> Result:
    """Return the result of a native report, its objective multiplied by ``unit``."""
    return Result(
        coef,
        report.intercept,
        report.primal * unit,
        report.gap * unit,
        report.target * unit,
        report.status,
        report.regime,
        report.passes,
        report.iterations,
        report.seconds,
        report.pool_size,
        report.support,
        None,
        report.work,
    )
