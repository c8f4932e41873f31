"""Folds of a cross-validation that share one Gram matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import columns_of, normalized
from banditcd.solvers.path import Path, fill_path
from banditcd.solvers.session import POOL_BYTES


class ElasticNetFolds:
    r"""All folds of a matrix and a response, solved in Gram space.

    The training rows of a fold are all rows but its test rows, so with :math:`G_k` the Gram
    matrix of the test rows of fold k, the training Gram matrix is :math:`\sum_l G_l - G_k`: all
    folds together cost one product, and the squared test error of a model is a quadratic in
    :math:`G_k`. Everything is centered at the means of all rows first, and columns that have
    most of their square in one fold are computed directly, so little cancels; what rounding may
    hide is part of every certificate, and a target below it sends the solver back to the rows.

    Parameters
    ----------
    X, y, fit_intercept, sample_weight, penalty_weights, lower, upper, pool_bytes
        As in :class:`banditcd.solvers.ElasticNetSession`; ``pool_bytes`` limits the Gram matrix of
        each solve.
    fold_of_row : ndarray of shape (n,)
        In which fold (0, 1, ...) each row is tested.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        fold_of_row: NDArray[np.int32],
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        self.count = int(fold_of_row.max()) + 1
        weight = normalized(sample_weight)
        data = _core.FitData(y, weight, penalty_weights, lower, upper, fit_intercept)
        folds = np.ascontiguousarray(fold_of_row, dtype=np.int32)
        self._native = _core.ElasticNetFolds(columns_of(X), data, folds, pool_bytes)

    @staticmethod
    def pay(X: Any, folds: int, penalties: int, pool_bytes: int = POOL_BYTES) -> bool:
        """Whether the Gram matrices of all folds are worth it for that many penalties."""
        return _core.ElasticNetFolds.pays(columns_of(X), folds, penalties, pool_bytes)

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` at which no penalized coefficient of all rows is non-zero."""
        return self._native.largest_penalty() / self.shape[0]

    def path(
        self,
        fold: int,
        l1: Floats,
        l2: Floats,
        *,
        tol: float,
        max_iter: float,
        aim: float = 0.0,
    ) -> Path:
        """Solve the training rows of a fold (all rows if it is ``count``) for every penalty.

        Certificates of a fold come from Gram space, with a bound of its rounding, where that bound
        is far below ``tol``. The work ends at ``aim``, or where the usual rounding of Gram space,
        which is far below its bound, ends it.
        """
        native, limits = self._native, (tol, aim, float(max_iter))
        return fill_path(
            self.shape, l1, l2, lambda a, b, coef: native.path(fold, a, b, limits, coef)
        )

    def errors(self, fold: int, path: Path) -> tuple[Floats, int]:
        """Return the mean squared errors on the test rows of a fold, and how many are lost.

        Those are NaN: where a model fits the rows to nine digits or more, its error is lost in
        rounding.
        """
        out = np.empty(path.coefs.shape[1])
        return out, self._native.errors(fold, path.coefs, path.intercepts, out)
