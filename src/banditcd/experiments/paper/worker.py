"""One task in one process: pose a problem, or run one method on it once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from banditcd.engine import Progress, minimize
from banditcd.engine.clock import cpu_time
from banditcd.experiments.entrants import parse_entrant
from banditcd.experiments.paper.baseline import fast_rows
from banditcd.experiments.paper.configuration import PenaltyChoice, ProblemSpec
from banditcd.experiments.paper.penalty import PenaltyRow
from banditcd.experiments.paper.posing import (
    ProblemRow,
    StatisticsRow,
    build,
    chosen_ratio,
    pose,
    prepared,
    statistics,
)
from banditcd.experiments.paper.printed import NotInClassError
from banditcd.experiments.paper.readings import own_reading
from banditcd.experiments.paper.store import Missing, Record
from banditcd.experiments.paper.tasks import FAST, Task
from banditcd.experiments.user_code import is_file_reference
from banditcd.results import TraceRow

TARGET = float(np.exp(-5.0))
"""The paper's accuracy: suboptimality e^-5."""

FIRST_LOOK = 0.05  # of an epoch


@dataclass(frozen=True)
class Settings:
    """The same for every run."""

    tol: float
    growth: float


@dataclass(frozen=True)
class Posed:
    """What came of posing a problem: its row and the penalties tried, or what is missing."""

    row: ProblemRow | None = None
    penalties: tuple[PenaltyRow, ...] = ()
    missing: Missing | None = None


@dataclass(frozen=True)
class Finished:
    """A run that is done; records have no number yet."""

    task: Task
    update: str
    status: str
    digest: str
    records: tuple[Record, ...]


def pose_task(spec: ProblemSpec, choice: PenaltyChoice, base: ProblemRow | None) -> Posed:
    """Pose a problem; with the printed step it is ``base``, the same with the column's own."""
    if base is not None:
        try:
            build(spec, base.alpha).h.sum()
        except NotInClassError as error:
            return Posed(missing=Missing(spec.key, str(error)))
        return Posed(replace(base, problem=spec.key, reading=own_reading(spec).label))
    try:
        if spec.penalty:
            share = float(spec.penalty.removeprefix("1/"))
            return Posed(pose(spec, 1.0 / share, f"{spec.penalty} of the reference penalty"))
        ratio, tried, how = chosen_ratio(spec, choice)
    except FileNotFoundError as error:
        return Posed(missing=Missing(spec.key, str(error)))
    return Posed(pose(spec, ratio, how), tuple(tried))


def count_task(spec: ProblemSpec) -> StatisticsRow | Missing:
    """Count a set."""
    try:
        return statistics(spec)
    except FileNotFoundError as error:
        return Missing(spec.key, str(error))


def run_task(task: Task, row: ProblemRow, settings: Settings) -> Finished:
    """Run one method once and return its thinned records."""
    spec = task.spec
    dataset = prepared(spec.data, spec.steps)
    problem = build(spec, row.alpha)
    if task.method == FAST:
        rows = fast_rows(problem, dataset.X, dataset.y)
        return Finished(task, "its own", "converged", "", _records(rows, row))
    goal = row.optimum + TARGET

    def there(progress: Progress) -> bool:
        return task.kind == "heat" and progress.row.objective <= goal

    with cpu_time():
        result = minimize(
            problem,
            parse_entrant(task.selector).make(),
            tol=settings.tol if task.kind != "clock" else 1e-300,
            max_epochs=task.epochs,
            max_seconds=task.seconds,
            random_state=task.seed,
            callback=there,
            trace=_looks(problem.d, task, settings.growth),
        )
    records = _records(result.trace.rows, row)
    if task.kind != "curve":
        records = thinned(records, row.null_objective)
    return Finished(task, result.update, str(result.status), digest_of(task.method), records)


def digest_of(method: str) -> str:
    """Return the fingerprint of the file a user's method comes from; nothing for built-in ones."""
    name = method.partition("(")[0]
    if not is_file_reference(name):
        return ""
    path = Path(name.rpartition(":")[0]).expanduser()
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def thinned(records: tuple[Record, ...], scale: float) -> tuple[Record, ...]:
    """Keep the first and the last record, and the two around each accuracy that is reported."""
    kept = {0, len(records) - 1}
    best = np.minimum.accumulate([max(r.suboptimality, 0.0) for r in records])
    for level in (TARGET, 1e-3 * scale, 1e-6 * scale):
        hits = np.flatnonzero(best <= level)
        if hits.size:
            kept |= {int(hits[0]), max(int(hits[0]) - 1, 0)}
    return tuple(records[k] for k in sorted(kept))


def _looks(d: int, task: Task, growth: float) -> npt.NDArray[np.int64]:
    last = max(int(np.ceil(task.epochs * d)), 1)
    if task.kind == "clock":
        return np.array([last], dtype=np.int64)
    if task.kind == "heat":  # short runs, of which only the end counts
        growth = min(growth, 1.05)
    first = max(FIRST_LOOK * d, 1.0)
    count = max(int(np.ceil(np.log(last / first) / np.log(growth))), 0) + 1
    grid = np.ceil(first * growth ** np.arange(count)).astype(np.int64)
    return np.unique(np.minimum(grid, last))


def _records(rows: list[TraceRow], row: ProblemRow) -> tuple[Record, ...]:
    return tuple(
        Record(-1, r.step, r.epoch, r.work, r.seconds, r.objective - row.optimum, r.gap, r.support)
        for r in rows
    )
