"""glmnet (the package python-glmnet): the covariance or the naive rule as glmnet would choose.

It is built for paths, so a single penalty is reached over a warm path of ten.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from glmnet import ElasticNet, LogitNet
from variant import Variant

STEPS = 10


class Glmnet(Variant):
    """``ElasticNet`` and ``LogitNet`` without splits, intercept and standardization."""

    loosest: ClassVar[float] = 1e-4
    tightest: ClassVar[float] = 1e-18

    def __init__(self, X: Any, y: Any) -> None:
        super().__init__(X, y)
        self.largest = float(np.max(np.abs(X.T @ y)))

    def lasso(self, penalty: float, tol: float) -> Any:
        warm = np.geomspace(max(self.largest, penalty), penalty, STEPS)
        return self.lasso_path(warm, tol)[:, -1]

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        model = ElasticNet(
            alpha=1.0,
            lambda_path=penalties / self.n,
            standardize=False,
            fit_intercept=False,
            n_splits=0,
            tol=tol,
            max_iter=10_000_000,
        ).fit(self.X, self.y)
        if model.coef_path_.shape[1] != len(penalties):
            raise RuntimeError(
                f"returned {model.coef_path_.shape[1]} of {len(penalties)} penalties"
            )
        return model.coef_path_

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        model = LogitNet(
            alpha=1.0,
            lambda_path=np.geomspace(max(0.5 * self.largest, penalty), penalty, STEPS) / self.n,
            standardize=False,
            fit_intercept=False,
            n_splits=0,
            tol=tol,
            max_iter=10_000_000,
        ).fit(self.X, self.y)
        coefs = model.coef_path_.reshape(self.d, -1)
        if coefs.shape[1] != STEPS:
            raise RuntimeError(f"returned {coefs.shape[1]} of {STEPS} penalties")
        return coefs[:, -1]


VARIANTS: dict[str, type[Variant]] = {"glmnet": Glmnet}
