"""skglm: working sets with Anderson acceleration, and greedy descent on the Gram matrix.

Its ``tol`` is a violation of the optimality conditions in the units of the gradient, so it is
given as a share of the largest gradient at zero.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from skglm import Lasso, SparseLogisticRegression
from skglm.penalties import L1
from skglm.solvers import GramCD
from variant import Variant


class Anderson(Variant):
    """``Lasso``, which uses ``AndersonCD``, and ``SparseLogisticRegression``."""

    loosest: ClassVar[float] = 1e-1

    def __init__(self, X: Any, y: Any) -> None:
        super().__init__(X, y)
        self.scale = float(np.max(np.abs(X.T @ y))) / self.n

    def _model(self, penalty: float, tol: float) -> Any:
        return Lasso(
            alpha=penalty / self.n,
            fit_intercept=False,
            tol=tol * self.scale,
            max_iter=1_000,
            max_epochs=1_000_000,
        )

    def lasso(self, penalty: float, tol: float) -> Any:
        return self._model(penalty, tol).fit(self.X, self.y).coef_

    def lasso_path(self, penalties: Any, tol: float) -> Any:
        model = self._model(float(penalties[0]), tol)
        return model.path(self.X, self.y, penalties / self.n)[1]

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        model = SparseLogisticRegression(
            alpha=penalty / self.n,
            fit_intercept=False,
            tol=0.5 * tol * self.scale,
            max_iter=1_000,
            max_epochs=1_000_000,
        )
        return model.fit(self.X, self.y).coef_.ravel()


class Gram(Variant):
    """``GramCD``, called directly: the estimator class cannot pass it on."""

    loosest: ClassVar[float] = 1e-1

    def __init__(self, X: Any, y: Any) -> None:
        super().__init__(X, y)
        self.scale = float(np.max(np.abs(X.T @ y))) / self.n

    def refuses(self, kind: str) -> str:
        return "more columns than rows" if self.d > self.n else ""

    def lasso(self, penalty: float, tol: float) -> Any:
        solver = GramCD(max_iter=1_000_000, tol=tol * self.scale, fit_intercept=False)
        return solver.solve(self.X, self.y, None, L1(penalty / self.n))[0]


VARIANTS: dict[str, type[Variant]] = {"skglm": Anderson, "skglm Gram": Gram}
