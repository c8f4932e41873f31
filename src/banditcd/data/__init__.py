"""Matrices, input checks and data sets.

Matrices and the data-set side (catalog, readers, downloads) are imported on first use: fitting a
model needs the checks alone, and importing the library stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from banditcd.data.checks import (
    check_labels,
    check_matrix,
    check_no_mask,
    check_number,
    check_vector,
    unknown_name,
)

if TYPE_CHECKING:
    from banditcd.data.dataset import Dataset, split
    from banditcd.data.libsvm import read_libsvm, write_libsvm
    from banditcd.data.loading import load
    from banditcd.data.matrix import ColumnMatrix
    from banditcd.data.preprocess import STEPS, apply
    from banditcd.data.store import fetch, locate
    from banditcd.data.streams import MalformedFileError

_ON_FIRST_USE = {
    "ColumnMatrix": "matrix",
    "Dataset": "dataset",
    "split": "dataset",
    "read_libsvm": "libsvm",
    "write_libsvm": "libsvm",
    "STEPS": "preprocess",
    "apply": "preprocess",
    "load": "loading",
    "fetch": "store",
    "locate": "store",
    "MalformedFileError": "streams",
}

__all__ = [
    "STEPS",
    "ColumnMatrix",
    "Dataset",
    "MalformedFileError",
    "apply",
    "check_labels",
    "check_matrix",
    "check_no_mask",
    "check_number",
    "check_vector",
    "fetch",
    "load",
    "locate",
    "read_libsvm",
    "split",
    "unknown_name",
    "write_libsvm",
]


def __getattr__(name: str) -> Any:
    if name in _ON_FIRST_USE:
        return getattr(import_module(f"banditcd.data.{_ON_FIRST_USE[name]}"), name)
    raise AttributeError(f"module 'banditcd.data' has no attribute {name!r}")
