"""The contests, the entrants and the batch sizes of the study; the answer as plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from banditcd.experiments.batches.rules import PoolBatch, SpreadBatch, TopBatch
from banditcd.experiments.contest import Choices, Contest, make_contest
from banditcd.experiments.entrants import Entrant, parse_entrant
from banditcd.experiments.reach import Ratio, Reach, ratio, reach
from banditcd.experiments.rows import RaceResult, RaceRun
from banditcd.results import Trace

RULES = {"top": TopBatch, "pool": PoolBatch, "spread": SpreadBatch}
BASELINES = ("shuffled", "b_max_r", "max_r")
SIZES = (1, 4, 16, 64, 256)
QUICK_SIZES = (1, 4, 16, 64)
TARGETS = (1e-6, 1e-4, 1e-2)

STANDARD = (
    ("usps", "Lasso"),
    ("colon-cancer", "Lasso"),
    ("w8a", "LogisticL1"),
    ("leukemia", "LogisticL1"),
    ("mushrooms", "HingeDual"),
    ("usps", "RidgeDual"),
)
QUICK = (("diabetes", "Lasso"), ("breast_cancer", "LogisticL1"), ("digits", "RidgeDual"))


@dataclass(frozen=True)
class Finding:
    """What one rule spent at each batch size until a gap: medians over the seeds.

    Attributes
    ----------
    rule : str
        Name in ``RULES``.
    work : dict
        Batch size to :class:`Reach`, in passes over the data (refreshes included).
    """

    rule: str
    work: dict[int, Reach]

    @property
    def best(self) -> int | None:
        """The batch size that spent least; None if none of them reached the target."""
        reached = {k: found.spent for k, found in self.work.items() if found.reached}
        return min(reached, key=lambda k: reached[k]) if reached else None


def contests(quick: bool) -> list[Contest]:
    """Pose the problems, with the usual preparation and penalty of a race."""
    chosen = QUICK if quick else STANDARD
    return [make_contest(data, replace(Choices(), cost=cost)) for data, cost in chosen]


def entrants(contest: Contest, quick: bool) -> list[Entrant]:
    """Return the baselines, and every rule at every size below d, and at d."""
    d = contest.problem.d
    sizes = [*(k for k in (QUICK_SIZES if quick else SIZES) if k < d), d]
    batches = [
        Entrant(label(rule, k), _maker(rule, k))
        for rule in RULES
        for k in sizes
        if rule != "spread" or k < d
    ]
    return [*(parse_entrant(name) for name in BASELINES), *batches]


def label(rule: str, k: int) -> str:
    """Return the printed name of a rule at one size."""
    return f"{rule} {k}"


def findings(race: RaceResult, target: float) -> list[Finding]:
    """Return what every rule spent until a target, by batch size."""
    found: dict[str, dict[int, Reach]] = {rule: {} for rule in RULES}
    for name in race.selectors:
        rule, _, size = name.partition(" ")
        if rule in found and size:
            found[rule][int(size)] = reach(race, name, target, "work")
    return [Finding(rule, dict(sorted(work.items()))) for rule, work in found.items()]


def judged_at(race: RaceResult) -> float:
    """Return the smallest gap that a baseline and a batch rule reached."""
    for target in TARGETS:
        baseline = any(reach(race, name, target, "work").reached for name in BASELINES)
        if baseline and any(f.best is not None for f in findings(race, target)):
            return target
    return TARGETS[-1]


def at_its_best(race: RaceResult, target: float) -> RaceResult:
    """Return the race with the baselines and every rule at its best size alone."""
    best = {label(f.rule, f.best) for f in findings(race, target) if f.best is not None}
    keep = [run for run in race.runs if run.selector in best or run.selector in BASELINES]
    return RaceResult(race.info, keep)


def advantage(race: RaceResult, rule: str, baseline: str, target: float) -> Ratio:
    """Return how many times less work a rule at its best size needed than a baseline.

    A bound, and marked as one, if only one of the two reached the target.
    """
    finding = next(f for f in findings(race, target) if f.rule == rule)
    size = finding.best if finding.best is not None else next(iter(finding.work), None)
    mine = Reach(np.inf, 0.0) if size is None else finding.work[size]
    return ratio(mine, reach(race, baseline, target, "work"))


def thinned(race: RaceResult, most: int = 40) -> RaceResult:
    """Keep about ``most`` records of each run, and all that the numbers above come from."""
    return RaceResult(
        race.info, [_thinned(run, race.info.null_objective, most) for run in race.runs]
    )


def _thinned(run: RaceRun, scale: float, most: int) -> RaceRun:
    rows = run.trace.rows
    keep = {*range(0, len(rows), max(1, -(-len(rows) // most))), len(rows) - 1}
    for target in TARGETS:
        keep |= {int(k) for k in np.flatnonzero(run.column("gap") <= target * scale)[:1]}
    return replace(run, trace=Trace([rows[k] for k in sorted(keep)]), _columns={})


def _maker(rule: str, k: int) -> Callable[[], Any]:
    return lambda: RULES[rule](k)
