"""The loop of the models with an L1 part: bins of certificate, newcomers, pool and look.

A model adds its mathematics: what a look at all columns says (``take_look``), the duality gap of
the point it was taken at (``certificate``), and the work on the pool between two looks
(``work_on_pool``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.places.penalties import ColumnPenalties, Penalties
from banditcd.places.place import Place
from banditcd.places.pool import Pool, newcomers
from banditcd.solvers.result import Result

#: Is told the number of bins, the gap and its target.
Report = Callable[[int, float, float], None]
#: Bins without progress before a solve is called stalled.
PATIENCE = 4


class PoolLoop:
    """A place and its pool, ready to be solved for one penalty after another.

    Parameters
    ----------
    place : Place
        X, y and the row weights, which are used as they are.
    columns : ColumnPenalties
        Penalty weights and bounds.
    fit_intercept : bool
        Whether there is an unpenalized intercept.
    """

    #: A bound of the curvature of the loss.
    CURVATURE: ClassVar[float] = 1.0
    #: A bin makes progress if the gap falls below this share of the best one,
    PROGRESS: ClassVar[float] = 0.5
    #: or the objective by this share of the gap.
    GAIN: ClassVar[float] = 0.05

    null_objective: float  #: the objective of the best constant, or of zero
    square: Floats  #: sums of s x², about the means if there is an intercept; 0 for flat columns
    null_correlation: Floats  #: X'pull at the null model
    correlation: Floats  #: X'pull at the last look
    intercept: float

    def __init__(self, place: Place, columns: ColumnPenalties, *, fit_intercept: bool) -> None:
        self.place, self.columns, self.fit_intercept = place, columns, fit_intercept
        self.pool = Pool()
        self.report: Report | None = None

    def largest_penalty(self) -> float:
        """Return the smallest l1 (in sums) at which no penalized coefficient is non-zero."""
        unit = self.columns.at(1.0, 0.0)
        allowed = np.where(unit.l > 0.0, unit.excess(self.null_correlation) + unit.l, 0.0)
        at = np.divide(allowed, unit.l, out=np.zeros_like(allowed), where=unit.l > 0.0)
        return float(at.max(initial=0.0))

    # Main loop: bins of certificate, newcomers, work on the pool, and look.
    def solve(self, l1: float, l2: float, *, tol: float, max_iter: float = 1000) -> Result:
        """Minimize for one pair of penalties (in sums), from the point of the last solve."""
        started, passes = time.perf_counter(), self.place.traffic.passes
        penalties = self.columns.at(l1, l2)
        target, best, patience = tol * self.null_objective, math.inf, PATIENCE
        last = math.inf
        status, n_iter = "max_iter", 0
        while True:
            # 1. How good is the point? Everything here comes from the last look.
            primal, gap = self.certificate(penalties, target)
            if self.report is not None:
                self.report(n_iter, gap, target)
            if gap <= target:
                status = "converged"
                break
            if n_iter >= max_iter:
                break
            # 2. The columns outside the pool that promise most.
            entering = newcomers(self.pool, self.decreases(penalties))
            moves = gap < self.PROGRESS * best or len(entering) > 0
            moves = moves or last - primal > self.GAIN * gap
            patience = PATIENCE if moves else patience - 1
            if patience == 0:
                status = "stalled" if math.isfinite(gap) else "uncertified"
                break
            best, last = min(best, gap), primal
            # 3. The problem on the pool, on the host.
            self.work_on_pool(entering, penalties, (primal, gap, target))
            # 4. One look at all columns.
            self.take_look()
            n_iter += 1
        cost = (self.place.traffic.passes - passes, n_iter, time.perf_counter() - started)
        return self.result((primal, gap, target), status, cost)

    def result(
        self, values: tuple[float, float, float], status: str, cost: tuple[float, int, float]
    ) -> Result:
        """Return the point of the pool with primal, gap and target; passes, bins and seconds."""
        coef: Floats = np.zeros(self.place.shape[1])
        coef[self.pool.columns] = self.pool.coef
        regime = "pool" if len(self.pool) else "null"
        support = int(np.count_nonzero(coef))
        point = (coef, self.intercept, *values, status, regime)
        return Result(*point, *cost, len(self.pool), support)

    def decreases(self, penalties: Penalties) -> Floats:
        """Return the marginal decrease of every column at zero: excess² / (2 (h + m))."""
        excess = penalties.excess(self.correlation)
        bend = 2.0 * (self.CURVATURE * self.square + penalties.m)
        out: Floats = np.zeros_like(excess)
        np.divide(excess**2, bend, out=out, where=self.square > 0.0)
        return out

    def certificate(self, penalties: Penalties, target: float) -> tuple[float, float]:
        """Return the objective and the duality gap of the point of the last look.

        A bound of the gap will do, if it is on the same side of the target.
        """
        raise NotImplementedError

    def work_on_pool(
        self, entering: NDArray[Any], penalties: Penalties, at: tuple[float, float, float]
    ) -> None:
        """Let columns enter and improve the pool's coefficients; ``at``: primal, gap and target."""
        raise NotImplementedError

    def take_look(self) -> None:
        """Read the correlations of all columns at the point of the pool."""
        raise NotImplementedError
