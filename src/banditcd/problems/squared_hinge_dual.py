"""Squared-hinge support vector machine in the dual."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number
from banditcd.problems.dual import L2DualProblem, l2_dual_loss
from banditcd.problems.penalties import BoxQuadratic


class SquaredHingeDual(L2DualProblem):
    """Dual of P(theta) = (1/N) sum_i max(1 - y_i z_i . theta, 0)^2 + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha
        As for :class:`banditcd.problems.HingeDual`.

    Notes
    -----
    g_i(x) = (x^2 / 4 - x) / N on x >= 0, mu_i = 1 / (2N).
    """

    name: ClassVar[str] = "SquaredHingeDual"
    default_update: ClassVar[str] = "exact"

    def __init__(self, X: Any, y: Any, alpha: float) -> None:
        X = check_matrix(X, order="C")
        n = X.shape[0]
        sign = check_labels(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        self.n_samples = n
        A = ColumnMatrix.from_samples(X, sign)
        penalty = BoxQuadratic(
            np.full(n, 0.5 / n), np.full(n, 1.0 / n), np.zeros(n), np.full(n, np.inf)
        )
        super().__init__(A, l2_dual_loss(A, self.alpha, n), penalty)
