"""``banditcd path``: models along a grid of penalties, as a table, a file and a picture."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.cli.errors import UNFINISHED, UserError, checking_input, writing
from banditcd.cli.fit import tell
from banditcd.cli.fit_options import add_path_options
from banditcd.cli.following import Followed, follow, write_path
from banditcd.cli.inputs import read_training
from banditcd.cli.models import ModelKind, check_options
from banditcd.cli.waiting import waiting
from banditcd.cli.words import data_words
from banditcd.data import check_labels, check_number
from banditcd.data.files import check_target

Write = Callable[[str], None]
TABLE_ROWS = 20
TOL = 1e-4
PICTURES = (".png", ".svg", ".pdf")

DESCRIPTION = """\
Fit a model at many penalties, from the one at which every coefficient is zero down to --eps times
it, each starting from the one before and each certified by its duality gap.
exit status: as of `banditcd fit`."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    parser = subparsers.add_parser(
        "path",
        help="models along a grid of penalties: table, file, picture",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_path_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Check, read, follow the path, print and write it."""
    with checking_input():
        kind = _check(arguments)
        with waiting(f"reading {arguments.data}", arguments.quiet):
            dataset = read_training(arguments.data, arguments.target, kind.task)
        if kind.task == "classification":
            check_labels(dataset.y, dataset.rows)  # two classes: a path of several has no picture
    write(data_words(dataset))
    options = _options(arguments)
    with warnings.catch_warnings(record=True) as caught, waiting("following", arguments.quiet):
        warnings.simplefilter("always")
        try:
            path = follow(kind, dataset, options)
        except (ValueError, TypeError) as error:
            raise UserError(str(error)) from error
    write(table(path))
    missed = [str(w.message) for w in caught]
    tell(dict.fromkeys(missed))
    write(
        f"Largest gap: {float(path.gaps.max()):.2g} of the null model's objective; "
        f"{options['tol']:g} was asked for."
    )
    names = list(dataset.feature_names) or [f"x{j + 1}" for j in range(dataset.columns)]
    if arguments.out is not None:
        with writing(arguments.out):
            write_path(path, names, arguments.out)
        write(f"Written: {arguments.out}")
    if arguments.plot is not None:
        with writing(arguments.plot):
            _draw(path, names, arguments.plot)
        write(f"Drawn: {arguments.plot}")
    short = any(text.startswith("Objective did not converge") for text in missed)
    return UNFINISHED if short else 0


def table(path: Followed) -> str:
    """Return at most twenty of the models, evenly spread, as lines."""
    count = len(path.penalties)
    chosen = np.unique(np.linspace(0, count - 1, min(count, TABLE_ROWS)).round().astype(int))
    lines = [f"{path.penalty:>12}  {'features':>8}  {'explained':>9}  {'gap':>8}"]
    lines += [
        f"{path.penalties[k]:>12.5g}  {path.supports[k]:>8,}  {100.0 * path.scores[k]:>7.2f} %  "
        f"{path.gaps[k]:>8.1e}"
        for k in chosen
    ]
    return "\n".join(lines)


def _check(arguments: argparse.Namespace) -> ModelKind:
    kind = check_options(arguments)
    if arguments.points < 1:
        raise ValueError(f"--points is {arguments.points}; at least one is needed.")
    check_number(arguments.eps, "--eps", minimum=0.0, maximum=1.0, strict=True)
    if arguments.l1_ratio is not None:
        check_number(arguments.l1_ratio, "--l1-ratio", minimum=0.0, maximum=1.0, strict=True)
    if arguments.out is not None:
        check_target(arguments.out, "--out")
        if arguments.out.suffix.lower() not in (".csv", ".npz"):
            raise ValueError(f"--out {arguments.out} must end in .csv or .npz.")
    if arguments.plot is not None:
        check_target(arguments.plot, "--plot")
        if arguments.plot.suffix.lower() not in PICTURES:
            raise ValueError(f"--plot {arguments.plot} must end in {', '.join(PICTURES)}.")
        if find_spec("matplotlib") is None:
            raise ValueError("--plot needs matplotlib: pip install 'banditcd[plots]'.")
    return kind


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the path functions."""
    given: dict[str, Any] = {
        "alphas": arguments.points,
        "eps": arguments.eps,
        "tol": TOL if arguments.tol is None else arguments.tol,
        "fit_intercept": not arguments.no_intercept,
        "standardize": arguments.standardize,
        "positive": arguments.positive,
        "verbose": sys.stderr.isatty() and not arguments.quiet,
    }
    renamed = {"max_iter": "max_iter", "selector": "selector", "seed": "random_state"}
    for name, parameter in {**renamed, "l1_ratio": "l1_ratio"}.items():
        if getattr(arguments, name) is not None:
            given[parameter] = getattr(arguments, name)
    return given


def _draw(path: Followed, names: list[str], file: Path) -> None:
    from matplotlib.figure import Figure

    from banditcd.estimators import PathDisplay

    figure = Figure(figsize=(9.0, 5.5), layout="constrained")
    axes = figure.subplots()
    strengths = path.penalties if path.penalty == "alpha" else 1.0 / path.penalties
    PathDisplay(strengths, path.coefs, feature_names=names).plot(ax=axes)
    if path.penalty == "C":
        axes.set_xlabel("1 / C (strong penalty on the left)")
    temporary = file.with_name(f".part-{file.name}")
    try:
        figure.savefig(temporary, dpi=150)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
