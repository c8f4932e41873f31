"""Any selector, with every pick and every gain written down."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import numpy.typing as npt

from banditcd.problems import Problem
from banditcd.results import Picks
from banditcd.selectors.accelerated import Accelerated
from banditcd.selectors.base import State
from banditcd.selectors.rng import RandomSource


class Watched:
    """The same choices as another selector; ``result.picks`` holds them after a run.

    The choices are made in Python, so seconds mean nothing here; picks, gains and work are those
    of the selector itself. Twelve bytes are kept per step.

    Parameters
    ----------
    selector : object
        A selector with ``start`` and ``next``. ``selectors.make(name)`` gives one by name.
    """

    def __init__(self, selector: Any) -> None:
        if isinstance(selector, Accelerated):
            raise TypeError(f"{selector.name} updates in its own way; it cannot be watched.")
        if isinstance(selector, str):
            raise TypeError(f"Watched takes an object; write selectors.make({selector!r}).")
        self.selector = selector
        self.name = str(getattr(selector, "name", type(selector).__name__))
        self._observe = getattr(selector, "observe", None)
        self._observe_batch = getattr(selector, "observe_batch", None)

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin a run with no picks."""
        self._d = problem.d
        self._index, self._gain = array("i"), array("d")
        self.selector.start(problem, rng)

    def next(self, state: State) -> Any:
        """Return what the selector returns."""
        return self.selector.next(state)

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Write down a step, and pass it on."""
        self._index.append(i)
        self._gain.append(decrease)
        if self._observe is not None:
            self._observe(i, decrease, r_after)
        elif self._observe_batch is not None:
            self._observe_batch(np.array([i]), np.array([decrease]), np.array([r_after]))

    def observe_batch(
        self,
        indices: npt.NDArray[np.intp],
        decreases: npt.NDArray[np.float64],
        r_after: npt.NDArray[np.float64],
    ) -> None:
        """Write down a batch, and pass it on."""
        self._index.extend(indices.tolist())
        self._gain.extend(decreases.tolist())
        if self._observe_batch is not None:
            self._observe_batch(indices, decreases, r_after)
        elif self._observe is not None:
            for step in zip(indices.tolist(), decreases.tolist(), r_after.tolist(), strict=True):
                self._observe(*step)

    @property
    def picks(self) -> Picks:
        """Every step of the run so far."""
        index = np.array(self._index, dtype=np.int32)
        return Picks(self._d, index, np.array(self._gain, dtype=np.float64))
