"""Matrices, input checks and data sets.

Matrices and the data-set side (catalog, readers, downloads) are imported on first use: fitting a
model needs the checks alone, and importing the library stays quick.
"""

from typing import TYPE_CHECKING

from banditcd._first_use import on_first_use
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

__getattr__ = on_first_use(__name__, _ON_FIRST_USE)
