"""Full passes that show what pays, and shorter ones over what does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from banditcd.data import check_number
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State
from banditcd.selectors.rng import RandomSource


@dataclass
class Level:
    """A set of coordinates, and its cycle: one pass over all of it, then cycles over a part.

    ``gain`` and ``work`` are those of that pass, the rate at which a part has to pay;
    ``cycle_gain`` and ``cycle_work`` those of the cycle so far.
    """

    members: npt.NDArray[np.int32]
    gain: float = 0.0
    work: int = 0
    cycle_gain: float = 0.0
    cycle_work: int = 0

    def pays(self, gain: float, work: int) -> bool:
        """Whether a gain is larger per entry than that of the pass over this level."""
        return gain * self.work > self.gain * work


class Focus(Selector):
    """Shuffled passes over everything, and over the coordinates that pay while they do.

    Beyond the paper. A pass in random order over all coordinates shows the gain of each of them
    for nothing. Shorter passes over those that moved go on as long as they gain more per matrix
    entry than that full pass did. A short pass that pays is treated like a full one: inside it,
    the coordinates with at least ``share`` of its gain per entry are the next smaller set. One
    cycle over a set is

        a pass over the set, with gain g and work w;
        if it pays for the set around it: cycles over its part Q,
        as long as these gain more than g / w per entry.

    Q is used only if a pass over it costs at most half of the pass that showed it. Hence the
    promise (``banditcd.theory.focus_bound``): the matrix entries to any accuracy are at most 1.5
    times the bound of the full passes alone, and less by the factor by which the cycles pay more
    than their full passes. Relatives are the shrinking of LIBLINEAR and the active sets of
    glmnet; new is when to stop, which needs no tolerance.

    Cost: O(1) per step and a random number, no refresh.

    Parameters
    ----------
    share : float in (0, 1]
        Inside a short pass: the smaller set holds the coordinates that gained at least this share
        of the average per entry. Smaller is more careful: smaller sets are used less often.
    """

    name: ClassVar[str] = "focus"

    def __init__(self, share: float = 0.25) -> None:
        self.share = check_number(share, "share", minimum=0.0, maximum=1.0, strict=True)

    @property
    def level(self) -> int:
        """How deep the present pass is: 0 is over everything."""
        return len(self._levels) - 1

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin with a pass over everything."""
        self._rng = rng
        self._gains = [0.0] * problem.d
        self._costs = [0] * problem.d
        self._levels = [Level(np.arange(problem.d, dtype=np.int32))]
        self._last, self._position = -1, 0
        self._touched = 0

    def next(self, state: State) -> int:
        """Return the next of the pass; at its end, decide what the next pass is over."""
        if self._last >= 0:
            self._costs[self._last] = state.entries_touched - self._touched
            if self._position == len(self._levels[-1].members):
                self._end_pass(self._levels[-1])
                self._position = 0
        members = self._levels[-1].members
        if self._position == 0:
            self._rng.shuffle(members)
        self._last = int(members[self._position])
        self._position += 1
        self._touched = state.entries_touched
        return self._last

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Note the gain."""
        self._gains[i] = max(decrease, 0.0)

    def native(self) -> dict[str, float]:
        """Share."""
        return {"share": self.share}

    def _end_pass(self, top: Level) -> None:
        """Go down to a part, repeat the cycle of the level, or go up until one is repeated."""
        levels = self._levels
        top.gain, top.work = 0.0, 0
        for i in top.members:  # in this order, as the native twin adds them up
            top.gain += self._gains[i]
            top.work += self._costs[i]
        top.cycle_gain, top.cycle_work = top.gain, top.work
        if len(levels) == 1 or levels[-2].pays(top.gain, top.work):
            part = self._part(top)
            if part is not None:
                levels.append(part)
                return
        while len(levels) > 1:
            done, above = levels[-1], levels[-2]
            above.cycle_gain += done.cycle_gain
            above.cycle_work += done.cycle_work
            if above.pays(done.cycle_gain, done.cycle_work):
                return
            levels.pop()

    def _part(self, level: Level) -> Level | None:
        """Return the coordinates that pay, or None if a pass over them would not be short."""
        least = self.share * level.gain if self.level > 0 else 0.0
        members = [
            i
            for i in level.members
            if self._gains[i] > 0.0 and self._gains[i] * level.work >= least * self._costs[i]
        ]
        if not members or 2 * sum(self._costs[i] for i in members) > level.work:
            return None
        return Level(np.array(members, dtype=np.int32))
