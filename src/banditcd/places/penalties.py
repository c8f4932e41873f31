r"""The separable penalties of all columns, as arrays.

:math:`g_j(w) = l_j |w| + \tfrac{m_j}{2} w^2` on :math:`[\mathrm{lower}_j, \mathrm{upper}_j]`, with
:math:`l_j = p_j \lambda_1` and :math:`m_j = p_j \lambda_2` in sums, not means; an infinite
:math:`p_j` excludes the column.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Penalties:
    """l, m, lower and upper of every column."""

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

    def conjugate(self, u: Floats) -> Floats:
        """Return sup over w of u w - g(w) for every column; infinite where nothing bounds it."""
        excess = np.maximum(np.abs(u) - self.l, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.where(excess > 0.0, np.sign(u) * excess / self.m, 0.0)
        at = np.clip(at, self.lower, self.upper)
        with np.errstate(invalid="ignore"):
            value = u * at - self.l * np.abs(at) - 0.5 * self.m * at * at
        return np.where(np.isinf(at), np.inf, value)

    def largest_scale(self, u: Floats) -> float:
        """Return the largest t <= 1 at which every conjugate at t u is finite."""
        bounded = np.where(u > 0.0, self.upper, -self.lower) < np.inf
        hard = (np.abs(u) > self.l) & (self.m == 0.0) & ~bounded
        return float(np.min(self.l[hard] / np.abs(u[hard]), initial=1.0))

    @property
    def free(self) -> Any:
        """Columns without any penalty that may move."""
        return (self.l == 0.0) & (self.m == 0.0) & ((self.lower < 0.0) | (self.upper > 0.0))
