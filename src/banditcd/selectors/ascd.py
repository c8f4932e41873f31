"""Approximate steepest coordinate descent."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State
from banditcd.selectors.rng import RandomSource


class Ascd(Selector):
    """Sample from a set that surely contains the steep coordinates (Stich, Raj & Jaggi, 2017).

    One pass at the start gives every u_i; afterwards only the updated coordinate's u is known.
    The others are bracketed: a move delta on i changes u_j by at most |delta| sqrt(h_i h_j), so
    |u_j - last known u_j| <= sqrt(h_j) (S - S_j) with S the running sum of |delta| sqrt(h_i).
    The bracket gives bounds low_j <= v_j <= high_j on the violation v_j = dist(u_j, dg_j(x_j)).
    The active set drops every coordinate whose high_j^2 is below the mean low^2 of the set (it
    would pull the expected progress down) until nothing changes, and is sampled uniformly.

    Cost: O(d) per step without touching the matrix; one pass in all.
    """

    name: ClassVar[str] = "ascd"

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Nothing is known yet."""
        self._problem, self._rng = problem, rng
        self._root = np.sqrt(problem.h)
        self._known: Floats | None = None
        self._last = -1

    def next(self, state: State) -> int:
        """Update the brackets, shrink the active set, draw from it."""
        if self._known is None:
            self._known = state.correlations()
            self._travel, self._when = 0.0, np.zeros(len(self._known))
        else:
            self._travel += abs(state.last_move) * self._root[self._last]
            self._known[self._last] = state.last_correlation
            self._when[self._last] = self._travel
        low, high = self._bounds(state.x)
        active = active_set(low * low, high * high)
        self._last = int(active[self._rng.integer(len(active))])
        return self._last

    def _bounds(self, x: Floats) -> tuple[Floats, Floats]:
        assert self._known is not None
        reach = self._root * (self._travel - self._when)
        left, right = self._problem.penalty.subdifferential(x)
        low = np.maximum(left - (self._known + reach), self._known - reach - right)
        high = np.maximum(left - (self._known - reach), self._known + reach - right)
        return np.maximum(low, 0.0), np.maximum(high, 0.0)


def active_set(low: Floats, high: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the fixed point of: drop i if high_i < mean of low over the set."""
    active = np.arange(len(low))
    while True:
        # Summed from left to right, as the compiled engine does: the comparison may be a tie.
        keep = high[active] >= np.cumsum(low[active])[-1] / len(active)
        if keep.all() or not keep.any():  # the mean of equal numbers may be above them by rounding
            return active
        active = active[keep]
