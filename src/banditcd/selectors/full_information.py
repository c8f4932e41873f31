"""Rules that look at every coordinate before every step.

Cost of each: one pass over A per step, O(d nnz) per epoch, counted as work. For quadratic f the
correlations are kept by Gram columns instead (``gram``): one pass when a coordinate moves for the
first time, d entries of its column when it moves again.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.data import unknown_name
from banditcd.problems import Problem
from banditcd.selectors.base import Selector, State, draw, greedy
from banditcd.selectors.gram import MOST_BYTES, Correlations, check_gram
from banditcd.selectors.rng import RandomSource


class _FullInformation(Selector):
    """Scores of all coordinates from x and u, then a draw or an argmax."""

    samples: ClassVar[bool] = False

    def __init__(self, gram: bool | str = "auto") -> None:
        self.gram = check_gram(gram)

    def start(self, problem: Problem, rng: RandomSource) -> None:
        """Remember the problem and the generator."""
        self._problem, self._rng = problem, rng
        self._correlations = Correlations(problem, self.gram)

    def next(self, state: State) -> int:
        """Return the coordinate with the largest score, or a draw in proportion to the scores."""
        scores = self.scores(state.x, self._correlations(state))
        choose = draw if self.samples else greedy
        return self._correlations.chose(choose(scores, self._rng), state)

    def scores(self, x: Floats, u: Floats) -> Floats:
        """Return the rule's score of every coordinate."""
        raise NotImplementedError

    def native(self) -> dict[str, float]:
        """Whether Gram columns may be used: where f is not quadratic they are not."""
        return {"gram": float(self.gram is not False), "gram_bytes": float(MOST_BYTES)}


class AdaGap(_FullInformation):
    """Sample with p_i = G_i / G, recomputed every step (Perekrestenko, Cevher & Jaggi, 2017).

    Cost: one pass over A per step, d passes per epoch; less by ``gram``.

    Parameters
    ----------
    gram : {"auto", True, False}
        Keep u by Gram columns; "auto" where f is quadratic.
    """

    name: ClassVar[str] = "ada_gap"
    needs_gaps: ClassVar[bool] = True
    samples: ClassVar[bool] = True

    def scores(self, x: Floats, u: Floats) -> Floats:
        """Return the coordinate-wise gaps."""
        return self._problem.gaps(x, u)


class AdaKappa(_FullInformation):
    """Sample with p_i ~ |kappa_i| sqrt(h_i + mu_i): AdaSDCA (Csiba, Qu & Richtarik, 2015).

    With equal column norms and equal mu this is p_i ~ |kappa_i|, the form the paper quotes.

    Cost: one pass over A per step, d passes per epoch. kappa_i jumps where u_i crosses a kink of
    g_i*, which is where exact steps leave it, so that the rounding of kept correlations would
    decide: it looks afresh.
    """

    name: ClassVar[str] = "ada_kappa"
    needs_gaps: ClassVar[bool] = True
    samples: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__(gram=False)

    def scores(self, x: Floats, u: Floats) -> Floats:
        """Return the weighted dual residues."""
        scale = np.sqrt(self._problem.h + self._problem.mu)
        return np.asarray(np.abs(self._problem.kappas(x, u)) * scale)


class MaxGap(_FullInformation):
    """Take the largest G_i (the selection of Duenner, Parnell & Jaggi, NIPS 2017).

    Cost: one pass over A per step, d passes per epoch; less by ``gram``.

    Parameters
    ----------
    gram : {"auto", True, False}
        Keep u by Gram columns; "auto" where f is quadratic.
    """

    name: ClassVar[str] = "max_gap"
    needs_gaps: ClassVar[bool] = True

    def scores(self, x: Floats, u: Floats) -> Floats:
        """Return the coordinate-wise gaps."""
        return self._problem.gaps(x, u)


class MaxR(_FullInformation):
    """max_r: take the largest marginal decrease r_i (Salehi, Thiran & Celis, Proposition 1).

    It is the best choice for the bound of Lemma 1; for F with g_i = lambda x^2 it is the
    Gauss-Southwell-Lipschitz rule, and with unit columns the Gauss-Southwell rule.

    Cost: one pass over A per step, d passes per epoch; less by ``gram``.

    Parameters
    ----------
    gram : {"auto", True, False}
        Keep u by Gram columns; "auto" where f is quadratic.
    """

    name: ClassVar[str] = "max_r"

    def scores(self, x: Floats, u: Floats) -> Floats:
        """Return all r_i."""
        return self._problem.marginal_decreases(x, u)


class GaussSouthwell(_FullInformation):
    """Steepest coordinate (Nutini et al., ICML 2015), with their three rules for kinks.

    Cost: one pass over A per step, d passes per epoch; less by ``gram``.

    Parameters
    ----------
    rule : {"s", "r", "q"}
        ``"s"``: largest distance of u_i from the subdifferential of g_i (the minimum-norm
        subgradient); ``"r"``: longest proximal step; ``"q"``: largest decrease of the quadratic
        model along i. On smooth costs s is the classic rule.
    lipschitz : bool
        Weigh by the coordinate's own curvature: s / sqrt(h + mu), r * sqrt(h + mu)
        (q has it built in).
    gram : {"auto", True, False}
        Keep u by Gram columns; "auto" where f is quadratic.
    """

    name: ClassVar[str] = "gauss_southwell"
    RULES: ClassVar[tuple[str, ...]] = ("s", "r", "q")

    def __init__(self, rule: str = "s", lipschitz: bool = False, gram: bool | str = "auto") -> None:
        if rule not in self.RULES:
            raise unknown_name("Gauss-Southwell rule", rule, self.RULES)
        super().__init__(gram)
        self.rule, self.lipschitz = rule, lipschitz

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
        """Rule number, the Lipschitz switch and the Gram columns."""
        rule = {"rule": float(self.RULES.index(self.rule)), "lipschitz": float(self.lipschitz)}
        return {**super().native(), **rule}


def model_decrease(problem: Problem, x: Floats, u: Floats, target: Floats) -> Floats:
    """Return the decrease of the quadratic upper model of F along every coordinate."""
    move = target - x
    change = problem.penalty.value(x) - problem.penalty.value(target)
    return np.asarray(u * move - 0.5 * problem.h * move**2 + change)
