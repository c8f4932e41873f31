"""Lemma 1, Remark 1 and Definition 4 (class H): what one update is guaranteed to gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd import updates
from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.theory.trajectory import Trajectory
from banditcd.updates.check import TOLERANCE, coordinate_at


@dataclass(frozen=True)
class Lemma1:
    """Lemma 1 at one point: F(x+) <= F(x) - r_i.

    ``excess`` = (r_i - decrease) / max(|F(x)|, 1); the lemma holds if it is at most ``TOLERANCE``.

    Attributes
    ----------
    i : int
        The coordinate.
    decrease : float
        F(x) - F(x+).
    r : float
        The marginal decrease r_i.
    excess : float
        See above.
    """

    i: int
    decrease: float
    r: float
    excess: float

    @property
    def holds(self) -> bool:
        """Whether the update gained what was guaranteed, up to rounding."""
        return self.excess <= TOLERANCE


@dataclass(frozen=True)
class Lemma1Along:
    """Lemma 1 at every step of a run; ``worst`` is the largest excess, at step ``step``.

    Attributes
    ----------
    checked : int
        Number of steps.
    worst, step
        See above.
    """

    checked: int
    worst: float
    step: int

    @property
    def holds(self) -> bool:
        """Whether every step gained what was guaranteed, up to rounding."""
        return self.worst <= TOLERANCE


def lemma_1(problem: Problem, rule: updates.UpdateRule | str, x: Floats, i: int) -> Lemma1:
    """Apply an update rule to coordinate i of x and compare its gain with r_i.

    A pure L1 cost is Lipschitzed on the box of x first (B = F(x) / lambda), unless it has a
    box already.

    Parameters
    ----------
    problem : Problem
        The cost.
    rule : UpdateRule or str
        The update rule.
    x : ndarray of shape (d,)
        A point.
    i : int
        The coordinate.
    """
    chosen: Any = updates.make(rule) if isinstance(rule, str) else rule
    problem = lipschitzed(problem, x)
    at = coordinate_at(problem, x, i)
    r = float(problem.marginal_decreases(x, problem.correlations(x))[i])
    moved = x.copy()
    moved[i] = chosen.target(at)
    before = problem.objective(x)
    decrease = before - problem.objective(moved)
    return Lemma1(i, decrease, r, (r - decrease) / max(abs(before), 1.0))


def lemma_1_along(run: Trajectory) -> Lemma1Along:
    """Lemma 1 at every step of a recorded run, for whatever rule and selector made it."""
    guaranteed = run.r[np.arange(run.steps), run.indices]
    excess = (guaranteed + np.diff(run.objective)) / run.scale[:-1]
    worst = int(np.argmax(excess))
    return Lemma1Along(run.steps, float(excess[worst]), worst)


def marginal_decrease(gap: Floats, kappa: Floats, mu: Floats, h: Floats) -> tuple[Floats, Floats]:
    """(s_i, r_i) by equations (3) and (5) of the paper, letter for letter, kappa_i = 0 excepted.

    Nothing is clipped, so that ``r_i >= 0`` (Remark 1) is a statement that can be tested; the
    engine's own ``problems.marginal.reference_step`` is arranged for accuracy instead. At
    kappa_i = 0 the paper's s_i is 0/0; the point is optimal along i and s_i = r_i = 0.

    Parameters
    ----------
    gap, kappa, mu, h : ndarray of shape (d,)
        G_i, kappa_i, the strong convexity of g_i and the curvature bound h_i.
    """
    moving = kappa != 0.0
    square = np.where(moving, kappa**2, 1.0)
    push = gap + mu * square / 2.0
    s = np.minimum(1.0, push / (square * (mu + h)))
    r = np.where(s == 1.0, gap - h * square / 2.0, s * push / 2.0)
    return np.where(moving, s, 0.0), np.where(moving, r, 0.0)


def model_change(problem: Problem, x: Floats, x_new: Floats) -> float:
    """F-hat_P(x, x') of Definition 4: the separable quadratic model of F(x') - F(x).

    sum_i  -u_i (x'_i - x_i) + (h_i / 2)(x'_i - x_i)^2 + g_i(x'_i) - g_i(x_i).  It bounds
    F(x') - F(x) from above if x and x' differ in *one* coordinate, which is all Lemma 1 needs;
    for several it does not (the paper's "triangle inequality" is false).

    Parameters
    ----------
    problem : Problem
        The cost.
    x, x_new : ndarray of shape (d,)
        x and x'.
    """
    move = x_new - x
    change = problem.penalty.value(x_new) - problem.penalty.value(x)
    return float(np.sum(-problem.correlations(x) * move + 0.5 * problem.h * move**2 + change))


def lipschitzed(problem: Problem, x: Floats) -> Problem:
    """Return the problem with bounded support wherever g_i is not strongly convex.

    This is the assumption of Lemma 1. A pure L1 cost gets the box [-B, B], B = F(x) / lambda.
    """
    open_ends = np.isinf(problem.penalty.lipschitz) & (problem.mu == 0.0) & ~problem.penalty.free
    return problem.bounded_by(x) if open_ends.any() else problem
