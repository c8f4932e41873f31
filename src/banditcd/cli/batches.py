"""``banditcd batches``: several coordinates per step, the question the paper leaves open."""

from __future__ import annotations

import argparse
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banditcd.cli.errors import INTERRUPTED, UserError, checking_input
from banditcd.cli.progress import watcher_for
from banditcd.cli.verbs import Write, add_verb
from banditcd.engine.clock import cpu_time
from banditcd.experiments.batches.freshness import (
    FreshRow,
    jobs,
    measure,
    read_freshness,
    write_freshness,
)
from banditcd.experiments.batches.page import study_page, study_summary
from banditcd.experiments.batches.study import (
    QUICK,
    STANDARD,
    contest_of,
    entrants,
    thinned,
)
from banditcd.experiments.race import Rules, Watcher, run_race
from banditcd.experiments.rows import ROWS, RaceResult, read_rows, write_rows, write_text

PAGE, SUMMARY = "batches.html", "README.md"
SECONDS, QUICK_SECONDS = 2.0, 0.3
SEEDS, QUICK_SEEDS = 3, 3
TOL = 1e-6

DESCRIPTION = """\
What budget for several coordinates per step buys: k coordinates to update, chosen by marginal
decrease, or k more to look at; against max_r, b_max_r and shuffled passes, at equal work: rows, a
page and a summary. A directory with rows of an earlier study is completed: nobody runs twice."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "batches of coordinates chosen by marginal decrease: which k, and when"
    add = add_verb(subparsers, "batches", run, text, DESCRIPTION).add_argument
    add("--quick", action="store_true", help="small sets that need no download")
    add("--seeds", type=int, help=f"runs of everybody (default: {SEEDS}; quick: {QUICK_SEEDS})")
    add(
        "--seconds",
        type=float,
        help=f"CPU time of a run (default: {SECONDS:g}; quick: {QUICK_SECONDS:g})",
    )
    add("--jobs", type=int, default=1, metavar="N", help="processes (default: %(default)d)")
    add("--out", type=Path, default=Path("batches"), metavar="DIR", help="default: %(default)s")
    add("--redraw", type=Path, metavar="DIR", help="draw an earlier study again, from its rows")


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Run the races, or read them; write rows, page and summary."""
    if arguments.redraw is not None:
        with checking_input():
            races, fresh = read_rows(arguments.redraw), read_freshness(arguments.redraw)
        _save(races, fresh, arguments.redraw, write)
        return 0
    with checking_input():
        rules = _rules(arguments)
        if arguments.jobs < 1:
            raise ValueError(f"--jobs is {arguments.jobs}; it must be at least 1.")
        if arguments.out.exists() and not arguments.out.is_dir():
            raise ValueError(f"{arguments.out} is a file; --out must name a directory.")
        known = read_rows(arguments.out) if (arguments.out / ROWS).is_file() else []
        old = read_freshness(arguments.out)
    tasks = [Task(name, rules, arguments.quick) for name in _names(arguments.quick)]
    left = [] if old else list(jobs(arguments.quick))
    try:
        if arguments.jobs == 1:
            races = [race_one(task, known, watcher_for()) for task in tasks]
            fresh = [*old, *map(measure, left)]
        else:
            context = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(arguments.jobs, mp_context=context) as pool:
                running = [pool.submit(race_one, task, known) for task in tasks]
                measured = [pool.submit(measure, job) for job in left]
                races = [race.result() for race in running]
                fresh = [*old, *(row.result() for row in measured)]
    except KeyboardInterrupt:
        return INTERRUPTED
    _save(races, fresh, arguments.out, write)
    return 0


@dataclass(frozen=True)
class Task:
    """A problem, and how everybody runs on it."""

    name: tuple[str, str]
    rules: Rules
    quick: bool


def _names(quick: bool) -> tuple[tuple[str, str], ...]:
    return QUICK if quick else STANDARD


def race_one(task: Task, known: list[RaceResult], watcher: Watcher | None = None) -> RaceResult:
    """Run everybody on one problem who has no rows of it yet."""
    contest = contest_of(*task.name)
    title = (contest.dataset.title, contest.problem.name)
    old = next((race for race in known if (race.info.data, race.info.cost) == title), None)
    field = entrants(contest, task.quick)
    left = [e for e in field if old is None or len(old.of(e.label)) < task.rules.seeds]
    if old is not None and not left:
        return old
    with cpu_time():
        race, interrupted = run_race(contest, left, task.rules, watcher)
    if interrupted:
        raise KeyboardInterrupt
    if old is None:
        return thinned(race)
    runs = {e.label: [*old.of(e.label), *thinned(race).of(e.label)] for e in field}
    return RaceResult(old.info, [run for own in runs.values() for run in own])


def _rules(arguments: argparse.Namespace) -> Rules:
    seeds = arguments.seeds or (QUICK_SEEDS if arguments.quick else SEEDS)
    seconds = arguments.seconds or (QUICK_SECONDS if arguments.quick else SECONDS)
    if seeds < 1 or seconds <= 0.0:
        raise ValueError("--seeds must be at least 1 and --seconds greater than 0.")
    return Rules(tol=TOL, seconds=seconds, epochs=20000.0, seeds=seeds)


def _save(races: list[RaceResult], fresh: list[FreshRow], out: Path, write: Write) -> None:
    if not races:
        raise UserError(f"{out} holds no rows.")
    out.mkdir(parents=True, exist_ok=True)
    write_rows(races, out)
    write_freshness(fresh, out)
    write_text(study_page(races, fresh, "banditcd batches"), out / PAGE)
    summary = study_summary(races, fresh)
    write_text(summary, out / SUMMARY)
    write(summary)
    write(f"Written: {out / PAGE}, {out / SUMMARY} and the rows.")
