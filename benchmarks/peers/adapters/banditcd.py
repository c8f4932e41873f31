"""banditcd itself: its estimators, and the fast solver behind them without their checks.

``tol`` is the relative gap we prove, so it is set to the target and not searched. Where everybody
is judged by the distance from the optimum and not by a proof of it, and where the estimators go on
below the gap of ``tol`` because scikit-learn does at the same ``tol``, a second variant is run as
the peers are, at the loosest ``tol`` that reaches the target.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from variant import ROW_KINDS, Variant

import banditcd
from banditcd.solvers import ElasticNetSession

MAX_ITER = 1_000_000


class Session(Variant):
    """The solver as a function."""

    target_is_tolerance: ClassVar[bool] = True

    def lasso(self, penalty: float, tol: float) -> Any:
        result = ElasticNetSession(self.X, self.y).solve(penalty / self.n, tol=tol)
        self.note = {
            "passes": result.passes,
            "regime": result.regime,
            "claimed": result.gap * 2.0 * self.n / float(self.y @ self.y),
        }
        return result.coef

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        l1 = penalties / self.n
        path = ElasticNetSession(self.X, self.y, solves=len(l1)).path(l1, 0.0 * l1, tol=tol)
        self.note = {
            "passes": float(path.passes.sum()),
            "regime": path.regime[-1],
            "claimed": float(path.gap.max()) * 2.0 * self.n / (self.y @ self.y),
        }
        return path.coefs


class Loosest(Variant):
    """The estimators that end below the gap of their ``tol``, at a tolerance that is searched."""

    loosest: ClassVar[float] = 1.0

    def prepare(self, kind: str) -> None:
        if kind in (*ROW_KINDS, "ridge", "ridge_classifier"):
            _ = self.rows  # converted now, not while a fit is timed

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

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        model = self._logistic(1.0 / penalty, tol, l1_ratio=1.0)
        return self._fit(model, self.X, self.n * math.log(2.0) / penalty)

    def logistic_l2(self, C: float, tol: float) -> Any:
        model = self._logistic(C, tol)
        return self._fit(model, self.rows, C * self.n * math.log(2.0))

    def _logistic(self, C: float, tol: float, **options: Any) -> Any:
        return banditcd.LogisticRegression(
            C=C, fit_intercept=False, tol=tol, max_iter=MAX_ITER, **options
        )

    def svm_hinge(self, C: float, tol: float) -> Any:
        return self._svm("hinge", C, tol)

    def svm_squared_hinge(self, C: float, tol: float) -> Any:
        return self._svm("squared_hinge", C, tol)

    def _svm(self, loss: str, C: float, tol: float) -> Any:
        model = banditcd.LinearSVC(loss=loss, C=C, fit_intercept=False, tol=tol, max_iter=MAX_ITER)
        return self._fit(model, self.rows, C * self.n)

    def svm_l1(self, penalty: float, tol: float) -> Any:
        options = {"fit_intercept": False, "tol": tol, "max_iter": MAX_ITER}
        model = banditcd.LinearSVC(penalty="l1", C=1.0 / penalty, **options)
        return self._fit(model, self.X, self.n / penalty)

    def svr_linear(self, C: float, epsilon: float, tol: float) -> Any:
        return self._svr("epsilon_insensitive", 1.0, C, epsilon, tol)

    def svr_squared(self, C: float, epsilon: float, tol: float) -> Any:
        return self._svr("squared_epsilon_insensitive", 2.0, C, epsilon, tol)

    def _svr(self, loss: str, power: float, C: float, epsilon: float, tol: float) -> Any:
        model = banditcd.LinearSVR(
            loss=loss, C=C, epsilon=epsilon, fit_intercept=False, tol=tol, max_iter=MAX_ITER
        )
        null = float(np.sum(np.maximum(np.abs(self.y) - epsilon, 0.0) ** power))
        return self._fit(model, self.rows, C * null)

    def ridge(self, penalty: float, tol: float) -> Any:
        # The default is exact on dense X; this word is the cheapest way to the tolerance.
        options = {"fit_intercept": False, "solver": "sparse_cg", "max_iter": MAX_ITER}
        model = banditcd.Ridge(alpha=penalty, tol=tol, **options)
        return self._fit(model, self.rows, float(self.y @ self.y))

    def ridge_classifier(self, penalty: float, tol: float) -> Any:
        options = {"fit_intercept": False, "solver": "sparse_cg", "max_iter": MAX_ITER}
        model = banditcd.RidgeClassifier(alpha=penalty, tol=tol, **options)
        return self._fit(model, self.rows, float(self.y @ self.y))

    def _fit(self, model: Any, X: Any, null: float) -> Any:
        """Fit, and note the certificate relative to the objective at zero."""
        model.fit(X, self.y)
        proof = model.certificate_
        proof = proof[0] if isinstance(proof, list) else proof
        self.note = {"passes": proof.passes, "regime": proof.regime, "claimed": proof.gap / null}
        return model.coef_.ravel()


class Estimators(Loosest):
    """The estimators, with everything they check, asked for a proof of the target."""

    target_is_tolerance: ClassVar[bool] = True


VARIANTS: dict[str, type[Variant]] = {"banditcd.solvers": Session}
if hasattr(banditcd, "LassoCV"):
    VARIANTS["banditcd"] = Estimators
    VARIANTS["banditcd, loosest"] = Loosest
