r"""The separable penalties of all columns, as arrays.

:math:`g_j(w) = l_j |w| + \tfrac{m_j}{2} w^2` on :math:`[\mathrm{lower}_j, \mathrm{upper}_j]`, with
:math:`l_j = p_j \lambda_1` and :math:`m_j = p_j \lambda_2` in sums, not means; an infinite
:math:`p_j` excludes the column.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from banditcd._typing import Floats


@dataclass(frozen=True, slots=True)
class ColumnPenalties:
    """Penalty weights and bounds of the columns; None means ones, or no bound."""

    cols: int
    weights: Floats | None = None
    lower: Floats | None = None
    upper: Floats | None = None

    def tiled(self, classes: int) -> ColumnPenalties:
        """Return those of several classes, one after another: the same for each."""
        given = (self.weights, self.lower, self.upper)
        parts = [None if part is None else np.tile(part, classes) for part in given]
        return ColumnPenalties(classes * self.cols, *parts)

    def at(self, l1: float, l2: float) -> Penalties:
        """Return the penalties for a pair of strengths (in sums)."""
        weights = np.ones(self.cols) if self.weights is None else self.weights
        excluded = np.isinf(weights)
        finite = np.where(excluded, 0.0, weights)
        lower = np.full(self.cols, -np.inf) if self.lower is None else self.lower
        upper = np.full(self.cols, np.inf) if self.upper is None else self.upper
        return Penalties(
            finite * l1, finite * l2, np.where(excluded, 0.0, lower), np.where(excluded, 0.0, upper)
        )


@dataclass(frozen=True)
class Penalties:
    """l, m, lower and upper of every column, and what follows from them alone."""

    l: Floats  # noqa: E741 - the letter of the formula
    m: Floats
    lower: Floats
    upper: Floats

    def rows(self, columns: Any) -> Floats:
        """Return one row (l, m, lower, upper) per column, as native code takes them."""
        parts = (self.l[columns], self.m[columns], self.lower[columns], self.upper[columns])
        return np.ascontiguousarray(np.stack(parts, axis=1))

    def excess(self, u: Floats) -> Floats:
        """Return by how much every correlation exceeds the threshold of a column at zero."""
        up = np.where(self.upper > 0.0, u - self.l, 0.0)
        down = np.where(self.lower < 0.0, -u - self.l, 0.0)
        return np.maximum(np.maximum(up, down), 0.0)

    def value(self, columns: Any, coef: Floats) -> float:
        """Return the penalty of coefficients of some columns."""
        return float(self.l[columns] @ np.abs(coef) + 0.5 * self.m[columns] @ (coef * coef))

    def conjugates(self, u: Floats) -> float:
        """Return the sum over all columns of sup over w of u w - g(w); it may be infinite.

        A column whose threshold is not exceeded adds 0.
        """
        over = np.flatnonzero(np.abs(u) > self.l)
        u, l, m = u[over], self.l[over], self.m[over]  # noqa: E741 - the letter of the formula
        with np.errstate(divide="ignore"):
            at = np.sign(u) * (np.abs(u) - l) / m
        at = np.clip(at, self.lower[over], self.upper[over])
        if np.isinf(at).any():
            return math.inf
        return float(np.sum(u * at - l * np.abs(at) - 0.5 * m * at * at))

    def largest_scale(self, u: Floats) -> float:
        """Return the largest t <= 1 at which every conjugate at t u is finite."""
        over = np.flatnonzero((np.abs(u) > self.l) & (self.m == 0.0))
        u = u[over]
        hard = np.where(u > 0.0, self.upper[over], -self.lower[over]) == np.inf
        return float(np.min(self.l[over][hard] / np.abs(u[hard]), initial=1.0))

    def without_free(self, u: Floats, square: Floats, allowed: float) -> Floats | None:
        """Return correlations u with zeros for columns without a penalty, as a dual point needs it.

        None where one of them exceeds ``allowed`` times the norm of its column (``square`` has the
        squares): then no dual point is near.
        """
        if not self.any_free:
            return u
        free = self.free & (square > 0.0)
        if np.any(np.abs(u[free]) > allowed * np.sqrt(square[free])):
            return None
        return np.where(free, 0.0, u)

    @cached_property
    def movable(self) -> Any:
        """Columns whose bounds allow more than 0."""
        return (self.lower < 0.0) | (self.upper > 0.0)

    @cached_property
    def free(self) -> Any:
        """Columns without any penalty that may move."""
        return (self.l == 0.0) & (self.m == 0.0) & self.movable

    @cached_property
    def any_free(self) -> bool:
        """Whether there is a column without any penalty that may move."""
        return bool(self.free.any())
