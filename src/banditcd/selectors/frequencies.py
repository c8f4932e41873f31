"""Rules without any refresh that learn from the decreases they obtain."""

from __future__ import annotations

import heapq
import math
from typing import ClassVar

import numpy as np

from banditcd.data import check_number
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State
from banditcd.selectors.rng import RandomSource


class Acf(Selector):
    """Adaptive coordinate frequencies (Glasmachers & Dogan, ACML 2013).

    Each coordinate has a preference p_i in [1/20, 20]; a block of about d steps holds coordinate i
    about d p_i / sum p times, in random order. After a step that gained ``decrease`` the
    preference is multiplied by exp(rate (decrease / mean - 1)), mean being an exponential average
    of the decreases over about d steps. The first d steps only measure that average.

    Cost: O(1) per step, no refresh.

    Parameters
    ----------
    rate : float
        Learning rate of the preferences.
    """

    name: ClassVar[str] = "acf"
    LOWEST: ClassVar[float] = 1.0 / 20.0
    HIGHEST: ClassVar[float] = 20.0

    def __init__(self, rate: float = 0.2) -> None:
        self.rate = check_number(rate, "rate", minimum=0.0, strict=True)

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """All preferences are equal."""
        self._d, self._rng = problem.d, rng
        self._preference = np.ones(problem.d)
        self._sum = float(problem.d)
        self._credit = np.zeros(problem.d)
        self._block = np.zeros(0, dtype=np.int32)
        self._position, self._seen, self._mean = 0, 0, 0.0

    def next(self, state: State) -> int:
        """Return the next of the block, drawing up a new block at its end."""
        while self._position == len(self._block):
            self._credit += self._preference * (self._d / self._sum)
            times = np.floor(self._credit).astype(np.int64)
            self._credit -= times
            self._block = np.repeat(np.arange(self._d, dtype=np.int32), times)
            self._rng.shuffle(self._block)
            self._position = 0
        self._position += 1
        return int(self._block[self._position - 1])

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Move the preference by the gain relative to the mean gain."""
        self._seen += 1
        if self._seen <= self._d:
            self._mean += decrease / self._d
            return
        if self._mean > 0.0:
            old = self._preference[i]
            factor = math.exp(min(self.rate * (decrease / self._mean - 1.0), 100.0))
            new = min(max(old * factor, self.LOWEST), self.HIGHEST)
            self._sum += new - old
            self._preference[i] = new
        self._mean += (decrease - self._mean) / self._d

    def native(self) -> dict[str, float]:
        """Learning rate."""
        return {"rate": self.rate}


class Calendar(Selector):
    """Revisit periods: every coordinate has a date, and the next due one is taken.

    Beyond the paper. After a visit the coordinate's period is multiplied by
    clip(sqrt(mean gain / own gain), 1/2, 2) and its next date is now + period, so coordinates
    that gain much come back sooner and all visits tend to gain the same.

    Cost: O(log d) per step, no refresh; it needs a few epochs to learn.

    Parameters
    ----------
    longest : float
        Longest period, in epochs.
    """

    name: ClassVar[str] = "calendar"

    def __init__(self, longest: float = 50.0) -> None:
        self.longest = check_number(longest, "longest", minimum=1.0)

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Everybody is due once in the first epoch, in random order."""
        self._d = problem.d
        order = np.arange(problem.d, dtype=np.int32)
        rng.shuffle(order)
        self._due = [(float(date), int(i)) for date, i in enumerate(order)]
        self._period = np.full(problem.d, float(problem.d))
        self._now, self._mean = 0.0, 0.0

    def next(self, state: State) -> int:
        """Return the coordinate that is due first."""
        self._now, i = heapq.heappop(self._due)
        return i

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Set the next date."""
        gain = max(decrease, 0.0)
        self._mean += (gain - self._mean) / self._d
        ratio = math.sqrt(self._mean / gain) if gain > 0.0 else 2.0
        period = self._period[i] * min(max(ratio, 0.5), 2.0)
        self._period[i] = min(max(period, 1.0), self.longest * self._d)
        heapq.heappush(self._due, (self._now + self._period[i], i))

    def native(self) -> dict[str, float]:
        """Longest period."""
        return {"longest": self.longest}
