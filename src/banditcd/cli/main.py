"""The command ``banditcd``: one parser, one table of verbs, one place where errors are told."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib.metadata import version
from typing import Any

from banditcd.cli import batches, explain, fit, listing, paper, path, predict, race
from banditcd.cli.errors import INTERRUPTED, UserError, checking_input
from banditcd.data import command as data

VERBS: tuple[Callable[[Any], None], ...] = (
    fit.add_arguments,
    predict.add_arguments,
    explain.add_arguments,
    path.add_arguments,
    race.add_arguments,
    paper.add_arguments,
    batches.add_arguments,
    listing.add_arguments,
    data.add_arguments,
)
"""Every verb adds its parser, with ``run(arguments, write) -> int`` as a default of it.

A new verb is one file and one line here.
"""

LOOKUPS = frozenset({"data"})
"""Verbs that only look things up: whatever they raise is about what was asked for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    0: done; 1: failed on the way; 2: a mistake in the command, and nothing was done; 3: done, but
    a tolerance was not reached; 130: interrupted from the keyboard.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without our letters shows others
            stream.reconfigure(errors="replace")
    (parser, verbs), output = _parsers(), _Output()
    if not (sys.argv[1:] if argv is None else argv):
        parser.print_help(sys.stderr)
        return 2
    try:
        arguments, unknown = parser.parse_known_args(argv)
        if unknown:  # the verb's own usage, not that of all verbs
            verbs[arguments.verb].error(f"unrecognized arguments: {' '.join(unknown)}")
    except SystemExit as end:  # argparse has printed the help or what was wrong
        return int(end.code or 0)
    try:
        with checking_input() if arguments.verb in LOOKUPS else nullcontext():
            status: int = arguments.run(arguments, output.write)
    except UserError as error:
        print(f"banditcd: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("banditcd: interrupted.", file=sys.stderr)
        return INTERRUPTED
    return 1 if output.is_gone else status


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser, and those of the verbs."""
    parser = argparse.ArgumentParser(
        prog="banditcd",
        description="Linear models with certificates, from a table to its predictions; and a "
        "laboratory of coordinate descent with bandit sampling.",
    )
    parser.add_argument("--version", action="version", version=f"banditcd {version('banditcd')}")
    verbs = parser.add_subparsers(title="verbs", dest="verb", metavar="VERB", required=True)
    for add_arguments in VERBS:
        add_arguments(verbs)
    return parser, dict(verbs.choices)


class _Output:
    """Standard output, whose reader, such as head, may go away: files are still written then."""

    def __init__(self) -> None:
        self.is_gone = False

    def write(self, text: str) -> None:
        """Print a line, if anybody reads."""
        try:
            print(text, flush=True)
        except BrokenPipeError:
            self.is_gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
