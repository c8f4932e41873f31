"""Rules that refresh everything once per bin and act on stale estimates inside it.

Cost of each: one pass over A per bin of E steps, O(log d) per step; with E = d/2 that is two
passes per epoch, which the paper's x-axes leave out and ``work`` counts.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.data import check_number, unknown_name
from banditcd.problems import Problem
from banditcd.selectors.base import (
    Selector,
    State,
    check_refresh,
    draw,
    greedy,
    native_refresh,
    steps_of,
)
from banditcd.selectors.rng import RandomSource


class _Binned(Selector):
    """A refresh every ``refresh`` steps (int) or fraction of d (float)."""

    refresh: float | int

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Begin with a refresh at the first step."""
        self._rng, self._d = rng, problem.d
        self._bin = steps_of(self.refresh, problem.d)
        self._left = 0
        self._estimate: Floats = np.zeros(problem.d)

    def _refreshed(self, state: State) -> Floats:
        raise NotImplementedError

    def _new_bin(self, state: State) -> None:
        if self._left == 0:
            self._estimate = self._refreshed(state)
            self._left = self._bin
        self._left -= 1

    def native(self) -> dict[str, float]:
        """Bin length."""
        return native_refresh(self.refresh)


class GapPerEpoch(_Binned):
    """Sample with p_i = G_i / G, recomputed once per bin (Perekrestenko et al., 2017).

    Cost: one pass over A and O(d) per bin, O(log d) per step; 2 passes per epoch at E = d/2.

    Parameters
    ----------
    refresh : float or int
        Bin length: a fraction of d (float) or steps (int).
    """

    name: ClassVar[str] = "gap_per_epoch"
    needs_gaps: ClassVar[bool] = True

    def __init__(self, refresh: float | int = 0.5) -> None:
        self.refresh = check_refresh(refresh)

    def _refreshed(self, state: State) -> Floats:
        return state.gaps()

    def next(self, state: State) -> int:
        """Draw in proportion to the gaps at the start of the bin."""
        self._new_bin(state)
        return draw(self._estimate, self._rng)


class BMaxR(_Binned):
    """B_max_r, Algorithm 1 of Salehi, Thiran & Celis (NeurIPS 2018).

    At the start of a bin the estimates are set to all r_i. Then each step takes, with probability
    epsilon, a uniform coordinate, otherwise the one with the largest estimate; after the update
    only that coordinate's estimate is renewed. Ties go to the first; when every estimate is zero
    the coordinate is drawn uniformly (an argmax over zeros would repeat one arm to the end of the
    bin). epsilon = 1 is uniform sampling; epsilon = 0 with refresh = 1 step is max_r.

    Cost: one pass over A and O(d) per bin, O(log d) per step; 2 passes per epoch at E = d/2.

    Parameters
    ----------
    epsilon : float in [0, 1]
        Probability of exploring.
    refresh : float or int
        Bin length E: a fraction of d (float) or steps (int).
    argmax : {"exact", "buckets"}
        A tournament tree, or buckets a factor sqrt(2) wide: any arm within that factor of the
        largest estimate may be taken, for O(1) work per step.
    """

    name: ClassVar[str] = "b_max_r"
    ARGMAX: ClassVar[tuple[str, ...]] = ("exact", "buckets")

    def __init__(
        self, epsilon: float = 0.5, refresh: float | int = 0.5, argmax: str = "exact"
    ) -> None:
        self.epsilon = check_number(epsilon, "epsilon", minimum=0.0, maximum=1.0)
        self.refresh = check_refresh(refresh)
        if argmax not in self.ARGMAX:
            raise unknown_name("argmax", argmax, self.ARGMAX)
        self.argmax = argmax

    def _refreshed(self, state: State) -> Floats:
        return state.marginal_decreases()

    def next(self, state: State) -> int:
        """Explore with probability epsilon, else take the largest estimate."""
        self._new_bin(state)
        if self._rng.uniform() < self.epsilon:
            return self._rng.integer(self._d)
        return greedy(self._estimate, self._rng)

    def observe(self, i: int, decrease: float, r_after: float) -> None:
        """Renew the estimate of the coordinate that was updated."""
        self._estimate[i] = r_after

    def native(self) -> dict[str, float]:
        """Epsilon, bin length, argmax structure."""
        kind = float(self.ARGMAX.index(self.argmax))
        return {"epsilon": self.epsilon, "argmax": kind, **native_refresh(self.refresh)}


class SqrtR(_Binned):
    """Bins like B_max_r, but arms are drawn with p_i ~ sqrt(r_i) and so revisited.

    Beyond the paper. With exact updates B_max_r visits each arm once per bin, because the
    estimate of a minimized coordinate is zero; sampling from the refreshed r keeps visiting the
    arms that matter.

    Cost: one pass over A and O(d) per bin, O(log d) per step; 2 passes per epoch at E = d/2.

    Parameters
    ----------
    epsilon : float in [0, 1]
        Probability of a uniform draw instead.
    refresh : float or int
        Bin length: a fraction of d (float) or steps (int).
    """

    name: ClassVar[str] = "sqrt_r"

    def __init__(self, epsilon: float = 0.1, refresh: float | int = 0.5) -> None:
        self.epsilon = check_number(epsilon, "epsilon", minimum=0.0, maximum=1.0)
        self.refresh = check_refresh(refresh)

    def _refreshed(self, state: State) -> Floats:
        return np.sqrt(state.marginal_decreases())

    def next(self, state: State) -> int:
        """Draw in proportion to sqrt(r) at the start of the bin."""
        self._new_bin(state)
        if self._rng.uniform() < self.epsilon:
            return self._rng.integer(self._d)
        return draw(self._estimate, self._rng)

    def native(self) -> dict[str, float]:
        """Epsilon and bin length."""
        return {"epsilon": self.epsilon, **native_refresh(self.refresh)}
