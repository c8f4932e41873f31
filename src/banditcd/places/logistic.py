r"""L1 and elastic-net logistic regression, wherever X lives.

.. math::

    \min_{w,\,b}\ \sum_i s_i \log\bigl(1 + e^{-y_i (x_i^\top w + b)}\bigr) + \sum_j g_j(w_j),
    \qquad y_i = \pm 1,

in sums, not means. One bin is one look at all columns, the choice of newcomers by their marginal
decreases (curvature at most 1/4), and proximal Newton steps on the pool: the Gram matrix with the
curvatures as weights comes from the place, the model is minimized on the host, the step is cut by
the losses along it. Where work on the pool reads X anyway, a bin has one step on the support
and the columns that promise a decrease, and its trial is the next look.

The dual point is :math:`\theta = s y p` with :math:`p = t\,(q - c\,y q(1-q))`, balanced by c so
that it sums to zero if there is an intercept. With the margins m, :math:`\delta = 1 - t` and
:math:`\varepsilon = t c`, its entropies lie within

.. math::

    2 (\delta - |\varepsilon|)_+^2 \sum_i s_i q_i^2 \le
    \sum_i s_i \bigl(h(q_i) + m_i (p_i - q_i) - h(p_i)\bigr) \le
    \sum_i s_i \Bigl(\delta^2 \tfrac{q_i}{1-q_i} + 2 \delta\varepsilon\, y_i q_i
    + \varepsilon^2 q_i (1 - q_i)\Bigr),

because relative entropy is at least twice the squared distance (Pinsker) and at most the chi-square
distance. So sums at the point itself bound the gap from both sides, and the rows are asked for it
only where the target lies between the bounds.
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
from banditcd.places.rowwise import wrong_and_right
from banditcd.solvers.lapack import one_thread

#: Loops of several folds change the number of BLAS threads, which is one for all, in turns.
ALONE = threading.Lock()
#: Proximal Newton steps on a gathered pool between two looks, and what one must bring of the gap.
STEPS, STEP_SHARE = 4, 0.05
#: How far below the gap the model of a Newton step is solved.
INNER_SHARE = 1e-3
#: Shares of a step that are tried at once.
SHARES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 1e-3)
#: What may be left of a correlation with an unpenalized column, relative to the null model's.
ORTHOGONAL = 1e-9
#: Columns may enter the next step if a correlation is expected above this share of its threshold.
NEAR_THRESHOLD = 0.85
#: Gathered columns stay in the pool if their correlation is above this share of their threshold:
#: Gram matrices of all that ever entered are twice as large, and columns below do not come back.
KEPT = 0.8
#: Products per column and row that take about as long as reading the column.
LOOK_PRODUCTS = 8
#: No Gram matrix from the last trial.
NOTHING: tuple[NDArray[Any], tuple[Any, ...]] = (np.empty(0, dtype=np.intp), ())
#: Rounding of an objective, as a share of it.
ROUNDING = 1e-14


class PointSums(NamedTuple):
    """Sums over the rows at a model, of s times what is written beside them.

    m is the margin, q the probability of the wrong label.
    """

    loss: float  #: log(1 + exp(-m))
    excess: float  #: y q
    bend: float  #: q (1 - q)
    scale_slope: float  #: m q
    balance_slope: float  #: y m q (1 - q)
    ratio: float  #: q / (1 - q)
    square: float  #: q²

    @classmethod
    def null(cls, total: float, share: float, intercept: float) -> PointSums:
        """Return the sums of a constant model, from the weight of all rows and the share of +1."""
        kinds = np.array([total * share, total * (1.0 - share)])
        y = np.array([1.0, -1.0])
        margin = intercept * y
        q, right = wrong_and_right(margin)
        bend = q * right
        slopes = margin * q, y * margin * bend
        values = (np.logaddexp(0.0, -margin), y * q, bend, *slopes, np.exp(-margin), q * q)
        return cls(*(float(kinds @ value) for value in values))

    @property
    def balance(self) -> float:
        """How far the dual point is moved along the curvatures to sum to zero."""
        return self.excess / self.bend if self.bend > 0.0 else 0.0

    def entropies(self, balance: float, scale: float) -> tuple[float, float]:
        """Return bounds of the sum of the entropies at the dual point; a balance is at most 1."""
        delta, epsilon = 1.0 - scale, scale * balance
        linear = self.loss + scale * self.scale_slope - epsilon * self.balance_slope
        apart = delta * delta * self.ratio + epsilon * epsilon * self.bend
        least = linear - apart - 2.0 * delta * epsilon * self.excess
        most = linear - 2.0 * max(delta - abs(epsilon), 0.0) ** 2 * self.square
        if scale < 1.0:  # entropies are concave, and 0 at the scale 0
            least = max(least, scale * self.entropies(balance, 1.0)[0])
        return least, most


class LogisticLoop(PoolLoop):
    """The logistic loss with an L1 and an L2 penalty; labels are -1 and +1."""

    CURVATURE: ClassVar[float] = 0.25
    PROGRESS: ClassVar[float] = 0.7

    def __init__(self, place: Place, columns: ColumnPenalties, *, fit_intercept: bool) -> None:
        super().__init__(place, columns, fit_intercept=fit_intercept)
        (total, weighted_y, _), (pull, sums, squares) = place.sum(
            Job(tasks.responses), Job(tasks.survey, (0.0,))
        )
        place.traffic.passes += 1.0
        self.total = float(total)
        check_total(self.total)
        require_finite(float(weighted_y), pull, squares)
        share = 0.5 * (1.0 + float(weighted_y) / self.total)
        self.intercept = math.log(share / (1.0 - share)) if fit_intercept and 0 < share < 1 else 0.0
        self.at = PointSums.null(self.total, share, self.intercept)
        right = 0.5 * (1.0 + math.tanh(0.5 * self.intercept))  # the probability of +1
        pull = 0.5 * pull + (0.5 - right) * sums
        self.mean: Floats = sums / self.total
        centered = squares - self.total * self.mean**2 if fit_intercept else squares
        self.square = np.where(centered > 1e-14 * squares, centered, 0.0)
        self.shift = self.mean if fit_intercept else np.zeros_like(self.mean)
        self.correlation = self.null_correlation = np.where(self.square > 0.0, pull, 0.0)
        self.balance, self._looked = 0.0, True
        self._ahead: tuple[NDArray[Any], tuple[Any, ...]] = NOTHING
        self.null_objective = self.at.loss

    def certificate(self, penalties: Penalties, target: float) -> tuple[float, float]:
        """Return the objective and a bound of the duality gap at the point of the last look.

        The bound is exact where that decides whether the target is reached.
        """
        primal = self.at.loss + penalties.value(self.pool.columns, self.pool.coef)
        allowed = ORTHOGONAL * math.sqrt(self.total)
        u = penalties.without_free(self.correlation, self.square, allowed)
        if u is None:
            return primal, math.inf
        scale = penalties.largest_scale(u)
        conjugate = penalties.conjugates(scale * u)
        least, most = self.at.entropies(self.balance, scale)
        clipped = abs(self.balance) > 1.0
        if clipped or primal - most + conjugate <= target < primal - least + conjugate:
            model = self._model()
            least = float(one(self.place, tasks.logistic_dual, model, self.balance, scale)[0])
        return primal, max(primal - least + conjugate, 0.0)

    def work_on_pool(
        self, entering: NDArray[Any], penalties: Penalties, at: tuple[float, float, float]
    ) -> None:
        """Take proximal Newton steps on the pool while they bring a share of the gap."""
        share = KEPT if self.place.gathers else 1.0  # gathered columns come back for free
        promising = penalties.excess(self.correlation / share)[self.pool.columns] > 0.0
        self.pool.keep((self.pool.coef != 0.0) | promising)
        self.pool.extend(entering)
        gap, target = min(at[:2]), at[2]
        for _ in range(STEPS if self.place.gathers else 1):
            gained = self.newton_step(penalties, gap, target)
            if gained <= STEP_SHARE * gap:
                break

    def newton_step(self, penalties: Penalties, gap: float, target: float) -> float:
        """Take one proximal Newton step on the pool; return what it brought."""
        pool = self.pool
        gram, sums, pull, of_rows = self._curvatures()
        bend, excess, square = map(float, of_rows)
        before = pool.coef.copy()
        with ALONE, one_thread():  # small products, for which threads of BLAS wait on each other
            pool.gram = np.ascontiguousarray(gram)
            if self.fit_intercept and bend > 0.0:
                pool.gram = _less_square(pool.gram, sums / math.sqrt(bend))
                pull = pull - sums * (excess / bend)
                square -= excess * excess / bend
            q = pull + _times_sparse(pool.gram, before)
            square += float(before @ (q + pull))
        pool.solve(q, penalties, square, INNER_SHARE * min(max(gap, 1e-2 * target), gap))
        step = pool.coef - before
        slide = (excess - float(sums @ step)) / bend if self.fit_intercept and bend > 0.0 else 0.0
        slide -= float(self.shift[pool.columns] @ step)
        if self.place.gathers:
            pool.coef = before
            return self._cut(penalties, step, slide, SHARES)
        with ALONE, one_thread():
            expected = np.abs(q - _times_sparse(pool.gram, pool.coef))
        near = (pool.coef != 0.0) | (expected > NEAR_THRESHOLD * penalties.l[pool.columns])
        pool.coef = before
        return self._look_there(penalties, step, slide, pool.columns[near])

    def _curvatures(self) -> tuple[Any, ...]:
        """Return what a Newton model on the pool needs, from the last trial if that foresaw it."""
        pool, (columns, found) = self.pool, self._ahead
        if len(pool) and np.isin(pool.columns, columns).all():
            at = np.searchsorted(columns, pool.columns)
            gram, sums, pull, of_rows = found
            return gram[np.ix_(at, at)], sums[at], pull[at], of_rows
        model = self._model()
        self.place.traffic.passes += len(pool) / self.place.shape[1]
        return one(self.place, tasks.logistic_gram, model, pool.columns, self.shift)

    def _look_there(
        self, penalties: Penalties, step: Floats, slide: float, near: NDArray[Any]
    ) -> float:
        """Look at the whole step at once, which is nearly always taken; return what it brought.

        ``near`` are the columns that the next step may need. If their Gram matrix costs no more
        than a look, it comes in the same round.
        """
        pool, before, intercept = self.pool, self.pool.coef, self.intercept
        here = self.at.loss + penalties.value(pool.columns, before)
        pool.coef, self.intercept = before + step, intercept + slide
        jobs, near = [Job(tasks.logistic_trial, (self._model(), self.fit_intercept))], np.sort(near)
        if len(near) ** 2 <= LOOK_PRODUCTS * self.place.shape[1]:
            jobs.append(Job(tasks.logistic_gram, (self._model(), near, self.shift)))
            self.place.traffic.passes += len(near) / self.place.shape[1]
        (sums, u, *lean), *ahead = self.place.sum(*jobs)
        self.place.traffic.passes += 1.0
        at = PointSums(*map(float, sums))
        there = at.loss + penalties.value(pool.columns, pool.coef)
        if not there <= here + ROUNDING * abs(here):  # nor if it is not a number
            pool.coef, self.intercept, self._ahead = before, intercept, NOTHING
            return self._cut(penalties, step, slide, SHARES[1:])
        self.at, self._looked = at, False
        self._ahead = (near, ahead[0]) if ahead else NOTHING
        if not self.fit_intercept or abs(at.balance) <= 1.0:  # else p is clipped
            self.balance = at.balance if self.fit_intercept else 0.0
            u = u - self.balance * lean[0] if lean else u
            self.correlation, self._looked = np.where(self.square > 0.0, u, 0.0), True
        return here - there

    def _cut(
        self, penalties: Penalties, step: Floats, slide: float, shares: tuple[float, ...]
    ) -> float:
        """Move by the first share that raises the objective by rounding at most; return its fall.

        The last step lowers the gap alone: its decrease, a square, is below rounding.
        """
        pool, before = self.pool, self.pool.coef
        moved = np.flatnonzero(step)
        model, direction = self._model(), (pool.columns[moved], step[moved], slide)

        def points(shares: tuple[float, ...]) -> list[tuple[float, PointSums]]:
            sums = one(self.place, tasks.logistic_along, model, direction, shares)
            found = [PointSums(*map(float, at)) for at in sums]
            return [
                (at.loss + penalties.value(pool.columns, before + t * step), at)
                for t, at in zip(shares, found, strict=True)
            ]

        (here, _), *values = points((0.0, *shares[:1]))  # the first share is nearly always taken
        most = here + ROUNDING * abs(here)
        if not values[0][0] <= most:
            values += points(shares[1:])
        for t, (value, at) in zip(shares, values, strict=False):
            if value <= most:
                pool.coef = before + t * step if t < 1.0 else before + step
                self.intercept += t * slide
                self.at, self._looked = at, False
                return here - value
        return 0.0

    def take_look(self) -> None:
        """Read the correlations of all columns with the balanced pull, if they are not known."""
        if self._looked:
            return
        self.balance = self.at.balance if self.fit_intercept else 0.0
        u, left = one(self.place, tasks.logistic_look, self._model(), self.balance)
        self.place.traffic.passes += 1.0
        if self.fit_intercept:
            u = u - float(left) * self.mean
        self.correlation, self._looked = np.where(self.square > 0.0, u, 0.0), True

    def _model(self) -> tasks.Model:
        return (*self.pool.support, self.intercept)


def _times_sparse(gram: Floats, coef: Floats) -> Floats:
    """Return the product of a symmetric matrix with a vector of which most entries are 0."""
    used = np.flatnonzero(coef)
    product: Floats = coef[used] @ gram[used]
    return product


def _less_square(gram: Floats, v: Floats) -> Floats:
    """Return a symmetric matrix less v v', in its own memory if that may be written."""
    less: Floats = dger(-1.0, v, v, a=gram.T, overwrite_a=gram.flags.writeable).T
    return less
