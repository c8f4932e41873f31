"""Theorems 1 and 2: how fast max_r converges, as bounds along a recorded run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.theory.descent import lemma_1_along
from banditcd.theory.greedy import takes_largest_r
from banditcd.theory.trajectory import Trajectory


@dataclass(frozen=True)
class Assumption:
    """One condition of a statement, and whether the run meets it.

    Attributes
    ----------
    sentence : str
        The condition in words.
    holds : bool
        Whether it is met.
    """

    sentence: str
    holds: bool


@dataclass(frozen=True)
class Bound:
    """An upper bound for t = 0..T; inf where nothing is said.

    It is on eps(x^t), on its mean, or (``focus_bound``) on the matrix entries until then.

    Attributes
    ----------
    statement : str
        What is bounded, in words.
    values : ndarray
        The bound for every t.
    assumptions : tuple of Assumption
        What it rests on.
    """

    statement: str
    values: Floats
    assumptions: tuple[Assumption, ...]

    @property
    def applies(self) -> bool:
        """Whether the run meets every assumption."""
        return all(a.holds for a in self.assumptions)

    @property
    def failures(self) -> tuple[str, ...]:
        """The assumptions that the run does not meet."""
        return tuple(a.sentence for a in self.assumptions if not a.holds)

    def violations(self, suboptimality: Floats, slack: float = 0.0) -> npt.NDArray[np.intp]:
        """Return the steps t with eps(x^t) > bound + slack."""
        return np.flatnonzero(suboptimality > self.values + slack)


@dataclass(frozen=True)
class GapRatios:
    """The concentration of the gap, before each step l = 0..T-1.

    ``eta`` = G ||a_{i*}|| / G_{i*} and ``spread`` = G / G_{i*}, both for the same coordinate i*;
    0 at an optimum, where there is nothing left to bound.
    """

    eta: Floats
    spread: Floats


def effective_norms(problem: Problem) -> Floats:
    """sqrt(beta h_i): the column norms ||a_i||, or less where rows have smaller weights.

    Parameters
    ----------
    problem : Problem
        The cost.
    """
    return np.sqrt(problem.beta * problem.h)


def support_bound(problem: Problem) -> float:
    """L of the paper: every g_i is infinite outside [-L, L], so |kappa_i| <= 2L.

    Parameters
    ----------
    problem : Problem
        The cost.
    """
    return float(np.max(problem.penalty.lipschitz))


def theorem_1(run: Trajectory, f_star: float) -> Bound:
    """Linear rate of max_r for strongly convex g_i.

    eps(x^t) <= eps(x^0) prod_{l=0}^{t-1} (1 - max_i G_i(x^l) mu_i / (G(x^l) (mu_i + h_i))).

    The paper prints G(x^t) inside the product and l = 1..t; both readings are false
    (``as_printed.theorem_1``). The proof gives the product above.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    """
    rates = contraction(run)[:-1]
    product = np.concatenate([[1.0], np.cumprod(1.0 - rates)])
    strongly = Assumption(
        "every g_i is strongly convex (mu_i > 0)", bool(np.all(run.problem.mu > 0.0))
    )
    return Bound(
        "Theorem 1", (run.objective[0] - f_star) * product, (strongly, *_common_assumptions(run))
    )


def contraction(run: Trajectory) -> Floats:
    """max_i G_i(x^l) mu_i / (G(x^l) (mu_i + h_i)) for l = 0..T, 0 where G(x^l) = 0."""
    problem = run.problem
    gain = np.max(run.gaps * (problem.mu / (problem.mu + problem.h)), axis=1)
    return np.asarray(np.divide(gain, run.gap, out=np.zeros_like(gain), where=run.gap > 0.0))


def theorem_2(run: Trajectory, f_star: float, by: Literal["gap", "ratio"] = "gap") -> Bound:
    """Sublinear rate of max_r for g_i of bounded support.

    eps(x^t) <= (8 L^2 eta^2 / beta) / (2D + t - t0) for t >= t0,
    t0 = max(1, 2D log(D beta eps(x^0) / (4 L^2 eta^2))).

    With one coordinate i* per step in both halves of the proof:

    * ``by="gap"``: i* = argmax G_i, eta = max_{l<t} G ||a_{i*}|| / G_{i*}, D = d;
    * ``by="ratio"``: i* = argmax G_i / ||a_i|| (eta as the paper prints it) and
      D = max_{l<t} G / G_{i*}, which may exceed d.

    The two agree for equal norms up to D <= d. The printed mixture (eta of the second, D of the
    first) is false for unequal norms: see ``as_printed.theorem_2``.

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    f_star : float
        The minimum of F, or a lower bound of it (:func:`certified_optimum`).
    by : {"gap", "ratio"}
        See above.
    """
    ratios = gap_ratios(run, by)
    eta = np.maximum.accumulate(ratios.eta)
    spread = np.maximum.accumulate(ratios.spread)
    D = np.full(run.steps, float(run.problem.d)) if by == "gap" else np.maximum(spread, 1.0)
    values = sublinear_bound(run, f_star, eta, D, support_bound(run.problem))
    return Bound("Theorem 2", values, (_bounded_support(run.problem), *_common_assumptions(run)))


def gap_ratios(run: Trajectory, by: Literal["gap", "ratio"]) -> GapRatios:
    """Return eta and spread with i* = argmax G_i (gap) or argmax G_i / ||a_i|| (ratio).

    Parameters
    ----------
    run : Trajectory
        What :func:`banditcd.theory.record` returned.
    by : {"gap", "ratio"}
        How i* is chosen.
    """
    if by not in ("gap", "ratio"):
        raise ValueError(f"by is {by!r}; use 'gap' or 'ratio'.")
    gaps, total, norms = run.gaps[:-1], run.gap[:-1], effective_norms(run.problem)
    best = np.argmax(gaps if by == "gap" else gaps / norms, axis=1)
    top = gaps[np.arange(run.steps), best]
    spread = np.divide(total, top, out=np.zeros_like(top), where=top > 0.0)
    return GapRatios(spread * norms[best], spread)


def sublinear_bound(run: Trajectory, f_star: float, eta: Floats, D: Floats, L: float) -> Floats:
    """Return C / (2D + t - t0) with C = 8 L^2 eta^2 / beta, for t = 1..T; inf before t0."""
    eps0 = max(run.objective[0] - f_star, 0.0)
    C = 8.0 * L**2 * eta**2 / run.problem.beta
    with np.errstate(divide="ignore", invalid="ignore"):  # C = inf: no bounded support, no bound
        t0 = np.maximum(1.0, np.nan_to_num(2.0 * D * np.log(2.0 * D * eps0 / C), nan=1.0))
    t = np.arange(1, run.steps + 1)
    late = t >= t0
    values = np.full(run.steps + 1, np.inf)
    values[1:][late] = C[late] / (2.0 * D[late] + t[late] - t0[late])
    return values


def _bounded_support(problem: Problem) -> Assumption:
    return Assumption(
        "every g_i has bounded support, also where mu_i > 0 (|kappa_i| <= 2L is used for all i)",
        bool(np.isfinite(support_bound(problem))),
    )


def _common_assumptions(run: Trajectory) -> tuple[Assumption, ...]:
    return (
        Assumption("every step takes the largest r_i (max_r)", takes_largest_r(run)),
        Assumption("the update rule keeps Lemma 1 (class H)", lemma_1_along(run).holds),
        Assumption("all coordinate-wise gaps are finite", bool(np.isfinite(run.gaps).all())),
    )
