"""Many responses to one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd import _core
from banditcd.record.arrays import Floats, normalized, on_columns, vector
from banditcd.record.path import RecordPath, empty_path
from banditcd.record.session import POOL_BYTES


class RecordTargets:
    """A matrix that is solved for one response after another.

    Squares and means of the columns are computed once, and so is the whole Gram matrix if that
    is cheaper than the passes it saves (``shares_gram``). Each response then has a pass of its
    own for its correlations, and its own solve: pools and residuals are not shared.

    Parameters
    ----------
    X, fit_intercept, sample_weight, penalty_weights, lower, upper, pool_bytes
        As in :class:`banditcd.record.RecordSession`.
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
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        sides = (
            normalized(sample_weight),
            vector(penalty_weights),
            vector(lower),
            vector(upper),
            fit_intercept,
            pool_bytes,
            targets,
        )
        self._native = on_columns(
            X, _core.record_targets_dense, _core.record_targets_sparse, *sides
        )

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
        max_bins: int,
        start: Floats | None = None,
    ) -> RecordPath:
        """Minimize one response for every pair of penalties, in the order given."""
        n, d = self.shape
        out = empty_path(n, d, len(l1))
        y = np.ascontiguousarray(y, dtype=np.float64)
        first = vector(start)
        self._native.path(y, first, n * l1, n * l2, tol, max_bins, out.coefs, out.table)
        return out
