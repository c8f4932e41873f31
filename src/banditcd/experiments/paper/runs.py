"""Do all tasks that are not done yet, in one process or several, and keep every row at once."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from banditcd.data.files import replacing
from banditcd.data.lock import locked
from banditcd.experiments.paper.configuration import Configuration, ProblemSpec
from banditcd.experiments.paper.posing import ProblemRow, StatisticsRow
from banditcd.experiments.paper.readings import unprinted
from banditcd.experiments.paper.session import Crew, this_session
from banditcd.experiments.paper.staleness import StaleRow, stale_task, wanted_keys
from banditcd.experiments.paper.store import Missing, RunRow, Store
from banditcd.experiments.paper.tasks import Task, Wanted, heat_problems, needed_problems, tasks
from banditcd.experiments.paper.worker import (
    Finished,
    Posed,
    Settings,
    count_task,
    digest_of,
    pose_task,
    run_task,
)

CONFIGURATION = "configuration.txt"


class Watcher(Protocol):
    """Hears how it goes: how many of all tasks of a phase are done, and the seconds left."""

    def __call__(self, phase: str, done: int, total: int, left: float) -> None:
        """Hear it."""


Call = tuple[Callable[..., Any], tuple[Any, ...]]


def run_all(
    configuration: Configuration, wanted: Wanted, store: Store, crew: Crew, watcher: Watcher
) -> None:
    """Run what is missing in the store for the figures and tables that are wanted."""
    prepare(store.directory, configuration)
    # One process at a time may append; the system frees the lock of one that died.
    with locked(store.directory / CONFIGURATION, timeout=1.0), _workers(crew.jobs) as do:
        store.mend()
        _pose_all(configuration, wanted, store, do, watcher)
        _run_all(configuration, wanted, store, (do, crew), watcher)
        _stale_all(configuration, wanted, store, do, watcher)


def prepare(directory: Path, configuration: Configuration) -> None:
    """Make the directory, or check that its rows come from the same configuration."""
    directory.mkdir(parents=True, exist_ok=True)
    path, text = directory / CONFIGURATION, _fingerprint(configuration)
    if path.is_file() and path.read_text(encoding="utf-8") != text:
        raise ValueError(
            f"{directory} holds rows of another configuration ({CONFIGURATION} there says which); "
            "choose another --out, or delete it."
        )
    if not path.is_file():
        with replacing(path) as file:  # half of it would be another configuration
            file.write(text)


def _fingerprint(configuration: Configuration) -> str:
    """Return the configuration as text, a record per line.

    The user's methods may change, and so may the rules of judging: no row depends on them.
    """
    plain = replace(configuration, users=())
    apart = ("problems", "rules")
    lines = [f"{name} = {value!r}" for name, value in vars(plain).items() if name not in apart]
    return "\n".join([*lines, *(repr(spec) for spec in plain.problems)]) + "\n"


def _pose_all(
    configuration: Configuration, wanted: Wanted, store: Store, do: Any, watcher: Watcher
) -> None:
    specs = needed_problems(configuration, wanted)
    for printed in (False, True):  # with the printed step a problem is the one it was without
        rows = {row.problem: row for row in store.read(ProblemRow)}
        calls: list[Call] = []
        for spec in specs:
            base = unprinted(configuration, spec)
            if spec.key not in rows and (base is not None) == printed:
                row = None if base is None else rows.get(base.key)
                if base is None or row is not None:
                    calls.append((pose_task, (spec, configuration.penalty, row)))
        phase = "the printed step" if printed else "penalties and optima"
        for posed in _counted(do(calls), phase, len(calls), watcher):
            _keep_posed(store, posed)
    if 2 in wanted.tables:
        _count_all(configuration.problems, store, do, watcher)


def _keep_posed(store: Store, posed: Posed) -> None:
    if posed.missing is not None:
        if posed.missing not in store.read(Missing):
            store.append([posed.missing])
        return
    store.append(list(posed.penalties))
    store.append([posed.row])


def _count_all(specs: tuple[ProblemSpec, ...], store: Store, do: Any, watcher: Watcher) -> None:
    sets = {spec.data: spec for spec in specs}
    if len(store.read(StatisticsRow)) >= len(sets):
        return
    calls: list[Call] = [(count_task, (spec,)) for spec in sets.values()]
    known = {(row.data, row.paper_set) for row in store.read(StatisticsRow)}
    for row in _counted(do(calls), "statistics", len(calls), watcher):
        if isinstance(row, StatisticsRow) and (row.data, row.paper_set) not in known:
            store.append([row])


def _stale_all(
    configuration: Configuration, wanted: Wanted, store: Store, do: Any, watcher: Watcher
) -> None:
    heat = configuration.heat_map
    rows = {row.problem: row for row in store.read(ProblemRow)}
    if heat is None or 4 not in wanted.figures:
        return
    known = {row.key for row in store.read(StaleRow)}
    calls: list[Call] = [
        (stale_task, (spec, rows[spec.key], key, heat.stale_epochs))
        for spec, seeds in heat_problems(configuration)
        if spec.key in rows
        for key in wanted_keys(heat, spec.key, seeds)
        if key not in known
    ]
    for row in _counted(do(calls), "staleness", len(calls), watcher):
        store.append([row])


def _run_all(
    configuration: Configuration, wanted: Wanted, store: Store, pool: tuple[Any, Crew],
    watcher: Watcher,
) -> None:  # fmt: skip
    rows = {row.problem: row for row in store.read(ProblemRow)}
    finished = store.read(RunRow)
    done = {(run.id, run.digest) for run in finished}
    left = [
        task
        for task in tasks(configuration, wanted, set(rows))
        if (task.id, digest_of(task.method)) not in done
    ]
    settings = Settings(configuration.tol, configuration.growth)
    calls: list[Call] = [(run_task, (task, rows[task.spec.key], settings)) for task in left]
    clock = Clock(left, pool[1].jobs)
    number = max((run.run for run in finished), default=0)
    if left:
        store.append([this_session(number + 1, pool[1], configuration.rules.version)])
    for k, finish in enumerate(pool[0](calls), start=1):
        _keep_run(store, finish, number + k)
        watcher("runs", k, len(left), clock.left(finish.task))


def _keep_run(store: Store, finish: Finished, number: int) -> None:
    """Write the records first: a run counts as done when its own row is there."""
    task = finish.task
    store.append([replace(record, run=number) for record in finish.records])
    row = RunRow(
        number, task.id, task.kind, task.spec.key, task.method, task.seed, finish.update,
        finish.status, len(finish.records), finish.digest,
    )  # fmt: skip
    store.append([row])


class Clock:
    """Estimates the time left.

    A task takes as long as its like did; before there is one, its limit, stretched as the limits
    of the others were.
    """

    def __init__(self, left: list[Task], jobs: int) -> None:
        self._left = {task.id: self._like(task) for task in left}
        self._limit = {self._like(task): min(task.seconds, 5.0) for task in left}
        self._seen: dict[tuple[str, ...], list[float]] = {}
        self._jobs, self._last = jobs, time.monotonic()

    @staticmethod
    def _like(task: Task) -> tuple[str, ...]:
        return (task.kind, task.spec.key, task.method)

    def left(self, task: Task) -> float:
        """Return the seconds left after this task has ended."""
        now = time.monotonic()
        like = self._left.pop(task.id)
        self._seen.setdefault(like, []).append((now - self._last) * self._jobs)
        self._last = now
        typical = {like: float(np.median(times)) for like, times in self._seen.items()}
        limits = sum(self._limit[like] for like in typical)
        few = len(typical) < 5  # the first ones have their data to load
        stretch = 1.5 if few else sum(typical.values()) / limits
        ahead = [typical.get(o, stretch * self._limit[o]) for o in self._left.values()]
        return sum(ahead) / self._jobs


def _counted(results: Iterator[Any], phase: str, total: int, watcher: Watcher) -> Iterator[Any]:
    began = time.monotonic()
    for k, result in enumerate(results, start=1):
        watcher(phase, k, total, (time.monotonic() - began) / k * (total - k))
        yield result


@contextmanager
def _workers(jobs: int) -> Iterator[Callable[[list[Call]], Iterator[Any]]]:
    """Give a function that does calls, here or in processes, and yields results as they come."""
    if jobs == 1:
        yield lambda calls: (function(*arguments) for function, arguments in calls)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))

    def do(calls: list[Call]) -> Iterator[Any]:
        futures: list[Future[Any]] = [pool.submit(call, *arguments) for call, arguments in calls]
        return (future.result() for future in as_completed(futures))

    try:
        yield do
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
