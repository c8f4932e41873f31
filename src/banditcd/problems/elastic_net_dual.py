"""Elastic net in the dual."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix, check_matrix, check_number, check_vector
from banditcd.problems.dual import DualProblem
from banditcd.problems.losses import ThresholdedLoss
from banditcd.problems.penalties import BoxQuadratic


class ElasticNetDual(DualProblem):
    """Dual of ||y - X t||^2 / (2n) + alpha (l1_ratio ||t||_1 + (1 - l1_ratio) ||t||^2 / 2).

    Parameters
    ----------
    X, y, alpha, l1_ratio
        As for :class:`banditcd.problems.ElasticNet`, with alpha > 0 and l1_ratio < 1.

    Notes
    -----
    Coordinates are samples. With lambda = alpha l1_ratio, rho = alpha (1 - l1_ratio) and
    v = X^T x: f(v) = sum_k max(|v_k| - lambda, 0)^2 / (2 rho), beta = rho,
    g_j(x) = n x^2 / 2 + y_j x, mu_j = n, and the model is t = -S_lambda(v) / rho.
    """

    name: ClassVar[str] = "ElasticNetDual"
    default_update: ClassVar[str] = "exact"

    def __init__(self, X: Any, y: Any, alpha: float, l1_ratio: float = 0.5) -> None:
        X = check_matrix(X, order="C")
        n, p = X.shape
        y = check_vector(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        self.l1_ratio = check_number(l1_ratio, "l1_ratio", minimum=0.0, maximum=1.0)
        if self.l1_ratio == 1.0:
            raise ValueError(
                "The dual of the pure Lasso (l1_ratio=1) has a smooth part without a Lipschitz "
                "gradient, so coordinate descent with marginal decreases does not apply to it. "
                "Use ElasticNetDual with l1_ratio < 1, or the primal Lasso."
            )
        lam, rho = self.alpha * self.l1_ratio, self.alpha * (1.0 - self.l1_ratio)
        everywhere = np.full(n, np.inf)
        penalty = BoxQuadratic(np.full(n, float(n)), -y, -everywhere, everywhere)
        loss = ThresholdedLoss(np.full(p, rho), np.full(p, lam))
        super().__init__(ColumnMatrix.from_samples(X), loss, penalty)

    def coef(self, x: Floats) -> Floats:
        """The model -S_lambda(v) / rho."""
        return -self.loss.gradient(self.A.matvec(x))
