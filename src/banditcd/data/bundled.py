"""The data sets that come with scikit-learn: no download needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banditcd.data.checks import unknown_name
from banditcd.data.dataset import Dataset, Task

_TASKS: dict[str, Task] = {
    "breast_cancer": "binary",
    "diabetes": "regression",
    "digits": "multiclass",
}
NAMES = tuple(_TASKS)


def bundled(name: str) -> Dataset:
    """Return a set that comes with scikit-learn: breast_cancer, diabetes or digits."""
    if name not in _TASKS:
        raise unknown_name("bundled data set", name, NAMES)
    from sklearn import datasets

    loader: Callable[..., Any] = getattr(datasets, f"load_{name}")
    X, y = loader(return_X_y=True)
    return Dataset(
        name=name,
        X=np.asarray(X, dtype=np.float64),
        y=np.asarray(y, dtype=np.float64),
        task=_TASKS[name],
        source=f"comes with scikit-learn (load_{name})",
    )
