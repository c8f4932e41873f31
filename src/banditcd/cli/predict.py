"""``banditcd predict``: what a model file says about samples."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.cli.errors import checking_input, writing
from banditcd.cli.fit import check_labeled, evaluated
from banditcd.cli.fit_options import DATA_HELP
from banditcd.cli.inputs import Samples, read_samples
from banditcd.cli.linear import LinearModel
from banditcd.cli.model_file import read_model
from banditcd.cli.table_options import add_reading, add_unknown, table_options
from banditcd.cli.telling import Teller
from banditcd.cli.verbs import Write, add_verb
from banditcd.cli.words import measure_words
from banditcd.data.files import check_target, replacing

BLOCK = 10_000

DESCRIPTION = """\
Predict with a model of `banditcd fit`: one line for each sample, a label or a number (of a
multitask model a number for each target, in the order of --target). A table needs
the columns that the model was fitted on, words and gaps included; the targets may be absent. LIBSVM
text may have fewer features than the model (they are zero) or more (left out, with a note)."""


def add_arguments(subparsers: Any) -> None:
    """Add the verb to the subparsers of the main parser."""
    parser = add_verb(subparsers, "predict", run, "predict with a fitted model", DESCRIPTION)
    add = parser.add_argument
    add("model", type=Path, metavar="MODEL", help="a file that `banditcd fit` wrote")
    add("data", metavar="DATA", help=DATA_HELP)
    add("--out", type=Path, metavar="FILE", help="write the predictions here")
    add("--proba", action="store_true", help="the probability of each class, too (logistic)")
    add("--evaluate", action="store_true", help="compare with the labels of the data")
    text = "the labels of a table: name, or position from 1; repeated for a multitask model"
    add("--target", metavar="COLUMN", action="append", help=text)
    add("--json", action="store_true", help="print one JSON object instead")
    add_unknown(parser)
    add_reading(parser)


def run(arguments: argparse.Namespace, write: Write) -> int:
    """Read model and data, write predictions, compare with labels."""
    teller = Teller(write, arguments.json)
    with checking_input():
        model = read_model(arguments.model)
        if arguments.proba and not model.has_probabilities:
            raise ValueError(
                f"--proba needs a logistic model, and {arguments.model} is a {model.kind} model."
            )
        if arguments.out is not None:
            check_target(arguments.out, "--out", arguments.model, arguments.data)
        samples = read_samples(arguments.data, model.columns, table_options(arguments))
        if arguments.evaluate:
            check_labeled(samples, arguments.data)
    teller.note(samples.remarks)
    lines = _lines(model, samples, arguments.proba)
    if arguments.out is not None:
        with writing(arguments.out), replacing(arguments.out) as file:
            file.writelines(line + "\n" for line in lines)
    elif arguments.json:
        teller.keep(**_facts(model, samples, arguments.proba))
    elif not arguments.evaluate:
        while block := list(islice(lines, BLOCK)):
            write("\n".join(block))
    if arguments.evaluate:
        measures = evaluated(model, samples)
        teller.keep(measures=measures)
        teller.say(measure_words(measures))
    if arguments.out is not None:
        teller.keep(written=str(arguments.out))
        teller.say(f"Written: {arguments.out}, {_count(samples):,} predictions")
    teller.end()
    return 0


def _count(samples: Samples) -> int:
    """Return how many rows the file has."""
    return int(samples.X.shape[0] if samples.kept is None else len(samples.kept))


def _facts(model: LinearModel, samples: Samples, with_probabilities: bool) -> dict[str, Any]:
    """Return the predictions for JSON: null where a row cannot be predicted."""
    facts: dict[str, Any] = {"predictions": _spread(model.predict(samples.X).tolist(), samples)}
    if with_probabilities:
        facts["classes"] = model.classes
        facts["probabilities"] = _spread(model.probabilities(samples.X).tolist(), samples)
    return facts


def _spread(values: list[Any], samples: Samples) -> list[Any]:
    """Put the values of the rows that can be predicted in their places, None into the others."""
    if samples.kept is None:
        return values
    rest = iter(values)
    return [next(rest) if there else None for there in samples.kept]


def _lines(model: LinearModel, samples: Samples, with_probabilities: bool) -> Iterator[str]:
    """Yield a line for each row of the file, NA for one that cannot be predicted."""
    lines = _predicted(model, samples.X, with_probabilities)
    if with_probabilities:
        yield next(lines)
    if samples.kept is None:
        yield from lines
        return
    for there in samples.kept:
        yield next(lines) if there else "NA"


def _predicted(model: LinearModel, X: Any, with_probabilities: bool) -> Iterator[str]:
    """Yield a line for each sample; with probabilities, a first line of names as in liblinear.

    What stands between the numbers is a space, or a tab if the word for a class has a space.
    """
    names = [] if model.classes is None else [text(label) for label in model.classes]
    gap = "\t" if any(len(name.split()) != 1 for name in names) else " "
    if with_probabilities:
        yield gap.join(["labels", *names])
    for start in range(0, X.shape[0], BLOCK):
        block = X[start : start + BLOCK]
        predicted = [
            gap.join(text(part) for part in np.ravel(value)) for value in model.predict(block)
        ]
        if with_probabilities:
            shares = model.probabilities(block)
            yield from (
                gap.join([label, *(text(share) for share in row)])
                for label, row in zip(predicted, shares, strict=True)
            )
        else:
            yield from predicted


def text(value: Any) -> str:
    """Return a word, or the shortest text that reads back as the same number."""
    return str(value) if isinstance(value, str) else repr(float(value)).removesuffix(".0")
