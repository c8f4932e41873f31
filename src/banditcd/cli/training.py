"""Training data from a table: features by a recipe, targets or labels, weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.cli.table_options import TableOptions
from banditcd.data import check_matrix
from banditcd.data.cooking import make_features
from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.frames import Column, Frame, first_word, missing, numbers, words
from banditcd.data.odd_numbers import has_rounded
from banditcd.data.recipes import Recipe, Wishes, fit_recipe
from banditcd.data.tables import check_distinct, task_of_words

SEVERAL = "multi-task"
"""The task of models that predict several numbers."""


@dataclass(frozen=True)
class Training:
    """Data to fit on, with what a model file keeps of them.

    Attributes
    ----------
    dataset : Dataset
        Features and targets; labels may be words.
    weights : ndarray or None
        Weights of the samples.
    recipe : Recipe or None
        How the table became features; None if its columns are the features.
    targets : tuple of str
        The names of the columns of targets, if the table has names.
    remarks : tuple of str
        What was decided.
    """

    dataset: Dataset
    weights: Floats | None = None
    recipe: Recipe | None = None
    targets: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def train_on(frame: Frame, options: TableOptions, task: str) -> Training:
    """Turn a table into training data."""
    if frame.width < 2:
        only = f", {frame.label(0)}" if frame.names else ""
        raise ValueError(
            f"{frame.title} has one column{only}: a feature and the targets are needed. In text, a "
            "comma, a semicolon or a tab separates columns."
        )
    targets = _places_of_targets(frame, options, task)
    wishes, weights = _wishes(frame, targets, options)
    frame, gone = _without_missing_targets(frame, targets, options.missing)
    recipe, remarks = fit_recipe(frame, targets, wishes)
    places = [part.position - 1 for part in recipe.ingredients]
    made = make_features(frame, recipe, places)
    if not made.kept.any():
        raise ValueError(f"Every row of {frame.title} has missing values.")
    X = check_matrix(made.X, f"X of {frame.title}")
    columns = [_targets(frame, target, task, options)[made.kept] for target in targets]
    y = np.column_stack(columns) if task == SEVERAL else columns[0]
    words_of = y.dtype.kind == "U"
    names = recipe.features if frame.names or not recipe.is_plain else ()
    title = Path(frame.title).name
    dataset = Dataset(
        title,
        X,
        y,
        task_of_words(y) if words_of else guess_task(y),
        source=title,
        feature_names=names,
    )
    if not made.kept.all():
        count = int(np.sum(~made.kept))
        remarks.append(f"{count:,} of {frame.rows:,} rows have missing values; they are left out.")
    return Training(
        dataset,
        None if weights is None else _weights(frame, weights)[made.kept],
        None if recipe.is_plain else recipe,
        tuple(frame.names[target] for target in targets) if frame.names else (),
        (*frame.remarks, *gone, *remarks),
    )


def _places_of_targets(frame: Frame, options: TableOptions, task: str) -> tuple[int, ...]:
    """Return the places of the targets; a model of several needs to be told them."""
    places = tuple(frame.find(column, "the targets") for column in options.targets)
    check_distinct(places, options.targets, frame.title)
    if task == SEVERAL and len(places) < 2:
        raise ValueError(
            f"A multi-task model predicts several columns of {frame.title}; name each of them, as "
            "in --target A --target B, or use --model lasso or elasticnet for one."
        )
    return places or (frame.width - 1,)


def _wishes(
    frame: Frame, targets: tuple[int, ...], options: TableOptions
) -> tuple[Wishes, int | None]:
    """Return the decisions of the user by places, and the place of the weights."""
    weights = None if options.weights is None else frame.find(options.weights, "--weights")
    drop = [frame.find(column, "--drop") for column in options.drop]
    for target in targets:
        if target == weights:
            raise ValueError(
                f"{frame.label(target)} holds the targets; weights are another column."
            )
        if target in drop:
            raise ValueError(f"{frame.label(target)} holds the targets; it cannot be left out.")
    if weights is not None:
        drop.append(weights)
    categories = tuple(frame.find(column, "--categories") for column in options.categories)
    return Wishes(tuple(drop), categories, options.missing), weights


def _without_missing_targets(
    frame: Frame, targets: tuple[int, ...], rule: str
) -> tuple[Frame, tuple[str, ...]]:
    """Leave out rows without a target, if missing values drop rows."""
    absent = np.zeros(frame.rows, dtype=np.bool_)
    for target in targets:
        gone = missing(frame.columns[target])
        absent |= gone
        if gone.any() and rule != "drop":
            raise ValueError(
                f"{int(gone.sum()):,} of {frame.rows:,} targets ({frame.label(target)} of "
                f"{frame.title}) are missing; only --missing drop can do without them."
            )
    if not absent.any():
        return frame, ()
    count = int(absent.sum())
    columns = tuple(column[~absent] for column in frame.columns)
    remark = f"{count:,} of {frame.rows:,} rows of {frame.title} have no target; they are left out."
    return Frame(frame.title, columns, frame.names, frame.remarks), (remark,)


def _targets(frame: Frame, target: int, task: str, options: TableOptions) -> Any:
    """Return numbers, or words as labels of classes."""
    column = frame.columns[target]
    as_words = target in [frame.find(name, "--categories") for name in options.categories]
    values = None if as_words else numbers(column)
    if values is not None:
        if not np.all(np.isfinite(values)):
            raise ValueError(f"{frame.label(target)} of {frame.title} has an infinite target.")
        if task == "classification" and has_rounded(values):
            raise ValueError(
                f"The labels of {frame.title} ({frame.label(target)}) have more than 15 digits, "
                "and as numbers some would be rounded to others; --categories "
                f"{frame.name(target) if frame.names else target + 1} takes them as words."
            )
        return values
    if task != "classification":
        raise ValueError(
            f"The targets of {frame.title} ({frame.label(target)}) are words, such as "
            f"{first_word(column)!r}: use --model logistic, svm or ridgeclassifier, or name "
            "another column with --target."
        )
    return words(column).astype(np.str_)


def _weights(frame: Frame, place: int) -> Floats:
    column: Column = frame.columns[place]
    values = numbers(column)
    if values is None or not np.all(np.isfinite(values)) or np.any(values < 0.0):
        raise ValueError(
            f"The weights ({frame.label(place)} of {frame.title}) must be numbers from 0 on."
        )
    return values


def check_classes(dataset: Dataset) -> None:
    """Check that labels are classes: words, or whole numbers, and at least two."""
    classes = dataset.classes
    if len(classes) < 2:
        only = classes[0] if dataset.y.dtype.kind == "U" else f"{classes[0]:g}"
        raise ValueError(
            f"Every label of {dataset.title} is {only}; a classifier needs two classes."
        )
    if dataset.y.dtype.kind == "U":
        return
    broken = classes[classes != np.round(classes)]
    if broken.size:
        raise ValueError(
            f"The labels of {dataset.title} are no classes: {broken[0]:g} is not a whole number. "
            "Name the column of labels with --target, take its values as words with --categories, "
            "or use --model lasso, elasticnet or ridge."
        )
