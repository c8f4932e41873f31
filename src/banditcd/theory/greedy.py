"""Proposition 1 (max_r is the best choice for the bound) and Lemma 2 (it is Gauss-Southwell)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.problems.penalties import L1L2
from banditcd.theory.trajectory import Trajectory

NEGLIGIBLE = 1e-20  # of max(|F|, 1): marginal decreases below it are rounding


@dataclass(frozen=True)
class Lemma2:
    """Lemma 2, corrected, at one point of F(x) = f(Ax) + sum_i lambda x_i^2.

    s_i = 2 lambda / (2 lambda + h_i) < 1 and r_i = (grad_i F)^2 / (2 (2 lambda + h_i)), with
    h_i = 1/beta for unit columns. So argmax r_i is the Gauss-Southwell-Lipschitz choice
    argmax (grad_i F)^2 / (mu_i + h_i), and with equal norms the Gauss-Southwell choice
    argmax |grad_i F|.

    Attributes
    ----------
    gradient, s, r : ndarray of shape (d,)
        Of all coordinates.
    """

    gradient: Floats
    s: Floats
    r: Floats

    @property
    def max_r(self) -> int:
        """The coordinate with the largest r_i."""
        return int(np.argmax(self.r))

    @property
    def gauss_southwell(self) -> int:
        """The coordinate with the steepest slope |grad_i F|."""
        return int(np.argmax(np.abs(self.gradient)))


def guaranteed_bounds(run: Trajectory) -> Floats:
    """Return F(x^t) - r_i^t for every step and coordinate: what Lemma 1 promises for each.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    """
    return run.objective[:, None] - run.r


def proposition_1(run: Trajectory) -> float:
    """Return how far the choices of a run are from the best ones for the bound of Lemma 1.

    The largest (max_j r_j^t - r_{i_t}^t) / max(|F|, 1) over the steps: 0 for max_r
    (Proposition 1), and positive for every run that takes another coordinate.
    """
    chosen = run.r[np.arange(run.steps), run.indices]
    return float(np.max((run.r[:-1].max(axis=1) - chosen) / run.scale[:-1]))


def takes_largest_r(run: Trajectory) -> bool:
    """Whether every step took the largest r_i (relative 1e-9, above the level of rounding).

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    """
    chosen = run.r[np.arange(run.steps), run.indices]
    best = run.r[:-1].max(axis=1)
    return bool(np.all(chosen >= (1.0 - 1e-9) * best - NEGLIGIBLE * run.scale[:-1]))


def squared_strength(problem: Problem) -> float:
    """Return lambda of g_i(x) = lambda x^2, or say why Lemma 2 is not about this cost."""
    penalty = problem.penalty
    if not isinstance(penalty, L1L2) or penalty.lam.any() or np.isfinite(penalty.lipschitz).any():
        raise ValueError(
            f"Lemma 2 is about g_i(x) = lambda x^2 on the whole line, and {problem.name} has "
            "another g_i; use problems.Ridge."
        )
    if penalty.rho.min() <= 0.0 or np.ptp(penalty.rho) > 0.0:
        raise ValueError("Lemma 2 needs one lambda > 0 for all coordinates.")
    return float(penalty.rho[0] / 2.0)


def lemma_2(problem: Problem, x: Floats) -> Lemma2:
    """Return gradient, s and r of an L2-regularized cost by the corrected closed forms.

    Parameters
    ----------
    problem : Problem
        The cost.
    x : ndarray of shape (d,)
        A point.
    """
    lam = squared_strength(problem)
    gradient = 2.0 * lam * x - problem.correlations(x)
    total = 2.0 * lam + problem.h
    return Lemma2(gradient, 2.0 * lam / total, 0.5 * gradient**2 / total)
