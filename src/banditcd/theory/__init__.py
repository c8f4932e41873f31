"""The statements of "Coordinate Descent with Bandit Sampling" as functions, found by number.

============================  ==================================================================
paper                         here
============================  ==================================================================
Section 2.1, duality gap      :func:`gap_identity`, :func:`weak_duality_excess`,
                              :func:`certified_optimum`
Equations (3), (5)            :func:`marginal_decrease` (s_i, r_i), Remark 1: r_i >= 0
Definition 4, F-hat_P         :func:`model_change`; membership in the class H is
                              :func:`banditcd.updates.check_update_rule`
Lemma 1                       :func:`lemma_1` at a point, :func:`lemma_1_along` a run
Proposition 1 (max_r)         :func:`proposition_1`, :func:`guaranteed_bounds`
Lemma 2 (Gauss-Southwell)     :func:`lemma_2`, corrected
Theorem 1 (linear rate)       :func:`theorem_1`
Theorem 2 (sublinear rate)    :func:`theorem_2`, :func:`gap_ratios` (eta)
Proposition 2 (B_max_r)       :func:`proposition_2`, :func:`bandit_constants` (alpha, eta, c),
                              :func:`staleness` (c(E, epsilon) step by step)
beyond the paper: ``focus``   :func:`pass_bound` (least gain of a pass in any order),
                              :func:`focus_bound` (the promise), :func:`focus_cycles`,
                              :func:`entries_until`
what is printed but wrong     :mod:`banditcd.theory.as_printed`
============================  ==================================================================

Everything that speaks of a run takes a :class:`Trajectory`, made by :func:`record`; every rate
comes back as a :class:`Bound` with its values along the run and the assumptions it rests on.

>>> from banditcd import problems, theory
>>> problem = problems.RidgeDual([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]], [1.0, 2.0, 0.0], alpha=0.1)
>>> run = theory.record(problem, "max_r", steps=30)
>>> theory.lemma_1_along(run).holds
True
>>> f_star = theory.certified_optimum(problem).lower
>>> bound = theory.theorem_1(run, f_star)
>>> bound.applies, len(bound.violations(run.suboptimality(f_star), slack=1e-12))
(True, 0)
"""

from banditcd.theory import as_printed
from banditcd.theory.bandit import (
    BanditConstants,
    bandit_constants,
    estimates,
    mean_suboptimality,
    proposition_2,
    staleness,
)
from banditcd.theory.descent import (
    Lemma1,
    Lemma1Along,
    lemma_1,
    lemma_1_along,
    lipschitzed,
    marginal_decrease,
    model_change,
)
from banditcd.theory.duality import (
    GapIdentity,
    Optimum,
    certified_optimum,
    gap_identity,
    weak_duality_excess,
)
from banditcd.theory.focus import Cycle, entries_until, focus_bound, focus_cycles
from banditcd.theory.greedy import (
    Lemma2,
    guaranteed_bounds,
    lemma_2,
    proposition_1,
    takes_largest_r,
)
from banditcd.theory.passes import PassBound, diameter, pass_bound
from banditcd.theory.rates import (
    Assumption,
    Bound,
    GapRatios,
    effective_norms,
    gap_ratios,
    support_bound,
    theorem_1,
    theorem_2,
)
from banditcd.theory.trajectory import Trajectory, record

__all__ = [
    "Assumption",
    "BanditConstants",
    "Bound",
    "Cycle",
    "GapIdentity",
    "GapRatios",
    "Lemma1",
    "Lemma1Along",
    "Lemma2",
    "Optimum",
    "PassBound",
    "Trajectory",
    "as_printed",
    "bandit_constants",
    "certified_optimum",
    "diameter",
    "effective_norms",
    "entries_until",
    "estimates",
    "focus_bound",
    "focus_cycles",
    "gap_identity",
    "gap_ratios",
    "guaranteed_bounds",
    "lemma_1",
    "lemma_1_along",
    "lemma_2",
    "lipschitzed",
    "marginal_decrease",
    "mean_suboptimality",
    "model_change",
    "pass_bound",
    "proposition_1",
    "proposition_2",
    "record",
    "staleness",
    "support_bound",
    "takes_largest_r",
    "theorem_1",
    "theorem_2",
    "weak_duality_excess",
]
