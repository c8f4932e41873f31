"""The view of a run that a Python selector has, and the loop that serves it."""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.engine.clock import now
from banditcd.problems import Problem
from banditcd.results import Picks
from banditcd.selectors import Watched


class Moving(Protocol):
    """A point and the work that it took."""

    @property
    def x(self) -> Floats:
        """The current point."""

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""

    @property
    def moves(self) -> int:
        """Updates that changed their coordinate."""


class Descent(Moving, Protocol):
    """State of a run and what a step does to it, in NumPy or compiled; x is a live view."""

    @property
    def last_move(self) -> float:
        """Change of the coordinate updated last."""

    @property
    def last_correlation(self) -> float:
        """u_i of that coordinate after its update."""

    def step(self, i: int) -> tuple[float, float]:
        """Update one coordinate; return (decrease, marginal decrease left)."""

    def correlations(self) -> Floats:
        """All u_i, one pass."""

    def partial_correlation(self, i: int, first: int, count: int) -> float:
        """Return part of u_i."""

    def correlation(self, i: int) -> float:
        """u_i, one dot."""

    def marginal_decrease(self, i: int, u: float) -> float:
        """r_i at the current x_i and the given u_i."""

    def set_state(self, x: Floats) -> None:
        """Go to x, with Ax and the gradient computed from scratch."""


class SelectorState:
    """The state of a run as a selector sees it: free attributes, counted methods."""

    def __init__(self, problem: Problem, descent: Descent) -> None:
        self._problem, self._descent = problem, descent
        self.x = descent.x.view()
        self.x.flags.writeable = False  # a selector looks, it does not move
        self.step = 0
        self.last_move = 0.0
        self.last_correlation = np.nan
        self._charged = 0

    @property
    def epoch(self) -> float:
        """Steps / d."""
        return self.step / self._problem.d

    @property
    def entries_touched(self) -> int:
        """Matrix entries the method has read or written so far."""
        return self._descent.entries + self._charged

    def charge(self, entries: int) -> None:
        """Count entries of the matrix that the selector read by itself, as in ``problem.A``."""
        self._charged += int(entries)

    def correlations(self) -> Floats:
        """All u_i: a refresh."""
        return self._descent.correlations()

    def marginal_decreases(self) -> Floats:
        """All r_i: a refresh."""
        return self._problem.marginal_decreases(self.x, self.correlations())

    def look(self, indices: npt.ArrayLike) -> Floats:
        """Return r_i of some coordinates: one dot product with each of their columns."""
        descent, at = self._descent, np.asarray(indices, dtype=np.intp).tolist()
        return np.array([descent.marginal_decrease(i, descent.correlation(i)) for i in at])

    def gaps(self) -> Floats:
        """All G_i: a refresh."""
        return self._problem.gaps(self.x, self.correlations())

    def kappas(self) -> Floats:
        """All kappa_i: a refresh."""
        return self._problem.kappas(self.x, self.correlations())

    def partial_correlation(self, i: int, first: int, count: int) -> float:
        """Return part of u_i from some of its entries."""
        return self._descent.partial_correlation(i, first, count)


class DescentRun:
    """A run that moves a descent."""

    descent: Descent

    @property
    def x(self) -> Floats:
        """The current point."""
        return self.descent.x

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""
        return self.descent.entries

    @property
    def moves(self) -> int:
        """Updates that changed their coordinate."""
        return self.descent.moves

    def rebuild(self) -> None:
        """Compute Ax and the gradient from scratch."""
        self.descent.set_state(np.array(self.descent.x))


class PythonRun(DescentRun):
    """A run whose selector is a Python object: choose, update, learn."""

    def __init__(self, problem: Problem, descent: Descent, selector: Any, rng: Any) -> None:
        self.problem, self.descent, self.selector = problem, descent, selector
        self.state = SelectorState(problem, descent)
        self.seconds = 0.0
        self._observe = getattr(selector, "observe", None)
        self._observe_batch: Any = getattr(selector, "observe_batch", None)
        began = now()
        selector.start(problem, rng)
        self.seconds += now() - began

    @property
    def steps(self) -> int:
        """Coordinate updates so far."""
        return self.state.step

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""
        return self.state.entries_touched

    @property
    def picks(self) -> Picks | None:
        """Every choice so far, if the selector wrote them down."""
        return self.selector.picks if isinstance(self.selector, Watched) else None

    def advance(self, steps: int, seconds: float) -> None:
        """Take up to ``steps`` steps, stopping early when the time is up."""
        descent, state, observe, choose = (
            self.descent,
            self.state,
            self._observe,
            self.selector.next,
        )
        d, began = self.problem.d, now()
        end, deadline = state.step + steps, time.perf_counter() + seconds
        try:
            while state.step < end:
                choice = choose(state)
                if isinstance(choice, np.integer):  # what np.argmax returns
                    choice = int(choice)
                if type(choice) is int and 0 <= choice < d:
                    decrease, r_after = descent.step(choice)
                    state.step += 1
                    state.last_move = descent.last_move
                    state.last_correlation = descent.last_correlation
                    if observe is not None:
                        observe(choice, decrease, r_after)
                    elif self._observe_batch is not None:
                        self._tell([choice], [decrease], [r_after])
                else:
                    self._sweep(choice)
                if time.perf_counter() >= deadline:
                    break
        finally:
            self.seconds += now() - began

    def _checked(self, batch: Any) -> npt.NDArray[Any]:
        """Return what ``next`` returned as an array of indices, or say what is wrong with it."""
        name, indices = type(self.selector).__name__, np.asarray(batch)
        if indices.ndim == 1 and indices.size == 0:
            raise ValueError(f"{name}.next returned no index; it must return at least one.")
        if indices.dtype.kind not in "iu" or indices.ndim > 1:
            raise TypeError(
                f"{name}.next returned {batch!r}; it must return an index or a one-dimensional "
                "array of indices."
            )
        indices = np.atleast_1d(indices)
        if indices.min() < 0 or indices.max() >= self.problem.d:
            raise IndexError(f"{name}.next returned an index outside 0..{self.problem.d - 1}.")
        return indices

    def _sweep(self, batch: Any) -> None:
        """Update a batch in its order; the selector hears of all at once, or of every one."""
        indices = self._checked(batch)
        sweep = getattr(self.descent, "sweep", None)
        if sweep is not None:
            decreases, left = sweep(np.ascontiguousarray(indices, dtype=np.int32))
        else:
            decreases, left = np.transpose([self.descent.step(int(i)) for i in indices])
        self.state.step += len(indices)
        self.state.last_move = self.descent.last_move
        self.state.last_correlation = self.descent.last_correlation
        if self._observe_batch is not None:
            self._tell(indices, decreases, left)
        elif self._observe is not None:
            for i, decrease, r_after in zip(indices, decreases, left, strict=True):
                self._observe(int(i), float(decrease), float(r_after))

    def _tell(self, indices: Any, decreases: Any, left: Any) -> None:
        """Tell a selector that learns by batches what a batch did, as arrays."""
        self._observe_batch(
            np.asarray(indices, dtype=np.intp),
            np.asarray(decreases, dtype=np.float64),
            np.asarray(left, dtype=np.float64),
        )
