"""All correlations of a run, kept up to date by columns of the Gram matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.selectors.base import State

RENEW_EPOCHS = 50  # u is computed afresh after this number times d looks, against rounding
MOST_BYTES = 1 << 28  # of Gram columns that are kept; without room a look is a pass again

GRAM_OPTIONS = ("auto", True, False)


def check_gram(gram: Any) -> bool | str:
    """Check the option ``gram`` of a selector."""
    if not any(gram is known or gram == known for known in GRAM_OPTIONS):
        raise ValueError(f"gram is {gram!r}; use 'auto', True or False.")
    return "auto" if gram == "auto" else bool(gram)


class Correlations:
    """u_i = -a_i . w for all i before every step, as the paper's footnote on reused values does it.

    For quadratic f a move of x_i by delta changes u by -delta H_i, H_i = A^T C a_i a column of the
    Gram matrix (C the curvatures of the rows). The column costs one pass over A when i moves for
    the first time and is kept; its d entries are counted at every move like entries of A.
    """

    def __init__(self, problem: Problem, gram: bool | str) -> None:
        self._problem = problem
        self._gram = gram is not False and problem.loss.is_quadratic
        self._columns: dict[int, Floats] = {}
        self._room = MOST_BYTES // (8 * problem.d)
        self._u: Floats | None = None
        self._looks = 0
        self._last, self._before = 0, 0.0

    def __call__(self, state: State) -> Floats:
        """Return all u_i at the present point."""
        self._looks += 1
        if self._u is None or not self._gram or self._looks % (RENEW_EPOCHS * len(self._u)) == 0:
            self._u = np.array(state.correlations())
            return self._u
        move = float(state.x[self._last]) - self._before
        if move != 0.0:
            column = self._column(self._last, state)
            if column is None:
                self._u = np.array(state.correlations())
            else:
                self._u -= move * column
                state.charge(len(self._u))
        return self._u

    def chose(self, i: int, state: State) -> int:
        """Note the choice and its value before the step."""
        self._last, self._before = i, float(state.x[i])
        return i

    def _column(self, i: int, state: State) -> Floats | None:
        """Return H_i, or None if there is no room for it."""
        if i not in self._columns:
            if len(self._columns) >= self._room:
                return None
            A = self._problem.A
            rows, values = A.column(i)
            weighted = np.zeros(A.m)
            bound = np.broadcast_to(np.asarray(self._problem.loss.bound), (A.m,))
            weighted[rows] = values * bound[rows]
            self._columns[i] = A.rmatvec(weighted)
            state.charge(A.nnz)
        return self._columns[i]
