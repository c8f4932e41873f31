"""The options of ``banditcd race``."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from banditcd.experiments.contest import STANDARD_RACES
from banditcd.experiments.race import Rules

BUNDLED_SECONDS, OTHER_SECONDS = 0.8, 20.0

DESCRIPTION = f"""\
Run several selectors on the same problem from the same start and compare what they spend until
their duality gap is certified: epochs (d updates each), work (matrix entries touched / 2 nnz,
refreshes included) and seconds. Without --data and --cost, three races that need no download:
{", ".join(f"{cost} on {data}" for data, cost in STANDARD_RACES)}."""

EPILOG = """\
examples:
  banditcd race
  banditcd race --data a9a --cost LogisticL1 --alpha-ratio 0.01 --seeds 5
  banditcd race --data my.svm --select 'b_max_r,b_max_r(epsilon=0.1),acf'
  banditcd race --select my.py:MySelector
  banditcd race --data diabetes --cost my.py:MyCost
Names: banditcd list, banditcd data list."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add every option."""
    _add_problem(parser)
    _add_limits(parser)
    add, out = parser.add_argument, Path("race")
    add("--out", type=Path, default=out, metavar="DIR", help=f"for the files (default: {out})")
    add("--redraw", type=Path, metavar="DIR", help="draw an earlier race again, from its rows")
    add("--engine", help=argparse.SUPPRESS)


def command_line(arguments: argparse.Namespace) -> str:
    """Return the command that gives this race again."""
    words = ["banditcd", "race"]
    for name in ("data", "cost", "steps", "select", "alpha", "alpha_ratio", "seconds"):
        if (value := getattr(arguments, name)) is not None:
            words += ["--" + name.replace("_", "-"), str(value)]
    usual = {
        "update": "auto",
        "tol": Rules.tol,
        "epochs": Rules.epochs,
        "seeds": Rules.seeds,
        "seed": 0,
    }
    for name, default in usual.items():
        if (value := getattr(arguments, name)) != default:
            words += [f"--{name}", str(value)]
    return shlex.join(words)


def _add_problem(parser: argparse.ArgumentParser) -> None:
    """Add what is raced on, and who runs."""
    add = parser.add_argument
    who = "names, name(key=value), or FILE.py:Class; uniform and shuffled always run, as yardsticks"
    add("--data", metavar="NAME|FILE", help="a set by name, or a file: LIBSVM text, .csv, .npz")
    cost = "the cost, such as Lasso, or FILE.py:Name (default: by the labels)"
    add("--cost", metavar="COST", help=cost)
    add("--steps", metavar="A,B", help="preprocessing steps (default: by the cost; '' for none)")
    add("--select", metavar="A,B,C", help=f"selectors: {who}")
    text = "update rule: a name, or FILE.py:Class (default: the cost's own)"
    add("--update", metavar="RULE", default="auto", help=text)
    penalty, ratio = parser.add_mutually_exclusive_group(), "(default for L1 costs: 0.05)"
    penalty.add_argument("--alpha", type=float, help="penalty strength (default for L2 costs: 1/n)")
    penalty.add_argument(
        "--alpha-ratio", type=float, metavar="R", help=f"alpha / alpha_max {ratio}"
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Add when a run ends, and how many there are."""
    add, usual = parser.add_argument, Rules()
    seconds = f"(default: {OTHER_SECONDS:g}; standard races: {BUNDLED_SECONDS:g})"
    tol = "relative gap to stop at (default: %(default)g)"
    add("--tol", type=float, default=usual.tol, help=tol)
    epochs = "limit of a run (default: %(default)g)"
    add("--epochs", type=float, default=usual.epochs, help=epochs)
    add("--seconds", type=float, help=f"limit of a run {seconds}")
    seeds = "runs per selector (default: %(default)d)"
    add("--seeds", type=int, default=usual.seeds, metavar="K", help=seeds)
    add("--seed", type=int, default=0, metavar="S", help="the first seed (default: %(default)d)")
