"""banditcd as a solver of benchopt's benchmark_lasso."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from banditcd.solvers import ElasticNetSession
from benchopt import BaseSolver

TIGHTEST = 1e-15


class Solver(BaseSolver):  # type: ignore[misc]
    """Bins of coordinates by marginal decrease on a growing pool, with a duality gap.

    benchopt looks at the coefficients after every bin. Everything but benchopt's own computations
    is timed: norms of the columns, the pool and every certificate.
    """

    name = "banditcd"
    sampling_strategy = "callback"
    install_cmd = "conda"
    requirements = ("pip::banditcd",)
    references = ("Salehi, Thiran, Celis: Coordinate Descent with Bandit Sampling, NeurIPS 2018",)

    def skip(self, X: Any, **_: Any) -> tuple[bool, str | None]:
        """Say what cannot be solved: matrices without entries."""
        if isinstance(X, LinearOperator):
            return True, "banditcd needs the entries of X"
        return False, None

    def set_objective(self, X: Any, y: Any, lmbd: float, fit_intercept: bool = False) -> None:
        """Take ‖y − Xβ − b‖²/2 + lmbd ‖β‖₁."""
        self.X = np.asfortranarray(X) if isinstance(X, np.ndarray) else X.tocsc()
        self.y, self.lmbd, self.fit_intercept = y, lmbd, fit_intercept

    def run(self, callback: Any) -> None:
        """Solve bin by bin until benchopt has seen enough."""
        n, d = self.X.shape
        self.beta = np.zeros(d + self.fit_intercept)
        session = ElasticNetSession(self.X, self.y, fit_intercept=self.fit_intercept)
        while callback():
            result = session.solve(self.lmbd / n, tol=TIGHTEST, max_iter=1)
            intercept = [result.intercept] if self.fit_intercept else []
            self.beta = np.append(result.coef, intercept)

    def get_result(self) -> dict[str, Any]:
        """Return the coefficients, and the intercept behind them if there is one."""
        return {"beta": self.beta}
