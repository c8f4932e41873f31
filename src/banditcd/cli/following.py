"""Models along a grid of penalties, and the files they are kept in."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from banditcd.cli.inputs import as_codes
from banditcd.cli.models import ModelKind
from banditcd.cli.training import Training
from banditcd.data.files import replacing

if TYPE_CHECKING:
    from banditcd.estimators.bases.fitted_path import FittedPath


def follow(kind: ModelKind, training: Training, options: dict[str, Any]) -> FittedPath:
    """Fit along the path; options are those of the model's path function, ``Cs`` by ``alphas``.

    Explained shares and the null model take the weights of the samples into account.
    """
    from banditcd import estimators

    dataset = training.dataset
    if training.weights is not None:
        options = {**options, "sample_weight": training.weights}
    if kind.task == "classification":
        renamed = {name: value for name, value in options.items() if name != "positive"}
        renamed["Cs"] = renamed.pop("alphas")
        labels = as_codes(dataset.y)
        logistic = kind.name == "logistic"
        function = estimators.logistic_path if logistic else estimators.group_logistic_path
        return function(dataset.X, labels, **renamed)
    y = np.asarray(dataset.y, dtype=np.float64)
    if kind.name == "grouplasso":
        return estimators.group_lasso_path(dataset.X, y, **options)
    if kind.name in ("lasso", "multitasklasso"):
        options = {**options, "l1_ratio": 1.0}
    return estimators.enet_path(dataset.X, y, **options)


def used_features(path: FittedPath) -> npt.NDArray[np.intp]:
    """Return the features that enter somewhere on the path."""
    used = path.coefs.any(axis=-1)
    return np.flatnonzero(used if used.ndim == 1 else used.any(axis=0))


def write_path(path: FittedPath, names: list[str], rows: list[str], file: Path) -> None:
    """Write penalties, gaps and the coefficients of every feature that enters, in .csv or .npz.

    ``rows`` are the names of several targets or classes, which have coefficients each.
    """
    table, used = path.table(), used_features(path)
    if file.suffix.lower() == ".npz":
        arrays: dict[str, Any] = {
            path.penalty: path.penalties,
            "gap": table.gaps,
            "score": table.explained,
            "intercept": path.intercepts,
            "features": used,
            "coef": path.coefs[..., used, :],
            "names": np.array([names[j] for j in used], dtype=np.str_),
        }
        if rows:
            arrays["rows"] = np.array(rows, dtype=np.str_)
        with replacing(file, "wb") as stream:
            np.savez_compressed(stream, **arrays)
        return
    with replacing(file) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        head = [path.penalty, "gap", "features", "score"]
        own = ["intercept", *(names[j] for j in used)]
        writer.writerow([*head, *([f"{name} for {row}" for row in rows for name in own] or own)])
        columns = [path.penalties, table.gaps, table.features, table.explained]
        count = len(path.penalties)
        coefs = path.coefs[..., used, :].reshape(-1, len(used), count)
        models = np.concatenate([path.intercepts.reshape(-1, 1, count), coefs], axis=1)
        for k, row in enumerate(zip(*columns, strict=True)):
            values = [float(value) for value in (*row, *models[:, :, k].ravel())]
            writer.writerow([repr(value).removesuffix(".0") for value in values])
