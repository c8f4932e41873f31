"""Data for an experiment: a name of the catalogue, or a file of LIBSVM text, CSV or NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from banditcd.data import check_matrix, check_vector
from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.loading import load

_CSC_PARTS = ("data", "indices", "indptr", "shape", "format")


def load_data(name: str) -> Dataset:
    """Load a data set by name or from a file.

    Parameters
    ----------
    name : str
        A file ending in ``.npz`` (arrays X and y; or what ``scipy.sparse.save_npz`` writes, plus
        y), in ``.csv`` (numbers, an optional header line, the target in the last column); else
        whatever :func:`banditcd.data.load` knows.
    """
    readers = {".npz": _read_npz, ".csv": _read_csv}
    path = Path(name).expanduser()
    reader = readers.get(path.suffix.lower())
    if reader is None:
        return load(name)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    X, y = reader(path)
    X = check_matrix(X, f"X of {path.name}")
    y = check_vector(y, X.shape[0], f"y of {path.name}")
    return Dataset(path.name, X, y, guess_task(y), source=path.name)


def _read_npz(path: Path) -> tuple[Any, Any]:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (ValueError, OSError) as error:
        raise ValueError(f"{path} is not a file of plain NumPy arrays: {error}") from error
    if "y" in arrays and "X" in arrays:
        return arrays["X"], arrays["y"]
    if "y" in arrays and all(part in arrays for part in _CSC_PARTS):
        kinds = {b"csc": sparse.csc_matrix, b"csr": sparse.csr_matrix}
        kind = kinds.get(bytes(arrays["format"].item()))
        if kind is not None:
            parts = (arrays["data"], arrays["indices"], arrays["indptr"])
            return kind(parts, shape=tuple(arrays["shape"])), arrays["y"]
    found = ", ".join(arrays) or "none"
    raise ValueError(
        f"{path} has the arrays {found}; it needs X and y, or a CSC or CSR matrix as SciPy saves "
        "it, and y."
    )


def _read_csv(path: Path) -> tuple[Any, Any]:
    with path.open(encoding="utf-8-sig") as file:
        first = file.readline()
    try:
        table = np.loadtxt(
            path, delimiter=",", skiprows=_is_header(first), ndmin=2, encoding="utf-8-sig"
        )
    except ValueError as error:
        raise ValueError(f"{path} is not a table of numbers: {error}") from error
    if table.size == 0 or table.shape[1] < 2:
        raise ValueError(
            f"{path} needs at least one row, one feature and a last column of targets."
        )
    return table[:, :-1], table[:, -1]


def _is_header(line: str) -> int:
    """Return 1 if a first line holds anything but numbers, else 0."""
    try:
        [float(cell) for cell in line.split(",")]
    except ValueError:
        return 1
    return 0
