"""The judge: the problems of a model, their bounds, one verdict."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from banditcd.verification import losses
from banditcd.verification.blocks import BLOCK_READERS, BlockProblem
from banditcd.verification.dual_points import candidates, gradient, relieved
from banditcd.verification.models import problems_of
from banditcd.verification.multinomial import MultinomialProblem
from banditcd.verification.problem import Problem
from banditcd.verification.verdict import Verification

SETTLED = 1e-11  # of the objective: a gap below it ends the search for dual points


def verify(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> Verification:
    """Judge a fitted model on the data it was fitted to, by code of no solver.

    Parameters
    ----------
    estimator : object
        A fitted Lasso, ElasticNet, Ridge, RidgeClassifier, LogisticRegression or multi-task model
        (their searches over folds, ``...CV``, too), LinearSVC or LinearSVR of banditcd or
        scikit-learn, a group model of banditcd or its search, or a Lasso, ElasticNet, sparse
        logistic regression, multi-task or group Lasso of celer or skglm. Each is judged by its own
        documented objective: its scaling, its sample and class weights, its treatment of the
        intercept.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The training samples.
    y : array-like
        The training responses or labels.
    sample_weight : float or array-like of shape (n_samples,), default=None
        The weights of the fit.

    Returns
    -------
    Verification
        Objective, lower bound, gap, its rounding error, largest violation, a sentence.

    Raises
    ------
    TypeError
        For a model that is not on the list.
    ValueError
        For a model that is not fitted, and for data that do not fit it or each other.

    Notes
    -----
    A lower bound with unpenalized features assumes that an optimum has no coefficient above ten
    times the largest one of the fit; a free intercept needs no assumption.
    """
    problems = problems_of(estimator, X, y, sample_weight, BLOCK_READERS)
    with np.errstate(over="ignore", under="ignore"):
        rulings = [_ruling(problem) for problem in problems]
    objective = math.fsum(r[0] for r in rulings)
    bound, rounding = math.fsum(r[1] for r in rulings), math.fsum(r[2] for r in rulings)
    gap = math.fsum(r[0] - r[1] for r in rulings)
    worst = max(range(len(rulings)), key=lambda k: rulings[k][3])
    violation, where = rulings[worst][3:5]
    coordinate = where if len(rulings) == 1 else f"{where} of problem {worst}"
    exact = all(isinstance(problem, Problem) and _is_exact(problem) for problem in problems)
    sentence = _sentence(objective, gap, rounding, exact)
    return Verification(objective, bound, gap, rounding, violation, coordinate, exact, sentence)


def _ruling(problem: Any) -> tuple[float, float, float, float, str]:
    """Return objective, lower bound, rounding, largest violation and its coordinate."""
    for name in ("w", "W", "intercept"):
        values = np.atleast_1d(np.asarray(getattr(problem, name, 0.0), dtype=np.float64))
        if not np.isfinite(values).all() and getattr(problem, name, None) is not None:
            return math.inf, 0.0, 0.0, math.inf, "a coefficient that is not finite"
    return _judge_blocks(problem) if isinstance(problem, BlockProblem) else _judge(problem)


def _judge(problem: Problem | MultinomialProblem) -> tuple[float, float, float, float, str]:
    """Return objective, lower bound, rounding, largest violation and its coordinate."""
    if isinstance(problem, MultinomialProblem):
        return problem.ruling()
    objective, error = problem.objective(problem.w)
    null, null_error = problem.objective(np.zeros_like(problem.w))
    level = min(objective + error, null + null_error)
    center = relieved(problem) if problem.loss in losses.SMOOTH else problem.w
    if problem.loss in losses.SMOOTH:
        level = min(level, sum(problem.objective(center)))
    ends = problem.radii(level, center)
    best = (0.0, 0.0, np.zeros_like(problem.y))
    for theta in candidates(problem):
        value, slack = problem.dual_value(theta, ends)
        if value - slack > best[0] - best[1]:
            best = (value, slack, theta)
        if objective - best[0] <= max(SETTLED * objective, best[1]):
            break
    theta = gradient(problem, problem.w) if problem.loss in losses.SMOOTH else best[2]
    violations = problem.violations(theta)
    place = int(np.argmax(violations)) if violations.size else 0
    last = problem.intercept and place == len(violations) - 1
    where = "intercept" if last else f"feature {place}"
    return objective, best[0], error + best[1], float(violations.max(initial=0.0)), where


def _judge_blocks(problem: BlockProblem) -> tuple[float, float, float, float, str]:
    """Return the same for a problem with blocks."""
    objective = problem.objective()
    violation, group = problem.worst()
    where = f"group {group}" if len(problem.groups) < problem.X.shape[1] else f"feature {group}"
    return objective, problem.bound(), problem.rounding(objective), violation, where


def _is_exact(problem: Problem | MultinomialProblem) -> bool:
    if isinstance(problem, MultinomialProblem):
        return not problem.free.any()
    return problem.loss in losses.SMOOTH and not problem.free.any()


def _sentence(objective: float, gap: float, rounding: float, exact: bool) -> str:
    if not math.isfinite(objective):
        return "The coefficients break a bound or are not finite: the objective is infinite."
    share = (max(gap, 0.0) + rounding) / objective if objective > 0.0 else 0.0
    # Rounding can leave the bound above the objective: no distance is negative.
    text = f"The objective {objective:.6g} is within {max(gap, 0.0):.2g} of the optimum "
    text += f"(rounding {rounding:.1g}; {share:.1g} of the objective)"
    if not exact:
        text += "; the dual point was searched for, so the true distance may be smaller"
    return text + "."
