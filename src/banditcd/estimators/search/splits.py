"""Folds: the rows that each one fits, and those it measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from banditcd.estimators.checks.inputs import Training


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows to fit on and rows to measure on."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]


class RowBlocks(list[Fold]):
    """Folds that test blocks of rows, one after the other, as ``KFold`` without shuffling has them.

    The first blocks are larger by one row, if the number of rows asks for it.
    """

    def __init__(self, rows: int, count: int) -> None:
        every, ends = np.arange(rows), [0]
        for k in range(count):
            ends.append(ends[-1] + rows // count + (k < rows % count))
        super().__init__(
            Fold(np.concatenate((every[:start], every[end:])), every[start:end])
            for start, end in pairwise(ends)
        )

    @property
    def fold_of_row(self) -> NDArray[np.int32]:
        """The fold in which each row is tested."""
        return np.repeat(np.arange(len(self), dtype=np.int32), [len(fold.test) for fold in self])


def make_folds(splitter: Any, data: Training, **arguments: Any) -> list[Fold]:
    """Return the checked folds of a splitter; the usual ones without asking it."""
    usual = type(splitter) is KFold and not splitter.shuffle and splitter.n_splits <= len(data.y)
    if usual and data.sample_weight is None and not arguments:
        return RowBlocks(len(data.y), splitter.n_splits)
    return check_folds(list(splitter.split(data.X, data.y, **arguments)), data)


def check_folds(folds: list[tuple[Any, Any]], data: Training) -> list[Fold]:
    """Refuse folds that leave nothing to fit or to measure."""
    if not folds:
        raise ValueError("cv gives no folds; give a splitter, a number, or a list of splits.")
    out = [Fold(np.asarray(train), np.asarray(test)) for train, test in folds]
    out = [Fold(_indices(f.train), _indices(f.test)) for f in out]
    for k, fold in enumerate(out):
        for name, rows in (("training", fold.train), ("test", fold.test)):
            weight = None if data.sample_weight is None else data.sample_weight[rows]
            if rows.size == 0 or (weight is not None and not weight.any()):
                raise ValueError(
                    f"Fold {k} has no {name} sample (with a positive weight); choose another cv."
                )
    return out


def partition(folds: Sequence[Fold], n: int) -> NDArray[np.int32] | None:
    """Return the fold in which each row is tested, or None if that is not one fold each."""
    if isinstance(folds, RowBlocks):
        return folds.fold_of_row
    out = np.full(n, -1, dtype=np.int32)
    if len(folds) < 2 or sum(len(fold.test) for fold in folds) != n:
        return None
    for k, fold in enumerate(folds):
        out[fold.test] = k
    if (out < 0).any():
        return None
    for k, fold in enumerate(folds):
        others = np.flatnonzero(out != k)
        if len(fold.train) != len(others) or not np.array_equal(np.sort(fold.train), others):
            return None
    return out


def _indices(rows: NDArray[Any]) -> NDArray[np.intp]:
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp, copy=False)
