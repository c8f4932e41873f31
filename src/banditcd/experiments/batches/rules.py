"""Rules that choose k coordinates at a time by marginal decrease.

A refresh (all r_i, one pass over A) pays for one batch. The three rules differ in what they do
with it: update it once, work on it until it is spent, or choose it so that its members do not
undo one another's steps. ``k = 1`` in the first rule is max_r, ``k = d`` a cyclic pass.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix
from banditcd.problems import Problem
from banditcd.selectors import RandomSource
from banditcd.selectors.base import State

Indices = npt.NDArray[np.intp]
CANDIDATES = 4  # decorrelated batches are chosen among that many times k coordinates


def largest(r: Floats, k: int) -> Indices:
    """Return the coordinates with the k largest positive r, largest first; one if all are zero."""
    count = min(k, max(int(np.count_nonzero(r > 0.0)), 1))
    top = np.argpartition(-r, count - 1)[:count]
    return np.asarray(top[np.argsort(-r[top], kind="stable")], dtype=np.intp)


class TopBatch:
    """Refresh, then update the k coordinates with the largest r once each, in index order.

    Cost: one pass over A per batch, besides the updates.
    """

    def __init__(self, k: int = 16) -> None:
        self.k = k

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Nothing is kept between batches."""

    def next(self, state: State) -> Indices:
        """Return the next batch."""
        return np.sort(largest(state.marginal_decreases(), self.k))


class PoolBatch:
    """Refresh, add the k largest r to a pool, and pass over the pool while that pays.

    A pass is repeated as long as it decreases F by at least ``keep_going`` times the decrease of
    the first pass of its pool, at most ``passes`` times. Coordinates that the last pass did not
    move leave the pool. Cost: one pass over A per pool, besides the updates.
    """

    def __init__(self, k: int = 16, passes: int = 50, keep_going: float = 0.1) -> None:
        self.k, self.passes, self.keep_going = k, passes, keep_going

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin with an empty pool."""
        self._pool: Indices = np.empty(0, dtype=np.intp)
        self._first = self._gain = 0.0
        self._passes = 0
        self._moved: set[int] = set()

    def next(self, state: State) -> Indices:
        """Return the pool again, or a new one after a refresh."""
        if self._passes == 1:
            self._first = self._gain
        spent = self._gain <= self.keep_going * self._first or self._passes >= self.passes
        if self._passes == 0 or spent:
            entering = largest(state.marginal_decreases(), self.k)
            kept = np.array(sorted(self._moved), dtype=np.intp)
            self._pool, self._passes = np.union1d(kept, entering), 0
        self._passes += 1
        self._gain, self._moved = 0.0, set()
        return self._pool

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Add up the decrease of the pass."""
        if decrease > 0.0:
            self._gain += decrease
            self._moved.add(i)


class SpreadBatch:
    """Refresh, then update k coordinates with large r and small mutual correlation.

    The largest r is taken first; a candidate is passed over if its column has a cosine above
    ``ceiling`` in absolute value with one that was taken. Cosines are computed once per pair and
    counted as work, both columns of a pair at half price (a blocked kernel reads them together).
    Cost: one pass over A per batch, and the pairs.
    """

    def __init__(self, k: int = 16, ceiling: float = 0.3) -> None:
        self.k, self.ceiling = k, ceiling

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin without a known pair."""
        self._cosines = Cosines(problem.A)

    def next(self, state: State) -> Indices:
        """Return the next batch."""
        candidates = largest(state.marginal_decreases(), CANDIDATES * self.k)
        cosine, entries = self._cosines.among(candidates)
        state.charge(entries)
        taken: list[int] = []
        free = np.ones(len(candidates), dtype=bool)
        for place in range(len(candidates)):
            if free[place] and len(taken) < self.k:
                taken.append(place)
                free &= np.abs(cosine[place]) <= self.ceiling
        return np.sort(candidates[taken])


class Cosines:
    """Cosines of pairs of columns; pairs seen before are free up to ``most`` columns."""

    def __init__(self, A: ColumnMatrix, most: int = 4096) -> None:
        self._A = A
        self._inverse = 1.0 / np.sqrt(np.maximum(A.column_squares(), 1e-300))
        self._known = np.zeros((A.d, A.d), dtype=bool) if most >= A.d else None

    def among(self, columns: Indices) -> tuple[Floats, int]:
        """Return the cosines of some columns and how many matrix entries that cost."""
        part = self._A.keep(columns)
        gram = np.array([part.rmatvec(_dense(part, j)) for j in range(part.d)])
        scale = self._inverse[columns]
        entries = np.array([part.entries(j) for j in range(part.d)])
        fresh = np.ones((part.d, part.d), dtype=bool)
        if self._known is not None:
            block = np.ix_(columns, columns)
            fresh = ~self._known[block]
            self._known[block] = True
        cost = int(fresh.sum(axis=1) @ entries) // 2
        return gram * scale * scale[:, None], cost


def _dense(A: ColumnMatrix, j: int) -> Floats:
    rows, values = A.column(j)
    column = np.zeros(A.m)
    column[rows] = values
    return column
