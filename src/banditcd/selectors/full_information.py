"""Rules that look at every coordinate before every step.

Cost of each: one pass over A per step, O(d nnz) per epoch, counted as work.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.data import unknown_name
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State, draw, greedy
from banditcd.selectors.rng import RandomSource


class _FullInformation(Selector):
    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Remember the problem and the generator."""
        self._problem, self._rng = problem, rng


class AdaGap(_FullInformation):
    """Sample with p_i = G_i / G, recomputed every step (Perekrestenko, Cevher & Jaggi, 2017).

    Cost: one pass over A per step, d passes per epoch.
    """

    name: ClassVar[str] = "ada_gap"
    needs_gaps: ClassVar[bool] = True

    def next(self, state: State) -> int:
        """Draw in proportion to the coordinate-wise gaps."""
        return draw(state.gaps(), self._rng)


class AdaKappa(_FullInformation):
    """Sample with p_i ~ |kappa_i| sqrt(h_i + mu_i): AdaSDCA (Csiba, Qu & Richtarik, 2015).

    With equal column norms and equal mu this is p_i ~ |kappa_i|, the form the paper quotes.

    Cost: one pass over A per step, d passes per epoch.
    """

    name: ClassVar[str] = "ada_kappa"
    needs_gaps: ClassVar[bool] = True

    def next(self, state: State) -> int:
        """Draw in proportion to the weighted dual residues."""
        scale = np.sqrt(self._problem.h + self._problem.mu)
        return draw(np.abs(state.kappas()) * scale, self._rng)


class MaxGap(_FullInformation):
    """Take the largest G_i (the selection of Duenner, Parnell & Jaggi, NIPS 2017).

    Cost: one pass over A per step, d passes per epoch.
    """

    name: ClassVar[str] = "max_gap"
    needs_gaps: ClassVar[bool] = True

    def next(self, state: State) -> int:
        """Return argmax G_i."""
        return greedy(state.gaps(), self._rng)


class MaxR(_FullInformation):
    """max_r: take the largest marginal decrease r_i (Salehi, Thiran & Celis, Proposition 1).

    It is the best choice for the bound of Lemma 1; for F with g_i = lambda x^2 it is the
    Gauss-Southwell-Lipschitz rule, and with unit columns the Gauss-Southwell rule.

    Cost: one pass over A per step, d passes per epoch.
    """

    name: ClassVar[str] = "max_r"

    def next(self, state: State) -> int:
        """Return argmax r_i."""
        return greedy(state.marginal_decreases(), self._rng)


class GaussSouthwell(_FullInformation):
    """Steepest coordinate (Nutini et al., ICML 2015), with their three rules for kinks.

    Cost: one pass over A per step, d passes per epoch.

    Parameters
    ----------
    rule : {"s", "r", "q"}
        ``"s"``: largest distance of u_i from the subdifferential of g_i (the minimum-norm
        subgradient); ``"r"``: longest proximal step; ``"q"``: largest decrease of the quadratic
        model along i. On smooth costs s is the classic rule.
    lipschitz : bool
        Weigh by the coordinate's own curvature: s / sqrt(h + mu), r * sqrt(h + mu)
        (q has it built in).
    """

    name: ClassVar[str] = "gauss_southwell"
    RULES: ClassVar[tuple[str, ...]] = ("s", "r", "q")

    def __init__(self, rule: str = "s", lipschitz: bool = False) -> None:
        if rule not in self.RULES:
            raise unknown_name("Gauss-Southwell rule", rule, self.RULES)
        self.rule, self.lipschitz = rule, lipschitz

    def next(self, state: State) -> int:
        """Return the steepest coordinate."""
        return greedy(self.scores(state.x, state.correlations()), self._rng)

    def scores(self, x: Floats, u: Floats) -> Floats:
        """Return the rule's score of every coordinate."""
        problem = self._problem
        root = np.sqrt(problem.h + problem.mu) if self.lipschitz else 1.0
        if self.rule == "s":
            return np.asarray(problem.penalty.violation(x, u) / root)
        target = problem.penalty.prox(x, u, problem.h)
        if self.rule == "r":
            return np.asarray(np.abs(target - x) * root)
        return model_decrease(problem, x, u, target)

    def native(self) -> dict[str, float]:
        """Rule number and the Lipschitz switch."""
        return {"rule": float(self.RULES.index(self.rule)), "lipschitz": float(self.lipschitz)}


def model_decrease(problem: Problem, x: Floats, u: Floats, target: Floats) -> Floats:
    """Return the decrease of the quadratic upper model of F along every coordinate."""
    move = target - x
    change = problem.penalty.value(x) - problem.penalty.value(target)
    return np.asarray(u * move - 0.5 * problem.h * move**2 + change)
