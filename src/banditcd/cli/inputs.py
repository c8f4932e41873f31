"""Data for ``fit``, ``path`` and ``predict``: names of the catalog, LIBSVM text, CSV, npz, npy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from banditcd._typing import Floats
from banditcd.cli.matrix_files import read_matrix_file
from banditcd.data import check_matrix, check_vector
from banditcd.data.dataset import Dataset
from banditcd.data.loading import load
from banditcd.data.tables import (
    Csv,
    kind_of,
    load_table,
    read_csv,
    read_npz,
    target_column,
)


@dataclass(frozen=True)
class Columns:
    """The features a model was fitted on: their number, names and the name of the targets."""

    number: int
    names: tuple[str, ...] = ()
    target: str | None = None


@dataclass(frozen=True)
class Samples:
    """Rows to predict, with their labels if there are any, and remarks on how they were read."""

    X: Any
    y: Floats | None
    remarks: tuple[str, ...] = ()


def read_training(name: str, target: str | None, task: str) -> Dataset:
    """Load data to fit on, and check that the labels fit the task."""
    path = Path(name).expanduser()
    if path.suffix.lower() == ".npy":
        dataset = read_matrix_file(path, target)
    elif kind_of(path):
        dataset = load_table(path, target)
    elif target is not None:
        raise ValueError(f"--target names a column of a CSV file, and {name} is none.")
    else:
        dataset = load(name)
    if task == "classification":
        _check_classes(dataset)
    return dataset


def read_samples(name: str, columns: Columns, target: str | None) -> Samples:
    """Load rows to predict, with the columns of a model."""
    path = Path(name).expanduser()
    kind = kind_of(path)
    if kind == ".csv":
        samples = _pick_columns(read_csv(path), columns, target, path)
    elif target is not None:
        raise ValueError(f"--target names a column of a CSV file, and {name} is none.")
    elif kind == ".npz":
        X, y = read_npz(path)
        samples = Samples(X, y)
    else:
        dataset = load(name)
        X, remarks = _fit_width(dataset.X, columns.number, dataset.name)
        return Samples(X, np.asarray(dataset.y), remarks)
    X = check_matrix(samples.X, f"X of {path.name}")
    if X.shape[1] != columns.number:
        raise ValueError(f"{path} has {X.shape[1]} feature(s) and the model has {columns.number}.")
    y = None if samples.y is None else check_vector(samples.y, X.shape[0], f"y of {path.name}")
    return Samples(X, y, samples.remarks)


def _check_classes(dataset: Dataset) -> None:
    classes = dataset.classes
    if len(classes) < 2:
        raise ValueError(
            f"Every label of {dataset.title} is {classes[0]:g}; a classifier needs two classes."
        )
    broken = classes[classes != np.round(classes)]
    if broken.size:
        raise ValueError(
            f"The labels of {dataset.title} are no classes: {broken[0]:g} is not a whole number. "
            "Number the classes, or use --model lasso, elasticnet or ridge."
        )


def _pick_columns(table: Csv, columns: Columns, target: str | None, path: Path) -> Samples:
    """Find the features by their names if both sides have names, else by their number."""
    names = table.names
    absent = [name for name in columns.names or () if name not in names]
    if names and absent:
        raise ValueError(
            f"{path} has no column {', '.join(absent[:5])}, which the model needs; it has "
            f"{', '.join(names[:5])}{', …' if len(names) > 5 else ''}."
        )
    if columns.names and names:
        X = table.values[:, [names.index(name) for name in columns.names]]
        others = [name for name in names if name not in columns.names]
        target = target or columns.target or (others[0] if len(others) == 1 else None)
        return Samples(X, table.values[:, names.index(target)] if target in names else None)
    if table.values.shape[1] == columns.number and target is None:
        return Samples(table.values, None)
    column = target_column(table, target, path)
    return Samples(np.delete(table.values, column, axis=1), table.values[:, column])


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
