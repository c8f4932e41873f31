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
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.verification import exact, losses
from banditcd.verification.exact import TINY, UNIT, Pair, total

FREE_RADIUS = 10.0
NEAR = 1e-6  # of a bound: so close a coefficient is at it, but for rounding to float32
# Relative rounding of a term that does not cancel, its weights and penalties included: each is the
# outcome of at most a dozen operations, functions of the C library counted as four.
ULPS = 16.0 * UNIT


def _sum(terms: Floats) -> float:
    """Return a sum rounded once; inf, not an error, beyond float64."""
    try:
        return math.fsum(terms.tolist())
    except OverflowError:
        return math.inf


def _beyond(excess: Floats, room: Floats) -> Pair:
    """Return positive parts and their errors: none for what is negative by more than its error."""
    return np.maximum(0.0, excess), np.where(excess < -room, 0.0, room)


def dense(X: Any) -> Floats:
    """Return a matrix, sparse or not, as an array."""
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)


@dataclass(frozen=True)
class Problem:
    """A problem and the point to be judged; the intercept, if any, is the last column.

    ``unit`` divides the columns of the data and multiplies their coefficients.
    """

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
    unit: Floats

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which columns have neither penalty nor finite bounds."""
        bounded = np.isfinite(self.lower) & np.isfinite(self.upper)
        return np.asarray((self.l1 == 0.0) & (self.l2 == 0.0) & ~bounded)

    @property
    def scale(self) -> float:
        """A bound of the relative rounding error of a sum over a row or a column."""
        return (max(len(self.y), len(self.w)) + 4) * UNIT

    def support(self, w: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return a point with what is nearly at a bound moved there, and which others are used."""
        low, high = (
            np.isfinite(end) & (np.abs(w - np.where(np.isfinite(end), end, 0.0)) <= NEAR * abs(end))
            for end in (self.lower, self.upper)
        )
        ends = np.where(low, self.lower, np.where(high, self.upper, w))
        return ends, np.asarray((w != 0.0) & ~low & ~high)

    def objective(self, w: Floats) -> tuple[float, float]:
        """Return the objective and a bound of its rounding error."""
        z = exact.dots(self.X, w)
        over, miss = self._misses(z)
        terms = self.c * losses.of_excess(self.loss, over)
        penalties = self.l1 * np.abs(w) + 0.5 * self.l2 * w * w
        value = _sum(terms) + _sum(penalties)
        error = _sum(self.c * losses.steepness(self.loss, over, miss) * miss) + ULPS * value
        inside = bool(np.all((w >= self.lower) & (w <= self.upper)))
        return (value if inside else math.inf), error + TINY * w.size

    def _misses(self, z: Pair) -> Pair:
        """Return the argument of every loss, rounded once, and a bound of what else it is off by.

        That is z - y, max(0, 1 - yz), max(0, |z - y| - epsilon), or -yz for the logistic loss.
        """
        high, low = z
        room = 4.0 * UNIT**2 * (np.abs(high) + np.abs(self.y)) + TINY * len(self.w)
        if self.loss == "logistic":
            return -self.y * high, np.abs(low) + room
        if self.loss in ("hinge", "squared_hinge"):
            first, rest = total(np.ones_like(high), -self.y * high)
            return _beyond(first + (rest - self.y * low), room)
        first, rest = total(high, -self.y)
        off, left = total(first, rest + low)
        if self.loss == "squared":
            return off, room
        side = np.sign(off)
        first, rest = total(np.abs(off), np.full_like(off, -self.epsilon))
        return _beyond(first + (rest + side * left), room + 4.0 * UNIT**2 * self.epsilon)

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
        """Return the lower bound of a dual point and a bound of its rounding error.

        The point is what its float64 numbers say, so only the evaluation rounds.
        """
        linear = losses.linear_parts(self.loss, theta, self.y)
        curved = losses.curved_parts(self.loss, theta, self.c, self.epsilon)
        high, low = exact.dots(self.X.T.tocsr() if hasattr(self.X, "tocsr") else self.X.T, theta)
        conjugates = self._conjugates(high, low, ends)
        value = _sum(np.concatenate([*linear, -curved, -conjugates]))
        # A conjugate is convex, and no slope of it exceeds the larger end.
        reach = np.maximum(np.abs(ends[0]), np.abs(ends[1]))
        second = _sum(reach * (4.0 * UNIT**2 * (np.abs(high) + self.l1) + TINY * theta.size))
        error = ULPS * (_sum(np.abs(curved)) + _sum(np.abs(conjugates)) + abs(value))
        return value, error + second + 4.0 * TINY * (theta.size + high.size)

    def _conjugates(self, high: Floats, low: Floats, ends: Pair) -> Floats:
        """Return sup of u w - l1 |w| - l2 w^2 / 2 between the ends, column by column.

        u = high + low.
        """
        first, rest = total(np.abs(high), -self.l1)
        over = np.sign(high) * np.maximum(first + (rest + np.sign(high) * low), 0.0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            best = np.clip(np.where(over == 0.0, 0.0, over / self.l2), *ends)
            value = over * best - 0.5 * self.l2 * best * best
        return np.where(best == 0.0, 0.0, value)

    def violations(self, theta: Floats) -> Floats:
        """Return the distances of X'theta from the subdifferentials, in the units of the data."""
        u, w = self.X.T @ theta, self.w
        rest = u - self.l2 * w
        away = np.where(w == 0.0, np.maximum(np.abs(rest) - self.l1, 0.0), 0.0)
        away = np.where(w != 0.0, np.abs(rest - self.l1 * np.sign(w)), away)
        pull = rest - self.l1 * np.sign(w)
        held = ((w >= self.upper) & (pull > 0.0)) | ((w <= self.lower) & (pull < 0.0))
        return np.where(held, 0.0, away * self.unit)
