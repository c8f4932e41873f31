"""The one table of what goes with what: it writes the error messages and drives the tests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from banditcd import selectors, updates
from banditcd.problems import Problem
from banditcd.problems.losses import LogisticLoss, QuadraticLoss, ThresholdedLoss
from banditcd.problems.penalties import L1L2, BoxQuadratic, Entropy, TiltedL1L2

L2_DUALS = frozenset({"RidgeDual", "HingeDual", "SquaredHingeDual", "LogisticDual"})


def _anywhere(_: Problem) -> str | None:
    return None


def _l2_duals(problem: Problem) -> str | None:
    if problem.name in L2_DUALS:
        return None
    return f"it is a closed form for {', '.join(sorted(L2_DUALS))} only"


def _logistic_dual(problem: Problem) -> str | None:
    return None if problem.name == "LogisticDual" else "it is for LogisticDual only"


def _has_gaps(problem: Problem) -> str | None:
    if problem.penalty.free.any():
        return (
            "it needs finite coordinate-wise gaps G_i, which coordinates without a penalty "
            "(alpha = 0 or penalty weight 0) do not have"
        )
    return None


def _smooth_strongly_convex(problem: Problem) -> str | None:
    penalty = problem.penalty
    smooth = isinstance(penalty, BoxQuadratic) or (
        isinstance(penalty, L1L2) and not penalty.lam.any()
    )
    unbounded = bool(np.isinf(penalty.lower).all() and np.isinf(penalty.upper).all())
    if smooth and unbounded and bool(np.all(penalty.mu > 0.0)):
        return None
    return "it needs a smooth, strongly convex cost: Ridge, RidgeDual or ElasticNetDual"


Check = Callable[[Problem], "str | None"]
"""Returns None if the part fits the problem, else the reason why not."""

UPDATE_FITS: dict[str, Check] = {
    "reference": _anywhere,
    "exact": _anywhere,
    "proximal": _anywhere,
    "sdca": _l2_duals,
    "newton": _logistic_dual,
}
SELECTOR_FITS: dict[str, Check] = {
    **{
        name: _has_gaps if kind.needs_gaps else _anywhere
        for name, kind in selectors.REGISTRY.items()
    },
    "approx": _anywhere,
    "nuacdm": _smooth_strongly_convex,
}


def why_not_update(rule: updates.UpdateRule, problem: Problem) -> str | None:
    """Return why a rule does not fit a problem, or None if it does."""
    check = UPDATE_FITS.get(getattr(rule, "name", ""), _anywhere)
    reason = check(problem)
    if reason is None and getattr(rule, "skip", False):
        return _why_no_skipping(problem)
    return reason


def _why_no_skipping(problem: Problem) -> str | None:
    if problem.loss.is_quadratic and isinstance(problem.penalty, L1L2):
        return None
    return "skip=True needs a quadratic loss with an L1 term: Lasso or ElasticNet"


def why_not_selector(selector: object, problem: Problem) -> str | None:
    """Return why a selector does not fit a problem, or None if it does."""
    if getattr(selector, "gram", "auto") is True and not problem.loss.is_quadratic:
        return "gram=True needs a quadratic loss; leave gram='auto'"
    return SELECTOR_FITS.get(getattr(selector, "name", ""), _anywhere)(problem)


COMPILED = (QuadraticLoss, LogisticLoss, ThresholdedLoss, L1L2, BoxQuadratic, Entropy, TiltedL1L2)
"""Losses and penalties with a compiled twin; a subclass may compute something else."""


def why_not_compiled(problem: Problem) -> str | None:
    """Return why the compiled engine cannot run a problem, or None if it can."""
    for part in (problem.loss, problem.penalty):
        if type(part) not in COMPILED:
            return f"{type(part).__name__} is not built in, so it has no compiled twin"
    return None


def check_compiled(problem: Problem) -> None:
    """Raise, naming the way out, if the compiled engine cannot run a problem."""
    if (reason := why_not_compiled(problem)) is not None:
        raise ValueError(
            f"The compiled engine cannot run {problem.name}: {reason}. Use engine='reference', "
            "which takes the same steps in NumPy, slower (docs/your-own-cost.md)."
        )


def check_fit(selector: object, rule: updates.UpdateRule, problem: Problem) -> None:
    """Raise, naming the parts and the reason, if they do not go together."""
    if (reason := why_not_selector(selector, problem)) is not None:
        raise ValueError(f"{_label(selector)} does not fit {problem.name}: {reason}.")
    if (reason := why_not_update(rule, problem)) is not None:
        raise ValueError(f"{_label(rule)} does not fit {problem.name}: {reason}.")
    if getattr(rule, "skip", False) and getattr(selector, "name", "") == "ascd":
        raise ValueError(
            "ascd needs u_i after every step, which a skipped update does not compute."
        )


def _label(part: object) -> str:
    return f"{type(part).__name__} ({getattr(part, 'name', 'user-defined')!r})"
