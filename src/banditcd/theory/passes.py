"""The least gain of one pass over all coordinates, in whatever order it visits them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.problems.penalties import L1L2
from banditcd.theory.rates import Assumption
from banditcd.theory.trajectory import Trajectory

MINIMIZING = ("exact", "proximal", "newton")
"""Rules that end at the minimum of F along i, or of its quadratic model with curvature h_i."""


@dataclass(frozen=True)
class PassBound:
    """Least decrease psi(eps) of F in one pass over all coordinates that starts at eps.

    Attributes
    ----------
    constant : float
        gamma tau (linear) or Q (sublinear) of docs/theory.md.
    linear : bool
        psi(eps) = eps / (1 + tau); otherwise psi(eps) is the root D of (eps - D)^2 = Q D.
    assumptions : tuple of Assumption
        What the statement rests on.
    """

    constant: float
    linear: bool
    assumptions: tuple[Assumption, ...]

    def least_gain(self, eps: Floats | float) -> Floats:
        """psi(eps), which never decreases in eps."""
        eps, c = np.asarray(eps, dtype=np.float64), self.constant
        if self.linear:
            return eps / (1.0 + c)
        # eps + Q/2 - sqrt(Q eps + Q^2/4) without its cancellation.
        below = eps + 0.5 * c + np.sqrt(c * eps + 0.25 * c**2)
        return np.divide(eps**2, below, out=np.zeros_like(below), where=below > 0.0)

    def passes(self, before: float, after: Floats | float) -> Floats:
        """1 + the integral of 1 / psi from eps = after to before: passes that surely suffice."""
        after, c = np.asarray(after, dtype=np.float64), self.constant
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.linear:
                spent = (1.0 + c) * np.log(before / after)
            else:  # eps = y + sqrt(Q y) with y = psi(eps) turns the integral into elementary ones
                high, low = self.least_gain(before), self.least_gain(after)
                spent = np.log(high / low) + np.sqrt(c / low) - np.sqrt(c / high)
        return np.where(after >= before, 1.0, np.where(after > 0.0, 1.0 + spent, np.inf))


def pass_bound(run: Trajectory) -> PassBound:
    """Return psi for the cost, the update rule and the start of a run.

    It holds for every order of the visits, so for cyclic, shuffled and reshuffled passes alike.
    All g_i strongly convex: eps_after <= tau (eps_before - eps_after). Otherwise, where the
    points below F(x^0) lie within a distance R of the optimum: eps_after^2 <= Q (eps_before -
    eps_after). tau and Q come from the Gram matrix of A (d x d: for small problems).
    """
    problem, rule = run.problem, run.update
    quadratic = problem.loss.is_quadratic
    searches = rule == "exact" and not quadratic
    modulus = problem.h + problem.mu
    linear = bool(np.all(problem.mu > 0.0))
    left = 1.0 / np.sqrt(problem.mu) if linear else np.ones(problem.d)
    diagonal = not quadratic and not searches
    constant = _disturbance(problem, left, 1.0 / np.sqrt(modulus), diagonal)
    if searches:  # F may be flatter than its model: less is sure to be gained by a move
        with np.errstate(divide="ignore"):
            constant *= float(np.max(modulus / problem.mu))
    if not linear:
        constant *= 2.0 * diameter(problem, run.x[0]) ** 2
    assumptions = (
        Assumption("the rule minimizes F, or its model with curvature h_i", rule in MINIMIZING),
        Assumption(
            "all g_i are strongly convex, or the points below F(x^0) are bounded and the rule "
            "gains at least a multiple of the squared move",
            bool(np.isfinite(constant)),
        ),
    )
    return PassBound(constant, linear, assumptions)


def diameter(problem: Problem, x0: Floats) -> float:
    """R: no two points with F <= F(x0) are farther apart (inf where nothing bounds them).

    The diagonal of the box of all g_i, or 2 F(x0) / min lambda_i: with f >= 0 the L1 norm of
    such a point is at most F(x0) / min lambda_i.

    Parameters
    ----------
    problem : Problem
        The cost.
    x0 : ndarray of shape (d,)
        The start.
    """
    penalty = problem.penalty
    box = float(np.linalg.norm(np.asarray(penalty.upper) - np.asarray(penalty.lower)))
    if isinstance(penalty, L1L2) and np.all(penalty.lam > 0.0):
        return min(box, 2.0 * problem.objective(x0) / float(np.min(penalty.lam)))
    return box


def _disturbance(problem: Problem, left: Floats, right: Floats, diagonal: bool) -> float:
    """Bound ||diag(left) T diag(right)||^2 over all orders of visits.

    T_ij for j after i is H_ij, the effect of the later move of j on the gradient of i; on the
    diagonal it is h_i where the model's curvature need not be the true one. The smaller of two
    bounds: the Frobenius norm with each pair in its worse order, and ceil(log2 d) times the
    spectral norm of the untruncated matrix (docs/theory.md).
    """
    A = problem.A.to_dense()
    if not problem.loss.is_quadratic:
        A = np.abs(A)  # f'' may differ from row to row: no cancellation may be counted on
    bound = np.broadcast_to(np.asarray(problem.loss.bound, dtype=np.float64), (problem.m,))
    scaled = left[:, None] * (A.T @ (bound[:, None] * A)) * right
    own = np.diag(scaled).copy() if diagonal else np.zeros(problem.d)
    pairs = np.maximum(scaled**2, scaled.T**2)
    frobenius = 0.5 * float(pairs.sum() - np.trace(pairs)) + float(own @ own)
    halvings = float(np.ceil(np.log2(problem.d))) if problem.d > 1 else 0.0
    spectral = (halvings * float(np.linalg.norm(scaled, 2)) + float(own.max())) ** 2
    return min(frobenius, spectral)
