"""The option --groups: features side by side, as many in every group."""

from __future__ import annotations

import argparse

from banditcd.data.dataset import Dataset


def check_size(arguments: argparse.Namespace) -> None:
    """Check what can be checked without data."""
    size = getattr(arguments, "groups", None)
    if size is not None and size < 1:
        raise ValueError(f"--groups is {size}; a group has at least 1 feature.")


def check_division(arguments: argparse.Namespace, dataset: Dataset) -> None:
    """Check that the features can be divided into groups of this size."""
    size, columns = getattr(arguments, "groups", None), dataset.columns
    if size is None or columns % size == 0:
        return
    sizes = [str(part) for part in range(1, columns + 1) if columns % part == 0]
    shown = sizes if len(sizes) <= 10 else [*sizes[:9], "…", sizes[-1]]
    raise ValueError(
        f"--groups is {size}, and {dataset.title} has {columns} features, which no groups of that "
        f"size make up; give one of {', '.join(shown)}, or leave features out with --drop. Groups "
        "of different sizes are for Python: GroupLasso(groups=[[0, 1], [2, 3, 4], ...])."
    )
