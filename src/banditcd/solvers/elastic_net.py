"""The Lasso and elastic net: one penalty or a path, with the pool and the snapshots kept.

The objective is that of :mod:`banditcd.solvers`. Regimes: "pool" (bins on a growing pool in Gram
space), "whole_gram" (the Gram matrix of all columns at once), "residual" (coordinate descent on the
residual, where a Gram matrix would be too large or too dear), "crowd" (the same on all columns from
the beginning, where most of many sparse ones will be used), and "null" (no column entered).
``n_iter`` counts bins; ``max_iter`` bounds them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import columns_of, normalized
from banditcd.solvers.path import Path, fill_path
from banditcd.solvers.session import POOL_BYTES, ColumnSession


class ElasticNetSession(ColumnSession):
    """A matrix and a response, ready to be solved for one penalty after another.

    Each solve starts from the coefficients, the pool and the residual snapshots of the last
    one, which is what makes a path cheap. The arrays are borrowed, never changed, and must not
    change while the session lives. The caller has validated the input (finite, matching
    shapes, ``lower <= 0 <= upper``, weights not negative); shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. Fortran order and CSC are used as they are; anything else is
        converted once.
    y : ndarray of shape (n,)
        The response.
    fit_intercept : bool
        Whether there is an unpenalized intercept. X is never centered in memory.
    sample_weight : ndarray of shape (n,), optional
        Row weights; only their ratios matter.
    penalty_weights : ndarray of shape (d,), optional
        Multiply both penalties of a column: 0 means unpenalized, inf means excluded.
    lower, upper : ndarray of shape (d,), optional
        Bounds of the coefficients.
    pool_bytes : int
        Memory cap of the Gram matrix.
    solves : int
        How many penalties will be asked for; a path may be worth the whole Gram matrix.
    n_threads : int, optional
        Threads for passes and products that take longer than about two milliseconds; by default
        :func:`banditcd.solvers.threads.default_threads`. Coefficients do not depend on it beyond
        rounding.
    gram : ndarray of shape (d, d), optional
        The Gram matrix of the columns where the caller has it, with row weights normalized to sum
        to n, of centered columns beside an intercept. Steps are taken with it, certificates come
        from X: a wrong one costs time and never a wrong certificate.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
        solves: int = 1,
        n_threads: int | None = None,
        gram: Floats | None = None,
    ) -> None:
        self.shape = X.shape
        if sample_weight is not None:
            sample_weight = normalized(sample_weight)
        data = _core.FitData(y, sample_weight, penalty_weights, lower, upper, fit_intercept)
        if gram is not None:
            solves = max(solves, 2)  # worth going without the rows, which one penalty is not
        self._native = _core.ElasticNet(columns_of(X, n_threads), data, pool_bytes, solves, gram)

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""
        self._native.start_at(np.ascontiguousarray(coef, dtype=np.float64))

    def path(
        self,
        l1: Floats,
        l2: Floats,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        aim: float = 0.0,
    ) -> Path:
        """Minimize for every pair of penalties in the order given, in one native call.

        The same points as :meth:`solve` in a loop; where the path is solved in Gram space, the
        true residuals behind the certificates of several penalties share one reading of X.

        Parameters
        ----------
        l1, l2 : ndarray of shape (n_penalties,)
            Weights of ``|w|`` and of ``w²/2``; largest first is fastest.
        tol, max_iter
            As in :meth:`solve`, for each penalty.
        aim : float, default=0
            Where the work ends, below ``tol``, which judges it; 0: at ``tol``.
        """
        limits = (tol, aim, float(max_iter))
        return fill_path(
            self.shape, l1, l2, lambda a, b, coef: self._native.path(a, b, limits, coef)
        )
