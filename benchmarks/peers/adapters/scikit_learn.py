"""scikit-learn: its solvers of the Lasso, of logistic regression, SVM and ridge regression."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.linear_model import (
    Lasso,
    LassoCV,
    LassoLars,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
    lars_path,
    lasso_path,
)
from sklearn.svm import LinearSVC, LinearSVR
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


class Solver(Variant):
    """A solver of ``LogisticRegression`` and ``Ridge``, which have it in common or not."""

    solver: ClassVar[str]
    loosest: ClassVar[float] = 1e-1

    def prepare(self, kind: str) -> None:
        _ = self.rows  # converted now, not while a fit is timed

    def _logistic(self, C: float, tol: float, **options: Any) -> Any:
        model = LogisticRegression(
            C=C, solver=self.solver, fit_intercept=False, tol=tol, max_iter=MAX_ITER, **options
        )
        return model.fit(self.rows, self.y).coef_.ravel()


class Smooth(Solver):
    """Without an L1 penalty."""

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._logistic(C, tol)


class Lbfgs(Smooth):
    """``solver="lbfgs"``."""

    solver: ClassVar[str] = "lbfgs"


class NewtonCholesky(Smooth):
    """``solver="newton-cholesky"``."""

    solver: ClassVar[str] = "newton-cholesky"

    def refuses(self, kind: str) -> str:
        return "too many columns for a dense Hessian" if self.d > 5_000 else ""


class NewtonCg(Smooth):
    """``solver="newton-cg"``."""

    solver: ClassVar[str] = "newton-cg"


class RidgeSolver(Variant):
    """A solver of ``Ridge``; stored entries by columns or rows as each of them likes it."""

    solver: ClassVar[str]
    loosest: ClassVar[float] = 1e-1

    def prepare(self, kind: str) -> None:
        _ = self.rows  # converted now, not while a fit is timed

    def ridge(self, penalty: float, tol: float) -> Any:
        model = Ridge(
            alpha=penalty, fit_intercept=False, solver=self.solver, tol=tol, max_iter=MAX_ITER
        )
        return model.fit(self.rows, self.y).coef_

    def ridge_classifier(self, penalty: float, tol: float) -> Any:
        options = {"fit_intercept": False, "solver": self.solver, "max_iter": MAX_ITER}
        model = RidgeClassifier(alpha=penalty, tol=tol, **options)
        return model.fit(self.rows, self.y).coef_.ravel()


class Sag(Smooth, RidgeSolver):
    """``solver="sag"``."""

    solver: ClassVar[str] = "sag"


class Saga(Sag):
    """``solver="saga"``, which takes an L1 penalty, too."""

    solver: ClassVar[str] = "saga"

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        return self._logistic(1.0 / penalty, tol, l1_ratio=1.0)


class Cholesky(RidgeSolver):
    """``solver="cholesky"``: exact."""

    solver: ClassVar[str] = "cholesky"
    exact: ClassVar[bool] = True

    def refuses(self, kind: str) -> str:
        return "too large for a dense factorization" if min(self.n, self.d) > 12_000 else ""


class Svd(RidgeSolver):
    """``solver="svd"``: exact, dense data."""

    solver: ClassVar[str] = "svd"
    exact: ClassVar[bool] = True

    def refuses(self, kind: str) -> str:
        return "dense data only" if self.sparse else ""


class SparseCg(RidgeSolver):
    """``solver="sparse_cg"``."""

    solver: ClassVar[str] = "sparse_cg"


class Lsqr(RidgeSolver):
    """``solver="lsqr"``."""

    solver: ClassVar[str] = "lsqr"


class Liblinear(Solver):
    """LIBLINEAR in the primal, by ``LogisticRegression`` and ``LinearSVC``."""

    solver: ClassVar[str] = "liblinear"
    dual: ClassVar[bool] = False
    loosest: ClassVar[float] = 1.0
    tightest: ClassVar[float] = 1e-14

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        return self._logistic(1.0 / penalty, tol, l1_ratio=1.0)

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._logistic(C, tol, dual=self.dual)

    def svm_squared_hinge(self, C: float, tol: float) -> Any:
        return self._svm("squared_hinge", C, tol)

    def _svm(self, loss: str, C: float, tol: float) -> Any:
        model = LinearSVC(
            loss=loss, C=C, dual=self.dual, fit_intercept=False, tol=tol, max_iter=MAX_ITER
        )
        return model.fit(self.rows, self.y).coef_.ravel()

    def svm_l1(self, penalty: float, tol: float) -> Any:
        options = {"dual": False, "fit_intercept": False, "tol": tol, "max_iter": MAX_ITER}
        model = LinearSVC(penalty="l1", C=1.0 / penalty, **options)
        return model.fit(self.rows, self.y).coef_.ravel()

    def svr_squared(self, C: float, epsilon: float, tol: float) -> Any:
        return self._svr("squared_epsilon_insensitive", C, epsilon, tol)

    def _svr(self, loss: str, C: float, epsilon: float, tol: float) -> Any:
        options = {"dual": self.dual, "fit_intercept": False, "max_iter": MAX_ITER}
        model = LinearSVR(loss=loss, C=C, epsilon=epsilon, tol=tol, **options)
        return model.fit(self.rows, self.y).coef_


class LiblinearDual(Liblinear):
    """LIBLINEAR in the dual."""

    dual: ClassVar[bool] = True

    def refuses(self, kind: str) -> str:
        return "no dual solver" if kind in ("logistic_l1", "svm_l1") else ""

    def svm_hinge(self, C: float, tol: float) -> Any:
        return self._svm("hinge", C, tol)

    def svr_linear(self, C: float, epsilon: float, tol: float) -> Any:
        return self._svr("epsilon_insensitive", C, epsilon, tol)


VARIANTS: dict[str, type[Variant]] = {
    "scikit-learn": Default,
    "scikit-learn Gram": Gram,
    "scikit-learn LARS": Lars,
    "scikit-learn liblinear": Liblinear,
    "scikit-learn liblinear dual": LiblinearDual,
    "scikit-learn lbfgs": Lbfgs,
    "scikit-learn newton-cholesky": NewtonCholesky,
    "scikit-learn newton-cg": NewtonCg,
    "scikit-learn sag": Sag,
    "scikit-learn saga": Saga,
    "scikit-learn cholesky": Cholesky,
    "scikit-learn svd": Svd,
    "scikit-learn sparse_cg": SparseCg,
    "scikit-learn lsqr": Lsqr,
}
