"""cyanure: variance-reduced and quasi-Newton methods."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from cyanure.estimators import Classifier, Regression
from variant import THREADS, Variant

_logistic = partial(Classifier, loss="logistic")


class Cyanure(Variant):
    """``Classifier`` and ``Regression`` with the solver they choose; ``tol`` is a duality gap."""

    loosest: ClassVar[float] = 1e-1

    def prepare(self, kind: str) -> None:
        _ = self.rows  # converted now, not while a fit is timed

    def _solve(self, maker: Any, penalty: str, strength: float, tol: float) -> Any:
        model = maker(
            penalty=penalty,
            lambda_1=strength,
            fit_intercept=False,
            tol=tol,
            max_iter=1_000_000,
            n_threads=THREADS,
            verbose=False,
        )
        return np.ravel(model.fit(self.rows, self.y).coef_)

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        return self._solve(_logistic, "l1", penalty / self.n, tol)

    def logistic_l2(self, C: float, tol: float) -> Any:
        return self._solve(_logistic, "l2", 1.0 / (self.n * C), tol)

    def ridge(self, penalty: float, tol: float) -> Any:
        return self._solve(Regression, "l2", penalty / self.n, tol)


VARIANTS: dict[str, type[Variant]] = {"cyanure": Cyanure}
