"""The proximal step."""

from __future__ import annotations

from typing import ClassVar

from banditcd.problems import Problem
from banditcd.updates.base import BuiltinRule, Coordinate


class Proximal(BuiltinRule):
    """Minimize the quadratic upper model along i (Shalev-Shwartz & Tewari, JMLR 2011).

    x_i <- argmin_z -u_i (z - x_i) + (h_i / 2)(z - x_i)^2 + g_i(z), with the coordinate's own
    curvature h_i: the same constant as in r_i, which is what keeps it in the class H (by its
    second criterion). For quadratic f it is exact minimization.
    """

    name: ClassVar[str] = "proximal"

    def target(self, at: Coordinate) -> float:
        """Return the minimizer of the model."""
        return float(at.problem.penalty.prox(at.x, at.u, at.h, at.i))

    def native(self, problem: Problem) -> str:
        """Return the native twin."""
        return "proximal"
