"""The reference rule of the paper."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd.problems import Problem
from banditcd.problems.marginal import reference_step
from banditcd.updates.base import BuiltinRule, Coordinate


class Reference(BuiltinRule):
    """The rule h-hat that defines the class H (Lemma 1): x_i += s_i kappa_i.

    A coordinate without a penalty has no finite kappa_i; it moves by u_i / h_i (cut to its bounds),
    the limit of the rule for a wider and wider box.
    """

    name: ClassVar[str] = "reference"

    def target(self, at: Coordinate) -> float:
        """x + s kappa."""
        penalty = at.problem.penalty
        if penalty.free[at.i]:
            return float(np.clip(at.x + at.u / at.h, penalty.lower[at.i], penalty.upper[at.i]))
        gap, kappa = penalty.gap(at.x, at.u, at.i), penalty.kappa(at.x, at.u, at.i)
        s, _ = reference_step(gap, kappa, at.mu, at.h)
        if s >= 1.0:
            return float(penalty.maximizer(at.x, at.u, at.i))
        return float(np.clip(at.x + s * kappa, penalty.lower[at.i], penalty.upper[at.i]))

    def minimizes(self, problem: Problem) -> bool:
        """Not in general."""
        return False

    def native(self, problem: Problem) -> str:
        """Return the native twin."""
        return "reference"
