"""c(E, epsilon, k): how far from the best arm the one that looks best is, as rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from banditcd.data.files import replacing
from banditcd.experiments.batches.looking import WHICH, LookingBandit, ratios
from banditcd.experiments.contest import Choices, Contest, make_contest
from banditcd.theory.trajectory import record

FRESHNESS = "freshness.csv"
EPOCHS = 2.0
SEEDS = 2
BINS = (0.5, np.inf)  # E / d: the paper's, and no refresh after the first
EPSILONS = (0.0, 0.5)
LOOKS = (0, 2, 8)
PROBLEMS = (("usps", "Lasso"), ("w8a", "LogisticL1"))
QUICK_PROBLEMS = (("diabetes", "Lasso"), ("breast_cancer", "LogisticL1"))


@dataclass(frozen=True)
class FreshRow:
    """One run: max_i r_i / r of the arm that looked best, over its steps.

    ``median`` is over the steps where it is finite; ``lost`` is the share of steps at which that
    arm had nothing left to give. ``which`` is empty for k = 0.
    """

    data: str
    cost: str
    bins: float
    epsilon: float
    k: int
    which: str
    seed: int
    steps: int
    median: float
    lost: float

    @property
    def setting(self) -> tuple[float, float, int, str]:
        """What c depends on."""
        return (self.bins, self.epsilon, self.k, self.which)


Job = tuple[str, str, float, float, int, str, int]


def jobs(quick: bool) -> Iterator[Job]:
    """Go through every run: problem, E / d, epsilon, k, which, seed."""
    for data, cost in QUICK_PROBLEMS if quick else PROBLEMS:
        for bins in BINS:
            for epsilon in EPSILONS:
                for k in LOOKS:
                    for which in WHICH if k else ("",):
                        for seed in range(SEEDS):
                            yield data, cost, bins, epsilon, k, which, seed


@lru_cache(maxsize=2)
def _contest(data: str, cost: str) -> Contest:
    return make_contest(data, replace(Choices(), cost=cost))


def measure(job: Job) -> FreshRow:
    """Write down a run step by step, with all marginal decreases, which are not counted."""
    data, cost, bins, epsilon, k, which, seed = job
    contest = _contest(data, cost)
    selector = LookingBandit(k, which or "oldest", epsilon, bins)
    steps = max(int(np.ceil(EPOCHS * contest.problem.d)), 1)
    run = record(contest.problem, selector, steps=steps, random_state=seed)
    found = ratios(selector.best, run.r, run.scale)
    finite = found[np.isfinite(found)]
    median = float(np.median(finite)) if finite.size else np.inf
    lost = 1.0 - finite.size / len(found)
    return FreshRow(contest.dataset.title, cost, bins, epsilon, k, which, seed, steps, median, lost)


def write_freshness(rows: list[FreshRow], directory: Path) -> None:
    """Write ``freshness.csv``."""
    with replacing(directory / FRESHNESS) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([f.name for f in fields(FreshRow)])
        writer.writerows(
            [f"{v:.6g}" if isinstance(v, float) else v for v in astuple(row)] for row in rows
        )


def read_freshness(directory: Path) -> list[FreshRow]:
    """Read what :func:`write_freshness` wrote; nothing if there is no such file."""
    path = directory / FRESHNESS
    if not path.is_file():
        return []
    kinds = {"k": int, "seed": int, "steps": int, "data": str, "cost": str, "which": str}
    with path.open(newline="", encoding="utf-8") as file:
        return [
            FreshRow(**{name: kinds.get(name, float)(text) for name, text in line.items()})
            for line in csv.DictReader(file)
        ]


def medians(rows: list[FreshRow]) -> dict[tuple[float, float, int, str], tuple[float, float]]:
    """Return the median of c and of the share of lost steps over the seeds, by setting."""
    found = {}
    for setting in dict.fromkeys(row.setting for row in rows):
        own = [row for row in rows if row.setting == setting]
        found[setting] = (
            float(np.median([row.median for row in own])),
            float(np.median([row.lost for row in own])),
        )
    return found
