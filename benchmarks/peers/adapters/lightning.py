"""lightning (the package sklearn-contrib-lightning): coordinate descent; no paths."""

from __future__ import annotations

from typing import Any

from lightning.classification import CDClassifier, LinearSVC
from lightning.regression import CDRegressor
from variant import Variant

MAX_ITER = 1_000_000


class Lightning(Variant):
    """``CDRegressor``, ``CDClassifier`` and, in the dual, ``LinearSVC``."""

    def prepare(self, kind: str) -> None:
        if kind.startswith("svm"):
            _ = self.rows  # converted now, not while a fit is timed

    def lasso(self, penalty: float, tol: float) -> Any:
        model = CDRegressor(
            loss="squared",
            penalty="l1",
            C=1.0,
            alpha=2.0 * penalty,  # its loss is not halved
            tol=tol,
            max_iter=MAX_ITER,
            random_state=0,
        )
        return model.fit(self.X, self.y).coef_.ravel()

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        return self._classifier("l1", 1.0, penalty, tol)

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._classifier("l2", C, 1.0, tol)

    def _classifier(self, penalty: str, C: float, alpha: float, tol: float) -> Any:
        model = CDClassifier(
            loss="log",
            penalty=penalty,
            C=C,
            alpha=alpha,
            tol=tol,
            max_iter=MAX_ITER,
            random_state=0,
        )
        return model.fit(self.X, self.y).coef_.ravel()

    def svm_hinge(self, C: float, tol: float) -> Any:
        return self._svm("hinge", C, tol)

    def svm_squared_hinge(self, C: float, tol: float) -> Any:
        return self._svm("squared_hinge", C, tol)

    def _svm(self, loss: str, C: float, tol: float) -> Any:
        model = LinearSVC(loss=loss, C=C, tol=tol, max_iter=MAX_ITER, random_state=0)
        return model.fit(self.rows, self.y).coef_.ravel()


VARIANTS: dict[str, type[Variant]] = {"lightning": Lightning}
