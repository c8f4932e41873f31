"""The contests, the entrants and the batch sizes of the study; the answer as plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from banditcd.experiments.batches.rules import PoolBatch, SpreadBatch, TopBatch
from banditcd.experiments.contest import Choices, Contest, make_contest
from banditcd.experiments.entrants import Entrant, parse_entrant
from banditcd.experiments.reach import Reach, reach
from banditcd.experiments.rows import RaceResult

RULES = {"top": TopBatch, "pool": PoolBatch, "spread": SpreadBatch}
BASELINES = ("shuffled", "b_max_r", "max_r")
SIZES = (1, 4, 16, 64, 256)
QUICK_SIZES = (1, 4, 16, 64)

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


def judged_at(race: RaceResult, targets: tuple[float, ...] = (1e-6, 1e-4, 1e-2)) -> float:
    """Return the smallest gap that a baseline and a batch rule reached."""
    for target in targets:
        baseline = any(reach(race, name, target, "work").reached for name in BASELINES)
        if baseline and any(f.best is not None for f in findings(race, target)):
            return target
    return targets[-1]


def at_its_best(race: RaceResult, target: float) -> RaceResult:
    """Return the race with the baselines and every rule at its best size alone."""
    best = {label(f.rule, f.best) for f in findings(race, target) if f.best is not None}
    keep = [run for run in race.runs if run.selector in best or run.selector in BASELINES]
    return RaceResult(race.info, keep)


def advantage(race: RaceResult, rule: str, baseline: str, target: float) -> float:
    """Return how many times less work a rule at its best size needed than a baseline.

    inf if the baseline did not reach the target, 0 if the rule did not, nan if neither did.
    """
    finding = next(f for f in findings(race, target) if f.rule == rule)
    mine = np.inf if finding.best is None else finding.work[finding.best].spent
    theirs = reach(race, baseline, target, "work").spent
    if np.isinf(mine) and np.isinf(theirs):
        return np.nan
    return float(theirs / mine) if mine > 0.0 else np.inf


def _maker(rule: str, k: int) -> Callable[[], Any]:
    return lambda: RULES[rule](k)
