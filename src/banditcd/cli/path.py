"""``banditcd path``: models along a grid of penalties, as a table, a file and a picture."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from banditcd.cli.drawing import PICTURES, draw
from banditcd.cli.errors import UNFINISHED, checking_input, writing
from banditcd.cli.fit_options import add_path_options
from banditcd.cli.following import follow, used_features, write_path
from banditcd.cli.grouping import check_division
from banditcd.cli.inputs import read_training
from banditcd.cli.models import ModelKind, check_options
from banditcd.cli.table_options import table_options
from banditcd.cli.telling import Teller
from banditcd.cli.training import Training
from banditcd.cli.verbs import Write, add_verb
from banditcd.cli.waiting import waiting, working
from banditcd.cli.words import data_words
from banditcd.data import check_number
from banditcd.data.dataset import Dataset
from banditcd.data.files import check_target

if TYPE_CHECKING:
    from banditcd.estimators.bases.fitted_path import FittedPath

TOL = 1e-4

DESCRIPTION = """\
Fit a model at many penalties, from the one at which every coefficient is zero down to --eps times
it, each starting from the one before and each certified by its duality gap.
exit status: as of `banditcd fit`."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    text = "models along a grid of penalties: table, file, picture"
    add_path_options(add_verb(subparsers, "path", run, text, DESCRIPTION))


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Check, read, follow the path, print and write it."""
    teller = Teller(write, arguments.json)
    with checking_input():
        kind = _check(arguments)
        with waiting(f"reading {arguments.data}", arguments.quiet):
            training = read_training(arguments.data, table_options(arguments), kind.task)
        check_division(arguments, training.dataset)
    teller.say(data_words(training.dataset))
    teller.note(training.remarks)
    options = _options(arguments)
    with working("following the path", arguments.quiet) as heard:
        path = follow(kind, training, options)
    rows = _rows(kind, training)
    _tell(path, training.dataset, arguments, teller)
    teller.note([*heard.missed, *heard.others])
    teller.say(
        f"Largest gap: {float(path.table().gaps.max()):.2g} of the null model's objective; "
        f"{options['tol']:g} was asked for."
    )
    if rows:
        teller.keep(rows=rows)
    _keep(path, (_names(training.dataset), rows, training.dataset.title), arguments, teller)
    teller.end()
    return UNFINISHED if heard.missed else 0


def _tell(
    path: FittedPath, dataset: Dataset, arguments: argparse.Namespace, teller: Teller
) -> None:
    """Print the table, and say how to see all of it."""
    table = path.table()
    shown = table.part(arguments.rows)
    teller.say(str(shown))
    if len(shown) < len(table):
        more = "" if arguments.out is not None else "; --out FILE.csv writes them, coefficients too"
        teller.say(f"{len(shown)} of {len(table)} rows are shown; --rows 0 shows all{more}.")
    columns = {
        path.penalty: path.penalties,
        "features": table.features,
        "score": table.explained,
        "gap": table.gaps,
        "intercept": path.intercepts,
    }
    names = _names(dataset)
    coefs = {names[j]: path.coefs[..., j, :] for j in used_features(path)}
    teller.keep(
        data={"data": dataset.title, "rows": dataset.rows, "columns": dataset.columns},
        path=columns,
        coefficients=coefs,
    )


def _keep(
    path: FittedPath,
    words: tuple[list[str], list[str], str],
    arguments: argparse.Namespace,
    teller: Teller,
) -> None:
    """Write and draw what was asked for; ``words``: names of features and of rows, the title."""
    names, rows, title = words
    if arguments.out is not None:
        with writing(arguments.out):
            write_path(path, names, rows, arguments.out)
        teller.say(f"Written: {arguments.out}")
        teller.keep(written=str(arguments.out))
    if arguments.plot is not None:
        with writing(arguments.plot):
            draw(path, names, title, arguments.plot)
        teller.say(f"Drawn: {arguments.plot}")
        teller.keep(drawn=str(arguments.plot))


def _names(dataset: Dataset) -> list[str]:
    """Return the names of the features; without names x1, x2, ..., counted from 1."""
    return list(dataset.feature_names) or [f"x{j + 1}" for j in range(dataset.columns)]


def _rows(kind: ModelKind, training: Training) -> list[str]:
    """Return the names of several targets or classes; none if there is one row of coefficients."""
    dataset = training.dataset
    if dataset.y.ndim == 2:
        return list(training.targets) or [f"y{k + 1}" for k in range(dataset.y.shape[1])]
    if kind.task == "classification" and len(dataset.classes) > 2:
        return [str(label).removesuffix(".0") for label in dataset.classes.tolist()]
    return []


def _check(arguments: argparse.Namespace) -> ModelKind:
    kind = check_options(arguments)
    if arguments.points < 1:
        raise ValueError(f"--points is {arguments.points}; at least one is needed.")
    check_number(arguments.eps, "--eps", minimum=0.0, maximum=1.0, strict=True)
    if arguments.rows < 0:
        raise ValueError(f"--rows is {arguments.rows}; give a number of rows, or 0 for all.")
    for ratio in arguments.l1_ratio or ():
        check_number(ratio, "--l1-ratio", minimum=0.0, maximum=1.0, strict=True)
    given = [name for name in ("selector", "seed") if getattr(arguments, name) is not None]
    if given and kind.name.startswith(("group", "multitask")):
        raise ValueError(f"--{given[0]} has no meaning for --model {kind.name}.")
    if arguments.threads is not None:
        raise ValueError("--threads has no meaning for a path: each model starts from the last.")
    _check_files(arguments)
    return kind


def _check_files(arguments: argparse.Namespace) -> None:
    """Check that what is to be written can be."""
    read = (arguments.data, *(arguments.target or ()))
    if arguments.out is not None:
        check_target(arguments.out, "--out", *read)
        if arguments.out.suffix.lower() not in (".csv", ".npz"):
            raise ValueError(f"--out {arguments.out} must end in .csv or .npz.")
    if arguments.plot is not None:
        check_target(arguments.plot, "--plot", *read)
        if arguments.plot.suffix.lower() not in PICTURES:
            raise ValueError(f"--plot {arguments.plot} must end in {', '.join(PICTURES)}.")
        if find_spec("matplotlib") is None:
            raise ValueError("--plot needs matplotlib: pip install 'banditcd[plots]'.")


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the path functions."""
    given: dict[str, Any] = {
        "alphas": arguments.points,
        "eps": arguments.eps,
        "tol": TOL if arguments.tol is None else arguments.tol,
        "fit_intercept": not arguments.no_intercept,
    }
    if arguments.model.startswith("group"):
        given["groups"] = 1 if arguments.groups is None else arguments.groups
    elif not arguments.model.startswith("multitask"):
        given |= {"standardize": arguments.standardize, "positive": arguments.positive}
    if getattr(arguments, "multi_class", None) is not None:
        given["multi_class"] = arguments.multi_class
    renamed = {"max_iter": "max_iter", "selector": "selector", "seed": "random_state"}
    if arguments.l1_ratio:
        given["l1_ratio"] = arguments.l1_ratio[0]
    for name, parameter in renamed.items():
        if getattr(arguments, name) is not None:
            given[parameter] = getattr(arguments, name)
    return given
