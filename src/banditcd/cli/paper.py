"""``banditcd paper``: the paper's experiments, run and reported."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from banditcd.cli.errors import INTERRUPTED, UserError, checking_input
from banditcd.cli.verbs import Write, add_verb
from banditcd.cli.waiting import duration
from banditcd.experiments.entrants import parse_entrant, split_list
from banditcd.experiments.paper.configuration import Configuration, built_in, read
from banditcd.experiments.paper.judgement import Judgement
from banditcd.experiments.paper.report import Report, counts, make_report, write_report
from banditcd.experiments.paper.runs import prepare, run_all
from banditcd.experiments.paper.session import Crew
from banditcd.experiments.paper.store import Store
from banditcd.experiments.paper.tasks import EVERYTHING, Wanted

DESCRIPTION = """\
Run the experiments of "Coordinate Descent with Bandit Sampling" again and report, for every claim,
what the paper says, what was measured and the verdict: held, held in epochs only, depends, failed,
or not testable here (only the paper's own sets decide). Rows are the result; figures, tables and
verdicts are drawn from them. A run that was stopped goes on where it was."""
EPILOG = """\
examples:
  banditcd paper --quick                         three minutes, no download
  banditcd paper --jobs 2                        the sets of the paper, where they can be had
  banditcd paper --figure 3 --select my.py:MySelector
  banditcd paper --draw --out paper              the report again, from the rows
Sets are looked up in BANDITCD_DATA, then in the cache, then downloaded; one that cannot be had is
left out, and the report says so."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "run the paper's experiments: figures, tables, verdicts"
    add = add_verb(subparsers, "paper", run, text, DESCRIPTION, EPILOG).add_argument
    number: dict[str, Any] = {"type": int, "action": "append", "default": []}
    add("--figure", choices=(2, 3, 4), help="this figure only (may be repeated)", **number)
    add("--table", choices=(1, 2), help="this table only (may be repeated)", **number)
    add("--quick", action="store_true", help="small sets that need no download")
    add("--jobs", type=int, default=1, metavar="N", help="processes (default: %(default)d)")
    add("--out", type=Path, help="directory (default: paper, or paper-quick)")
    add("--select", metavar="S", help="more selectors, as in my.py:MySelector,acf")
    add("--config", type=Path, metavar="FILE", help="a configuration of your own (TOML)")
    commit = "what is measured, for the page (default: asked from git)"
    add("--commit", default="", metavar="HASH", help=commit)
    add("--draw", action="store_true", help="run nothing: draw the report from the rows")


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Run what is missing, then write the report."""
    with checking_input():
        if arguments.jobs < 1:
            raise ValueError(f"--jobs is {arguments.jobs}; it must be at least 1.")
        configuration = _configuration(arguments)
        out = arguments.out or Path("paper-quick" if arguments.quick else "paper")
        if out.exists() and not out.is_dir():
            raise NotADirectoryError(f"--out {out} is a file; name a directory.")
        if arguments.draw and not (out / "runs.csv").is_file():
            raise FileNotFoundError(f"{out} holds no rows to draw; run banditcd paper first.")
        prepare(out, configuration)
    store = Store(out)
    if not arguments.draw:
        try:
            crew = Crew(arguments.jobs, arguments.commit)
            run_all(configuration, _wanted(arguments), store, crew, Teller(sys.stderr))
        except TimeoutError as error:
            raise UserError(f"{out} is in use by another run: {error}") from error
        except KeyboardInterrupt:
            print("Interrupted: the same command goes on from here.", file=sys.stderr)
            return INTERRUPTED
    with checking_input():
        report = make_report(store, configuration, _wanted(arguments))
    if not report.court.evidence.problems:
        raise UserError(f"No data set is at hand. {' '.join(m.reason for m in report.missing[:1])}")
    written = write_report(report, out, command_line(arguments))
    write(_short(report))
    write(f"Written: {', '.join(str(path) for path in written)} and the rows in {out}{os.sep}.")
    return 0


def _configuration(arguments: argparse.Namespace) -> Configuration:
    if arguments.config is not None and arguments.quick:
        raise ValueError("Give --quick or --config, not both.")
    if arguments.config is not None:
        configuration = read(arguments.config)
    else:
        configuration = built_in("quick" if arguments.quick else "full")
    if arguments.select is None:
        return configuration
    users = [part.strip() for part in split_list(arguments.select) if part.strip()]
    if not users:
        raise ValueError("--select names no selector; use for example my.py:MySelector.")
    for user in users:
        parse_entrant(user)
    return replace(configuration, users=tuple(users))


def _wanted(arguments: argparse.Namespace) -> Wanted:
    if not arguments.figure and not arguments.table:
        return EVERYTHING
    return Wanted(frozenset(arguments.figure), frozenset(arguments.table))


def _short(report: Report) -> str:
    width = max(len(claim.verdict) for claim in report.claims)
    lines = [f"{c.verdict:<{width}}  {c.where}: {c.says}{_apart(c)}" for c in report.claims]
    total = ", ".join(f"{n} {verdict}" for verdict, n in counts(report).items())
    return "\n".join([*lines, "", total + "."])


def _apart(claim: Judgement) -> str:
    """Return what sets in the place of the paper's say; they decide nothing."""
    return f" (other sets alone: {claim.stand_ins})" if claim.stand_ins else ""


def command_line(arguments: argparse.Namespace) -> str:
    """Return the command that gives these results again, without where and how fast."""
    parts = ["banditcd", "paper"]
    parts += [text for k in arguments.figure for text in ("--figure", str(k))]
    parts += [text for k in arguments.table for text in ("--table", str(k))]
    parts += ["--quick"] if arguments.quick else []
    if arguments.config is not None:
        parts += ["--config", arguments.config.name]
    if arguments.select is not None:
        parts += ["--select", arguments.select]
    return shlex.join(parts)


class Teller:
    """Says how far it is and how long it will take, at most every other second."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self._last = stream, 0.0

    def __call__(self, phase: str, done: int, total: int, left: float) -> None:
        """Print over the last line of a terminal; what is not a terminal sees nothing."""
        if not self.stream.isatty() or (done < total and time.monotonic() - self._last < 2.0):
            return
        self._last = time.monotonic()
        text = f"{phase}: {done} of {total}, about {duration(left)} left"
        print(f"\r{text:<70}", end="\n" if done == total else "", file=self.stream, flush=True)
