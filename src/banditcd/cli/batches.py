"""``banditcd batches``: several coordinates per step, the question the paper leaves open."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from banditcd.cli.errors import INTERRUPTED, UserError, checking_input
from banditcd.cli.progress import watcher_for
from banditcd.engine.clock import cpu_time
from banditcd.experiments.batches.page import study_page, study_summary
from banditcd.experiments.batches.study import contests, entrants, thinned
from banditcd.experiments.race import Rules, run_race
from banditcd.experiments.rows import RaceResult, read_rows, write_rows, write_text

Write = Callable[[str], None]
PAGE, SUMMARY = "batches.html", "README.md"
SECONDS, QUICK_SECONDS = 2.0, 0.3
SEEDS, QUICK_SEEDS = 3, 3
TOL = 1e-6


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "batches",
        help="batches of coordinates chosen by marginal decrease: which k, and when",
        description=(
            "Compare three ways to choose k coordinates at a time by marginal decrease with "
            "max_r, b_max_r and shuffled passes, at equal work: rows, a page and a summary."
        ),
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="small sets that need no download")
    add("--seeds", type=int, help=f"runs of everybody (default: {SEEDS}; quick: {QUICK_SEEDS})")
    add(
        "--seconds",
        type=float,
        help=f"CPU time of a run (default: {SECONDS:g}; quick: {QUICK_SECONDS:g})",
    )
    add("--out", type=Path, default=Path("batches"), metavar="DIR", help="default: %(default)s")
    add("--redraw", type=Path, metavar="DIR", help="draw an earlier study again, from its rows")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Run the races, or read them; write rows, page and summary."""
    if arguments.redraw is not None:
        with checking_input():
            races = read_rows(arguments.redraw)
        _save(races, arguments.redraw, write)
        return 0
    with checking_input():
        rules = _rules(arguments)
        posed = contests(arguments.quick)
        if arguments.out.exists() and not arguments.out.is_dir():
            raise ValueError(f"{arguments.out} is a file; --out must name a directory.")
    races = []
    for contest in posed:
        field = entrants(contest, arguments.quick)
        with cpu_time():
            race, interrupted = run_race(contest, field, rules, watcher_for())
        if interrupted:
            return INTERRUPTED
        races.append(thinned(race))
        _save(races, arguments.out, write if contest is posed[-1] else _silent)
    return 0


def _rules(arguments: argparse.Namespace) -> Rules:
    seeds = arguments.seeds or (QUICK_SEEDS if arguments.quick else SEEDS)
    seconds = arguments.seconds or (QUICK_SECONDS if arguments.quick else SECONDS)
    if seeds < 1 or seconds <= 0.0:
        raise ValueError("--seeds must be at least 1 and --seconds greater than 0.")
    return Rules(tol=TOL, seconds=seconds, epochs=20000.0, seeds=seeds)


def _save(races: list[RaceResult], out: Path, write: Write) -> None:
    if not races:
        raise UserError(f"{out} holds no rows.")
    out.mkdir(parents=True, exist_ok=True)
    write_rows(races, out)
    write_text(study_page(races, "banditcd batches"), out / PAGE)
    summary = study_summary(races)
    write_text(summary, out / SUMMARY)
    write(summary)
    write(f"Written: {out / PAGE}, {out / SUMMARY} and the rows.")


def _silent(text: str) -> None:
    """Say nothing: more races are to come."""
