"""Matrices, input checks and data sets."""

from banditcd.data.checks import (
    check_labels,
    check_matrix,
    check_number,
    check_vector,
    unknown_name,
)
from banditcd.data.dataset import Dataset, split
from banditcd.data.libsvm import read_libsvm, write_libsvm
from banditcd.data.load import load
from banditcd.data.matrix import ColumnMatrix
from banditcd.data.preprocess import STEPS, apply
from banditcd.data.store import fetch, locate
from banditcd.data.streams import MalformedFileError

__all__ = [
    "STEPS",
    "ColumnMatrix",
    "Dataset",
    "MalformedFileError",
    "apply",
    "check_labels",
    "check_matrix",
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
