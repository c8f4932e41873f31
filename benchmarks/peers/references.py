"""Lower bounds on optima, for problems whose accuracy is not told by the coefficients alone.

A bound is the value of a dual point, computed by ``benchmarks.gap`` in plain NumPy: whoever found
the point, weak duality makes it a bound. A point whose own duality gap is above ``CERTIFIED`` is
refused, so that a bound is never looser than what is judged with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.peers.rows import Table
from benchmarks.peers.tasks import Problem

CERTIFIED = 1e-10


class NoReferenceError(Exception):
    """No dual point was good enough."""


@dataclass(frozen=True)
class Optimum:
    """A lower bound on an optimum, relative to the objective at zero, and its own gap."""

    digits: ClassVar[int] = 17

    data: str
    kind: str
    setting: str
    n: int
    d: int
    nonzeros: int
    bound: float
    gap: float

    @property
    def key(self) -> tuple[Any, ...]:
        """What it is about; another matrix is another problem."""
        return (self.data, self.kind, self.setting, self.n, self.d, self.nonzeros)


class Book:
    """Optima in a file, found once."""

    def __init__(self, file: Path) -> None:
        self._table: Table[Optimum] = Table(file, Optimum)

    def bound(
        self,
        problem: Problem,
        kind: str,
        setting: str,
        find: Callable[[], tuple[float, float]],
    ) -> float:
        """Return the bound, after finding it if need be.

        Parameters
        ----------
        problem, kind, setting
            What it is about.
        find : callable
            Returns the bound and its gap, both relative to the objective at zero.
        """
        n, d = problem.X.shape
        key = (problem.name, kind, setting, n, d, problem.nonzeros)
        known = self._table.rows.get(key)
        if known is None:
            bound, gap = find()
            if not gap <= CERTIFIED:
                raise NoReferenceError(
                    f"{problem.name}, {kind}, {setting}: the best dual point has a gap of "
                    f"{gap:.0e}, and {CERTIFIED:.0e} is needed to judge others with it."
                )
            known = Optimum(*key, bound, gap)
            self._table.add(known)
        return known.bound
