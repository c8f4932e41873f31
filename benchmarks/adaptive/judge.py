"""Verdicts from rows: ratios of what shuffled spent to what a rule spent, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd.experiments.reach import Ratio, Reach, ratio
from benchmarks.adaptive.measure import RULES, TARGETS, YARDSTICK, Row

FEW = 30  # cells with fewer coordinates are listed apart
SHORT = 1e-3  # seconds: shorter cells say nothing about time
NOT_WORSE = 0.95


@dataclass(frozen=True)
class Entry:
    """A rule against the yardstick in one cell at one gap."""

    row: Row
    target: float
    work: Ratio
    seconds: Ratio
    yardstick_seconds: float

    @property
    def timed(self) -> bool:
        """Whether the yardstick took long enough for its time to mean something."""
        return self.yardstick_seconds >= SHORT


@dataclass(frozen=True)
class Summary:
    """How a rule did over many cells.

    Attributes
    ----------
    cells : int
        Cells x gaps that the rule or the yardstick reached.
    not_worse, ahead : int
        Those with a ratio of at least NOT_WORSE, and of at least 1; a ratio that is only bounded
        from above counts as neither.
    mean : float
        Geometric mean of the ratios, bounds taken as they are.
    worst : float
        Smallest ratio.
    """

    cells: int
    not_worse: int
    ahead: int
    mean: float
    worst: float


def entries(rows: list[Row]) -> list[Entry]:
    """Compare every rule to the yardstick in every cell, at every gap that one of them reached."""
    yardsticks = {row.key: row for row in rows if row.rule == YARDSTICK}
    found = []
    for row in rows:
        base = yardsticks.get(row.key)
        if row.rule == YARDSTICK or base is None:
            continue
        for k, target in enumerate(TARGETS):
            work = ratio(reach(row, k, "work"), reach(base, k, "work"))
            theirs = reach(base, k, "seconds")
            seconds = ratio(reach(row, k, "seconds"), theirs)
            if work.bound != "-":
                spent = theirs.spent if theirs.reached else theirs.budget
                found.append(Entry(row, target, work, seconds, spent))
    return found


def reach(row: Row, target: int, measure: str) -> Reach:
    """Return the median over the seeds of what was spent until a target, and in all."""
    until = row.work if measure == "work" else row.seconds
    spent = [np.inf if one[target] is None else float(one[target] or 0.0) for one in until]
    budget = row.all_work if measure == "work" else row.all_seconds
    return Reach(float(np.sort(spent)[len(spent) // 2]), float(np.median(budget)))


def summary(ratios: list[Ratio]) -> Summary:
    """Count and average ratios."""
    values = np.array([r.value for r in ratios])
    sure = np.array([r.bound != "<" for r in ratios], dtype=bool)
    if values.size == 0:
        return Summary(0, 0, 0, np.nan, np.nan)
    floor = np.maximum(values, 1e-6)  # a rule that spent nothing at all is infinitely better
    return Summary(
        values.size,
        int(np.count_nonzero(sure & (values >= NOT_WORSE))),
        int(np.count_nonzero(sure & (values >= 1.0))),
        float(np.exp(np.mean(np.log(np.minimum(floor, 1e6))))),
        float(values.min()),
    )


def large(found: list[Entry]) -> list[Entry]:
    """Return the cells that are judged: those with at least FEW coordinates."""
    return [entry for entry in found if entry.row.d >= FEW]


def of_rule(found: list[Entry], rule: str, measure: str, cost: str | None = None) -> list[Ratio]:
    """Return the ratios of a rule: in work, or in seconds where those mean something."""
    mine = [e for e in found if e.row.rule == rule and cost in (None, e.row.cost)]
    if measure == "work":
        return [entry.work for entry in mine]
    return [entry.seconds for entry in mine if entry.timed and entry.seconds.bound != "-"]


def best_rules(found: list[Entry]) -> dict[str, list[str]]:
    """Return, for every cost, the rules by their geometric mean in work, best first.

    The yardstick has a place among them: its own ratio is 1.
    """
    ranking: dict[str, list[str]] = {}
    for cost in dict.fromkeys(entry.row.cost for entry in found):
        means = {rule: summary(of_rule(found, rule, "work", cost)).mean for rule in RULES[1:]}
        means[YARDSTICK] = 1.0
        known = [rule for rule, mean in means.items() if not np.isnan(mean)]
        ranking[cost] = sorted(known, key=means.__getitem__, reverse=True)
    return ranking
