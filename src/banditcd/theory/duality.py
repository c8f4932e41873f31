"""Section 2.1: the duality gap, its parts, and the suboptimality it bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.engine import minimize
from banditcd.problems import Problem
from banditcd.theory.descent import lipschitzed
from banditcd.theory.trajectory import Trajectory


@dataclass(frozen=True)
class GapIdentity:
    """G(x) = sum_i G_i(x) = F(x) + F_D(w) with w = grad f(Ax).

    Attributes
    ----------
    coordinatewise : ndarray of shape (d,)
        All G_i(x).
    objective, dual_objective : float
        F(x) and F_D(w).
    """

    coordinatewise: Floats
    objective: float
    dual_objective: float

    @property
    def gap(self) -> float:
        """sum_i G_i."""
        return float(self.coordinatewise.sum())

    @property
    def error(self) -> float:
        """|sum_i G_i - (F + F_D)| / max(|F|, |F_D|, 1)."""
        scale = max(abs(self.objective), abs(self.dual_objective), 1.0)
        return abs(self.gap - (self.objective + self.dual_objective)) / scale


@dataclass(frozen=True)
class Optimum:
    """A certified interval for F* = min F: lower <= F* <= upper.

    Attributes
    ----------
    x : ndarray of shape (d,)
        The point that gives ``upper``.
    lower, upper : float
        The ends of the interval.
    """

    x: Floats
    lower: float
    upper: float

    @property
    def width(self) -> float:
        """The part of F* that is not known."""
        return self.upper - self.lower


def gap_identity(problem: Problem, x: Floats) -> GapIdentity:
    """Compute the coordinate-wise gaps, F(x) and F_D(w), each on its own.

    Parameters
    ----------
    problem : Problem
        The cost.
    x : ndarray of shape (d,)
        A point.
    """
    problem = lipschitzed(problem, x)
    v = problem.A.matvec(x)
    w = problem.loss.gradient(v)
    u = -problem.A.rmatvec(w)
    return GapIdentity(problem.gaps(x, u), problem.objective(x, v), problem.dual_objective(w, u))


def certified_optimum(
    problem: Problem, *, tol: float = 1e-14, max_epochs: float = 5000.0, engine: str = "compiled"
) -> Optimum:
    """Solve to high precision; F* lies between F(x) - gap and F(x) by weak duality.

    Rounding may keep the gap above ``tol`` times the null objective; ``width`` says what was
    reached.

    Parameters
    ----------
    problem : Problem
        The cost.
    tol : float
        Relative gap to aim at.
    max_epochs : float
        When to give up.
    engine : {"compiled", "reference"}
        Which engine solves.
    """
    result = minimize(
        problem,
        "shuffled",
        tol=tol,
        max_epochs=max_epochs,
        random_state=0,
        trace=None,
        engine=engine,
    )
    return Optimum(result.x, result.objective - result.gap, result.objective)


def weak_duality_excess(run: Trajectory, f_star: float) -> float:
    """Return the largest (eps(x^t) - G(x^t)) / max(|F|, 1) of a run: never above rounding.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    """
    return float(np.max((run.suboptimality(f_star) - run.gap) / run.scale))
