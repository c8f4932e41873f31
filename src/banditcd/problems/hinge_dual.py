"""Linear support vector machine in the dual."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number
from banditcd.problems.dual import L2DualProblem, l2_dual_loss
from banditcd.problems.penalties import BoxQuadratic


class HingeDual(L2DualProblem):
    """Dual of P(theta) = (1/N) sum_i max(1 - y_i z_i . theta, 0) + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X : array or sparse matrix of shape (N, p)
    y : array of shape (N,)
        Two classes; the larger label counts as +1.
    alpha : float
        Penalty strength, > 0; liblinear's C is 1 / (alpha N).

    Notes
    -----
    a_i = y_i z_i, g_i(x) = -x / N on [0, 1], mu_i = 0, L = 1; r_i is the exact decrease of
    x+ = clip(x + q/h, 0, 1) with q = u + 1/N.
    """

    name: ClassVar[str] = "HingeDual"
    default_update: ClassVar[str] = "exact"

    def __init__(self, X: Any, y: Any, alpha: float) -> None:
        X = check_matrix(X, order="C")
        n = X.shape[0]
        sign = check_labels(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        self.n_samples = n
        A = ColumnMatrix.from_samples(X, sign)
        penalty = BoxQuadratic(np.zeros(n), np.full(n, 1.0 / n), np.zeros(n), np.ones(n))
        super().__init__(A, l2_dual_loss(A, self.alpha, n), penalty)
