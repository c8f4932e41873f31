"""The search for the loosest tolerance that reaches a target: by decades, then half a decade back.

Tolerances are counted in half-decades: step s stands for 10^(-s/2). A peer is then timed at the
step found and at no other, so that nobody is charged for accuracy that was not asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

SAME = 1e-3  # relative change of the gap below which a decade changed nothing
PATIENCE = 4  # such decades in a row, all tighter than the target, before giving up


def tolerance(step: int) -> float:
    """Return 10^(-step/2)."""
    return float(10.0 ** (-step / 2))


def step_of(tol: float) -> int:
    """Return the step nearest to a tolerance."""
    return round(-2.0 * math.log10(tol))


@dataclass(frozen=True)
class Trial:
    """One run at one step: its relative gap and CPU time, or why there is none."""

    gap: float
    seconds: float
    problem: str = ""


@dataclass(frozen=True)
class Found:
    """The step to be timed, or None and the reason."""

    step: int | None
    reason: str = ""


def loosest_step(run: Callable[[int], Trial], target: float, first: int, last: int) -> Found:
    """Return the loosest step among decades and one half-decade whose gap is at most the target.

    Parameters
    ----------
    run : callable
        Returns the trial of a step; expected to remember those it was asked for before.
    target : float
        The relative gap to reach.
    first, last : int
        The loosest and the tightest step allowed.
    """
    best, unchanged, before = math.inf, 0, math.nan
    for step in range(first, last + 1, 2):
        trial = run(step)
        if trial.problem:
            return Found(None, _with_best(trial.problem, best))
        if trial.gap <= target:
            half = step - 1
            looser = half > first and run(half)
            passes = looser and not looser.problem and looser.gap <= target
            return Found(half if passes else step)
        best = min(best, trial.gap)
        same = math.isfinite(before) and abs(trial.gap - before) <= SAME * before
        unchanged = unchanged + 1 if same and tolerance(step) < 1e-3 * target else 0
        if unchanged >= PATIENCE:
            return Found(None, f"stalls at gap {best:.0e}")
        before = trial.gap
    return Found(None, _with_best("tightest tolerance tried", best))


def _with_best(reason: str, best: float) -> str:
    return f"{reason}; best gap {best:.0e}" if math.isfinite(best) else reason


def rounds_for(seconds: float, fastest: float, *, least: int, slow: float) -> int:
    """Return how often to time a fit that took so long when it was tried.

    Short fits are repeated more often than ``least``, up to three times as often, and those beyond
    a third of a second three times. Fits beyond ``slow`` seconds, and those twice as slow as the
    fastest peer, which decide nothing, are timed once, unless they take next to nothing.
    """
    if seconds > slow or (seconds > 0.02 and seconds > 2.0 * fastest):
        return 1
    if seconds > 0.33:
        return min(least, 3)
    return max(least, min(3 * least, math.ceil(0.15 / max(seconds, 1e-6))))
