"""Parsed files kept in a binary form that the next load maps into memory."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.data.libsvm import as_csr, fits_csr, read_libsvm
from banditcd.data.lock import locked
from banditcd.data.npz import map_array

Parsed = tuple[Any, Floats]

_VERSION = 1  # of the layout below; another version is another key
_ABANDONED_SECONDS = 3600.0  # a folder that is being written is younger than this
_LAYOUTS = ({"y", "dense"}, {"y", "values", "indices", "indptr"})  # arrays of a folder
DENSE_FROM = 0.5  # share of stored entries from which on a dense array is as small and faster


def read_cached(path: Path, n_features: int | None, cache: Path) -> Parsed:
    """Return a file's matrix (dense if at least half full, else CSR) and its labels.

    The first call parses the file and keeps the arrays in `cache`; later calls map them into
    memory, read-only. The key is the file's path, size and time of change: a changed file is
    parsed again. Two processes that need the same file parse it once.
    """
    folder = cache / f"{path.name}-{_key(path, n_features)}"
    found = _open(folder)
    if found is not None:
        return found
    if not _is_writable(cache):
        warnings.warn(
            f"The cache {cache} cannot be written, so that {path.name} is parsed at every load; "
            "set BANDITCD_CACHE to a directory that can.",
            stacklevel=4,
        )
        return _parse(path, n_features)
    with locked(cache / f"{folder.name}.lock"):
        found = _open(folder)  # perhaps written by another process while we waited
        if found is None:
            _write(folder, _parse(path, n_features))
            found = _open(folder)
    if found is None:
        raise OSError(f"The cache folder {folder} was changed while it was written; try again.")
    return found


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _key(path: Path, n_features: int | None) -> str:
    facts = path.stat()
    words = (_VERSION, str(path.resolve()), facts.st_size, facts.st_mtime_ns, n_features)
    return hashlib.sha256(repr(words).encode()).hexdigest()[:16]


def _parse(path: Path, n_features: int | None) -> Parsed:
    X, y = read_libsvm(path, n_features)
    full = X.nnz >= DENSE_FROM * X.shape[0] * X.shape[1]
    return (X.toarray() if full else X), y


def _write(folder: Path, parsed: Parsed) -> None:
    """Write all arrays beside their final place, then move them there in one step."""
    X, y = parsed
    arrays = {"y": y}
    if isinstance(X, np.ndarray):
        arrays["dense"] = X
    else:
        arrays |= {"values": X.data, "indices": X.indices, "indptr": X.indptr}
    shutil.rmtree(folder, ignore_errors=True)  # a damaged one, or _open would have taken it
    _sweep(folder.parent)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".writing-") as temporary:
        complete = Path(temporary) / "complete"
        complete.mkdir()
        for name, array in arrays.items():
            np.save(complete / f"{name}.npy", array)
        sizes = {name: (complete / f"{name}.npy").stat().st_size for name in arrays}
        facts = {"shape": [int(n) for n in X.shape], "sizes": sizes}
        (complete / "facts.json").write_text(json.dumps(facts))
        complete.rename(folder)


def _sweep(cache: Path) -> None:
    """Remove what writers that were killed have left behind."""
    for left in cache.glob(".writing-*"):
        try:
            age = time.time() - left.stat().st_mtime
        except FileNotFoundError:  # its writer, at another file, finished since it was listed
            continue
        if age > _ABANDONED_SECONDS:
            shutil.rmtree(left, ignore_errors=True)


def _open(folder: Path) -> Parsed | None:
    """Map the arrays of a complete folder; None if it is not there or some file is not whole."""
    facts_file = folder / "facts.json"
    if not facts_file.exists():
        return None
    try:
        return _mapped(folder, json.loads(facts_file.read_text("utf-8")))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None  # damaged: parsed again, and written anew


def _mapped(folder: Path, facts: Any) -> Parsed | None:
    """Map the arrays that ``facts`` lists; None, or an error, if they do not fit each other."""
    sizes = facts["sizes"]
    if sizes.keys() not in _LAYOUTS:
        return None
    for name, size in sizes.items():
        file = folder / f"{name}.npy"
        if not file.exists() or file.stat().st_size != size:
            return None
    arrays = {name: map_array(folder / f"{name}.npy") for name in sizes}
    rows, columns = (int(size) for size in facts["shape"])
    y = arrays.pop("y")
    if y.shape != (rows,) or y.dtype != np.float64:
        return None
    if "dense" in arrays:
        return (arrays["dense"], y) if arrays["dense"].shape == (rows, columns) else None
    values, indices, indptr = arrays["values"], arrays["indices"], arrays["indptr"]
    if not fits_csr(values, indices, indptr, (rows, columns)):
        return None
    return as_csr(values, indices, indptr, (rows, columns)), y
