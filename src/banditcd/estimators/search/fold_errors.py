"""One fold of a cross-validation: fit a path on the training rows, measure it on the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.certificates import missed
from banditcd.estimators.backends.fold import FoldBackend
from banditcd.estimators.backends.path_solver import Path, as_path, solve_path
from banditcd.estimators.backends.prepared import prepare
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training, take_rows
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.splits import Fold
from banditcd.solvers import ElasticNetFolds
from banditcd.solvers.arrays import is_sparse


@dataclass(frozen=True, slots=True)
class FoldErrors:
    """Mean squared test errors and numbers of features along a path, and which fell short."""

    errors: Floats
    supports: NDArray[np.intp]
    solves: int
    missed: list[FitCertificate]


def fold_errors(
    data: Training, fold: Fold, columns: ColumnOptions, settings: LinearSettings, alphas: Floats
) -> FoldErrors:
    """Return the mean squared test error at every alpha."""
    training = rows_of(data, fold.train)
    prepared = prepare(training, columns, settings)
    backend = prepared.backend(training.y, solves=len(alphas))
    path = solve_path(prepared, backend, alphas, len(alphas))
    del training, prepared, backend  # a copy of the training rows, before one of the test rows
    errors = held_out_errors(data, path, fold.test)
    supports = np.count_nonzero(path.coefs, axis=0)
    return FoldErrors(errors, supports, len(path.certificates), missed(path.certificates))


def shared_errors(
    data: Training,
    fold: Fold,
    place: tuple[ElasticNetFolds, int],
    settings: LinearSettings,
    alphas: Floats,
) -> FoldErrors:
    """Return the same from the Gram matrix that all folds share; ``place`` is the fold in it."""
    folds, number = place
    solved = FoldBackend(folds, number, settings).path(alphas)
    path = as_path(solved)
    errors, count = folds.errors(number, solved)
    if count:
        lost = np.flatnonzero(np.isnan(errors))
        exact = Path(path.coefs[:, lost], path.intercepts[lost], [])
        errors[lost] = held_out_errors(data, exact, fold.test)
    supports = np.count_nonzero(path.coefs, axis=0)
    return FoldErrors(errors, supports, len(path.certificates), missed(path.certificates))


def held_out_errors(data: Training, path: Path, rows: NDArray[np.intp]) -> Floats:
    """Return the mean squared error of every model of a path on some rows."""
    residual = data.y[rows] - path.intercepts[:, None] - predictions(data.X, path, rows)
    weight = None if data.sample_weight is None else data.sample_weight[rows]
    return np.average(residual**2, axis=1, weights=weight)


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
        return np.asarray((X[:, used][rows] @ coefs.T).T)
    if rows[-1] - rows[0] == len(rows) - 1 and (np.diff(rows) == 1).all():  # no other row is copied
        return np.asarray(coefs @ X.T[used, rows[0] : rows[-1] + 1])
    return np.asarray(coefs @ np.take(X.T[used], rows, axis=1))
