"""Folds that partition the rows share their work: one Gram matrix, no copies of training rows."""

from __future__ import annotations

from collections.abc import Sequence

from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.splits import Fold, partition
from banditcd.solvers import ElasticNetFolds
from banditcd.solvers.arrays import columns_of


def share_folds(
    data: Training,
    folds: Sequence[Fold],
    columns: ColumnOptions,
    settings: LinearSettings,
    n_alphas: int,
) -> ElasticNetFolds | None:
    """Return folds with one Gram matrix, or None if they cannot have one or it does not pay.

    They can if every row is tested exactly once and trains all other folds, and the columns are
    the same in all of them (standardized ones are not).
    """
    if settings.selector is not None or settings.standardize:
        return None
    X = columns_of(data.X, settings.n_threads)
    if not ElasticNetFolds.pay(X, len(folds), n_alphas, settings.pool_bytes):
        return None
    fold_of_row = partition(folds, data.X.shape[0])
    if fold_of_row is None:
        return None
    return ElasticNetFolds(
        X,
        data.y,
        fold_of_row,
        fit_intercept=settings.fit_intercept,
        sample_weight=data.sample_weight,
        penalty_weights=columns.penalty_weights,
        lower=columns.lower,
        upper=columns.upper,
        pool_bytes=settings.pool_bytes,
    )
