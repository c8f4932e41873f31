"""Folds that partition the rows share their work: one Gram matrix, no copies of training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificates import PathCertificates
from banditcd.estimators.backends.solution import Solution, Watch
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.settings import Settings
from banditcd.estimators.search.splits import Fold, partition
from banditcd.solvers import ElasticNetFolds
from banditcd.solvers import Path as SolverPath
from banditcd.solvers.arrays import columns_of


@dataclass(frozen=True, slots=True)
class FoldBackend:
    """Solves the training rows of one fold, or all rows, in the shared Gram matrix."""

    folds: ElasticNetFolds
    fold: int
    model: Settings

    def start_at(self, coef: Floats) -> None:
        """Do nothing: in Gram space a start saves less than it costs."""

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        return self.folds.largest_penalty() / self.model.l1_ratio

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty; nobody watches the bins of a search."""
        path = self.path(np.array([alpha]))
        return Solution(path.coefs[:, 0], float(path.intercepts[0]), PathCertificates(path)[0])

    def path(self, alphas: Floats) -> SolverPath:
        """Minimize for every alpha in the order given, warm-started."""
        model = self.model
        return self.folds.path(
            self.fold,
            alphas * model.l1_ratio,
            alphas * (1.0 - model.l1_ratio),
            tol=model.tol,
            max_iter=model.max_iter,
        )


def share_folds(
    data: Training, folds: Sequence[Fold], columns: ColumnOptions, model: Settings, n_alphas: int
) -> ElasticNetFolds | None:
    """Return folds with one Gram matrix, or None if they cannot have one or it does not pay.

    They can if every row is tested exactly once and trains all other folds, and the columns are
    the same in all of them (standardized ones are not).
    """
    if model.selector is not None or model.standardize:
        return None
    X = columns_of(data.X)
    if not ElasticNetFolds.pay(X, len(folds), n_alphas, model.pool_bytes):
        return None
    fold_of_row = partition(folds, data.X.shape[0])
    if fold_of_row is None:
        return None
    return ElasticNetFolds(
        X,
        data.y,
        fold_of_row,
        fit_intercept=model.fit_intercept,
        sample_weight=data.sample_weight,
        penalty_weights=columns.penalty_weights,
        lower=columns.lower,
        upper=columns.upper,
        pool_bytes=model.pool_bytes,
    )
