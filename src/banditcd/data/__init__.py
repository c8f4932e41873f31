"""Matrices, input checks and data sets."""

from banditcd.data.checks import (
    check_labels,
    check_matrix,
    check_number,
    check_vector,
    unknown_name,
)
from banditcd.data.matrix import ColumnMatrix

__all__ = [
    "ColumnMatrix",
    "check_labels",
    "check_matrix",
    "check_number",
    "check_vector",
    "unknown_name",
]
