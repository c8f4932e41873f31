"""Dense matrices in .npy files, mapped: those that do not fit into memory are never loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banditcd._typing import Floats
from banditcd.data import check_matrix, check_vector
from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.npz import map_array
from banditcd.data.tables import Csv, check_response_columns, read_npz, split_targets
from banditcd.places.kinds import kind_of


def read_matrix_file(path: Path, targets: tuple[str, ...], several: bool = False) -> Dataset:
    """Read a matrix with its targets: a .npy file of their own, or a column (default: the last).

    ``several``: the targets are the columns of that file, or several columns of the matrix.
    """
    _check_there(path)
    X = map_array(path)
    if X.ndim != 2:
        raise ValueError(f"{path} has {X.ndim} dimension(s); a matrix has two.")
    own = names_array(targets)
    large = kind_of(X) is not None
    if large and not own:
        raise ValueError(
            f"{path} is too large to be loaded, and its columns cannot be split; save the targets "
            "in a file of their own and name it: --target y.npy."
        )
    features: Floats = X
    if own:
        y = read_targets(targets[0], X.shape[0], several)
    else:
        features, y, _ = split_targets(Csv(np.asarray(X, dtype=np.float64)), targets, path)
        name = f"y of {path.name}"
        y = (
            check_response_columns(y, len(y), name)
            if several
            else check_vector(y[:, 0], len(y), name)
        )
    if not large:
        features = check_matrix(features, f"X of {path.name}")
    task = "regression" if several else guess_task(y)
    return Dataset(path.name, features, y, task, source=path.name)


def read_arrays_file(path: Path, targets: tuple[str, ...], several: bool = False) -> Dataset:
    """Read X from a .npz file, and its targets from a .npy file of their own."""
    X = check_matrix(read_npz(path)[0], f"X of {path.name}")
    y = read_targets(targets[0], X.shape[0], several)
    task = "regression" if several else guess_task(y)
    return Dataset(path.name, X, y, task, source=path.name)


def names_array(targets: tuple[str, ...]) -> bool:
    """Whether --target names a file of its own."""
    return len(targets) == 1 and targets[0].endswith(".npy")


def read_targets(name: str, rows: int, several: bool) -> Floats:
    """Read a file of targets: a number for each row or, of ``several``, a row of numbers."""
    _check_there(Path(name))
    y = map_array(Path(name))
    title = f"y of {Path(name).name}"
    return check_response_columns(y, rows, title) if several else check_vector(y, rows, title)


def _check_there(path: Path) -> None:
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
