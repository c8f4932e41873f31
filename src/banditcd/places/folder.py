"""A folder of Parquet or LIBSVM files as Dask collections: one block of rows per file or more."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.data.libsvm import read_libsvm
from banditcd.places.workers import compute, load_dask

PARQUET = (".parquet", ".pq")
LIBSVM = (".libsvm", ".svm", ".txt", ".bz2", ".xz", ".gz")


def read_folder(
    folder: str | os.PathLike[str], target: str | None = None, n_features: int | None = None
) -> tuple[Any, Any]:
    """Return X and y of all files of a folder, in the order of their names; nothing is read yet.

    Parameters
    ----------
    folder : path
        Files ending in ``.parquet`` or ``.pq``, or files of LIBSVM text, plain or compressed
        (``.libsvm``, ``.svm``, ``.txt``, also with ``.bz2``, ``.xz`` or ``.gz``). Workers of a
        cluster must see it under the same name.
    target : str, optional
        The column of a Parquet file that holds the responses.
    n_features : int, optional
        The columns of LIBSVM files, which do not say it. Default: the largest index in any of
        them, found by reading them all once.

    Returns
    -------
    X : dask.dataframe.DataFrame, or a dask.array.Array of CSR blocks
        One column per feature.
    y : dask.dataframe.Series or dask.array.Array
        The responses.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is no folder.")
    files = sorted(path for path in folder.iterdir() if path.is_file())
    tables = [path for path in files if path.suffix in PARQUET]
    texts = [path for path in files if path.suffix in LIBSVM]
    if bool(tables) == bool(texts):
        raise ValueError(
            f"{folder} has {len(tables)} Parquet and {len(texts)} LIBSVM files; a folder of one "
            f"kind is needed ({', '.join((*PARQUET, *LIBSVM))})."
        )
    return _parquet(tables, target) if tables else _libsvm(texts, target, n_features)


def _parquet(files: list[Path], target: str | None) -> tuple[Any, Any]:
    load_dask()
    try:
        import dask.dataframe as dd

        table = dd.read_parquet([str(path) for path in files])
    except ImportError as error:
        raise ImportError(
            "Parquet files need the package's parquet extra: pip install 'banditcd[parquet]'"
        ) from error
    if target not in table.columns:
        known = ", ".join(map(str, table.columns[:20]))
        raise ValueError(f"target is {target!r}; it must be one of the columns {known}.")
    return table.drop(columns=[target]), table[target]


def _libsvm(files: list[Path], target: str | None, n_features: int | None) -> tuple[Any, Any]:
    dask = load_dask()
    if target is not None:
        raise ValueError("target is a column of Parquet files; LIBSVM text has its own labels.")
    import dask.array as da

    if n_features is None:
        widths = [dask.delayed(_width)(str(path)) for path in files]
        n_features = int(compute(dask.delayed(max)(widths)))
    parts = [dask.delayed(read_libsvm, nout=2)(str(path), n_features) for path in files]
    X = da.concatenate(
        [
            da.from_delayed(part[0], (np.nan, n_features), meta=np.empty((0, n_features)))
            for part in parts
        ],
        allow_unknown_chunksizes=True,
    )
    y = da.concatenate([da.from_delayed(part[1], (np.nan,), float) for part in parts])
    return X, y


def _width(path: str) -> int:
    return int(read_libsvm(path)[0].shape[1])
