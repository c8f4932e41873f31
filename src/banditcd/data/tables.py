"""Tables of numbers in files: delimited text, Parquet, and arrays as NumPy and SciPy save them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.checks import check_matrix, check_vector
from banditcd.data.dataset import Dataset, Task, guess_task
from banditcd.data.frames import find_column, first_word, numbers
from banditcd.data.npz import read_arrays
from banditcd.data.reading import kind_of, read_frame

_PARTS = ("data", "indices", "indptr", "shape", "format")


@dataclass(frozen=True)
class Csv:
    """A table of numbers: every column, and their names if there is a line of names."""

    values: Floats
    names: tuple[str, ...] = ()


def load_table(
    path: Path, target: str | None = None, words: bool = False, several: bool = False
) -> Dataset:
    """Load a file of numbers as a data set; `kind_of` says by which names.

    Parameters
    ----------
    path : Path
        A table (CSV, TSV, Parquet, Feather): numbers, an optional line of names, one column of
        targets. ``.npz``: arrays X and y, or what ``scipy.sparse.save_npz`` writes, plus y.
    target : str, optional
        The column of targets of a table: a name, or a position counted from 1. Default: the
        last one.
    words : bool, default=False
        Whether y of an ``.npz`` may hold words, the labels of classes.
    several : bool, default=False
        Whether y of an ``.npz`` has several columns of targets.
    """
    if kind_of(path) == ".npz":
        if target is not None:
            raise ValueError(
                f"{path} has an array y; a target column can be named in a table only."
            )
        X, y = read_npz(path)
        if y is None:
            raise ValueError(f"{path} has no array y, the targets.")
        names: tuple[str, ...] = ()
    else:
        wanted = () if target is None else (target,)
        X, columns, names = split_targets(read_csv(path), wanted, path)
        y = columns[:, 0]
    X = check_matrix(X, f"X of {path.name}")
    if several:
        y = check_response_columns(y, X.shape[0], f"y of {path.name}")
        return Dataset(path.name, X, y, "regression", source=path.name)
    y = check_targets(y, X.shape[0], f"y of {path.name}", words)
    task = guess_task(y) if y.dtype.kind != "U" else task_of_words(y)
    return Dataset(path.name, X, y, task, source=path.name, feature_names=names)


def check_targets(y: Any, rows: int, name: str, words: bool) -> Any:
    """Return the checked targets: numbers or, where ``words`` are allowed, labels of classes."""
    if y.ndim == 2 and y.shape[1] > 1:
        raise ValueError(
            f"{name} has shape {y.shape}; `banditcd fit` predicts several targets with --model "
            "multitasklasso and multitaskelasticnet."
        )
    if not words or y.dtype.kind not in "US":
        return check_vector(y, rows, name)
    if y.shape != (rows,):
        raise ValueError(f"{name} has shape {y.shape}; it needs {(rows,)}.")
    return np.char.decode(y, "utf-8") if y.dtype.kind == "S" else y


def check_response_columns(y: Any, rows: int, name: str) -> Floats:
    """Return the checked targets of a model that predicts several: a column for each."""
    y = np.asarray(y)
    if y.ndim != 2 or y.shape[1] < 2:
        raise ValueError(
            f"{name} has shape {y.shape}, and a model of several targets needs a column for each; "
            "use --model lasso or elasticnet for one."
        )
    if len(y) != rows:
        raise ValueError(f"{name} has {len(y)} rows but X has {rows} samples.")
    return np.asarray(check_matrix(y, name), dtype=np.float64)


def task_of_words(y: Any) -> Task:
    """Return the task of labels that are words."""
    return "multiclass" if len(np.unique(y)) > 2 else "binary"


def read_npz(path: Path) -> tuple[Any, Any | None]:
    """Read X, dense or sparse, and y if there is one, from a file of plain arrays."""
    _check_there(path)
    try:
        arrays = read_arrays(path)
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}.") from error
    if "X" in arrays:
        return arrays["X"], arrays.get("y")
    if all(part in arrays for part in _PARTS):
        kinds = {b"csc": sparse.csc_matrix, b"csr": sparse.csr_matrix}
        word = arrays["format"]
        kind = kinds.get(word.item()) if word.dtype.kind == "S" and word.size == 1 else None
        if kind is not None:
            parts = (arrays["data"], arrays["indices"], arrays["indptr"])
            _check_compressed(parts, arrays["shape"], kind is sparse.csr_matrix, path)
            return kind(parts, shape=tuple(arrays["shape"])), arrays.get("y")
    found = ", ".join(arrays) or "none"
    raise ValueError(
        f"{path} has the arrays {found}; it needs X and y, or a CSC or CSR matrix as SciPy saves "
        "it, and y."
    )


def _check_compressed(parts: Any, shape: Any, by_rows: bool, path: Path) -> None:
    """Refuse arrays of a sparse matrix that do not fit each other."""
    data, indices, indptr = parts
    good = shape.shape == (2,) and all(part.ndim == 1 for part in parts)
    good = good and data.dtype.kind in "biuf"
    good = good and shape.dtype.kind == indices.dtype.kind == indptr.dtype.kind == "i"
    long, wide = (shape if by_rows else shape[::-1]).tolist() if good else (0, 0)
    good = good and min(long, wide) >= 0 and len(indptr) == long + 1
    good = good and indptr[0] == 0 and not np.any(np.diff(indptr) < 0)
    good = good and indptr[-1] <= min(len(data), len(indices))
    good = good and (len(indices) == 0 or (indices.min() >= 0 and indices.max() < wide))
    if not good:
        raise ValueError(f"The arrays of the sparse matrix in {path} do not fit each other.")


def read_csv(path: Path) -> Csv:
    """Read every column of a table of numbers: delimited text, Parquet or Feather."""
    frame = read_frame(path)
    columns = []
    for place, column in enumerate(frame.columns):
        values = numbers(column)
        if values is None:
            raise ValueError(
                f"{path} is not a table of numbers: {frame.label(place)} has "
                f"{first_word(column)!r}. `banditcd fit` takes such tables."
            )
        columns.append(values)
    return Csv(np.column_stack(columns), frame.names)


def check_distinct(places: Sequence[int], targets: Sequence[str], title: str) -> None:
    """Refuse targets, whose places were found, that name one column twice."""
    for place, target in zip(places, targets, strict=True):
        if places.count(place) > 1:
            raise ValueError(f"--target names {target!r} of {title} twice.")


def split_targets(
    table: Csv, targets: tuple[str, ...], path: Path
) -> tuple[Floats, Floats, tuple[str, ...]]:
    """Return features, columns of targets (default: the last one) and names of the features."""
    if table.values.size == 0 or table.values.shape[1] < 2:
        raise ValueError(f"{path} needs at least one row, one feature and a column of targets.")
    width = int(table.values.shape[1])
    found = [find_column(t, table.names, width, str(path), "the targets") for t in targets]
    check_distinct(found, targets, str(path))
    places = found or [width - 1]
    X = np.delete(table.values, places, axis=1)
    names = tuple(name for place, name in enumerate(table.names) if place not in places)
    return X, table.values[:, places], names


def _check_there(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a directory; a file is needed.")
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}.")
