"""Closed forms of stochastic dual coordinate ascent, and Newton for the logistic dual."""

from __future__ import annotations

from typing import ClassVar

from scipy.special import expit

from banditcd.problems import LogisticDual, Problem
from banditcd.problems.penalties import Entropy
from banditcd.updates.base import BuiltinRule, Coordinate


class Sdca(BuiltinRule):
    """The closed forms of Shalev-Shwartz & Zhang (JMLR 2013).

    Ridge, hinge and squared hinge: exact minimization of the dual along i, in the class H.
    Logistic: x_i += kappa_i / max(1, 1/4 + N h_i). That step is *not* in H (it can gain less
    than r_i) and is kept as the negative example of ``check_update_rule``; use ``newton``.
    """

    name: ClassVar[str] = "sdca"

    def target(self, at: Coordinate) -> float:
        """Return the closed form of the cost."""
        if isinstance(at.problem.penalty, Entropy):
            scale = float(at.problem.penalty.scale[at.i])
            step = max(1.0, 0.25 + at.h / scale)
            return at.x + (float(expit(at.u / scale)) - at.x) / step
        return float(at.problem.penalty.prox(at.x, at.u, at.h, at.i))

    def minimizes(self, problem: Problem) -> bool:
        """The closed forms do, the logistic step does not."""
        return not isinstance(problem, LogisticDual)

    def native(self, problem: Problem) -> str:
        """Return the native twin."""
        return "sdca_logistic" if isinstance(problem, LogisticDual) else "proximal"


class Newton(BuiltinRule):
    """One-dimensional Newton to the exact minimum of the logistic dual along i.

    Solves -u_i + h_i (z - x_i) + logit(z) / N = 0 in t = logit(z), where the equation is
    increasing with slope in [1, 1 + N h_i / 4]: no overflow, no leaving [0, 1].
    """

    name: ClassVar[str] = "newton"

    def target(self, at: Coordinate) -> float:
        """Return the root."""
        return float(at.problem.penalty.prox(at.x, at.u, at.h, at.i))

    def native(self, problem: Problem) -> str:
        """Return the native twin."""
        return "proximal"
