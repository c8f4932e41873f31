"""Time until a gap was certified: medians over seeds, and ratios between selectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd.experiments.rows import RaceResult, RaceRun

MEASURES = ("epoch", "work", "seconds")
TARGETS = (1e-2, 1e-4, 1e-6, 1e-8)
"""Relative gaps that a table reports."""


@dataclass(frozen=True)
class Reach:
    """The expense of a selector until a target.

    ``spent`` is the median over the seeds, inf if at least half of them missed the target;
    ``budget`` the median of what they spent in all, which bounds ``spent`` from below then.
    """

    spent: float
    budget: float

    @property
    def reached(self) -> bool:
        """Whether the median is finite."""
        return bool(np.isfinite(self.spent))


@dataclass(frozen=True)
class Ratio:
    """The expense of a yardstick divided by that of a selector: > 1 is better than the yardstick.

    ``bound`` is "" for a plain ratio, ">" if the yardstick missed the target, "<" if the selector
    did (then the value is a bound), "-" if both did.
    """

    value: float
    bound: str = ""


def targets_of(race: RaceResult) -> list[float]:
    """Return the targets that the race's tolerance allows, and the tolerance itself."""
    tol = race.info.tol
    loose = [target for target in TARGETS if target > tol * 1.001]
    return [*loose, tol]


def reach(race: RaceResult, selector: str, target: float, measure: str) -> Reach:
    """Return the median spending of a selector until its gap is certified at ``target * P0``."""
    runs = race.of(selector)
    if not runs:
        return Reach(np.inf, 0.0)
    limit = target * race.info.null_objective
    spent = [_first(run, limit, measure) for run in runs]
    budget = [float(run.column(measure)[-1]) for run in runs]
    return Reach(_median(spent), _median(budget))


def ratio(mine: Reach, yardstick: Reach) -> Ratio:
    """Compare two selectors at the same target and measure."""
    if mine.reached and yardstick.reached:
        return Ratio(_divide(yardstick.spent, mine.spent))
    if mine.reached:
        return Ratio(_divide(yardstick.budget, mine.spent), ">")
    if yardstick.reached:
        return Ratio(_divide(yardstick.spent, mine.budget), "<")
    return Ratio(np.nan, "-")


def _first(run: RaceRun, limit: float, measure: str) -> float:
    hits = np.flatnonzero(run.column("gap") <= limit)
    return float(run.column(measure)[hits[0]]) if hits.size else np.inf


def _median(values: list[float]) -> float:
    """Return the median; of an even number with infinities, the larger of the middle two."""
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return 0.5 * (low + high) if np.isfinite(high) else high


def _divide(a: float, b: float) -> float:
    if b > 0.0:
        return a / b
    return 1.0 if a == 0.0 else np.inf
