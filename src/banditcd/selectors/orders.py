"""Selectors that look at nothing: uniform, cyclic, shuffled."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State
from banditcd.selectors.rng import RandomSource


class Uniform(Selector):
    """Draw every coordinate with probability 1/d (Shalev-Shwartz & Tewari, JMLR 2011).

    Cost: one random number per step, nothing per epoch.
    """

    name: ClassVar[str] = "uniform"

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Remember d and the generator."""
        self._d, self._rng = problem.d, rng

    def next(self, state: State) -> int:
        """Draw."""
        return self._rng.integer(self._d)


class Cyclic(Selector):
    """0, 1, ..., d-1, 0, 1, ... in natural order.

    Cost: nothing per step or epoch. Beware of data whose columns (or rows, in a dual) come in a
    meaningful order: natural order can need many times the epochs of a shuffled one.
    """

    name: ClassVar[str] = "cyclic"

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin at 0."""
        self._d, self._i = problem.d, -1

    def next(self, state: State) -> int:
        """Return the next in order."""
        self._i = (self._i + 1) % self._d
        return self._i


class Shuffled(Selector):
    """A fresh random order of all coordinates every epoch.

    Cost: one random number per step, d of them per epoch. The baseline that every adaptive rule
    should beat.
    """

    name: ClassVar[str] = "shuffled"

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin with the identity; it is shuffled before use."""
        self._rng = rng
        self._order = np.arange(problem.d, dtype=np.int32)
        self._position = problem.d

    def next(self, state: State) -> int:
        """Return the next of the permutation, reshuffled at its end."""
        if self._position == len(self._order):
            self._rng.shuffle(self._order)
            self._position = 0
        self._position += 1
        return int(self._order[self._position - 1])
