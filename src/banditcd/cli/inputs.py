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
from banditcd.cli.matrix_files import (
    names_array,
    read_arrays_file,
    read_matrix_file,
    read_targets,
)
from banditcd.cli.placing import Columns, check_width, find_places
from banditcd.cli.table_options import TableOptions
from banditcd.cli.training import SEVERAL, Training, check_classes, train_on
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
from banditcd.data.tables import check_response_columns, check_targets, load_table, read_npz
from banditcd.places.kinds import kind_of as place_of


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
    several = task == SEVERAL
    found = _find(name, options, several)
    if isinstance(found, Frame):
        training = train_on(found, options, task)
    else:
        found = _with_targets(found, name, options, several)
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
        own = names_array(options.targets)
        options.refuse(name, allowed="target" if own else "")
        return _of_arrays(path, columns, options.targets if own else ())
    if _is_array(name):
        return _of_array(path, columns, options)
    reads_words = columns.words or (columns.recipe is not None and columns.recipe.reads_words)
    reading = replace(options.reading, as_text=reads_words)
    found = _find(name, replace(options, reading=reading))
    if isinstance(found, Frame):
        return _of_frame(found, columns, options)
    options.refuse(name, allowed="target" if names_array(options.targets) else "")
    if columns.recipe is not None:
        raise ValueError(f"The model was fitted on a table with words or gaps, and {name} is none.")
    X, remarks = _fit_width(found.X, columns.number, found.name)
    several = columns.outputs > 1
    if names_array(options.targets):
        return Samples(X, read_targets(options.targets[0], X.shape[0], several), remarks)
    return Samples(X, None if several else np.asarray(found.y), remarks)


def _with_targets(found: Dataset, name: str, options: TableOptions, several: bool) -> Dataset:
    """Return data that are no table with the targets that a file of its own gives, if any."""
    if _is_array(name):
        return found
    own = names_array(options.targets)
    options.refuse(name, allowed="target" if own else "")
    if own and kind_of(Path(name)) != ".npz":  # which has been read with them
        y = read_targets(options.targets[0], found.rows, several)
        return replace(found, y=y, task="regression" if several else guess_task(y))
    if several and found.y.ndim == 1:
        raise ValueError(
            f"{name} has one target for each row, and a multi-task model predicts several; give "
            "them in a file of their own, --target y.npy, or use --model lasso or elasticnet."
        )
    return found


def _find(name: str, options: TableOptions, several: bool = False) -> Frame | Dataset:
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
        return read_matrix_file(path, options.targets, several)
    if kind == ".npz" and names_array(options.targets):
        return read_arrays_file(path, options.targets, several)
    if kind == ".npz":
        return load_table(path, words=True, several=several and not options.targets)
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
    several = columns.outputs > 1
    if X.ndim == 2 and X.shape[1] == columns.number and not options.targets:
        return Samples(X if place_of(X) else check_matrix(X, f"X of {path.name}"), None)
    width = X.shape[-1] if X.ndim else 0  # else refused when it is read
    last = range(width - columns.outputs + 1, width + 1)
    targets = options.targets or tuple(str(position) for position in last)
    found = read_matrix_file(path, targets, several)
    check_width(found.columns, columns.number, str(path))
    return Samples(found.X, found.y)


def _of_arrays(path: Path, columns: Columns, targets: tuple[str, ...]) -> Samples:
    X, y = read_npz(path)
    X = check_matrix(X, f"X of {path.name}")
    check_width(X.shape[1], columns.number, str(path))
    if targets:
        return Samples(X, read_targets(targets[0], X.shape[0], columns.outputs > 1))
    if y is not None and columns.outputs > 1:
        y = check_response_columns(y, X.shape[0], f"y of {path.name}")
    elif y is not None:
        y = check_targets(y, X.shape[0], f"y of {path.name}", columns.words)
        y = y.astype(np.str_) if columns.words else y
    return Samples(X, y)


def _of_frame(frame: Frame, columns: Columns, options: TableOptions) -> Samples:
    recipe, places, targets = find_places(frame, columns, options.targets)
    made = make_features(frame, recipe, places, options.unknown)
    X = check_matrix(made.X, f"X of {frame.title}")
    y = _labels(frame, targets, columns, made.kept)
    remarks = [*frame.remarks, *made.remarks]
    if made.kept.all():
        return Samples(X, y, tuple(remarks))
    count = int(np.sum(~made.kept))
    remarks.append(f"{count:,} of {frame.rows:,} rows have missing values; NA is predicted there.")
    return Samples(X, y, tuple(remarks), made.kept)


def _labels(frame: Frame, targets: tuple[int, ...], columns: Columns, kept: Any) -> Any:
    """Return the labels of the rows kept; None if there are none, or words where numbers belong."""
    if not targets:
        return None
    if columns.words:
        return words(frame.columns[targets[0]][kept]).astype(np.str_)
    found = [column for t in targets if (column := numbers(frame.columns[t][kept])) is not None]
    if len(found) < len(targets):
        return None
    return found[0] if columns.outputs == 1 else np.column_stack(found)


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
    if y.dtype.kind == "U":
        return np.asarray(y != "")
    return np.asarray(~np.isnan(y)) if y.ndim == 1 else ~np.isnan(y).any(axis=1)


def as_codes(y: Any) -> Floats:
    """Return labels as numbers: words by their place in ascending order."""
    if y.dtype.kind != "U":
        return np.asarray(y, dtype=np.float64)
    return np.unique(y, return_inverse=True)[1].astype(np.float64)
