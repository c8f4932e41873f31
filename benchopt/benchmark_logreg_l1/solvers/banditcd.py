"""banditcd as a solver of benchopt's benchmark_logreg_l1."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from banditcd.solvers import LogisticSession
from benchopt import BaseSolver

TIGHTEST = 1e-15


class Solver(BaseSolver):  # type: ignore[misc]
    """Proximal Newton steps on a growing pool of coordinates, with a duality gap.

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
        """Take Σ log(1 + exp(−yᵢ(xᵢβ + b))) + lmbd ‖β‖₁, labels -1 and +1."""
        self.X = np.asfortranarray(X) if isinstance(X, np.ndarray) else X.tocsc()
        self.y = np.asarray(y, dtype=np.float64)
        self.lmbd, self.fit_intercept = lmbd, fit_intercept

    def run(self, callback: Any) -> None:
        """Solve bin by bin until benchopt has seen enough."""
        n, d = self.X.shape
        self.beta = np.zeros(d + self.fit_intercept)
        session = LogisticSession(self.X, self.y, fit_intercept=self.fit_intercept)
        while callback():
            result = session.solve(self.lmbd / n, tol=TIGHTEST, max_iter=1)
            intercept = [result.intercept] if self.fit_intercept else []
            self.beta = np.append(result.coef, intercept)

    def get_result(self) -> dict[str, Any]:
        """Return the coefficients, and the intercept behind them if there is one."""
        return {"beta": self.beta}
