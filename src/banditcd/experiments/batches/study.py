"""The contests, the entrants and the batch sizes of the study; the answer as plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from banditcd.experiments.batches.looking import WHICH, LookingBandit
from banditcd.experiments.batches.rules import PoolBatch, SpreadBatch, TopBatch
from banditcd.experiments.contest import Choices, Contest, make_contest
from banditcd.experiments.entrants import Entrant, parse_entrant
from banditcd.experiments.reach import Ratio, Reach, ratio, reach
from banditcd.experiments.rows import RaceResult, RaceRun
from banditcd.results import Trace

RULES = {"top": TopBatch, "pool": PoolBatch, "spread": SpreadBatch}
BASELINES = ("shuffled", "b_max_r", "max_r")
AUTO = "pool"
"""The pool that chooses its k itself."""
LOOKS = {f"look {k} {which}": (k, which) for k in (2, 8) for which in WHICH}
"""Bandits that look at k arms per step, without refreshes: labels and parameters."""
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


def contest_of(data: str, cost: str) -> Contest:
    """Pose a problem, with the usual preparation and penalty of a race."""
    return make_contest(data, replace(Choices(), cost=cost))


def entrants(contest: Contest, quick: bool) -> list[Entrant]:
    """Return the baselines, the rules without a size, and every rule at every size up to d."""
    d = contest.problem.d
    sizes = [*(k for k in (QUICK_SIZES if quick else SIZES) if k < d), d]
    batches = [
        Entrant(label(rule, k), _maker(rule, k))
        for rule in RULES
        for k in sizes
        if rule != "spread" or k < d
    ]
    looking = [Entrant(name, _looker(*LOOKS[name])) for name in LOOKS]
    return [*(parse_entrant(name) for name in (*BASELINES, AUTO)), *looking, *batches]


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
    """Return the race with every rule at its best size alone."""
    best = {label(f.rule, f.best) for f in findings(race, target) if f.best is not None}
    plain = {*BASELINES, AUTO, *LOOKS, *best}
    keep = [run for run in race.runs if run.selector in plain]
    return RaceResult(race.info, keep)


def advantage(race: RaceResult, rule: str, baseline: str, target: float) -> Ratio:
    """Return how many times less work a rule at its best size needed than a baseline.

    A bound, and marked as one, if only one of the two reached the target.
    """
    return ratio(hindsight(race, rule, target), reach(race, baseline, target, "work"))


def hindsight(race: RaceResult, rule: str, target: float) -> Reach:
    """Return what a rule spent at the size that turned out best, which nobody knows before."""
    finding = next(f for f in findings(race, target) if f.rule == rule)
    size = finding.best if finding.best is not None else next(iter(finding.work), None)
    return Reach(np.inf, 0.0) if size is None else finding.work[size]


def auto_against(race: RaceResult, target: float) -> dict[str, Ratio]:
    """Return how many times less the automatic pool needed than the best k and the baselines."""
    mine = reach(race, AUTO, target, "work")
    found = {"best k in hindsight": ratio(mine, hindsight(race, "pool", target))}
    return found | {name: ratio(mine, reach(race, name, target, "work")) for name in BASELINES}


def looks_against(race: RaceResult, target: float) -> dict[str, Ratio]:
    """Return how many times less every looking bandit needed than B_max_r at the same updates."""
    plain = reach(race, "b_max_r", target, "work")
    return {name: ratio(reach(race, name, target, "work"), plain) for name in LOOKS}


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


def _looker(k: int, which: str) -> Callable[[], Any]:
    return lambda: LookingBandit(k, which)


def _maker(rule: str, k: int) -> Callable[[], Any]:
    return lambda: RULES[rule](k)
