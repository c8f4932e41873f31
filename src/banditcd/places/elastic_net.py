r"""The Lasso and elastic net, wherever X lives.

.. math::

    \min_{w,\,b}\ \tfrac12\sum_i s_i (y_i - b - x_i^\top w)^2 + \sum_j g_j(w_j)

in sums, not means, with penalties :math:`g_j` as in :mod:`banditcd.places.penalties`. One bin is
one look at all columns (residual, correlations, certificate), the choice of newcomers by their
marginal decreases, one Gram block, and the pool problem in Gram space on the host. The certificate
is the duality gap at the scaled residual, from sums over all rows in float64; with an intercept the
residual has mean zero.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.places import tasks
from banditcd.places.penalties import ColumnPenalties, Penalties
from banditcd.places.place import Place, one, require_finite
from banditcd.places.pool import Pool, newcomers
from banditcd.solvers.result import Result

#: A column whose correlation stays below this share of its threshold has no part in the gap.
NEAR_THRESHOLD = 0.98
#: A column without penalty counts as orthogonal to the residual below this cosine with y.
ORTHOGONAL = 1e-10
#: How far below the gap wanted a pool problem is solved.
INNER_SHARE = 0.3
#: Bins without progress before a solve is called stalled.
PATIENCE = 4


@dataclass(slots=True)
class Look:
    """What one reading of X says about a model."""

    intercept: float
    square: float  #: sum of s r²
    correlation: Floats  #: X'(s r) for all columns


class ElasticNetLoop:
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

    def __init__(self, place: Place, columns: ColumnPenalties, *, fit_intercept: bool) -> None:
        self.place, self.columns, self.fit_intercept = place, columns, fit_intercept
        total, weighted_y, _ = one(place, tasks.responses)
        self.total = float(total)
        self.center = float(weighted_y) / self.total if fit_intercept else 0.0
        (null,) = one(place, tasks.spread, self.center)
        self.null_square = float(null)
        pull, sums, squares = one(place, tasks.survey, self.center)
        place.traffic.passes += 1.0
        require_finite(self.null_square, pull, squares)
        self.mean: Floats | None = sums / self.total if fit_intercept else None
        self.square = squares if self.mean is None else squares - self.total * self.mean**2
        self.square = np.where(self.square > 1e-14 * squares, self.square, 0.0)
        self.null_correlation = np.where(self.square > 0.0, pull, 0.0)
        self.look = Look(self.center, self.null_square, self.null_correlation)
        self.pool = Pool()

    @property
    def null_objective(self) -> float:
        """The objective of the best constant, or of zero."""
        return 0.5 * self.null_square

    def largest_penalty(self) -> float:
        """Return the smallest l1 (in sums) at which no penalized coefficient is non-zero."""
        weights = self.columns.at(1.0, 0.0)
        allowed = np.where(weights.l > 0.0, weights.excess(self.null_correlation) + weights.l, 0.0)
        at = np.divide(allowed, weights.l, out=np.zeros_like(allowed), where=weights.l > 0.0)
        return float(at.max(initial=0.0))

    # Main loop: bins of certificate, newcomers, Gram block, pool and look.
    def solve(self, l1: float, l2: float, *, tol: float, max_iter: float = 1000) -> Result:
        """Minimize for one pair of penalties (in sums), from the point of the last solve."""
        started, passes = time.perf_counter(), self.place.traffic.passes
        penalties = self.columns.at(l1, l2)
        target, best, patience = tol * self.null_objective, math.inf, PATIENCE
        status, n_iter = "max_iter", 0
        while True:
            # 1. How good is the point? Everything here comes from the last look.
            primal, gap = self.certificate(penalties)
            if gap <= target:
                status = "converged"
                break
            if n_iter >= max_iter:
                break
            # 2. The columns outside the pool that promise most.
            entering = newcomers(self.pool, self.decreases(penalties))
            patience = PATIENCE if gap < 0.5 * best or len(entering) else patience - 1
            if patience == 0:
                status = "stalled" if math.isfinite(gap) else "uncertified"
                break
            best = min(best, gap)
            # 3. Their Gram block.
            if len(entering):
                self.grow(entering)
            # 4. The pool problem, in Gram space on the host.
            wanted = INNER_SHARE * min(target, gap)
            q = self.null_correlation[self.pool.columns]
            self.pool.solve(q, penalties, self.null_square, wanted)
            # 5. One look at all columns.
            self.take_look()
            n_iter += 1
        coef: Floats = np.zeros(self.place.shape[1])
        coef[self.pool.columns] = self.pool.coef
        return Result(
            coef,
            self.look.intercept,
            primal,
            gap,
            target,
            status,
            "pool" if len(self.pool) else "null",
            self.place.traffic.passes - passes,
            n_iter,
            time.perf_counter() - started,
            len(self.pool),
            int(np.count_nonzero(coef)),
        )

    def certificate(self, penalties: Penalties) -> tuple[float, float]:
        """Return the objective and the duality gap of the point of the last look."""
        u = self.look.correlation
        coef: Floats = np.zeros(len(u))
        coef[self.pool.columns] = self.pool.coef
        scale = np.sqrt(self.square * self.null_square)
        free = penalties.free & (self.square > 0.0)
        if np.any(np.abs(u[free]) > ORTHOGONAL * scale[free]):
            value = penalties.value(self.pool.columns, self.pool.coef)
            return 0.5 * self.look.square + value, math.inf
        near = (np.abs(u) >= NEAR_THRESHOLD * penalties.l) | (coef != 0.0)
        chosen = np.flatnonzero(near & ~free & ((penalties.lower < 0.0) | (penalties.upper > 0.0)))
        primal, gap, _ = _core.certify(
            coef[chosen], u[chosen], penalties.rows(chosen), self.look.square
        )
        return primal, gap

    def decreases(self, penalties: Penalties) -> Floats:
        """Return the marginal decrease of every column at zero: excess² / (2 (h + m))."""
        excess = penalties.excess(self.look.correlation)
        bend = 2.0 * (self.square + penalties.m)
        out: Floats = np.zeros_like(excess)
        np.divide(excess**2, bend, out=out, where=self.square > 0.0)
        return out

    def grow(self, entering: np.ndarray) -> None:
        """Add columns to the pool with their Gram block."""
        both = np.concatenate([self.pool.columns, entering])
        (block,) = one(self.place, tasks.plain_gram, both, entering, self.mean)
        self.place.traffic.passes += (len(both) + len(entering)) / self.place.shape[1]
        self.pool.add(entering, np.asarray(block))

    def take_look(self) -> None:
        """Read residual and correlations at the point of the pool; the intercept is exact."""
        columns, coef = self.pool.support
        intercept = self.center - (0.0 if self.mean is None else float(self.mean[columns] @ coef))
        square, excess, u = one(self.place, tasks.squared_look, (columns, coef, intercept))
        self.place.traffic.passes += 1.0
        square = float(square)
        if self.mean is not None:
            shift = float(excess) / self.total
            intercept += shift
            square -= float(excess) * shift
            u = u - float(excess) * self.mean
        self.look = Look(intercept, square, np.where(self.square > 0.0, u, 0.0))
