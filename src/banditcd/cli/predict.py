"""``banditcd predict``: what a model file says about samples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.cli.errors import checking_input
from banditcd.cli.fit import check_labelled, evaluated, tell
from banditcd.cli.fit_options import DATA_HELP
from banditcd.cli.inputs import Samples, read_samples
from banditcd.cli.linear import LinearModel
from banditcd.cli.model_file import read_model
from banditcd.data.files import check_target, replacing

Write = Callable[[str], None]
BLOCK = 10_000

DESCRIPTION = """\
Predict with a model of `banditcd fit`: one line for each sample, a label or a number. LIBSVM text
may have fewer features than the model (they are zero) or more (they are left out, with a note)."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    parser = subparsers.add_parser(
        "predict",
        help="predict with a fitted model",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("model", type=Path, metavar="MODEL", help="a file that `banditcd fit` wrote")
    add("data", metavar="DATA", help=DATA_HELP)
    add("--out", type=Path, metavar="FILE", help="write the predictions here")
    add("--proba", action="store_true", help="the probability of each class, too (logistic)")
    add("--evaluate", action="store_true", help="compare with the labels of the data")
    add("--target", metavar="COLUMN", help="the labels of a CSV file: name, or position from 1")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Read model and data, write predictions, compare with labels."""
    with checking_input():
        model = read_model(arguments.model)
        if arguments.proba and not model.has_probabilities:
            raise ValueError(
                f"--proba needs a logistic model, and {arguments.model} is a {model.kind} model."
            )
        if arguments.out is not None:
            check_target(arguments.out, "--out")
        samples = read_samples(arguments.data, model.columns, arguments.target)
        if arguments.evaluate:
            check_labelled(samples, arguments.data)
    tell(samples.remarks)
    lines = _lines(model, samples, arguments.proba)
    if arguments.out is not None:
        with replacing(arguments.out) as file:
            file.writelines(line + "\n" for line in lines)
    elif not arguments.evaluate:
        sys.stdout.writelines(line + "\n" for line in lines)
        sys.stdout.flush()
    if arguments.evaluate:
        write(evaluated(model, samples))
    if arguments.out is not None:
        write(f"Written: {arguments.out}, {samples.X.shape[0]:,} predictions")
    return 0


def _lines(model: LinearModel, samples: Samples, with_probabilities: bool) -> Iterator[str]:
    """Yield a line for each sample; with probabilities, a first line of names as in liblinear."""
    if with_probabilities and model.classes is not None:
        yield "labels " + " ".join(number(label) for label in model.classes)
    for start in range(0, samples.X.shape[0], BLOCK):
        block = samples.X[start : start + BLOCK]
        predicted = [number(value) for value in model.predict(block)]
        if with_probabilities:
            shares = model.probabilities(block)
            yield from (
                " ".join([label, *(number(share) for share in row)])
                for label, row in zip(predicted, shares, strict=True)
            )
        else:
            yield from predicted


def number(value: float | np.floating[Any]) -> str:
    """Return the shortest text that reads back as the same number; whole ones without a point."""
    return repr(float(value)).removesuffix(".0")
