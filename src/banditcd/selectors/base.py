"""A selector: an object that answers "which coordinate next?"."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.selectors.rng import RandomSource


class State(Protocol):
    """The view of a run that a selector has.

    Attributes are free. The methods read the matrix and are counted as work of the method.
    """

    x: Floats
    step: int
    last_move: float
    """The change of the coordinate that was updated last."""
    last_correlation: float
    """u_i of that coordinate after its update."""

    @property
    def epoch(self) -> float:
        """Steps / d."""

    @property
    def entries_touched(self) -> int:
        """Matrix entries the method has read or written so far."""

    def charge(self, entries: int) -> None:
        """Count entries of the matrix that the selector read by itself."""

    def correlations(self) -> Floats:
        """All u_i = -a_i . w: a refresh, one pass over A."""

    def marginal_decreases(self) -> Floats:
        """All r_i: a refresh."""

    def look(self, indices: ArrayLike) -> Floats:
        """Return r_i of some coordinates: one dot product with each of their columns."""

    def gaps(self) -> Floats:
        """All G_i: a refresh."""

    def kappas(self) -> Floats:
        """All kappa_i: a refresh."""

    def partial_correlation(self, i: int, first: int, count: int) -> float:
        """Return the part of u_i from ``count`` stored entries of column i, wrapping around."""


class Selector:
    """Base of the built-in selectors; a user's selector only needs the same three methods.

    ``start(problem, rng)`` is called once per run, ``next(state)`` before every step (it may
    return one index or an array of them), ``observe(i, decrease, r_after)`` after every step if
    the method exists: the decrease that the update guaranteed and the marginal decrease left. A
    selector that returns arrays may have ``observe_batch(indices, decreases, r_after)`` in its
    place, which gets the same as three arrays, once per array that it returned.
    """

    name: ClassVar[str]
    needs_gaps: ClassVar[bool] = False
    """Whether finite G_i or kappa_i are needed, which unpenalized coordinates do not have."""

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Prepare for a run."""
        raise NotImplementedError

    def next(self, state: State) -> int:
        """Return the coordinate to update."""
        raise NotImplementedError

    def native(self) -> dict[str, float]:
        """Return the parameters of the native twin of the same name."""
        return {}

    def __repr__(self) -> str:
        inner = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if not k.startswith("_"))
        return f"{type(self).__name__}({inner})"


def steps_of(refresh: float | int, d: int) -> int:
    """Bin length in steps: an int is steps, a float a fraction of d (at least 1 step)."""
    if isinstance(refresh, (int, np.integer)):
        return int(refresh)
    return max(1, round(refresh * d))


def check_refresh(refresh: Any) -> float | int:
    """Check a bin length."""
    if isinstance(refresh, bool) or not isinstance(refresh, (int, float, np.integer, np.floating)):
        raise ValueError(f"refresh is {refresh!r}; use steps (int) or a fraction of d (float).")
    if isinstance(refresh, (int, np.integer)):
        if refresh < 1:
            raise ValueError(f"refresh is {refresh} steps; a bin needs at least 1.")
        return int(refresh)
    if not (np.isfinite(refresh) and refresh > 0.0):
        raise ValueError(f"refresh is {refresh} of d; the fraction must be positive.")
    return float(refresh)


def native_refresh(refresh: float | int) -> dict[str, float]:
    """Return the bin length as the native twins read it."""
    if isinstance(refresh, int):
        return {"refresh_steps": float(refresh), "refresh_fraction": 0.0}
    return {"refresh_steps": 0.0, "refresh_fraction": refresh}


def greedy(scores: Floats, rng: RandomSource) -> int:
    """Return the first largest score; a uniform draw if every score is zero.

    Without the draw a bin whose estimates are all zero would repeat its first arm to the end.
    """
    best = int(np.argmax(scores))
    return best if scores[best] > 0.0 else rng.integer(len(scores))


def draw(weights: Floats, rng: RandomSource) -> int:
    """Draw an index with probability proportional to its weight; uniform if all are zero."""
    sums = np.cumsum(weights)
    if not sums[-1] > 0.0:
        return rng.integer(len(weights))
    i = int(np.searchsorted(sums, rng.uniform() * sums[-1], side="right"))
    return min(i, int(np.flatnonzero(weights)[-1]))
