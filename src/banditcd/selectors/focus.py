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
    ``cycle_gain`` and ``cycle_work`` those of the cycle, added up as its cycles end. ``largest``
    is the cost of its most expensive step.
    """

    members: npt.NDArray[np.int32]
    largest: int = 0
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
    for nothing: a move delta has gained at least (h_i + mu_i) delta^2 / 2. Shorter passes over
    those that moved go on as long as they gain more per matrix entry than that full pass did. A
    short pass that pays is treated like a full one, so that the sets are nested. One cycle over a
    set is

        a pass over the set, with gain g and work w;
        if it pays for the set around it: cycles over its part Q,
        as long as these gain more than g / w per entry.

    Of everything, Q holds the coordinates that moved; of a smaller set, those whose gain per entry
    was at least ``share`` of the average. It is used only if a pass over it costs at most
    ``LONGEST`` of the pass that showed it. Where nearly everything moves (smooth costs), Q holds
    those whose gain per entry was above the average, if two full passes in a row were concentrated:
    such coordinates made ``MOST`` of the gain by ``FEW`` of the work. The first pass of all shows
    nothing, because at the start every coordinate is far from its optimum.

    A short pass is given up as soon as it has cost ``patience`` w more than it paid for. Hence the
    promise (``banditcd.theory.focus_bound``): the matrix entries to any accuracy are at most
    1 + patience times the bound of the full passes alone, and less by the factor by which the
    cycles pay more than their full passes. Relatives are the shrinking of LIBLINEAR and the active
    sets of glmnet; new is when to stop, which needs no tolerance.

    Where everything moved in two full passes (``EVERYTHING`` of their work) and no part was used,
    the next 1, 2, 4, ... up to ``LONGEST_NAP`` full passes are taken without learning from them.

    Cost: O(1) per step and a random number, no refresh.

    Parameters
    ----------
    share : float in (0, 1]
        Smaller is more careful: the sets inside the first one are used less often.
    patience : float in (0, 1]
        What a short pass may cost beyond what it pays for, in full passes.
    """

    name: ClassVar[str] = "focus"
    LONGEST: ClassVar[float] = 0.7
    EVERYTHING: ClassVar[float] = 0.95
    LONGEST_NAP: ClassVar[int] = 8
    MOST: ClassVar[float] = 0.8
    FEW: ClassVar[float] = 0.4

    def __init__(self, share: float = 0.25, patience: float = 0.5) -> None:
        self.share = check_number(share, "share", minimum=0.0, maximum=1.0, strict=True)
        self.patience = check_number(patience, "patience", minimum=0.0, maximum=1.0, strict=True)

    @property
    def level(self) -> int:
        """How deep the present pass is: 0 is over everything."""
        return len(self._levels) - 1

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin with a pass over everything."""
        self._rng = rng
        self._half_modulus = 0.5 * (problem.h + problem.mu)
        self._moved: list[tuple[int, float, int]] = []  # who, gain and cost, in this pass
        self._levels = [Level(np.arange(problem.d, dtype=np.int32))]
        self._last, self._position, self._touched = -1, 0, 0
        self._busy, self._naps_left = 0, 0
        self._is_first, self._concentrated = True, 0  # full passes in a row

    def next(self, state: State) -> int:
        """Return the next of the pass; at its end, decide what the next pass is over."""
        if self._naps_left > 0:
            if self._position == len(self._levels[0].members):
                self._position, self._naps_left = 0, self._naps_left - 1
        elif self._last >= 0:
            self._learn(state)
            if self._position == len(self._levels[-1].members) or self._gives_up():
                self._end_pass()
        top = self._levels[-1]
        if self._position == 0:
            self._rng.shuffle(top.members)
            top.gain, top.work = 0.0, 0
            self._moved.clear()
        self._last = int(top.members[self._position])
        self._position += 1
        self._touched = state.entries_touched
        return self._last

    def native(self) -> dict[str, float]:
        """Share, patience and the constant."""
        return {
            "share": self.share,
            "patience": self.patience,
            "longest": self.LONGEST,
        }

    def _learn(self, state: State) -> None:
        """Note what the last step gained and cost."""
        i, top, move = self._last, self._levels[-1], state.last_move
        cost = state.entries_touched - self._touched
        gain = float(self._half_modulus[i]) * move * move
        top.work += cost
        if gain > 0.0:
            top.gain += gain
            self._moved.append((i, gain, cost))

    def _gives_up(self) -> bool:
        """Whether one step more could cost more than patience allows."""
        if self.level == 0:
            return False
        above, top = self._levels[-2:]
        allowed = (top.gain + self.patience * above.gain) * above.work
        return (top.work + top.largest) * above.gain > allowed

    def _end_pass(self) -> None:
        """Go down to a part, repeat the cycle of the level, or go up until one is repeated."""
        levels, top = self._levels, self._levels[-1]
        complete, self._position = self._position == len(top.members), 0
        top.cycle_gain, top.cycle_work = top.gain, top.work
        if complete and (self.level == 0 or levels[-2].pays(top.gain, top.work)):
            part = self._part(top)
            if part is not None:
                levels.append(part)
                return
        if self.level == 0:
            self._nap()
        while self.level > 0:
            done, above = levels[-1], levels[-2]
            above.cycle_gain += done.cycle_gain
            above.cycle_work += done.cycle_work
            if above.pays(done.cycle_gain, done.cycle_work):
                return
            levels.pop()

    def _nap(self) -> None:
        """Where everything moves, pass after pass, there is nothing to learn for a while."""
        cost = sum(c for _, _, c in self._moved)
        self._busy = self._busy + 1 if cost >= self.EVERYTHING * self._levels[0].work else 0
        self._naps_left = 0 if self._busy < 2 else min(2 ** (self._busy - 2), self.LONGEST_NAP)

    def _part(self, level: Level) -> Level | None:
        """Return the part that goes on, or None if a pass over it would not be short."""
        if self.level > 0:
            return self._those_above(self.share, level, self.LONGEST)
        if self._is_first:
            self._is_first = False
            return None
        return self._those_above(0.0, level, self.LONGEST) or self._payers(level)

    def _payers(self, level: Level) -> Level | None:
        """Return those above the average if few of them gain most, twice in a row."""
        part = self._those_above(1.0, level, self.FEW)
        gain = sum(g for _, g, c in self._moved if g * level.work >= level.gain * c)
        is_concentrated = part is not None and gain >= self.MOST * level.gain
        self._concentrated = self._concentrated + 1 if is_concentrated else 0
        return part if self._concentrated >= 2 else None

    def _those_above(self, share: float, level: Level, longest: float) -> Level | None:
        """Return those that gain at least a share of the average per entry, if they are short."""
        least = share * level.gain
        part = [(i, c) for i, gain, c in self._moved if gain * level.work >= least * c]
        cost, largest = sum(c for _, c in part), max((c for _, c in part), default=0)
        if not part or cost > longest * level.work or largest > self.patience * level.work:
            return None
        return Level(np.array([i for i, _ in part], dtype=np.int32), largest)
