"""Data for ``fit``, ``path`` and ``predict``: tables, LIBSVM text, npz, names of the catalog."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._typing import Floats
from banditcd.cli.matrix_files import read_matrix_file
from banditcd.cli.table_options import TableOptions
from banditcd.cli.training import Training, check_classes, train_on
from banditcd.data import check_matrix, read_libsvm
from banditcd.data.cooking import make_features
from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.frames import Frame, numbers, words
from banditcd.data.loading import load
from banditcd.data.npz import map_array
from banditcd.data.reading import (
    STANDARD_INPUT,
    StandardInput,
    kind_of,
    kind_of_content,
    read_frame,
)
from banditcd.data.recipes import Ingredient, Recipe
from banditcd.data.tables import check_targets, load_table, read_npz
from banditcd.places.kinds import kind_of as place_of


@dataclass(frozen=True)
class Columns:
    """The features a model was fitted on.

    Attributes
    ----------
    number : int
        How many there are.
    names : tuple of str
        Their names; empty if there are none.
    target : str or None
        The column of targets.
    recipe : Recipe or None
        How a table becomes features; None if its columns are the features.
    words : bool
        Whether the labels are words.
    """

    number: int
    names: tuple[str, ...] = ()
    target: str | None = None
    recipe: Recipe | None = None
    words: bool = False


@dataclass(frozen=True)
class Samples:
    """Rows to predict.

    Attributes
    ----------
    X : ndarray or CSR matrix
        Features of the rows that can be predicted.
    y : ndarray or None
        Their labels, if there are any; NaN or "" where one is missing.
    remarks : tuple of str
        How they were read.
    kept : ndarray of bool, or None for all
        Which rows of the file can be predicted.
    """

    X: Any
    y: Any
    remarks: tuple[str, ...] = ()
    kept: npt.NDArray[np.bool_] | None = None


def read_training(name: str, options: TableOptions, task: str) -> Training:
    """Load data to fit on, and check that the labels fit the task."""
    found = _find(name, options)
    if isinstance(found, Frame):
        training = train_on(found, options, task)
    else:
        if not _is_array(name):
            options.refuse(name)
        training = Training(found)
    if task == "classification":
        check_classes(training.dataset)
    elif training.dataset.y.dtype.kind == "U":
        raise ValueError(
            f"The targets of {name} are words, such as {str(training.dataset.y[0])!r}: use --model "
            "logistic, svm or ridgeclassifier."
        )
    return training


def read_samples(name: str, columns: Columns, options: TableOptions) -> Samples:
    """Load rows to predict, with the columns of a model."""
    path = Path(name).expanduser()
    if kind_of(path) == ".npz":
        options.refuse(name)
        return _of_arrays(path, columns)
    if _is_array(name):
        return _of_array(path, columns, options)
    reads_words = columns.words or (columns.recipe is not None and columns.recipe.reads_words)
    reading = replace(options.reading, as_text=reads_words)
    found = _find(name, replace(options, reading=reading))
    if isinstance(found, Frame):
        return _of_frame(found, columns, options)
    options.refuse(name)
    if columns.recipe is not None:
        raise ValueError(f"The model was fitted on a table with words or gaps, and {name} is none.")
    X, remarks = _fit_width(found.X, columns.number, found.name)
    return Samples(X, np.asarray(found.y), remarks)


def _find(name: str, options: TableOptions) -> Frame | Dataset:
    """Read a table as a frame, and everything else as a data set."""
    reading = options.reading
    if options.categories:
        reading = replace(reading, as_text=True)
    if name == STANDARD_INPUT:
        source = StandardInput()
        if source.kind:
            return source.frame(reading)
        X, y = read_libsvm(io.BytesIO(source.content))
        return Dataset("standard input", X, y, guess_task(y), source="standard input")
    path = Path(name).expanduser()
    kind = kind_of(path)
    if path.is_dir():
        raise IsADirectoryError(f"{name} is a directory; name a file in it.")
    if _is_array(name):
        options.refuse(name, allowed="target")
        return read_matrix_file(path, options.target)
    if kind == ".npz":
        return load_table(path, words=True)
    if kind or kind_of_content(path):
        return read_frame(path, reading)
    return load(name)


def _is_array(name: str) -> bool:
    """Whether a file is one dense matrix, as ``numpy.save`` writes it."""
    return Path(name).suffix.lower() == ".npy"


def _of_array(path: Path, columns: Columns, options: TableOptions) -> Samples:
    """Map a dense matrix: all of its columns, or all but the targets."""
    options.refuse(str(path), allowed="target")
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    X = map_array(path)
    if X.ndim == 2 and X.shape[1] == columns.number and options.target is None:
        return Samples(X if place_of(X) else check_matrix(X, f"X of {path.name}"), None)
    found = read_matrix_file(path, options.target)
    _check_width(found.columns, columns.number, str(path))
    return Samples(found.X, found.y)


def _of_arrays(path: Path, columns: Columns) -> Samples:
    X, y = read_npz(path)
    X = check_matrix(X, f"X of {path.name}")
    _check_width(X.shape[1], columns.number, str(path))
    if y is not None:
        y = check_targets(y, X.shape[0], f"y of {path.name}", columns.words)
        y = y.astype(np.str_) if columns.words else y
    return Samples(X, y)


def _of_frame(frame: Frame, columns: Columns, options: TableOptions) -> Samples:
    recipe, places, target = _places(frame, columns, options.target)
    made = make_features(frame, recipe, places, options.unknown)
    X = check_matrix(made.X, f"X of {frame.title}")
    y = None
    if target is not None:
        column = frame.columns[target][made.kept]
        y = words(column).astype(np.str_) if columns.words else numbers(column)
    remarks = [*frame.remarks, *made.remarks]
    if made.kept.all():
        return Samples(X, y, tuple(remarks))
    count = int(np.sum(~made.kept))
    remarks.append(f"{count:,} of {frame.rows:,} rows have missing values; NA is predicted there.")
    return Samples(X, y, tuple(remarks), made.kept)


def _places(
    frame: Frame, columns: Columns, target: str | None
) -> tuple[Recipe, list[int], int | None]:
    """Return the recipe, the places of its columns in the table and that of the targets.

    Columns are found by their names if both sides have names, else by their positions.
    """
    recipe = columns.recipe
    if recipe is None:
        needed = columns.names
    else:
        needed = tuple(part.name for part in recipe.ingredients) if recipe.named else ()
    if needed and frame.names:
        places = _by_name(frame, needed)
        return recipe or _as_they_are(places), places, _named_target(frame, needed, columns, target)
    if recipe is None:
        return _by_number(frame, columns, target)
    wanted = recipe.target - 1 if target is None else frame.find(target, "the targets")
    if frame.width == recipe.width:
        return recipe, [part.position - 1 for part in recipe.ingredients], wanted
    if frame.width == recipe.width - 1 and target is None:
        return (
            recipe,
            [p.position - 1 - (p.position > recipe.target) for p in recipe.ingredients],
            None,
        )
    raise ValueError(
        f"{frame.title} has {frame.width} columns, and the model was fitted on a table of "
        f"{recipe.width}, targets included."
    )


def _by_name(frame: Frame, needed: tuple[str, ...]) -> list[int]:
    absent = [name for name in needed if name not in frame.names]
    if absent:
        raise ValueError(
            f"{frame.title} has no column {', '.join(absent[:5])}, which the model needs; it has "
            f"{', '.join(frame.names[:5])}{', …' if len(frame.names) > 5 else ''}."
        )
    return [frame.names.index(name) for name in needed]


def _named_target(
    frame: Frame, needed: tuple[str, ...], columns: Columns, target: str | None
) -> int | None:
    if target is not None:
        return frame.find(target, "the targets")
    others = [name for name in frame.names if name not in needed]
    likely = columns.target or (others[0] if len(others) == 1 else None)
    return frame.names.index(likely) if likely in frame.names else None


def _by_number(
    frame: Frame, columns: Columns, target: str | None
) -> tuple[Recipe, list[int], int | None]:
    """Take all columns, without the targets if there is one column more than features."""
    place = None
    if frame.width != columns.number or target is not None:
        place = frame.width - 1 if target is None else frame.find(target, "the targets")
    places = [j for j in range(frame.width) if j != place]
    _check_width(len(places), columns.number, frame.title)
    return _as_they_are(places), places, place


def _as_they_are(places: list[int]) -> Recipe:
    """Return the recipe that takes columns of numbers as they are."""
    parts = tuple(Ingredient(place + 1, f"x{place + 1}") for place in places)
    return Recipe(parts, len(places) + 1, len(places) + 1, named=False)


def _check_width(found: int, needed: int, title: str) -> None:
    if found != needed:
        raise ValueError(f"{title} has {found} feature(s) and the model has {needed}.")


def _fit_width(X: Any, n_features: int, name: str) -> tuple[Any, tuple[str, ...]]:
    """Add empty columns, or leave out those the model has never seen, as liblinear does.

    LIBSVM text does not say how many columns there are; the largest index does not tell.
    """
    columns = X.shape[1]
    if columns < n_features:
        if not isinstance(X, np.ndarray):
            parts = (X.data, X.indices, X.indptr)
            return sparse.csr_matrix(parts, shape=(X.shape[0], n_features), copy=False), ()
        return np.pad(X, ((0, 0), (0, n_features - columns))), ()
    if columns == n_features:
        return X, ()
    remark = (
        f"{name} has {columns:,} features and the model {n_features:,}: the others, which it has "
        "never seen, are left out."
    )
    return X[:, :n_features], (remark,)


def labeled(y: Any) -> npt.NDArray[np.bool_]:
    """Return which labels are there."""
    return np.asarray(y != "") if y.dtype.kind == "U" else np.asarray(~np.isnan(y))


def as_codes(y: Any) -> Floats:
    """Return labels as numbers: words by their place in ascending order."""
    if y.dtype.kind != "U":
        return np.asarray(y, dtype=np.float64)
    return np.unique(y, return_inverse=True)[1].astype(np.float64)
