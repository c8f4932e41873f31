"""celer: working sets with dual extrapolation."""

from __future__ import annotations

from typing import Any

import numpy as np
from celer import Lasso, LassoCV, LogisticRegression, celer_path
from variant import Variant

LIMITS = {"max_iter": 1_000, "max_epochs": 1_000_000}


class Celer(Variant):
    """``Lasso``, ``celer_path``, ``LassoCV`` and ``LogisticRegression``."""

    def lasso(self, penalty: float, tol: float) -> Any:
        model = Lasso(alpha=penalty / self.n, fit_intercept=False, tol=tol, **LIMITS)
        return model.fit(self.X, self.y).coef_

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        alphas = penalties / self.n
        return celer_path(self.X, self.y, pb="lasso", alphas=alphas, tol=tol, **LIMITS)[1]

    def lasso_cv(self, penalties: Any, folds: int, tol: float) -> Any:
        model = LassoCV(
            alphas=penalties / self.n, cv=folds, fit_intercept=False, tol=tol, **LIMITS
        ).fit(self.X, self.y)
        error = float(np.min(np.mean(model.mse_path_, axis=-1)))
        self.note = {"penalty": float(model.alpha_ * self.n), "error": error}
        return model.coef_

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        model = LogisticRegression(C=1.0 / penalty, fit_intercept=False, tol=tol, **LIMITS)
        return model.fit(self.X, self.y).coef_.ravel()


VARIANTS: dict[str, type[Variant]] = {"celer": Celer}
