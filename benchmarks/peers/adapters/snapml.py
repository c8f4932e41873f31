"""Snap ML: parallel coordinate descent in the primal or the dual; no paths.

It wants rows; the conversion is not timed.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from snapml import LinearRegression, LogisticRegression, SupportVectorMachine
from variant import THREADS, Variant


class Primal(Variant):
    """``dual=False``."""

    dual: ClassVar[bool] = False

    def prepare(self, kind: str) -> None:
        _ = self.rows  # converted now, not while a fit is timed

    def _solve(self, maker: Any, strength: float, tol: float, **options: Any) -> Any:
        model = maker(
            regularizer=strength,
            fit_intercept=False,
            tol=tol,
            max_iter=1_000_000,
            n_jobs=THREADS,
            **options,
        )
        return np.ravel(model.fit(self.rows, self.y).coef_)

    def lasso(self, penalty: float, tol: float) -> Any:
        return self._solve(LinearRegression, penalty, tol, penalty="l1", dual=False)

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        return self._solve(LogisticRegression, penalty, tol, penalty="l1", dual=False)

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._solve(LogisticRegression, 1.0 / C, tol, penalty="l2", dual=self.dual)

    def ridge(self, penalty: float, tol: float) -> Any:
        return self._solve(LinearRegression, penalty, tol, penalty="l2", dual=self.dual)


class Dual(Primal):
    """``dual=True``, where there is a choice, and the SVM, which has no other."""

    dual: ClassVar[bool] = True

    def refuses(self, kind: str) -> str:
        return "the L1 penalty is solved in the primal" if kind in ("lasso", "logistic_l1") else ""

    def svm_hinge(self, C: float, tol: float) -> Any:
        return self._solve(SupportVectorMachine, 1.0 / C, tol, loss="hinge")

    def svm_squared_hinge(self, C: float, tol: float) -> Any:
        return self._solve(SupportVectorMachine, 1.0 / C, tol, loss="squared_hinge")


VARIANTS: dict[str, type[Variant]] = {"Snap ML": Primal, "Snap ML dual": Dual}
