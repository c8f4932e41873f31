"""adelie: a path solver with screening, on the data or on the covariance matrix.

It is built for paths, so a single penalty is reached over a warm path of ten.
"""

from __future__ import annotations

from typing import Any, ClassVar

import adelie as ad
import numpy as np
from variant import THREADS, Variant

STEPS = 10
OPTIONS: dict[str, Any] = {
    "early_exit": False,
    "progress_bar": False,
    "n_threads": THREADS,
    "max_iters": 10_000_000,
}


class Naive(Variant):
    """``grpnet`` on the matrix itself."""

    loosest: ClassVar[float] = 1e-4
    tightest: ClassVar[float] = 1e-18

    def __init__(self, X: Any, y: Any) -> None:
        super().__init__(X, y)
        self.largest = float(np.max(np.abs(X.T @ y)))
        wrap = ad.matrix.sparse if self.sparse else ad.matrix.dense
        self.matrix = wrap(X, method="naive", n_threads=THREADS)

    def lasso(self, penalty: float, tol: float) -> Any:
        warm = np.geomspace(max(self.largest, penalty), penalty, STEPS)
        return self.lasso_path(warm, tol)[:, -1]

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        state = ad.grpnet(
            self.matrix,
            ad.glm.gaussian(self.y),
            lmda_path=penalties / self.n,
            intercept=False,
            tol=tol,
            adev_tol=1.0,
            **OPTIONS,
        )
        return state.betas.toarray().T

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        state = ad.grpnet(
            self.matrix,
            ad.glm.binomial((self.y > 0.0).astype(np.float64)),
            lmda_path=np.geomspace(max(0.5 * self.largest, penalty), penalty, STEPS) / self.n,
            intercept=False,
            tol=tol,
            irls_tol=tol,
            adev_tol=1.0,
            **OPTIONS,
        )
        return state.betas.toarray().T[:, -1]


class Covariance(Naive):
    """``gaussian_cov``; the covariance matrix is computed in the timed part."""

    def refuses(self, kind: str) -> str:
        return "more columns than rows" if self.d > self.n else ""

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        product = self.X.T @ self.X
        dense = product.toarray() if self.sparse else product
        state = ad.gaussian_cov(
            np.asfortranarray(dense / self.n),
            self.X.T @ self.y / self.n,
            lmda_path=penalties / self.n,
            tol=tol,
            rdev_tol=0.0,
            **OPTIONS,
        )
        return state.betas.toarray().T


VARIANTS: dict[str, type[Variant]] = {"adelie": Naive, "adelie covariance": Covariance}
