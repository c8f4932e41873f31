"""One fold of a cross-validation: fit a path on the training rows, measure it on the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd.estimators.certificate import FitCertificate
from banditcd.estimators.columns import Columns
from banditcd.estimators.inputs import Training, is_sparse, take_rows
from banditcd.estimators.model import Model
from banditcd.estimators.path_solver import Path, solve_path
from banditcd.estimators.prepared import prepare
from banditcd.estimators.solution import Floats


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows to fit on and rows to measure on."""

    train: NDArray[np.intp]
    test: NDArray[np.intp]


def fold_errors(
    data: Training, fold: Fold, columns: Columns, model: Model, alphas: Floats
) -> tuple[Floats, list[FitCertificate]]:
    """Return the mean squared test error and the certificate at every alpha."""
    training = rows_of(data, fold.train)
    prepared = prepare(training, columns, model)
    backend = prepared.backend(training.y, solves=len(alphas))
    path = solve_path(prepared, backend, alphas, len(alphas))
    residual = data.y[fold.test] - path.intercepts[:, None] - predictions(data.X, path, fold.test)
    weight = None if data.sample_weight is None else data.sample_weight[fold.test]
    return np.average(residual**2, axis=1, weights=weight), path.certificates


def rows_of(data: Training, rows: NDArray[np.intp]) -> Training:
    """Return some rows of the data: one copy of these rows, in the same storage."""
    weight = None if data.sample_weight is None else data.sample_weight[rows]
    return Training(take_rows(data.X, rows), data.y[rows], weight)


def predictions(X: Any, path: Path, rows: NDArray[np.intp]) -> Floats:
    """Return X w for some rows and every model of a path, shape (n_alphas, n_rows).

    Only the columns that some model uses are read.
    """
    used = np.flatnonzero(path.coefs.any(axis=1))
    coefs = path.coefs[used].T
    if is_sparse(X):
        return np.asarray((X[:, used].tocsr()[rows] @ coefs.T).T)
    return np.asarray(coefs @ np.take(X.T[used], rows, axis=1))


def check_folds(folds: list[tuple[Any, Any]], data: Training) -> list[Fold]:
    """Refuse folds that leave nothing to fit or to measure."""
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


def _indices(rows: NDArray[Any]) -> NDArray[np.intp]:
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp, copy=False)
