"""The other reading of the question: spend the budget on looking, not on updating.

B_max_r chooses by estimates that are as old as the last refresh. Here it updates one coordinate per
step, as in the paper, and looks at k more: their r_i are computed afresh, one dot product each. A
refresh every d/2 steps costs two dot products a step, so k = 2 without refreshes is the paper's
budget, spread evenly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banditcd.problems import Problem
from banditcd.selectors import RandomSource
from banditcd.selectors.base import State, greedy

Indices = npt.NDArray[np.intp]
WHICH = ("oldest", "largest")


class LookingBandit:
    """B_max_r that looks at k arms before every step.

    Parameters
    ----------
    k : int
        Arms to look at per step.
    which : {"oldest", "largest"}
        Those whose estimate is oldest, or those whose estimate is largest.
    epsilon : float
        Probability of a uniform choice.
    refresh : float
        Steps between refreshes, in units of d; inf for the first one only.
    """

    def __init__(
        self, k: int = 2, which: str = "oldest", epsilon: float = 0.5, refresh: float = np.inf
    ) -> None:
        if which not in WHICH:
            raise ValueError(f"which is {which!r}; use one of {WHICH}.")
        self.k, self.which, self.epsilon, self.refresh = k, which, epsilon, refresh

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Nothing is known yet."""
        self._rng, self._d = rng, problem.d
        self._bin = max(1, round(self.refresh * problem.d)) if np.isfinite(self.refresh) else 0
        self._r = np.zeros(problem.d)
        self._turn = 0  # the arm whose estimate is oldest, in a round
        self.best: list[int] = []
        """The arm that looked best at every step: c is measured with it."""

    def next(self, state: State) -> int:
        """Look, then take the best estimate or explore."""
        if state.step == 0 or (self._bin and state.step % self._bin == 0):
            self._r = np.array(state.marginal_decreases())
        elif self.k:
            looked = self._looked()
            self._r[looked] = state.look(looked)
        self.best.append(greedy(self._r, self._rng))
        if self._rng.uniform() < self.epsilon:
            return self._rng.integer(self._d)
        return self.best[-1]

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """The updated arm is known without a look."""
        self._r[i] = r_after

    def _looked(self) -> Indices:
        k = min(self.k, self._d)
        if self.which == "largest":
            return np.asarray(np.argpartition(-self._r, k - 1)[:k], dtype=np.intp)
        looked = (self._turn + np.arange(k)) % self._d
        self._turn = int((self._turn + k) % self._d)
        return np.asarray(looked, dtype=np.intp)


def ratios(best: list[int], r: Any, scale: Any) -> npt.NDArray[np.float64]:
    """Return max_i r_i / r of the arm that looked best, step by step: c is their maximum.

    inf where that arm has nothing to give any more, 1 where no arm has.
    """
    now = np.asarray(r)[: len(best)]
    top = now.max(axis=1)
    taken = now[np.arange(len(best)), best]
    lost, over = taken <= 1e-14 * top, top <= 1e-20 * np.asarray(scale)[: len(best)]
    found = np.where(lost, np.inf, top / np.where(lost, 1.0, taken))
    return np.asarray(np.where(over, 1.0, found))
