"""scikit-learn: coordinate descent as it comes, with the full Gram matrix, and LARS."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.linear_model import Lasso, LassoCV, LassoLars, lars_path, lasso_path
from variant import Variant

MAX_ITER = 1_000_000


class Default(Variant):
    """``Lasso()``, ``lasso_path`` and ``LassoCV`` with their own choice of the Gram matrix."""

    tightest: ClassVar[float] = 1e-15
    precompute: ClassVar[Any] = False
    path_precompute: ClassVar[Any] = "auto"

    def lasso(self, penalty: float, tol: float) -> Any:
        model = Lasso(
            alpha=penalty / self.n,
            fit_intercept=False,
            precompute=self.precompute,
            tol=tol,
            max_iter=MAX_ITER,
        )
        return model.fit(self.X, self.y).coef_

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        return lasso_path(
            self.X,
            self.y,
            alphas=penalties / self.n,
            precompute=self.path_precompute,
            tol=tol,
            max_iter=MAX_ITER,
        )[1]

    def lasso_cv(self, penalties: Any, folds: int, tol: float) -> Any:
        model = LassoCV(
            alphas=penalties / self.n,
            cv=folds,
            fit_intercept=False,
            precompute=self.path_precompute,
            tol=tol,
            max_iter=MAX_ITER,
        ).fit(self.X, self.y)
        error = float(np.min(np.mean(model.mse_path_, axis=-1)))
        self.note = {"penalty": float(model.alpha_ * self.n), "error": error}
        return model.coef_


class Gram(Default):
    """``precompute=True``."""

    precompute: ClassVar[Any] = True
    path_precompute: ClassVar[Any] = True

    def refuses(self, kind: str) -> str:
        if self.sparse:
            return "ignores the Gram matrix of sparse data"
        return "more columns than rows" if self.d > self.n else ""


class Lars(Variant):
    """The homotopy method: exact, one step for each change of the support."""

    exact: ClassVar[bool] = True

    def refuses(self, kind: str) -> str:
        return "dense data only" if self.sparse else ""

    def lasso(self, penalty: float, tol: float) -> Any:
        model = LassoLars(
            alpha=penalty / self.n, fit_intercept=False, fit_path=False, max_iter=MAX_ITER
        )
        return model.fit(self.X, self.y).coef_

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        alphas = penalties / self.n
        knots, _, coefs = lars_path(
            self.X, self.y, method="lasso", alpha_min=float(alphas[-1]), max_iter=MAX_ITER
        )
        # Between two knots the solution is linear in alpha.
        after = np.clip(np.searchsorted(-knots, -alphas), 1, len(knots) - 1)
        length = knots[after - 1] - knots[after]
        share = np.clip((knots[after - 1] - alphas) / np.where(length > 0, length, 1.0), 0.0, 1.0)
        return coefs[:, after - 1] * (1.0 - share) + coefs[:, after] * share


VARIANTS: dict[str, type[Variant]] = {
    "scikit-learn": Default,
    "scikit-learn Gram": Gram,
    "scikit-learn LARS": Lars,
}
