"""Steps that change the labels of a data set, or choose rows by them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from banditcd.data.dataset import Dataset


def numeric_labels(dataset: Dataset) -> Dataset:
    """Take the labels as numbers: a regression on the class numbers."""
    return replace(dataset, task="regression")


def center_labels(dataset: Dataset) -> Dataset:
    """Subtract the mean of the labels, which become targets of a regression."""
    return replace(dataset, y=dataset.y - dataset.y.mean(), task="regression")


def binary_labels(dataset: Dataset, positive: float | None = None) -> Dataset:
    """Label one class +1 and all others -1; without a choice, the larger of two classes."""
    classes = dataset.classes
    if positive is None:
        if len(classes) != 2:
            raise ValueError(
                f"{dataset.name} has {len(classes)} different labels; name the positive one, as in "
                f"'binary_labels(positive={classes[-1]:g})', or use 'halved_classes'."
            )
        positive = float(classes[1])
    if positive not in classes:
        shown = ", ".join(f"{label:g}" for label in classes[:20])
        raise ValueError(f"{dataset.name} has no label {positive!r}; its labels are {shown}.")
    if len(classes) < 2:
        raise ValueError(f"{dataset.name} has one label only; two classes are needed.")
    return replace(dataset, y=np.where(dataset.y == positive, 1.0, -1.0), task="binary")


def halved_classes(dataset: Dataset) -> Dataset:
    """Label the first half of the sorted classes -1 and the second half +1."""
    classes = dataset.classes
    if len(classes) < 2:
        raise ValueError(f"{dataset.name} has one label only; two classes are needed.")
    first_of_second = classes[(len(classes) + 1) // 2]
    return replace(dataset, y=np.where(dataset.y >= first_of_second, 1.0, -1.0), task="binary")


def sample_rows(dataset: Dataset, rows: int, seed: int = 0) -> Dataset:
    """Keep this many rows, drawn without replacement, in their order; all if there are fewer."""
    if int(rows) != rows or rows < 1:
        raise ValueError(f"'sample_rows' got rows={rows!r}; it must be a whole number from 1 on.")
    if rows >= dataset.rows:
        return dataset
    chosen = np.random.default_rng(seed).choice(dataset.rows, size=int(rows), replace=False)
    return dataset.take(np.sort(chosen))
