"""Proposition 2: B_max_r in expectation, and what c(E, epsilon) really is along a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.selectors import BMaxR
from banditcd.selectors.base import steps_of
from banditcd.theory.greedy import NEGLIGIBLE
from banditcd.theory.rates import Assumption, Bound, gap_ratios, support_bound
from banditcd.theory.trajectory import Trajectory

LOST = 1e-14  # an arm with less than this share of the largest r has nothing to give


@dataclass(frozen=True)
class BanditConstants:
    """The constants of Proposition 2, for a set of runs from the same start.

    ``c`` and ``eta`` are the largest values met in any of the runs; ``h`` is the common
    curvature ||a_1||^2 / beta and ``eps0`` the initial suboptimality.

    Attributes
    ----------
    d : int
        Number of coordinates.
    epsilon : float
        Exploration of the bandit.
    c, eta, h, eps0 : float
        See above.
    L : float
        Bound of the support of the g_i.
    """

    d: int
    epsilon: float
    c: float
    eta: float
    h: float
    L: float
    eps0: float

    @property
    def alpha(self) -> float:
        """8 L^2 h / (epsilon / d^2 + (1 - epsilon) / (eta^2 c)), as in the statement."""
        share = self.epsilon / self.d**2 + (1.0 - self.epsilon) / (self.eta**2 * self.c)
        return 8.0 * self.L**2 * self.h / share if share > 0.0 else np.inf

    @property
    def full_step_gain(self) -> float:
        """2 L^2 h (epsilon / d + (1 - epsilon) / c): what a step with s_{i*} = 1 gains."""
        return 2.0 * self.L**2 * self.h * (self.epsilon / self.d + (1.0 - self.epsilon) / self.c)

    @property
    def eps0_limit(self) -> float:
        """sqrt(alpha full_step_gain): eps(x^0) may not exceed it in the paper's statement."""
        return float(np.sqrt(self.alpha * self.full_step_gain))

    @property
    def alpha_any_start(self) -> float:
        """max(alpha, eps0^2 / full_step_gain): with it the bound needs no condition on eps(x^0).

        Because eps(x^t) <= eps(x^0), the expected gain min(full_step_gain, eps^2 / alpha) is at
        least eps^2 / alpha_any_start.
        """
        gain = self.full_step_gain
        return max(self.alpha, self.eps0**2 / gain if gain > 0.0 else np.inf)

    @property
    def printed_t0(self) -> float:
        """max(1, (4 eps0 / alpha) log(2 eps0 / alpha)) of the paper; t0 = 1 is enough."""
        ratio = self.eps0 / self.alpha
        return max(1.0, 4.0 * ratio * np.log(2.0 * ratio)) if ratio > 0.0 else 1.0


def estimates(run: Trajectory) -> Floats:
    """Return r-bar^t, the estimates B_max_r chooses by, for t = 0..T-1 (shape (T, d)).

    Rebuilt from the run: all r_i at steps 0, E, 2E, ..., and after each step the new r of the
    coordinate that was updated.
    """
    selector = _bandit(run)
    E = steps_of(selector.refresh, run.problem.d)
    current, out = np.empty(run.problem.d), np.empty((run.steps, run.problem.d))
    for t, i in enumerate(run.indices):
        if t % E == 0:
            current = run.r[t].copy()
        out[t] = current
        current[i] = run.r[t + 1, i]
    return out


def staleness(run: Trajectory) -> Floats:
    """Return max_i r_i^t / r_{j*}^t with j* = argmax r-bar^t for every step: c is their maximum.

    inf where the arm that looks best has nothing to give any more, which happens in practice;
    1 where no arm has. Where every estimate is zero the selector draws uniformly, and the ratio
    is that to the mean of r.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    """
    stale, now = estimates(run), run.r[:-1]
    best = now.max(axis=1)
    rows = np.arange(run.steps)
    taken = now[rows, np.argmax(stale, axis=1)]
    taken = np.where(stale.max(axis=1) > 0.0, taken, now.mean(axis=1))
    lost, over = taken <= LOST * best, best <= NEGLIGIBLE * run.scale[:-1]
    ratio = np.where(lost, np.inf, best / np.where(lost, 1.0, taken))
    return np.where(over, 1.0, ratio)


def bandit_constants(runs: Sequence[Trajectory], f_star: float) -> BanditConstants:
    """Estimate the constants of Proposition 2 from runs with different seeds.

    Parameters
    ----------
    runs : sequence of Trajectory
        Runs of ``b_max_r`` from one start.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    """
    problem, selector = runs[0].problem, _bandit(runs[0])
    return BanditConstants(
        d=problem.d,
        epsilon=selector.epsilon,
        c=max(float(staleness(run).max()) for run in runs),
        eta=max(float(gap_ratios(run, "gap").spread.max()) for run in runs),
        h=float(problem.h.max()),
        L=support_bound(problem),
        eps0=max(float(runs[0].objective[0] - f_star), 0.0),
    )


def proposition_2(runs: Sequence[Trajectory], f_star: float) -> Bound:
    """Bound on the mean of eps(x^t) over the runs of B_max_r, for t >= 1.

    E[eps(x^t)] <= alpha / (2 + t - t0) with t0 = 1: the recursion y+ <= y - y^2 / alpha ends
    below alpha / 4 after a single step wherever it starts, so no other t0 is needed. Where
    eps(x^0) breaks the condition of the paper, alpha is ``alpha_any_start``, for which the bound
    holds as well; ``assumptions`` are those of the paper.

    Parameters
    ----------
    runs : sequence of Trajectory
        Runs of ``b_max_r`` from one start.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    """
    constants, problem = bandit_constants(runs, f_star), runs[0].problem
    values = np.full(runs[0].steps + 1, np.inf)
    t = np.arange(1, runs[0].steps + 1)
    values[1:] = constants.alpha_any_start / (1.0 + t)
    return Bound("Proposition 2", values, _assumptions(constants, problem))


def mean_suboptimality(runs: Sequence[Trajectory], f_star: float) -> Floats:
    """Return the mean of eps(x^t) over the runs.

    Parameters
    ----------
    runs : sequence of Trajectory
        Runs of equal length.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    """
    return np.asarray(np.mean([run.suboptimality(f_star) for run in runs], axis=0))


def _assumptions(constants: BanditConstants, problem: Problem) -> tuple[Assumption, ...]:
    return (
        Assumption("all columns have the same norm", bool(np.ptp(problem.h) <= 1e-9 * constants.h)),
        Assumption("every g_i has bounded support", bool(np.isfinite(constants.L))),
        Assumption("c(E, epsilon) is finite", bool(np.isfinite(constants.c))),
        Assumption(
            "eps(x^0) <= sqrt(2 alpha L^2 ||a||^2 / beta (epsilon / d + (1 - epsilon) / c))",
            bool(constants.eps0 <= constants.eps0_limit),
        ),
    )


def _bandit(run: Trajectory) -> BMaxR:
    if not isinstance(run.selector, BMaxR):
        raise ValueError("Proposition 2 is about runs of selectors.BMaxR.")
    return run.selector
