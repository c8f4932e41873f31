"""Many responses to one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import columns_of, normalized, vector
from banditcd.solvers.path import Path, fill_path
from banditcd.solvers.session import POOL_BYTES


class ElasticNetTargets:
    """A matrix that is solved for one response after another.

    Squares and means of the columns are computed once, and so is the whole Gram matrix if that
    is cheaper than the passes it saves (``shares_gram``). Each response then has a pass of its
    own for its correlations, and its own solve: pools and residuals are not shared.

    Parameters
    ----------
    X, fit_intercept, sample_weight, penalty_weights, lower, upper, pool_bytes, n_threads
        As in :class:`banditcd.solvers.ElasticNetSession`.
    targets : int
        How many responses will be asked for.
    """

    def __init__(
        self,
        X: Any,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
        targets: int = 1,
        n_threads: int | None = None,
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        weight = normalized(sample_weight)
        data = _core.FitData(None, weight, penalty_weights, lower, upper, fit_intercept)
        columns = columns_of(X, n_threads)
        self._native = _core.ElasticNetTargets(columns, data, targets, pool_bytes)

    @property
    def shares_gram(self) -> bool:
        """Whether the Gram matrix of all columns is there."""
        return self._native.shares_gram

    def path(
        self,
        y: Floats,
        l1: Floats,
        l2: Floats,
        *,
        tol: float,
        max_iter: float,
        aim: float = 0.0,
        start: Floats | None = None,
    ) -> Path:
        """Minimize one response for every pair of penalties, in the order given."""
        y = np.ascontiguousarray(y, dtype=np.float64)
        first, limits = vector(start), (tol, aim, float(max_iter))
        return fill_path(
            self.shape, l1, l2, lambda a, b, coef: self._native.path(y, first, a, b, limits, coef)
        )
