"""L2-regularized logistic regression in the dual."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number
from banditcd.problems.dual import L2DualProblem, l2_dual_loss
from banditcd.problems.penalties import Entropy


class LogisticDual(L2DualProblem):
    """Dual of P(theta) = (1/N) sum_i log(1 + exp(-y_i z_i . theta)) + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha
        As for :class:`banditcd.problems.HingeDual`.

    Notes
    -----
    g_i(x) = (x ln x + (1 - x) ln(1 - x)) / N on [0, 1], mu_i = 4 / N, kappa_i = sigma(N u) - x.
    """

    name: ClassVar[str] = "LogisticDual"
    default_update: ClassVar[str] = "newton"

    def __init__(self, X: Any, y: Any, alpha: float) -> None:
        X = check_matrix(X, order="C")
        n = X.shape[0]
        sign = check_labels(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        self.n_samples = n
        A = ColumnMatrix.from_samples(X, sign)
        super().__init__(A, l2_dual_loss(A, self.alpha, n), Entropy(np.full(n, 1.0 / n)))
