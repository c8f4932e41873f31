"""banditcd itself: its estimators, and the record solver behind them without their checks.

``tol`` is the relative gap by contract, so it is set to the target and never searched.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from variant import Variant

import banditcd
from banditcd import record


class Record(Variant):
    """The solver as a function."""

    target_is_tolerance: ClassVar[bool] = True

    def lasso(self, penalty: float, tol: float) -> Any:
        result = record.solve(self.X, self.y, l1=penalty / self.n, tol=tol)
        self.note = {
            "passes": result.passes,
            "regime": result.regime,
            "claimed": result.gap * 2.0 * self.n / float(self.y @ self.y),
        }
        return result.coef

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        results = record.solve_path(self.X, self.y, alphas=penalties / self.n, tol=tol)
        self.note = {
            "passes": sum(result.passes for result in results),
            "regime": results[-1].regime,
            "claimed": max(result.gap for result in results) * 2.0 * self.n / (self.y @ self.y),
        }
        return np.column_stack([result.coef for result in results])


class Estimators(Variant):
    """The estimators, with everything they check."""

    target_is_tolerance: ClassVar[bool] = True

    def lasso(self, penalty: float, tol: float) -> Any:
        alpha = penalty / self.n
        model = banditcd.Lasso(alpha=alpha, fit_intercept=False, tol=tol).fit(self.X, self.y)
        proof = model.certificate_
        claimed = proof.gap * 2.0 * self.n / float(self.y @ self.y)
        self.note = {"passes": proof.passes, "regime": proof.regime, "claimed": claimed}
        return model.coef_

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        alphas = penalties / self.n
        _, coefs, gaps = banditcd.lasso_path(self.X, self.y, alphas=alphas, tol=tol)
        self.note = {"claimed": float(np.max(gaps)) * 2.0 * self.n / float(self.y @ self.y)}
        return coefs

    def lasso_cv(self, penalties: Any, folds: int, tol: float) -> Any:
        model = banditcd.LassoCV(
            alphas=penalties / self.n, cv=folds, fit_intercept=False, tol=tol, n_jobs=1
        ).fit(self.X, self.y)
        error = float(np.min(np.mean(model.mse_path_, axis=-1)))
        self.note = {"penalty": float(model.alpha_ * self.n), "error": error}
        return model.coef_


VARIANTS: dict[str, type[Variant]] = {"banditcd.record": Record}
if hasattr(banditcd, "LassoCV"):
    VARIANTS["banditcd"] = Estimators
