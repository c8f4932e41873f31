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
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.places import class_tasks, tasks
from banditcd.places.conjugate import MOST_PRODUCTS
from banditcd.places.newton_loop import FORCING, SHARES, NewtonLoop
from banditcd.places.place import Job, Place, check_total, class_readings, one, require_finite
from banditcd.solvers.multinomial import ABSENT

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


class MultinomialLoop(NewtonLoop[ClassLook]):
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
        self.w: Floats = np.zeros((classes, place.shape[1]))
        self.b: Floats = np.zeros(classes)
        if fit_intercept:
            logs = np.log(totals[self.counts])
            self.b[:] = ABSENT
            self.b[self.counts] = logs - logs.mean()
        self._prepare()
        self.look = self.read(self.w, self.b)
        require_finite(self.look.loss, self.look.pull, self.values)
        self.null_objective = self.look.loss

    def _prepare(self) -> None:
        """Read what the preconditioner needs: means, and the (diagonal of the) Gram matrix."""
        small = self.place.shape[1] <= MOST_COLUMNS
        self.regime = "newton_shared" if small else "newton_diagonal"
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

    def intercept(self) -> Floats:
        """Return intercepts with mean zero."""
        centered: Floats = self.b - self.b.mean()
        return centered

    def read(self, W: Floats, b: Floats) -> ClassLook:
        """Read losses, pulls and curvatures at a point."""
        loss, excess, shares, squares, pull = one(self.place, class_tasks.class_look, (W, b))
        self.place.traffic.passes += class_readings(self.place, len(b), W.any())
        bend = np.diag(shares) - np.asarray(squares)
        return ClassLook(float(loss), np.asarray(excess), bend, np.asarray(pull).T)

    def certificate(self, l2: float) -> tuple[float, float]:
        """Return the objective and the duality gap at the present point."""
        look = self.look
        primal = look.loss + 0.5 * l2 * float(np.vdot(self.w, self.w))
        pull, extra = look.pull, 0.0
        if self.fit_intercept:
            solved = np.linalg.lstsq(look.bend, look.excess, rcond=None)[0]
            tilt = np.asarray(solved, dtype=np.float64)
            off = look.excess - look.bend @ tilt
            if np.ptp(tilt) > 1.0 or np.abs(off).max() > 1e-10 * self.total:
                return primal, math.inf
            moved, _ = self._product(np.zeros_like(self.w), tilt)
            pull, extra = pull - moved, float(tilt @ look.excess)
        apart = l2 * self.w - pull
        return primal, float(np.vdot(apart, apart)) / (2.0 * l2) + extra

    def direction(self, l2: float, target: float) -> tuple[Floats, Floats]:
        """Return Newton's step for W and b, by preconditioned conjugate gradients."""
        curvature = np.maximum(np.diag(self.look.bend), 1e-12 * self.total)[:, None]
        r, s = self.look.pull - l2 * self.w, self._kept(self.look.excess)
        W, b = np.zeros_like(self.w), np.zeros_like(self.b)
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

    def penalty(self, l2: float, w: Floats, b: Floats) -> float:
        """Return the penalty of a point."""
        return 0.5 * l2 * float(np.sum(w**2))

    def losses_along(self, step: Floats, slide: Floats) -> tuple[Any, ...]:
        """Read the losses of the point moved by every share of a step."""
        return one(self.place, class_tasks.class_along, (self.w, self.b), (step, slide), SHARES)

    def _product(self, W: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Return the loss's second derivatives times a step."""
        product, total = one(self.place, class_tasks.class_product, (self.w, self.b), (W, b))
        self.place.traffic.passes += class_readings(self.place, len(b), W.any())
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
