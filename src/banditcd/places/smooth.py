r"""Ridge, L2-logistic regression and the squared hinge, wherever X lives.

.. math::

    P(w, b) = \sum_i s_i\,\ell(y_i, x_i^\top w + b) + \tfrac{\lambda}{2}\|w\|^2
    \Bigl[+ \tfrac{\lambda}{2} (b / \gamma)^2\Bigr]

in sums, by damped Newton steps: with the matrix of second derivatives while it has at most
``MOST_COLUMNS`` columns, else by conjugate gradients with one reading of X per product. With the
pulls
:math:`\alpha_i = -s_i \ell'` as dual point, Fenchel-Young holds with equality in every loss and

.. math::

    P - D = \frac{1}{2\lambda}\|\lambda w - X^\top\alpha\|^2 .

A free intercept asks for :math:`\sum_i \alpha_i = 0`: the dual point is moved along the curvatures
:math:`d_i`, :math:`\alpha - d\,(\sum\alpha)/(\sum d)`, which costs at most
:math:`(\sum\alpha)^2/\sum d` for the logistic loss (relative entropy is at most the chi-square
distance) and exactly half of it for the squared loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from banditcd._typing import Floats
from banditcd.places import tasks
from banditcd.places.conjugate import conjugate_gradients, penalized
from banditcd.places.newton_loop import CLOSE_ENOUGH, FORCING, SHARES, NewtonLoop
from banditcd.places.place import Place, check_total, one, require_finite

#: The matrix of second derivatives is formed up to this many columns.
MOST_COLUMNS = 4096
#: How far the square of a gradient can fall in one run of conjugate gradients.
ROUNDING = 1e-28


@dataclass(slots=True)
class SmoothLook:
    """What one reading of X says about a model."""

    loss: float
    excess: float  #: sum of the pulls
    bend: float  #: sum of the curvatures
    pull: Floats  #: X'pull
    lean: Floats | None  #: X'curvature, which nobody needs without an intercept


class SmoothLoop(NewtonLoop[SmoothLook]):
    """A place, a smooth loss and a point, ready to be solved for one penalty after another.

    Parameters
    ----------
    place : Place
        X, y and the row weights, which are used as they are.
    loss : {"squared", "logistic", "squared_hinge"}
        The loss of a prediction.
    intercept : {"none", "free", "penalized"}
        Absent, unpenalized, or the coefficient of a constant feature ``scaling``.
    scaling : float
        The value of that feature.
    """

    def __init__(
        self, place: Place, loss: str, *, intercept: str = "free", scaling: float = 1.0
    ) -> None:
        if loss == "squared_hinge" and intercept == "free":
            raise ValueError(
                "The squared hinge with an unpenalized intercept is solved in memory only; use "
                "penalize_intercept=True or fit_intercept=False for data that live elsewhere."
            )
        self.place, self.loss, self.kind, self.scaling = place, loss, intercept, scaling
        self.w: Floats = np.zeros(place.shape[1])
        self.b = 0.0
        self._lean: Floats | None = None  # that of the squared loss is the same everywhere
        self.regime = "newton" if place.shape[1] <= MOST_COLUMNS else "newton_cg"
        if intercept == "free":
            total, weighted_y, _ = one(place, tasks.responses)
            check_total(float(total))
            mean = float(weighted_y) / float(total)
            if loss == "squared":
                self.b = mean
            elif abs(mean) < 1.0:
                self.b = math.log((1.0 + mean) / (1.0 - mean))
        self.look = self.read(self.w, self.b)
        require_finite(self.look.loss, self.look.pull)
        self.null_objective = self.look.loss
        self._null_square = float(self.look.pull @ self.look.pull) + self.look.excess**2

    def read(self, w: Floats, b: float) -> SmoothLook:
        """Read losses, pulls and curvatures at a point."""
        known = self.kind == "none" or (self.loss == "squared" and self._lean is not None)
        loss, excess, bend, pull, *lean = one(
            self.place, tasks.smooth_look, self.loss, w, b, not known
        )
        self.place.traffic.passes += self.place.readings if w.any() else 1.0
        if lean:
            self._lean = np.asarray(lean[0])
        return SmoothLook(float(loss), float(excess), float(bend), np.asarray(pull), self._lean)

    def penalty(self, l2: float, w: Floats, b: float) -> float:
        """Return the penalty of a point."""
        bias = (b / self.scaling) ** 2 if self.kind == "penalized" else 0.0
        return 0.5 * l2 * (float(w @ w) + bias)

    def certificate(self, l2: float) -> tuple[float, float]:
        """Return the objective and the duality gap at the present point."""
        look = self.look
        primal = look.loss + self.penalty(l2, self.w, self.b)
        pull, extra = look.pull, 0.0
        if self.kind == "free" and look.bend > 0.0:
            assert look.lean is not None
            share = look.excess / look.bend
            pull = pull - share * look.lean
            extra = look.excess * share * (0.5 if self.loss == "squared" else 1.0)
        apart = l2 * self.w - pull
        gap = float(apart @ apart) / (2.0 * l2) + extra
        if self.kind == "penalized":
            off = l2 * self.b / self.scaling - self.scaling * look.excess
            gap += off * off / (2.0 * l2)
        return primal, gap

    def direction(self, l2: float, target: float) -> tuple[Floats, float]:
        """Return Newton's step for w and b; the intercept is eliminated."""
        look = self.look
        gradient = l2 * self.w - look.pull
        slope = -look.excess
        if self.kind == "penalized":
            slope += l2 * self.b / self.scaling**2
        if self.place.shape[1] > MOST_COLUMNS:
            return self._by_products(l2, gradient, slope, target)
        (H,) = one(self.place, tasks.smooth_gram, self.loss, self.w, self.b, None)
        self.place.traffic.passes += 1.0
        H = np.array(H, dtype=np.float64)
        H[np.diag_indices_from(H)] += l2
        if look.lean is None:
            return -_solved(H, gradient), 0.0
        bend = look.bend + (l2 / self.scaling**2 if self.kind == "penalized" else 0.0)
        lean = look.lean
        step = -_solved(H - np.outer(lean, lean) / bend, gradient - lean * (slope / bend))
        return step, -(slope + float(lean @ step)) / bend

    def _by_products(
        self, l2: float, gradient: Floats, slope: float, target: float
    ) -> tuple[Floats, float]:
        """Conjugate gradients on (w, b), preconditioned by nothing but the penalty's scale.

        The gap of a quadratic model falls like the square of what they leave of the gradient: that
        of the squared loss is exact, so one run goes to the target.
        """
        bias = None if self.kind == "none" else 0.0
        if self.kind == "penalized":
            bias = l2 / self.scaling**2
        r = -np.append(gradient, 0.0 if bias is None else slope)
        rr = float(r @ r)
        share = FORCING**2  # long steps of the hinge would leave where its curvatures hold
        if self.loss == "logistic":
            share = min(share, rr / self._null_square)
        elif self.loss == "squared":
            share = ROUNDING
        gap = self.certificate(l2)[1]  # above the target: a direction takes one product or more
        goal = max(share, CLOSE_ENOUGH * target / gap) * rr
        if self.place.whole:
            at = (self.w, self.b)
            x, products = one(
                self.place, tasks.smooth_direction, self.loss, at, r, (l2, bias), goal
            )
        else:
            x, products = conjugate_gradients(lambda p: self._product(p, l2, bias), r, goal)
        self.place.traffic.passes += int(products) * self.place.readings
        return x[:-1], float(x[-1])

    def _product(self, p: Floats, l2: float, bias: float | None) -> Floats:
        """Return the second derivatives times (v, c), from one round."""
        at, step = (self.w, self.b), (p[:-1], float(p[-1]))
        product, total = one(self.place, tasks.smooth_product, self.loss, at, step)
        out: Floats = penalized((product, float(total)), p, l2, bias)
        return out

    def losses_along(self, step: Floats, slide: float) -> tuple[Any, ...]:
        """Read the losses of the point moved by every share of a step."""
        at = (self.w, self.b)
        return one(self.place, tasks.smooth_along, self.loss, at, (step, slide), SHARES)


def _solved(H: Floats, b: Floats) -> Floats:
    out: Floats = scipy.linalg.solve(H, b, assume_a="pos", check_finite=False)
    return out
