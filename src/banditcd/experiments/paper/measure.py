"""From rows to numbers: medians over seeds with their spread, each with the runs it comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.experiments.curves import spending
from banditcd.experiments.paper.posing import ProblemRow
from banditcd.experiments.paper.store import Record, RunRow, Store
from banditcd.experiments.paper.tasks import FAST

MEASURES = ("epoch", "work", "seconds")
_TINY = 1e-300


@dataclass(frozen=True)
class Number:
    """A median with its range and the runs behind it; ``value`` is inf if most seeds missed it.

    ``budget`` is the median of what the runs spent in all, a lower bound if the value is inf.
    """

    value: float
    low: float
    high: float
    runs: tuple[int, ...]
    budget: float = np.nan

    @property
    def reached(self) -> bool:
        """Whether it is a number."""
        return bool(np.isfinite(self.value))

    def is_apart_from(self, other: Number) -> bool:
        """Whether the ranges over the seeds do not overlap."""
        return self.high < other.low or other.high < self.low


@dataclass(frozen=True)
class Run:
    """One run with its records as columns."""

    row: RunRow
    columns: dict[str, Floats]


class Evidence:
    """All rows of a directory, by problem and method."""

    def __init__(self, store: Store) -> None:
        self.problems = {row.problem: row for row in store.read(ProblemRow)}
        records: dict[int, list[Record]] = defaultdict(list)
        for record in store.read(Record):
            records[record.run].append(record)
        self._runs: dict[tuple[str, str, str], dict[int, Run]] = defaultdict(dict)
        for row in store.read(RunRow):  # a later run of the same kind replaces an earlier one
            run = Run(row, _columns(records[row.run]))
            kind = "curve" if row.kind == "reading" else row.kind
            self._runs[kind, row.problem, row.method][row.seed] = run

    def runs(self, problem: str, method: str, kind: str = "curve") -> list[Run]:
        """Return the runs of a method on a problem, one per seed."""
        return list(self._runs.get((kind, problem, method), {}).values())

    def methods(self, problem: str, kind: str = "curve") -> list[str]:
        """Return the methods that ran on a problem."""
        return [m for (k, p, m) in self._runs if k == kind and p == problem]

    def spent(
        self, problem: str, method: str, target: float, measure: str, kind: str = "curve"
    ) -> Number:
        """Return what a method spent until F - F* was at most ``target``."""
        runs = self.runs(problem, method, kind)
        values = [_until(run, target, measure) for run in runs]
        budgets = [float(run.columns[measure][-1]) for run in runs]
        return median(values, runs, budgets)

    def spent_between(self, problem: str, method: str, targets: tuple[float, float]) -> Number:
        """Return the epochs from a first accuracy to a second, smaller one, run by run.

        They are inf for a run that did not reach the second, or both in the same epoch.
        """
        runs = self.runs(problem, method)
        values = [
            _until(run, targets[1], "epoch") - _until(run, targets[0], "epoch") for run in runs
        ]
        values = [value if value > 0.0 else np.inf for value in values]  # nan: reached neither
        return median(values, runs, [float(run.columns["epoch"][-1]) for run in runs])

    def per_epoch(self, problem: str, method: str, measure: str, kind: str = "curve") -> Number:
        """Return the work or the seconds of an epoch, averaged over each run."""
        runs = self.runs(problem, method, kind)
        values = [_rate(run, measure) for run in runs]
        return median(values, runs, values)


def median(values: list[float], runs: Iterable[Run], budgets: list[float]) -> Number:
    """Return the median; of an even number with infinities, the larger of the middle two."""
    numbers = tuple(run.row.run for run in runs)
    if not values:
        return Number(np.nan, np.nan, np.nan, ())
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    middle = 0.5 * (low + high) if np.isfinite(high) else high
    return Number(middle, ordered[0], ordered[-1], numbers, float(np.median(budgets)))


@dataclass(frozen=True)
class Ratio:
    """How many times less ``mine`` is than ``other``: above 1 is better.

    ``bound``: "" for a ratio, ">" if only the other missed the target, "<" if only mine did, "-"
    if both did or one did not run.
    """

    value: float
    bound: str
    runs: tuple[int, ...]

    @property
    def better(self) -> bool | None:
        """Whether mine is no worse; None if the rows cannot tell."""
        return self.at_least(1.0)

    def at_least(self, level: float) -> bool | None:
        """Whether the ratio is at least this; None if the rows cannot tell."""
        if self.bound == "-":
            return None
        if self.bound == ">":
            return True if self.value >= level else None
        if self.bound == "<":
            return False if self.value < level else None
        return self.value >= level


def ratio(mine: Number, other: Number) -> Ratio:
    """Compare two numbers of the same measure and target."""
    runs = (*mine.runs, *other.runs)
    if not mine.runs or not other.runs or np.isnan(mine.value) or np.isnan(other.value):
        return Ratio(np.nan, "-", runs)
    if mine.reached and other.reached:
        return Ratio(_divide(other.value, mine.value), "", runs)
    if mine.reached:
        return Ratio(_divide(other.budget, mine.value), ">", runs)
    if other.reached:
        return Ratio(_divide(other.value, mine.budget), "<", runs)
    return Ratio(np.nan, "-", runs)


def _columns(records: list[Record]) -> dict[str, Floats]:
    names = ("epoch", "work", "seconds", "suboptimality", "gap")
    return {name: np.array([getattr(r, name) for r in records], dtype=float) for name in names}


def _until(run: Run, target: float, measure: str) -> float:
    x, y = run.columns[measure], np.maximum(run.columns["suboptimality"], _TINY)
    if run.row.method == FAST:  # every record starts from scratch: no interpolation
        there = y <= target
        return float(np.min(x[there])) if there.any() else np.inf
    return float(spending(x, y, np.array([target]))[0])


def _rate(run: Run, measure: str) -> float:
    epochs = run.columns["epoch"][-1]
    return float(run.columns[measure][-1] / epochs) if epochs > 0.0 else np.nan


def _divide(a: float, b: float) -> float:
    if b > 0.0:
        return a / b
    return 1.0 if a == 0.0 else np.inf
