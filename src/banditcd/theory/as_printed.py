"""Statements of the paper as printed, where they are wrong: written down to be refuted.

Nothing here is used by a solver. Each function is the printed formula; ``docs/ERRATA.md`` says
what is wrong with it, what replaces it, and which test shows it.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.theory.bandit import BanditConstants
from banditcd.theory.greedy import lemma_2 as corrected_lemma_2
from banditcd.theory.greedy import squared_strength
from banditcd.theory.rates import contraction, gap_ratios, sublinear_bound
from banditcd.theory.trajectory import Trajectory
from banditcd.updates import Coordinate


def marginal_step(gap: Floats, kappa: Floats, mu: Floats, h: Floats) -> Floats:
    """s_i of equation (3) without the case kappa_i = 0, where it is 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.minimum(1.0, (gap + mu * kappa**2 / 2.0) / (kappa**2 * (mu + h)))


def lemma_2(problem: Problem, x: Floats) -> tuple[Floats, Floats]:
    """(s, r) of the printed proof of Lemma 2.

    s = min(1, 3 lambda / (2 lambda + 1/beta)); r = (grad F)^2 (2 lambda beta - 1) /
    (8 lambda^2 beta) if lambda >= 1/beta, else (3/4) (grad F)^2 / (2 lambda + 1/beta).
    """
    lam, beta = squared_strength(problem), problem.beta
    square = corrected_lemma_2(problem, x).gradient ** 2
    s = np.full(problem.d, min(1.0, 3.0 * lam / (2.0 * lam + 1.0 / beta)))
    if lam >= 1.0 / beta:
        return s, square * (2.0 * lam * beta - 1.0) / (8.0 * lam**2 * beta)
    return s, 0.75 * square / (2.0 * lam + 1.0 / beta)


def theorem_1(
    run: Trajectory, f_star: float, reading: Literal["last", "shifted"] = "last"
) -> Floats:
    """Theorem 1 with the product over l = 1..t.

    ``"last"``: every factor at x^t, as printed; ``"shifted"``: the factors at x^1, ..., x^t.
    """
    factors = 1.0 - contraction(run)
    if reading == "last":
        product = factors ** np.arange(run.steps + 1)
    else:
        product = np.concatenate([[1.0], np.cumprod(factors[1:])])
    return np.asarray((run.objective[0] - f_star) * product)


def theorem_2(run: Trajectory, f_star: float) -> Floats:
    """Theorem 2 with eta = max_l min_i G ||a_i|| / G_i, and L from the g_i with mu_i = 0 only.

    The two halves of its proof use different coordinates, and the second needs
    |kappa_i| <= 2L for all i.
    """
    eta = np.maximum.accumulate(gap_ratios(run, "ratio").eta)
    D = np.full(run.steps, float(run.problem.d))
    flat = run.problem.mu == 0.0
    whole = float(np.max(run.problem.penalty.lipschitz))
    L = float(np.max(run.problem.penalty.lipschitz[flat])) if flat.any() else whole
    return sublinear_bound(run, f_star, eta, D, L)


def s_less_2(gap: Floats, kappa: Floats, h: Floats) -> Floats:
    """Return the lower bound G^2 / (2 h kappa^2) that the proof of Theorem 2 claims for s < 1."""
    return gap**2 / (2.0 * h * kappa**2)


def s_less_4(kappa: Floats, mu: Floats, h: Floats) -> Floats:
    """Return h kappa^2 + mu |kappa| / 2, where the proof says s_i reaches 1 (no square)."""
    return h * kappa**2 + mu * np.abs(kappa) / 2.0


def alpha_in_proof(constants: BanditConstants) -> float:
    """Alpha of the proof of Proposition 2: (1 - epsilon) eta^2 / c in place of 1 / (eta^2 c)."""
    share = constants.epsilon / constants.d**2
    share += (1.0 - constants.epsilon) * constants.eta**2 / constants.c
    return 8.0 * constants.L**2 * constants.h / share


def advantage_over_ada_gap(c: float, d: int) -> tuple[float, float]:
    """(claimed, actual) ratio of the bounds of ada_gap and max_r when c G <= max_i G_i.

    The text says sqrt(d) / c for every c >= 1/d; the two bounds it quotes have the ratio
    sqrt(d) c^2 / (c^2 + 1/d)^{3/2}, which is that only if c^2 is large against 1/d.
    """
    return float(np.sqrt(d) / c), float(np.sqrt(d) * c**2 / (c**2 + 1.0 / d) ** 1.5)


def advantage_over_uniform(c: float, d: int) -> tuple[float, float]:
    """(claimed, actual) ratio of the bounds of uniform sampling and max_r if c G <= max_i G_i.

    The text says c^2 d^2, from the bound d^2 for uniform. But uniform takes argmax G_i with
    probability 1/d, so the proof of Theorem 2 also gives it d / c^2: the ratio is at most d.
    """
    return (c * d) ** 2, min((c * d) ** 2, float(d))


class FixedCurvature:
    """The proximal step with one curvature for all columns, x_i <- S_{lambda/H}(x_i + u_i / H).

    H = 1/4 is the logistic update with the printed constant 4, H = 1 the update of
    Shalev-Shwartz & Tewari for the squared loss; both come from |a_ji| <= 1. They are in the
    class H only if r_i is computed with the same constant.
    """

    name: ClassVar[str] = "fixed_curvature"

    def __init__(self, curvature: float) -> None:
        self.curvature = curvature

    def target(self, at: Coordinate) -> float:
        """Return the minimizer of the model with curvature H."""
        return float(at.problem.penalty.prox(at.x, at.u, self.curvature, at.i))


class StingyWithoutPenalty:
    """x_i <- argmin_z f(Ax + (z - x_i) a_i) + g_i(x_i): the printed StingyCD update.

    g_i(x_i) does not depend on z, so the penalty plays no part.
    """

    name: ClassVar[str] = "stingy_without_penalty"

    def target(self, at: Coordinate) -> float:
        """Return the minimizer of f alone along i (f quadratic)."""
        return at.x + at.u / at.h
