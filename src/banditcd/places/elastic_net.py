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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd import _core
from banditcd._typing import Floats
from banditcd.places import tasks
from banditcd.places.penalties import ColumnPenalties, Penalties
from banditcd.places.place import Job, Place, check_total, one, require_finite
from banditcd.places.pool_loop import PoolLoop

#: A column whose correlation stays below this share of its threshold has no part in the gap.
NEAR_THRESHOLD = 0.98
#: A column without penalty counts as orthogonal to the residual below this cosine with y.
ORTHOGONAL = 1e-10
#: How far below the gap wanted a pool problem is solved.
INNER_SHARE = 0.3
#: Squares of y about 0 are moved to its mean, if they are at most this multiple of those about it.
CANCELING = 10.0


def survey(
    place: Place, fit_intercept: bool
) -> tuple[float, float, float, tuple[Floats, Floats, Floats]]:
    """Return the weight of all rows, the center of y, the sum of s (y - center)², and the survey.

    Where a reading of X costs more than a round, the center is asked for first. Elsewhere one
    round asks for everything about 0, and a second one only if the center is so far from 0 that
    moving there would lose digits.
    """
    center = 0.0
    if place.gathers and not place.whole and fit_intercept:
        total, weighted_y, _ = one(place, tasks.responses)
        check_total(float(total))
        center = float(weighted_y) / float(total)
    (total, weighted_y, _), ((null, _),), found = place.sum(
        Job(tasks.responses), Job(tasks.spread, (center,)), Job(tasks.survey, (center,))
    )
    place.traffic.passes += 1.0
    check_total(float(total))
    require_finite(null, *found)
    if not fit_intercept or center != 0.0:
        return float(total), center, float(null), found
    center = float(weighted_y) / float(total)
    off = float(total) * center * center
    if off > CANCELING * (float(null) - off):
        ((null, _),), found = place.sum(Job(tasks.spread, (center,)), Job(tasks.survey, (center,)))
        place.traffic.passes += 1.0
        return float(total), center, float(null), found
    pull, sums, squares = found
    return float(total), center, float(null) - off, (pull - center * sums, sums, squares)


class ElasticNetLoop(PoolLoop):
    """The squared loss with an L1 and an L2 penalty."""

    def __init__(self, place: Place, columns: ColumnPenalties, *, fit_intercept: bool) -> None:
        super().__init__(place, columns, fit_intercept=fit_intercept)
        total, self.center, null, (pull, sums, squares) = survey(place, fit_intercept)
        self.total, self.null_square = total, null
        self.residual_square = null
        self.null_objective = 0.5 * null
        self.mean: Floats | None = sums / self.total if fit_intercept else None
        square = squares if self.mean is None else squares - self.total * self.mean**2
        self.square = np.where(square > 1e-14 * squares, square, 0.0)
        self.null_correlation = np.where(self.square > 0.0, pull, 0.0)
        self.correlation, self.intercept = self.null_correlation, self.center

    def certificate(self, penalties: Penalties, target: float) -> tuple[float, float]:
        """Return the objective and the duality gap at the scaled residual, whatever the target."""
        u = self.correlation
        coef: Floats = np.zeros(len(u))
        coef[self.pool.columns] = self.pool.coef
        near = (np.abs(u) >= NEAR_THRESHOLD * penalties.l) | (coef != 0.0)
        near &= penalties.movable
        if penalties.any_free:
            free = penalties.free & (self.square > 0.0)
            if np.any(np.abs(u[free]) > ORTHOGONAL * np.sqrt(self.square[free] * self.null_square)):
                value = penalties.value(self.pool.columns, self.pool.coef)
                return 0.5 * self.residual_square + value, math.inf
            near &= ~free
        chosen = np.flatnonzero(near)
        primal, gap, _ = _core.certify(
            coef[chosen], u[chosen], penalties.rows(chosen), self.residual_square
        )
        return primal, gap

    def work_on_pool(
        self, entering: NDArray[Any], penalties: Penalties, at: tuple[float, float, float]
    ) -> None:
        """Add the Gram block of the newcomers and solve the pool in Gram space."""
        self.admit(entering)
        self.solve_pool(penalties, min(at[1:]))

    def admit(self, entering: NDArray[Any]) -> None:
        """Let columns enter the pool: the Gram block of theirs comes from the place."""
        if len(entering) == 0:
            return
        both = np.concatenate([self.pool.columns, entering]) if len(self.pool) else entering
        (block,) = one(self.place, tasks.plain_gram, both, entering, self.mean)
        self.place.traffic.passes += (len(both) + len(entering)) / self.place.shape[1]
        self.pool.add(entering, np.asarray(block))

    def solve_pool(self, penalties: Penalties, gap: float) -> None:
        """Solve the pool in Gram space to a share of a gap."""
        q = self.null_correlation[self.pool.columns]
        self.pool.solve(q, penalties, self.null_square, INNER_SHARE * gap)

    def model(self) -> tasks.Model:
        """Return the model of the pool; the intercept is exact up to rounding."""
        columns, coef = self.pool.support
        shift = 0.0 if self.mean is None else float(self.mean[columns] @ coef)
        return columns, coef, self.center - shift

    def take_look(self) -> None:
        """Read residual and correlations at the point of the pool."""
        model = self.model()
        self.accept(model[2], one(self.place, tasks.squared_look, model))
        self.place.traffic.passes += 1.0

    def accept(self, intercept: float, look: tuple[Any, ...]) -> None:
        """Take over what a look said about the point of the pool; correct the intercept."""
        (square, excess), u = map(float, look[0]), look[1]
        if self.mean is not None:
            shift = excess / self.total
            intercept += shift
            square -= excess * shift
            u = u - excess * self.mean
        self.intercept, self.residual_square = intercept, square
        self.correlation = np.where(self.square > 0.0, u, 0.0)
