r"""L1 and elastic-net multinomial logistic regression, wherever X lives.

.. math::

    \min_{W,\,b}\ \sum_i s_i \Bigl(\log\sum_k e^{z_{ik}} - z_{i y_i}\Bigr) + \sum_{k,j} g_j(w_{kj}),
    \qquad z_i = W x_i + b,

in sums, with the bins of :mod:`banditcd.places.pool_loop`. A *column* of the loop is a pair of a
class k and a column j of X, at k d + j: the pool has some of them. A proximal Newton step takes
from the place the Gram matrices of the pool's columns of X for every pair of classes, which make
the second derivatives of all its pairs; the model is minimized on the host in Gram space, the
intercepts eliminated, and the step is cut by the losses along it.

The dual point is that of :mod:`banditcd.places.multinomial`, :math:`\theta_{ik} = t s_i ([y_i = k]
- q_{ik})` with :math:`q_i = \pi_i + H_i c`, scaled by t so that no threshold is exceeded: then
:math:`p = y - \theta / s` are distributions, and the dual value is the sum of their entropies less
the conjugates of the penalties at :math:`X^\top\theta`.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.places import class_pool_tasks as work
from banditcd.places import class_tasks
from banditcd.places.logistic import INNER_SHARE, KEPT, ORTHOGONAL, SHARES, STEP_SHARE, STEPS
from banditcd.places.penalties import ColumnPenalties, Penalties
from banditcd.places.place import Job, Place, check_total, class_readings, one, require_finite
from banditcd.places.pool_loop import PoolLoop
from banditcd.solvers.multinomial import ABSENT
from banditcd.solvers.result import Result

NO_COLUMNS = np.empty(0, dtype=np.intp)


class ClassPoolLoop(PoolLoop):
    """The multinomial loss with an L1 and an L2 penalty; y has the numbers of the classes."""

    CURVATURE: ClassVar[float] = 0.25
    PROGRESS: ClassVar[float] = 0.7

    def __init__(
        self, place: Place, columns: ColumnPenalties, classes: int, *, fit_intercept: bool
    ) -> None:
        super().__init__(place, columns.tiled(classes), fit_intercept=fit_intercept)
        self.classes = classes
        totals = np.asarray(one(place, class_tasks.class_totals, classes)[0])
        self.total = float(totals.sum())
        check_total(self.total)
        self.b: Floats = np.zeros(classes)
        if fit_intercept:
            logs = np.log(totals[totals > 0.0])
            self.b[:] = ABSENT
            self.b[totals > 0.0] = logs - logs.mean()
        shares = totals / self.total if fit_intercept else np.full(classes, 1.0 / classes)
        self.loss = -float(totals[totals > 0.0] @ np.log(shares[totals > 0.0]))
        self.excess = np.zeros(classes) if fit_intercept else totals - self.total * shares
        self.bend: Floats = self.total * (np.diag(shares) - np.outer(shares, shares))
        self.tilt: Floats = np.zeros(classes)
        none = (NO_COLUMNS, np.empty((classes, 0)), self.b)
        (pull, _), (sums, squares) = place.sum(
            Job(work.class_pull, (none, self.tilt)), Job(class_tasks.column_moments)
        )
        place.traffic.passes += class_readings(place, classes, with_scores=False)
        require_finite(pull, squares)
        mean = np.asarray(sums) / self.total
        centered = squares - self.total * mean**2 if fit_intercept else np.asarray(squares)
        self.square = np.tile(np.where(centered > 1e-14 * squares, centered, 0.0), classes)
        self.shift: Floats = mean if fit_intercept else np.zeros_like(mean)
        self.null_correlation = self.correlation = self._moving(pull)
        self.null_objective = self.loss

    def _moving(self, pull: Any) -> Floats:
        """Return the correlations of all pairs from X'α; those of flat columns are 0."""
        return np.where(self.square > 0.0, np.asarray(pull).T.ravel(), 0.0)

    def certificate(self, penalties: Penalties, target: float) -> tuple[float, float]:
        """Return the objective and the duality gap at the point of the last look."""
        primal = self.loss + penalties.value(self.pool.columns, self.pool.coef)
        allowed = ORTHOGONAL * math.sqrt(self.total)
        u = penalties.without_free(self.correlation, self.square, allowed)
        if u is None or np.ptp(self.tilt) > 1.0:  # no distributions
            return primal, math.inf
        scale = penalties.largest_scale(u)
        conjugate = penalties.conjugates(scale * u)
        (entropies,) = one(self.place, work.class_dual, self._model(), self.tilt, scale)
        return primal, max(primal - float(entropies) + conjugate, 0.0)

    def work_on_pool(
        self, entering: NDArray[Any], penalties: Penalties, at: tuple[float, float, float]
    ) -> None:
        """Take proximal Newton steps on the pool while they bring a share of the gap."""
        promising = penalties.excess(self.correlation / KEPT)[self.pool.columns] > 0.0
        self.pool.keep((self.pool.coef != 0.0) | promising)
        self.pool.extend(entering)
        gap, target = min(at[:2]), at[2]
        for _ in range(STEPS if self.place.gathers else 1):
            if self.newton_step(penalties, gap, target) <= STEP_SHARE * gap:
                break

    def newton_step(self, penalties: Penalties, gap: float, target: float) -> float:
        """Take one proximal Newton step on the pool; return what it brought."""
        pool, d = self.pool, self.place.shape[1]
        of_class, columns = np.divmod(pool.columns, d)
        used, at = np.unique(columns, return_inverse=True)
        self.place.traffic.passes += len(used) / d
        grams, sums, pulls, excess, shares, squares, square = one(
            self.place, work.class_gram, self._model(), used, self.shift
        )
        H, C = self._second_derivatives(np.asarray(grams), np.asarray(sums), (of_class, at))
        pull, square, before = np.asarray(pulls)[of_class, at], float(square), pool.coef.copy()
        inverse = np.zeros((self.classes, self.classes))
        if self.fit_intercept:
            inverse = np.linalg.pinv(np.diag(shares) - np.asarray(squares), hermitian=True)
            H -= C @ inverse @ C.T
            pull = pull - C @ (inverse @ excess)
            square -= float(excess @ inverse @ excess)
        pool.gram = np.ascontiguousarray(0.5 * (H + H.T))
        q = pull + pool.gram @ before
        square += float(before @ (q + pull))
        pool.solve(q, penalties, square, INNER_SHARE * min(max(gap, 1e-2 * target), gap))
        step = pool.coef - before
        pool.coef = before
        slide = inverse @ (np.asarray(excess) - C.T @ step)
        np.subtract.at(slide, of_class, self.shift[columns] * step)
        return self._cut(penalties, step, slide)

    def _second_derivatives(
        self, grams: Floats, sums: Floats, pairs: tuple[NDArray[Any], NDArray[Any]]
    ) -> tuple[Floats, Floats]:
        """Return the matrix of all pairs of the pool, and its products with the intercepts."""
        of_class, at = pairs
        H: Floats = np.empty((len(at), len(at)))
        C: Floats = np.empty((len(at), self.classes))
        members = [np.flatnonzero(of_class == k) for k in range(self.classes)]
        for n, (k, m) in enumerate(work.pairs(self.classes)):
            sign = 1.0 if k == m else -1.0
            for one_class, other in {(k, m), (m, k)}:
                rows, others = members[one_class], members[other]
                H[np.ix_(rows, others)] = sign * grams[n][np.ix_(at[rows], at[others])]
                C[rows, other] = sign * sums[n][at[rows]]
        return H, C

    def _cut(self, penalties: Penalties, step: Floats, slide: Floats) -> float:
        """Move by the first share of the step that lowers the objective; return by how much."""
        pool, before = self.pool, self.pool.coef
        direction = self._sparse(step, slide)
        here = self.loss + penalties.value(pool.columns, before)
        for shares in (SHARES[:1], SHARES[1:]):  # the first one is nearly always taken
            sums = one(self.place, work.class_points, self._model(), direction, shares)
            for n, t in enumerate(shares):
                loss, excess, heavy, squares = sums[4 * n : 4 * n + 4]
                value = float(loss) + penalties.value(pool.columns, before + t * step)
                if value <= here:
                    pool.coef, self.b = before + t * step, self.b + t * slide
                    self.loss, self.excess = float(loss), np.asarray(excess)
                    self.bend = np.diag(heavy) - np.asarray(squares)
                    return here - value
        return 0.0

    def take_look(self) -> None:
        """Read the correlations of all pairs with the balanced pulls."""
        if self.fit_intercept:
            self.tilt = np.asarray(np.linalg.lstsq(self.bend, self.excess, rcond=None)[0])
        pull, left = one(self.place, work.class_pull, self._model(), self.tilt)
        self.place.traffic.passes += class_readings(self.place, self.classes, with_scores=False)
        if self.fit_intercept:
            pull = np.asarray(pull) - np.outer(self.shift, left)
        self.correlation = self._moving(pull)

    def _model(self) -> work.SparseModel:
        return self._sparse(self.pool.coef, self.b)

    def _sparse(self, coef: Floats, b: Floats) -> work.SparseModel:
        """Return pairs with coefficients that are not zero as a sparse model."""
        chosen = np.flatnonzero(coef)
        of_class, columns = np.divmod(self.pool.columns[chosen], self.place.shape[1])
        used, at = np.unique(columns, return_inverse=True)
        W: Floats = np.zeros((self.classes, len(used)))
        W[of_class, at] = coef[chosen]
        return used, W, b

    def result(
        self, values: tuple[float, float, float], status: str, cost: tuple[float, int, float]
    ) -> Result:
        """Return the point of the pool: a row of coefficients for every class."""
        coef: Floats = np.zeros(self.square.size)
        coef[self.pool.columns] = self.pool.coef
        W = coef.reshape(self.classes, self.place.shape[1])
        regime = "pool" if len(self.pool) else "null"
        point = (W, self.b - self.b.mean(), *values, status, regime)
        return Result(*point, *cost, len(self.pool), int(np.count_nonzero(W)))
