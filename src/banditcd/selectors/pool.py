"""Several coordinates per refresh: a pool that is passed over while that pays."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.selectors.base import State
from banditcd.selectors.rng import RandomSource

Indices = npt.NDArray[np.intp]


class Pool:
    """Refresh, add the k most promising coordinates to a pool, pass over it while that pays.

    A cycle is a refresh (one pass over A, all r_i) and some passes over the pool, in index order.
    It goes on while its last pass gained more per matrix entry than the next cycle can be expected
    to, refresh included (the marginal value theorem of foraging; Charnov, 1976): the rate of this
    cycle so far, times the fall of that rate from the cycle before the last to the last one (at
    most to a tenth). Coordinates that the last pass did not move leave the pool.

    With ``k="auto"`` the k is chosen anew at every refresh. In the order of r_i per entry of the
    column, a prefix of coordinates is expected to gain the sum of its r_i at the cost of the
    refresh and of p passes over it, p being the mean number of passes per cycle so far; the prefix
    with the largest gain per entry enters.

    The choices are made in Python, a batch at a time: there is no compiled twin.

    Parameters
    ----------
    k : int or "auto"
        How many coordinates may enter at a refresh.
    """

    name: ClassVar[str] = "pool"
    STEEPEST: ClassVar[float] = 0.1
    """The largest fall of the rate from one cycle to the next that is believed."""

    def __init__(self, k: int | str = "auto") -> None:
        if k != "auto" and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
            raise ValueError(f"k is {k!r}; use a whole number from 1 on, or 'auto'.")
        self.k = k

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin with an empty pool."""
        A = problem.A
        self._entries = np.array([max(A.entries(i), 1) for i in range(problem.d)], dtype=np.float64)
        self._nnz = float(A.nnz)
        self._pool: Indices = np.empty(0, dtype=np.intp)
        self._moved: list[Indices] = []
        self._gain = self._pass_gain = self._spent = 0.0
        self._passes, self._cycles, self._all_passes = 0, 0, 0
        self._last_rate, self._fall = 0.0, 1.0

    def next(self, state: State) -> Indices:
        """Return the pool again, or a new one after a refresh."""
        cost = 2.0 * float(self._entries[self._pool].sum())
        self._spent += cost
        self._gain += self._pass_gain
        pays = self._pass_gain * self._spent > self._fall * self._gain * cost
        if self._passes == 0 or not pays:
            self._refresh(state.marginal_decreases())
        self._passes += 1
        self._all_passes += 1
        self._pass_gain, self._moved = 0.0, []
        return self._pool

    def observe_batch(self, indices: Indices, decreases: Floats, r_after: Floats) -> None:
        """Add up the decrease of the pass, and note who moved."""
        self._pass_gain += float(np.maximum(decreases, 0.0).sum())
        self._moved.append(indices[decreases > 0.0])

    def _refresh(self, r: Floats) -> None:
        if self._passes:
            rate = self._gain / self._spent
            if self._last_rate > 0.0:
                self._fall = float(np.clip(rate / self._last_rate, self.STEEPEST, 1.0))
            self._last_rate = rate
        kept = np.concatenate(self._moved) if self._moved else np.empty(0, dtype=np.intp)
        self._pool = np.union1d(kept, self.entering(r))
        self._cycles += 1
        self._passes, self._gain, self._spent = 0, 0.0, self._nnz

    def entering(self, r: Floats) -> Indices:
        """Return who enters the pool at a refresh: at least one, nobody without promise."""
        order = np.argsort(-r / self._entries, kind="stable")
        promising = max(int(np.count_nonzero(r > 0.0)), 1)
        if self.k != "auto":
            return np.asarray(order[: min(int(self.k), promising)], dtype=np.intp)
        passes = max(self._all_passes / max(self._cycles, 1), 1.0)
        gains = np.cumsum(r[order[:promising]])
        costs = self._nnz + 2.0 * passes * np.cumsum(self._entries[order[:promising]])
        return np.asarray(order[: int(np.argmax(gains / costs)) + 1], dtype=np.intp)

    def __repr__(self) -> str:
        return f"Pool(k={self.k!r})"
