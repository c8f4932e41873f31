"""Snap ML: parallel coordinate descent, here with one thread; no paths.

The primal L1 solver wants rows; the conversion is not timed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from snapml import LinearRegression
from variant import Variant


class SnapML(Variant):
    """``LinearRegression(penalty="l1")``."""

    def __init__(self, X: Any, y: Any) -> None:
        super().__init__(X, y)
        self.X = X.tocsr() if self.sparse else np.ascontiguousarray(X)

    def lasso(self, penalty: float, tol: float) -> Any:
        model = LinearRegression(
            penalty="l1",
            dual=False,
            regularizer=penalty,
            fit_intercept=False,
            tol=tol,
            max_iter=1_000_000,
            n_jobs=1,
        )
        return model.fit(self.X, self.y).coef_


VARIANTS: dict[str, type[Variant]] = {"Snap ML": SnapML}
