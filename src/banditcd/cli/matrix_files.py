"""Dense matrices in .npy files, mapped: those that do not fit into memory are never loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from banditcd._typing import Floats
from banditcd.data import check_matrix, check_vector
from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.npz import map_array
from banditcd.data.tables import Csv, split_target
from banditcd.places.kinds import kind_of


def read_matrix_file(path: Path, target: str | None) -> Dataset:
    """Read a matrix with its targets: a .npy file of their own, or a column (default: the last)."""
    _check_there(path)
    X = map_array(path)
    if X.ndim != 2:
        raise ValueError(f"{path} has {X.ndim} dimension(s); a matrix has two.")
    own = target is not None and target.endswith(".npy")
    large = kind_of(X) is not None
    if large and not own:
        raise ValueError(
            f"{path} is too large to be loaded, and its columns cannot be split; save the targets "
            "in a file of their own and name it: --target y.npy."
        )
    features: Floats = X
    if own:
        _check_there(Path(str(target)))
        y = map_array(Path(str(target)))
    else:
        features, y, _ = split_target(Csv(np.asarray(X, dtype=np.float64)), target, path)
    if not large:
        features = check_matrix(features, f"X of {path.name}")
    y = check_vector(y, X.shape[0], f"y of {path.name}")
    return Dataset(path.name, features, y, guess_task(y), source=path.name)


def _check_there(path: Path) -> None:
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
