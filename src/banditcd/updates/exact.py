"""Exact minimization along a coordinate."""

from __future__ import annotations

from typing import ClassVar

from banditcd.problems import Problem
from banditcd.updates.base import BuiltinRule, Coordinate

LINE_STEPS = 200  # the search below takes 3 to 10, at the last digits 70; bisection alone 100


class Exact(BuiltinRule):
    """x_i <- argmin_z f(Ax + (z - x_i) a_i) + g_i(z): the update of StingyCD.

    Closed form where f is quadratic. Elsewhere a safeguarded Newton search: at displacement t the
    proximal step with the true curvature along the line, kept inside a bracket by bisection.

    Parameters
    ----------
    skip : bool
        StingyCD's skipping (Johnson & Guestrin, ICML 2017), for quadratic f with an L1 term: an
        update that is provably zero is not computed. With a reference gradient w_ref whose u_i
        are known, coordinate i at x_i = 0 stays there while
        sqrt(h_i) ||w - w_ref||_C <= lambda_i - |u_i(w_ref)|, a test of O(1). A reference costs
        one pass and is renewed when the failed tests since the last one have cost as much, so
        the worst case is twice the work of not skipping. No iterate changes.
    """

    name: ClassVar[str] = "exact"

    def __init__(self, skip: bool = False) -> None:
        self.skip = skip

    def target(self, at: Coordinate) -> float:
        """Return the minimizer along the coordinate."""
        if at.problem.loss.is_quadratic:
            return float(at.problem.penalty.prox(at.x, at.u, at.h, at.i))
        return line_minimizer(at)

    def minimizes(self, problem: Problem) -> bool:
        """Always."""
        return True

    def native(self, problem: Problem) -> str:
        """Return the native twin."""
        return "proximal" if problem.loss.is_quadratic else "exact"


def line_minimizer(at: Coordinate) -> float:
    """Return argmin_z f(Ax + (z - x_i) a_i) + g_i(z) to the last digits."""
    penalty = at.problem.penalty
    low, high = float(penalty.lower[at.i]), float(penalty.upper[at.i])
    z, before = at.x, float("nan")
    for _ in range(LINE_STEPS):
        slope, bend = at.line(z - at.x)
        safe = float(penalty.prox(z, -slope, at.h, at.i))  # its direction is always right
        if safe == z:
            return z
        low, high = (z, high) if safe > z else (low, z)
        new = float(penalty.prox(z, -slope, max(bend, 1e-9 * at.h), at.i))
        if not low <= new <= high or new == before:  # rounding sends it back and forth
            new = 0.5 * (low + high) if low > -float("inf") and high < float("inf") else safe
        if abs(new - z) <= 1e-15 * max(abs(new), abs(z)):
            return new
        z, before = new, z
    return z
