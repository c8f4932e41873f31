r"""One convex problem as the judge sees it, its objective and the value of a dual point.

.. math::
    P(w, b) = \sum_i c_i \phi(x_i^\top w + b; y_i)
    + \sum_j l_j |w_j| + \tfrac12 q_j w_j^2 \quad (\text{lower} \le w \le \text{upper})

The intercept is an appended column of ones with penalties of its own. No loss or penalty is
negative, so an optimum has :math:`l_j|w_j| \le P` and :math:`q_j w_j^2 / 2 \le P` at any known
point: these radii join the bounds without changing the optimum, and make every dual point finite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.verification import losses

UNIT = 2.0**-53
FREE_RADIUS = 10.0


def dense(X: Any) -> Floats:
    """Return a matrix, sparse or not, as an array."""
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)


@dataclass(frozen=True)
class Problem:
    """A problem and the point to be judged; the intercept, if any, is the last column."""

    X: Any
    y: Floats
    c: Floats
    loss: str
    epsilon: float
    l1: Floats
    l2: Floats
    lower: Floats
    upper: Floats
    w: Floats
    intercept: bool

    @property
    def free(self) -> Floats:
        """Which columns have neither penalty nor finite bounds."""
        bounded = np.isfinite(self.lower) & np.isfinite(self.upper)
        return np.asarray((self.l1 == 0.0) & (self.l2 == 0.0) & ~bounded)

    @property
    def scale(self) -> float:
        """A bound of the relative rounding error of a sum over a row or a column."""
        return (max(len(self.y), len(self.w)) + 4) * UNIT

    def objective(self, w: Floats) -> tuple[float, float]:
        """Return the objective and a bound of its rounding error."""
        z = self.X @ w
        shift = self.scale * (abs(self.X) @ np.abs(w))
        terms = self.c * losses.values(self.loss, z, self.y, self.epsilon)
        penalties = self.l1 * np.abs(w) + 0.5 * self.l2 * w * w
        slope = np.abs(losses.slopes(self.loss, z, self.y, self.epsilon))
        slope = np.where(self.loss in losses.SMOOTH, slope + shift, 1.0)
        value = math.fsum(terms) + math.fsum(penalties)
        # A loss cancels in z - y or 1 - yz: its own rounding is at the size of the operands.
        operands = 4.0 * UNIT * (np.abs(z) + np.abs(self.y) + self.epsilon)
        error = math.fsum(self.c * slope * (shift + operands)) * 2.0 + 16.0 * UNIT * value
        inside = bool(np.all((w >= self.lower) & (w <= self.upper)))
        return (value if inside else math.inf), error

    def radii(self, objective: float, w: Floats) -> tuple[Floats, Floats]:
        """Return bounds of the coefficients of an optimum.

        An intercept is bounded by the losses too; a free feature by assumption, at
        ``FREE_RADIUS`` times the largest coefficient.
        """
        level = objective * (1.0 + 1e-9)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            radius = np.fmin(level / self.l1, np.sqrt(2.0 * level) / np.sqrt(self.l2))
        radius = np.where(np.isnan(radius), np.inf, radius)
        ends = np.maximum(np.abs(self.lower), np.abs(self.upper))
        radius = np.minimum(radius, ends)
        features = slice(None, -1) if self.intercept else slice(None)
        unknown = np.isinf(radius[features])
        assumed = FREE_RADIUS * float(np.abs(w).max(initial=0.0))
        radius[features] = np.where(unknown, assumed, radius[features])
        if self.intercept:
            radius[-1] = min(radius[-1], self._intercept_radius(level, radius[:-1]))
        return np.maximum(self.lower, -radius), np.minimum(self.upper, radius)

    def _intercept_radius(self, level: float, radius: Floats) -> float:
        """Return a bound of the intercept: no sample's loss exceeds the level."""
        used = self.c > 0.0
        reach = abs(self.X[:, :-1]) @ radius
        with np.errstate(divide="ignore"):
            share = level / np.where(used, self.c, np.inf)
        root = np.sqrt(2.0 * share) if self.loss == "squared" else share
        root = np.sqrt(share) if self.loss.startswith("squared_") else root
        reach = np.where(used, reach + root + np.abs(self.y) + self.epsilon, np.inf)
        if self.loss in ("logistic", "hinge", "squared_hinge"):
            sides = [reach[used & (self.y == side)] for side in (-1.0, 1.0)]
            return max(float(side.min(initial=np.inf)) for side in sides)
        return float(reach.min(initial=np.inf))

    def dual_value(self, theta: Floats, ends: tuple[Floats, Floats]) -> tuple[float, float]:
        """Return the lower bound of a dual point and a bound of its rounding error."""
        u = self.X.T @ theta
        shift = self.scale * (abs(self.X).T @ np.abs(theta))
        terms = losses.dual_values(self.loss, theta, self.y, self.c, self.epsilon)
        value = self._conjugates(u, ends)
        moved = np.maximum(self._conjugates(u + shift, ends), self._conjugates(u - shift, ends))
        size = math.fsum(np.abs(theta * self.y)) + math.fsum(np.abs(terms)) + math.fsum(value)
        error = math.fsum(np.maximum(moved - value, 0.0)) + 8.0 * UNIT * size
        return math.fsum(terms) - math.fsum(value), error

    def _conjugates(self, u: Floats, ends: tuple[Floats, Floats]) -> Floats:
        """Return sup of u w - l1 |w| - l2 w^2 / 2 between the ends, column by column."""
        over = np.sign(u) * np.maximum(np.abs(u) - self.l1, 0.0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            best = np.clip(np.where(over == 0.0, 0.0, over / self.l2), *ends)
            value = over * best - 0.5 * self.l2 * best * best
        return np.where(best == 0.0, 0.0, value)

    def violations(self, theta: Floats) -> Floats:
        """Return the distances of X'theta from the subdifferentials of the penalties."""
        u, w = self.X.T @ theta, self.w
        rest = u - self.l2 * w
        away = np.where(w == 0.0, np.maximum(np.abs(rest) - self.l1, 0.0), 0.0)
        away = np.where(w != 0.0, np.abs(rest - self.l1 * np.sign(w)), away)
        pull = rest - self.l1 * np.sign(w)
        held = ((w >= self.upper) & (pull > 0.0)) | ((w <= self.lower) & (pull < 0.0))
        return np.where(held, 0.0, away)
