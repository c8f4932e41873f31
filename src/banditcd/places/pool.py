"""The pool: columns that ever promised a decrease, with their Gram matrix on the host."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from banditcd import _core
from banditcd._typing import Floats
from banditcd.places.penalties import Penalties

#: Newcomers of a bin: at least this many if there are, else this multiple of the support.
LEAST_NEWCOMERS, NEWCOMERS_PER_SUPPORT = 256, 2
#: All candidates enter, if they are at most this multiple of that: a later bin would cost more.
SLACK = 1.25


class Pool:
    """Columns, coefficients and a Gram matrix that grows by blocks."""

    def __init__(self) -> None:
        self.columns: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self.coef: Floats = np.empty(0)
        self.gram: Floats = np.empty((0, 0))
        self._native = _core.PoolSolver()

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def support(self) -> tuple[NDArray[np.intp], Floats]:
        """Columns and values of the coefficients that are not zero, in ascending order."""
        chosen = np.flatnonzero(self.coef)
        chosen = chosen[np.argsort(self.columns[chosen])]
        return self.columns[chosen], self.coef[chosen]

    def add(self, columns: NDArray[np.intp], block: Floats) -> None:
        """Append columns; ``block`` is the Gram matrix of all columns (old, then new) with them."""
        old, size = len(self), len(self) + len(columns)
        gram: Floats = np.empty((size, size))
        gram[:old, :old] = self.gram
        gram[:, old:] = block
        gram[old:, :old] = block[:old].T
        self.gram = gram
        self.columns = np.concatenate([self.columns, columns])
        self.coef = np.concatenate([self.coef, np.zeros(len(columns))])

    def keep(self, chosen: NDArray[np.bool_]) -> None:
        """Let go of all columns but some, whose Gram matrix will come later."""
        self.columns, self.coef = self.columns[chosen], self.coef[chosen]

    def extend(self, columns: NDArray[np.intp]) -> None:
        """Append columns whose Gram matrix will come later."""
        self.columns = np.concatenate([self.columns, columns])
        self.coef = np.concatenate([self.coef, np.zeros(len(columns))])

    def solve(self, q: Floats, penalties: Penalties, square: float, target: float) -> float:
        """Minimize on the pool for correlations q of the null model; return the gap reached."""
        if len(self) == 0:
            return 0.0
        rows = penalties.rows(self.columns)
        _, gap = self._native.solve(self.gram, q, rows, square, target, self.coef)
        return gap


def newcomers(pool: Pool, decrease: Floats) -> NDArray[np.intp]:
    """Return the columns outside the pool with the largest marginal decreases."""
    decrease[pool.columns] = 0.0
    most = max(LEAST_NEWCOMERS, NEWCOMERS_PER_SUPPORT * int(np.count_nonzero(pool.coef)))
    candidates = np.flatnonzero(decrease)
    if len(candidates) > SLACK * most:
        best = np.argpartition(decrease[candidates], -most)[-most:]
        candidates = candidates[best]
    return np.sort(candidates)
