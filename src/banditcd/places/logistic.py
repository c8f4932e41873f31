r"""L1 and elastic-net logistic regression, wherever X lives.

.. math::

    \min_{w,\,b}\ \sum_i s_i \log\bigl(1 + e^{-y_i (x_i^\top w + b)}\bigr) + \sum_j g_j(w_j),
    \qquad y_i = \pm 1,

in sums, not means. One bin is one look at all columns, the choice of newcomers by their marginal
decreases (curvature at most 1/4), and proximal Newton steps on the pool: the Gram matrix with the
curvatures as weights comes from the place, the model is minimized on the host, the step is cut by
the losses along it. The dual point is :math:`\theta = t\,s y p` with
:math:`p = q - c\,y q(1-q)` balanced so that it sums to zero if there is an intercept.
"""

from __future__ import annotations

import math
import threading
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dger

from banditcd._typing import Floats
from banditcd.places import tasks
from banditcd.places.penalties import ColumnPenalties, Penalties
from banditcd.places.place import Job, Place, check_total, one, require_finite
from banditcd.places.pool_loop import PoolLoop
from banditcd.solvers.lapack import one_thread

#: Loops of several folds change the number of BLAS threads, which is one for all, in turns.
ALONE = threading.Lock()
#: Proximal Newton steps on a pool between two looks, and what one must bring of the gap to go on.
STEPS, STEP_SHARE = 4, 0.05
#: How far below the gap the model of a Newton step is solved.
INNER_SHARE = 1e-3
#: Shares of a step that are tried at once.
SHARES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 1e-3)
#: What may be left of a correlation with an unpenalized column, relative to the null model's.
ORTHOGONAL = 1e-9


class PointSums(NamedTuple):
    """Sums over the rows at a model: of the losses, of s y q and of the curvatures s q (1 - q)."""

    loss: float
    excess: float
    bend: float


class LogisticLoop(PoolLoop):
    """The logistic loss with an L1 and an L2 penalty; labels are -1 and +1."""

    CURVATURE: ClassVar[float] = 0.25
    PROGRESS: ClassVar[float] = 0.7

    def __init__(self, place: Place, columns: ColumnPenalties, *, fit_intercept: bool) -> None:
        super().__init__(place, columns, fit_intercept=fit_intercept)
        total, weighted_y, _ = one(place, tasks.responses)
        self.total = float(total)
        check_total(self.total)
        share = 0.5 * (1.0 + float(weighted_y) / self.total)
        self.intercept = math.log(share / (1.0 - share)) if fit_intercept and 0 < share < 1 else 0.0
        at, (pull, sums, squares) = place.sum(
            Job(tasks.logistic_rows, (self._model(),)), Job(tasks.logistic_survey, (self._model(),))
        )
        place.traffic.passes += 1.0
        require_finite(pull, squares)
        self.mean: Floats = sums / self.total
        centered = squares - self.total * self.mean**2 if fit_intercept else squares
        self.square = np.where(centered > 1e-14 * squares, centered, 0.0)
        self.shift = self.mean if fit_intercept else np.zeros_like(self.mean)
        self.correlation = self.null_correlation = np.where(self.square > 0.0, pull, 0.0)
        self.balance = 0.0
        self.at = PointSums(*map(float, at))
        self.null_objective = self.at.loss

    def certificate(self, penalties: Penalties) -> tuple[float, float]:
        """Return the objective and the duality gap at the point of the last look."""
        primal = self.at.loss + penalties.value(self.pool.columns, self.pool.coef)
        u = self.correlation
        free = penalties.free & (self.square > 0.0)
        if np.any(np.abs(u[free]) > ORTHOGONAL * np.sqrt(self.square[free] * self.total)):
            return primal, math.inf
        scale = penalties.largest_scale(np.where(free, 0.0, u))
        (entropy,) = one(self.place, tasks.logistic_dual, self._model(), self.balance, (scale,))
        conjugate = float(penalties.conjugate(np.where(free, 0.0, scale * u)).sum())
        return primal, max(primal - (float(entropy) - conjugate), 0.0)

    def work_on_pool(
        self, entering: NDArray[Any], penalties: Penalties, at: tuple[float, float, float]
    ) -> None:
        """Take proximal Newton steps on the pool while they bring a share of the gap."""
        self.pool.extend(entering)
        primal, gap, target = at
        for _ in range(STEPS):
            if not self.newton_step(penalties, min(gap, primal), target):
                break

    def newton_step(self, penalties: Penalties, gap: float, target: float) -> bool:
        """Take one proximal Newton step on the pool; return whether another one may pay."""
        pool = self.pool
        gram, sums, pull, bend, excess, square = one(
            self.place, tasks.logistic_gram, self._model(), pool.columns, self.shift
        )
        self.place.traffic.passes += len(pool) / self.place.shape[1]
        bend, excess, before = float(bend), float(excess), pool.coef.copy()
        with ALONE, one_thread():  # small products, for which threads of BLAS wait on each other
            pool.gram = np.ascontiguousarray(gram)
            if self.fit_intercept and bend > 0.0:
                pool.gram = _less_square(pool.gram, sums / math.sqrt(bend))
                pull = pull - sums * (excess / bend)
                square = float(square) - excess * excess / bend
            q = pull + pool.gram @ before
            square = float(square) + float(before @ (q + pull))
        pool.solve(q, penalties, square, INNER_SHARE * min(max(gap, 1e-2 * target), gap))
        step = pool.coef - before
        slide = (excess - float(sums @ step)) / bend if self.fit_intercept and bend > 0.0 else 0.0
        slide -= float(self.shift[pool.columns] @ step)
        gained = self._cut(penalties, before, step, slide)
        return gained > STEP_SHARE * gap

    def _cut(self, penalties: Penalties, before: Floats, step: Floats, slide: float) -> float:
        """Move by the first share of the step that lowers the objective; return by how much."""
        pool = self.pool
        pool.coef = before
        moved = np.flatnonzero(step)
        model, direction = self._model(), (pool.columns[moved], step[moved], slide)

        def points(shares: tuple[float, ...]) -> list[tuple[float, PointSums]]:
            sums = one(self.place, tasks.logistic_along, model, direction, shares)
            found = [PointSums(*map(float, sums[k : k + 3])) for k in range(0, len(sums), 3)]
            return [
                (at.loss + penalties.value(pool.columns, before + t * step), at)
                for t, at in zip(shares, found, strict=True)
            ]

        (here, _), *values = points((0.0, *SHARES[:1]))  # the whole step is nearly always taken
        if values[0][0] > here:
            values += points(SHARES[1:])
        for t, (value, at) in zip(SHARES, values, strict=False):
            if value <= here:
                pool.coef = before + t * step if t < 1.0 else before + step
                self.intercept += t * slide
                self.at = at
                return here - value
        return 0.0

    def take_look(self) -> None:
        """Read the correlations of all columns with the balanced pull."""
        excess, bend = self.at.excess, self.at.bend
        self.balance = excess / bend if self.fit_intercept and bend > 0.0 else 0.0
        u, left = one(self.place, tasks.logistic_look, self._model(), self.balance)
        self.place.traffic.passes += 1.0
        if self.fit_intercept:
            u = u - float(left) * self.mean
        self.correlation = np.where(self.square > 0.0, u, 0.0)

    def _model(self) -> tasks.Model:
        return (*self.pool.support, self.intercept)


def _less_square(gram: Floats, v: Floats) -> Floats:
    """Return a symmetric matrix less v v', in its own memory if that may be written."""
    less: Floats = dger(-1.0, v, v, a=gram.T, overwrite_a=gram.flags.writeable).T
    return less
