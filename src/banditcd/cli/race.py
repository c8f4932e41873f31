"""``banditcd race``: several selectors on one problem, as a table, a figure and a page."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

from banditcd.cli.errors import FAILED, INTERRUPTED, UserError, checking_input
from banditcd.cli.progress import watcher_for
from banditcd.cli.race_options import (
    BUNDLED_SECONDS,
    DESCRIPTION,
    EPILOG,
    OTHER_SECONDS,
    add_options,
    command_line,
)
from banditcd.cli.verbs import Write, add_verb
from banditcd.data import check_number, unknown_name
from banditcd.engine.applicability import why_not_compiled
from banditcd.engine.prepare import ENGINES
from banditcd.experiments.contest import (
    STANDARD_RACES,
    Choices,
    Contest,
    bundled_for,
    make_contest,
)
from banditcd.experiments.entrants import (
    YARDSTICKS,
    Entrant,
    asked_labels,
    parse_entrants,
    parse_update,
    split_list,
    standard_entrants,
)
from banditcd.experiments.learning import Film, read_films, watch, write_films
from banditcd.experiments.page import race_page
from banditcd.experiments.plots import draw_png, has_matplotlib
from banditcd.experiments.race import Rules, RunError, run_race, why_not
from banditcd.experiments.rows import RaceResult, read_rows, write_rows, write_text
from banditcd.experiments.table import LEGEND, race_table, verdict

FIGURE, PAGE, TABLE = "race.png", "race.html", "table.txt"


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "race selectors on one problem: table, figure, page"
    add_options(add_verb(subparsers, "race", run, text, DESCRIPTION, EPILOG))


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Run the races, print their tables, write rows, figure and page."""
    if arguments.redraw is not None:
        return _redraw(arguments.redraw, write)
    with checking_input():
        rules = _rules(arguments)
        contests = _contests(arguments)
        fields = _fields(arguments, contests, rules, write)
        _check_directory(arguments.out)
    races: list[RaceResult] = []
    films: list[Film] = []
    for contest, entrants in fields:
        own = replace(rules, engine=_engine(arguments.engine, contest, write))
        race, interrupted = _run_one(contest, entrants, own)
        if race.runs:
            races.append(race)
            write(race_table(race, _terminal_width()) + "\n")
        if interrupted:
            return _interrupted(races, arguments.out, write)
        films += watch(contest, entrants, race, own)
    write(LEGEND)
    if text := verdict(races):
        write(f"\n{text}")
    _save(races, films, arguments.out, command_line(arguments), write)
    return 0


def _rules(arguments: argparse.Namespace) -> Rules:
    if arguments.engine is not None and arguments.engine not in ENGINES:
        raise unknown_name("engine", arguments.engine, ENGINES)
    for name, least in (("seeds", 1), ("seed", 0)):
        if getattr(arguments, name) < least:
            raise ValueError(
                f"--{name} is {getattr(arguments, name)}; it must be at least {least}."
            )
    seconds = arguments.seconds
    if seconds is None:
        seconds = BUNDLED_SECONDS if arguments.data is None else OTHER_SECONDS
    return Rules(
        tol=check_number(arguments.tol, "--tol", minimum=0.0, strict=True),
        epochs=check_number(arguments.epochs, "--epochs", minimum=0.0, strict=True),
        seconds=check_number(seconds, "--seconds", minimum=0.0, strict=True),
        seeds=arguments.seeds,
        first_seed=arguments.seed,
        update=parse_update(arguments.update),
        asked=() if arguments.select is None else asked_labels(arguments.select),
    )


def _engine(asked: str | None, contest: Contest, write: Write) -> str:
    """Return the engine of a race: the compiled one unless it cannot, which is told."""
    reason = None if asked is not None else why_not_compiled(contest.problem)
    if reason is not None:
        write(
            f"{contest.problem.name} runs on the reference engine: {reason}. Epochs and work are "
            "the same on every engine; the seconds are those of NumPy."
        )
    return asked or ("compiled" if reason is None else "reference")


def _contests(arguments: argparse.Namespace) -> list[Contest]:
    steps = None
    if arguments.steps is not None:
        steps = tuple(part.strip() for part in split_list(arguments.steps) if part.strip())
    choices = Choices(arguments.cost, arguments.alpha, arguments.alpha_ratio, steps)
    if arguments.data is not None:
        return [make_contest(arguments.data, choices)]
    if arguments.cost is not None:
        return [make_contest(bundled_for(arguments.cost), choices)]
    if arguments.alpha is not None or arguments.alpha_ratio is not None or steps is not None:
        raise ValueError(
            "--alpha, --alpha-ratio and --steps need --data or --cost: the three standard races "
            "have different costs."
        )
    return [make_contest(data, replace(choices, cost=cost)) for data, cost in STANDARD_RACES]


def _fields(
    arguments: argparse.Namespace, contests: list[Contest], rules: Rules, write: Write
) -> list[tuple[Contest, list[Entrant]]]:
    """Return who runs where; someone who was asked for and fits nowhere is a mistake."""
    named = arguments.select is not None
    everyone = parse_entrants(arguments.select) if named else standard_entrants()
    fields = []
    reasons: dict[str, list[str]] = {entrant.label: [] for entrant in everyone}
    for contest in contests:
        able = []
        for entrant in everyone:
            reason = why_not(entrant, contest, rules)
            if reason is None:
                able.append(entrant)
            else:
                reasons[entrant.label].append(f"does not fit {contest.problem.name}: {reason}")
        fields.append((contest, able))
    for label, why in reasons.items():
        if len(why) == len(contests) and (named or label in YARDSTICKS):
            raise ValueError(f"{label} {why[0]}.")
        if named:
            for sentence in why:
                write(f"{label} sits out: it {sentence}.")
    return fields


def _run_one(contest: Contest, entrants: list[Entrant], rules: Rules) -> tuple[RaceResult, bool]:
    try:
        return run_race(contest, entrants, rules, watcher_for())
    except RunError as error:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        raise UserError(f"{error} The error is above; nothing was written.", FAILED) from error


def _interrupted(races: list[RaceResult], out: Path, write: Write) -> int:
    print("Interrupted: the tables hold the runs that were finished.", file=sys.stderr)
    if races:
        out.mkdir(parents=True, exist_ok=True)
        write_rows(races, out)
        write(f"Rows so far: {out}{os.sep}; banditcd race --redraw {out} draws them.")
    return INTERRUPTED


def _redraw(directory: Path, write: Write) -> int:
    with checking_input():
        races = read_rows(directory)
    if not races:
        raise UserError(f"{directory} holds no rows.")
    for race in races:
        write(race_table(race, _terminal_width()) + "\n")
    _save(races, read_films(directory), directory, f"banditcd race --redraw {directory}", write)
    return 0


def _save(
    races: list[RaceResult], films: list[Film], out: Path, command: str, write: Write
) -> None:
    out.mkdir(parents=True, exist_ok=True)
    write_rows(races, out)
    write_films(films, out)
    tables = [*(race_table(race) for race in races), LEGEND, verdict(races)]
    write_text("\n\n".join(tables).rstrip() + "\n", out / TABLE)
    title = "Which coordinate next?"
    write_text(race_page(races, title, command, films=films), out / PAGE)
    if has_matplotlib():
        draw_png(races, out / FIGURE)
        write(f"\nWritten: {out / PAGE}, {out / FIGURE}, {out / TABLE} and the rows.")
    else:
        write(
            f"\nWritten: {out / PAGE}, {out / TABLE} and the rows. For the figure {FIGURE}: "
            f"pip install 'banditcd[plots]', then banditcd race --redraw {out}."
        )


def _check_directory(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise NotADirectoryError(f"--out {out} is a file; name a directory.")


def _terminal_width() -> int:
    return max(shutil.get_terminal_size((110, 24)).columns, 60)
