"""Fixed importance sampling."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State, draw
from banditcd.selectors.rng import RandomSource


def importance_weights(problem: Problem) -> Floats:
    """Return mu_i + h_i where g_i is strongly convex, L_i ||a_i|| where it is not.

    L_i is the Lipschitz constant of g_i* (the half-width of the support of g_i). With unit
    columns both are constant: the rule is then uniform. A coordinate that is fixed at 0 (L_i = 0,
    an excluded feature) is never drawn.
    """
    support = problem.penalty.lipschitz
    if np.all((problem.mu > 0.0) | (support == 0.0)):
        return np.where(support > 0.0, problem.mu + problem.h, 0.0)
    return support * np.sqrt(problem.h)


class Importance(Selector):
    """Sample with fixed probabilities p_i from the data (Zhao & Zhang, ICML 2015).

    Cost: one pass at the start for the column norms, O(log d) per step.
    """

    name: ClassVar[str] = "importance"
    needs_gaps: ClassVar[bool] = True

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Compute the fixed distribution."""
        self._weights, self._rng = importance_weights(problem), rng

    def next(self, state: State) -> int:
        """Draw."""
        return draw(self._weights, self._rng)
