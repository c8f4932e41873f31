r"""Multinomial logistic regression with an L2 penalty, wherever X lives.

.. math::

    P(W, b) = \sum_i s_i \Bigl(\log\sum_k e^{z_{ik}} - z_{i y_i}\Bigr)
    + \tfrac{\lambda}{2}\|W\|^2, \qquad z_i = W x_i + b,

in sums, by damped Newton steps on all classes at once; their conjugate gradients take one reading
of X per product and are preconditioned by :math:`m_k X^\top S X / \sum s + \lambda I`, with the
mean curvature :math:`m_k` of class k, or by its diagonal beyond ``MOST_COLUMNS`` columns.

Distributions :math:`q_i` over the classes make the dual point :math:`\theta_{ik} = s_i ([y_i = k] -
q_{ik})`, whose gap is :math:`\sum_i s_i \mathrm{KL}(q_i \| \pi_i) + \|\lambda W - \theta^\top X\|^2
/ (2\lambda)`. Without intercepts :math:`q = \pi`. Free intercepts ask for :math:`\sum_i \theta_i =
0`: :math:`q_i = \pi_i + H_i c` with :math:`H_i = \mathrm{diag}\,\pi_i - \pi_i \pi_i^\top` and
:math:`\sum_i s_i H_i\,c = \sum_i s_i (y_i - \pi_i)`. It is a distribution if the entries of c span
at most 1, and the relative entropies, at most chi-square distances, sum to at most
:math:`c^\top \sum_i s_i H_i\,c`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.places import class_tasks, tasks
from banditcd.places.place import Job, Place, check_total, one, require_finite
from banditcd.places.pool_loop import Report
from banditcd.places.smooth import FORCING, MOST_PRODUCTS, PATIENCE, SHARES
from banditcd.solvers.multinomial import ABSENT
from banditcd.solvers.result import Result

#: The preconditioner has the Gram matrix of X up to this many columns.
MOST_COLUMNS = 1024
#: Share of the target that conjugate gradients need not go below.
CLOSE_ENOUGH = 0.1


@dataclass(slots=True)
class ClassLook:
    """What one reading of X says about a model."""

    loss: float
    excess: Floats  #: sums of the pulls, by class
    bend: Floats  #: sum of s (diag π - π π')
    pull: Floats  #: pulls' X, a row for every class


class MultinomialLoop:
    """A place and a model of several classes, ready to be solved for one penalty after another.

    Parameters
    ----------
    place : Place
        X, the numbers of the classes as y, and the row weights, which are used as they are.
    classes : int
        How many there are; with intercepts those without weight have no coefficients, and log-odds
        that make their probability 0.
    fit_intercept : bool
        Whether there are unpenalized intercepts.
    """

    def __init__(self, place: Place, classes: int, *, fit_intercept: bool) -> None:
        self.place, self.fit_intercept = place, fit_intercept
        (totals,) = one(place, class_tasks.class_totals, classes)
        totals = np.asarray(totals)
        self.total = float(totals.sum())
        check_total(self.total)
        self.counts = totals > 0.0 if fit_intercept else np.ones(classes, dtype=bool)
        self.W: Floats = np.zeros((classes, place.shape[1]))
        self.b: Floats = np.zeros(classes)
        if fit_intercept:
            logs = np.log(totals[self.counts])
            self.b[:] = ABSENT
            self.b[self.counts] = logs - logs.mean()
        self.report: Report | None = None
        self._prepare()
        self.look = self.read(self.W, self.b)
        require_finite(self.look.loss, self.look.pull, self.values)
        self.null_objective = self.look.loss

    def _prepare(self) -> None:
        """Read what the preconditioner needs: means, and the (diagonal of the) Gram matrix."""
        small = self.place.shape[1] <= MOST_COLUMNS
        jobs = [Job(class_tasks.column_moments)]
        if small:
            jobs.append(Job(tasks.plain_gram, (None, None, None)))
        moments, *gram = self.place.sum(*jobs)
        self.place.traffic.passes += 1.0
        sums, squares = (np.asarray(part) for part in moments)
        require_finite(sums, squares)
        self.mean: Floats = sums / self.total if self.fit_intercept else np.zeros_like(sums)
        self.basis: Floats | None = None
        if small:
            centered = np.asarray(gram[0][0]) - self.total * np.outer(self.mean, self.mean)
            values, self.basis = np.linalg.eigh(centered)
        else:
            values = squares - self.total * self.mean**2
        self.values: Floats = np.maximum(values, 0.0) / self.total

    # Main loop: Newton steps with a certificate after each.
    def solve(self, l2: float, *, tol: float, max_iter: float = 100) -> Result:
        """Minimize for one penalty (in sums), from the point of the last solve."""
        started, passes = time.perf_counter(), self.place.traffic.passes
        target, patience, best = tol * self.null_objective, PATIENCE, math.inf
        status, n_iter = "max_iter", 0
        while True:
            # 1. How good is the point?
            primal, gap = self.certificate(l2)
            if self.report is not None:
                self.report(n_iter, gap, target)
            if gap <= target:
                status = "converged"
                break
            if n_iter >= max_iter:
                break
            patience = PATIENCE if gap < 0.9 * best else patience - 1
            best = min(best, gap)
            # 2. Newton's direction, and the whole step or a share of it.
            if patience == 0 or not self.move(l2, primal, *self.direction(l2, target)):
                status = "stalled"
                break
            n_iter += 1
        return Result(
            self.W.copy(),
            self.b - self.b.mean(),
            primal,
            gap,
            target,
            status,
            "newton_shared" if self.basis is not None else "newton_diagonal",
            self.place.traffic.passes - passes,
            n_iter,
            time.perf_counter() - started,
            self.W.size,
            int(np.count_nonzero(self.W)),
        )

    def read(self, W: Floats, b: Floats) -> ClassLook:
        """Read losses, pulls and curvatures at a point."""
        loss, excess, shares, squares, pull = one(self.place, class_tasks.class_look, (W, b))
        self.place.traffic.passes += 1.0
        bend = np.diag(shares) - np.asarray(squares)
        return ClassLook(float(loss), np.asarray(excess), bend, np.asarray(pull).T)

    def certificate(self, l2: float) -> tuple[float, float]:
        """Return the objective and the duality gap at the present point."""
        look = self.look
        primal = look.loss + 0.5 * l2 * float(np.vdot(self.W, self.W))
        pull, extra = look.pull, 0.0
        if self.fit_intercept:
            solved = np.linalg.lstsq(look.bend, look.excess, rcond=None)[0]
            tilt = np.asarray(solved, dtype=np.float64)
            off = look.excess - look.bend @ tilt
            if np.ptp(tilt) > 1.0 or np.abs(off).max() > 1e-10 * self.total:
                return primal, math.inf
            moved, _ = self._product(np.zeros_like(self.W), tilt)
            pull, extra = pull - moved, float(tilt @ look.excess)
        apart = l2 * self.W - pull
        return primal, float(np.vdot(apart, apart)) / (2.0 * l2) + extra

    def direction(self, l2: float, target: float) -> tuple[Floats, Floats]:
        """Return Newton's step for W and b, by preconditioned conjugate gradients."""
        curvature = np.maximum(np.diag(self.look.bend), 1e-12 * self.total)[:, None]
        r, s = self.look.pull - l2 * self.W, self._kept(self.look.excess)
        W, b = np.zeros_like(self.W), np.zeros_like(self.b)
        P, p = z, y = self._preconditioned(r, s, curvature, l2)
        rz = float(np.vdot(r, z) + s @ y)
        goal = max(min(FORCING**2, rz / self.null_objective) * rz, CLOSE_ENOUGH * target)
        for _ in range(MOST_PRODUCTS):
            product, total = self._product(P, p)
            HP, Hp = product + l2 * P, self._kept(total)
            bent = float(np.vdot(P, HP) + p @ Hp)
            if bent <= 0.0:
                break
            share = rz / bent
            W, b, r, s = W + share * P, b + share * p, r - share * HP, s - share * Hp
            z, y = self._preconditioned(r, s, curvature, l2)
            rz, old = float(np.vdot(r, z) + s @ y), rz
            if rz <= goal:
                break
            P, p = z + (rz / old) * P, y + (rz / old) * p
        return self._centered(W), self._centered(b)

    def move(self, l2: float, primal: float, step: Floats, slide: Floats) -> bool:
        """Move by the step, or by a share of it; return whether the objective fell."""

        def penalty(t: float) -> float:
            return 0.5 * l2 * float(np.sum((self.W + t * step) ** 2))

        look = self.read(self.W + step, self.b + slide)
        if look.loss + penalty(1.0) <= primal + 1e-14 * abs(primal):
            self.W, self.b, self.look = self.W + step, self.b + slide, look
            return True
        at = (self.W, self.b)
        losses = one(self.place, class_tasks.class_along, at, (step, slide), SHARES)
        self.place.traffic.passes += 1.0
        for t, loss in zip(SHARES, losses, strict=True):
            if float(loss) + penalty(t) < primal:
                self.W, self.b = self.W + t * step, self.b + t * slide
                self.look = self.read(self.W, self.b)
                return True
        return False

    def _product(self, W: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return the loss's second derivatives times a step."""
        product, total = one(self.place, class_tasks.class_product, (self.W, self.b), (W, b))
        self.place.traffic.passes += 1.0
        return np.asarray(product).T, np.asarray(total)

    def _preconditioned(
        self, r: Floats, s: Floats, curvature: Floats, l2: float
    ) -> tuple[Floats, Floats]:
        """Solve with every class's share of the (diagonal of the) centered Gram matrix."""
        u = r - np.outer(s, self.mean)
        stretch = curvature * self.values + l2
        W = u / stretch if self.basis is None else ((u @ self.basis) / stretch) @ self.basis.T
        return W, self._kept(s / curvature[:, 0] - W @ self.mean)

    def _kept(self, b: Floats) -> Floats:
        return b if self.fit_intercept else np.zeros_like(b)

    def _centered(self, step: Floats) -> Floats:
        """Return a step whose sum over the classes is zero: the scores' differences are the same.

        Classes without weight take no part.
        """
        out: Floats = np.zeros_like(step)
        out[self.counts] = step[self.counts] - step[self.counts].mean(axis=0)
        return out
