"""Lasso."""

from __future__ import annotations

from typing import Any, ClassVar

from banditcd.data import ColumnMatrix, check_matrix, check_number, check_vector
from banditcd.problems.losses import QuadraticLoss
from banditcd.problems.primal import L1Problem, Options, build_penalty, l1_weights, row_weights


class Lasso(L1Problem):
    """F(x) = ||y - Xx||^2 / (2n) + alpha ||x||_1, scikit-learn's scaling.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    y : array of shape (n,)
    alpha : float
        Penalty strength, >= 0.
    penalty_weights, lower, upper, sample_weight
        See :class:`banditcd.problems.Options`.

    Notes
    -----
    beta = n, h_i = ||a_i||^2 / n. g_i is Lipschitzed on [-B, B] with B = F(x0) / alpha, so
    g_i*(u) = B max(|u| - alpha, 0); the certificate uses the rescaled residual instead.
    """

    name: ClassVar[str] = "Lasso"
    default_update: ClassVar[str] = "exact"

    def __init__(
        self,
        X: Any,
        y: Any,
        alpha: float,
        *,
        penalty_weights: Any = None,
        lower: Any = None,
        upper: Any = None,
        sample_weight: Any = None,
    ) -> None:
        X = check_matrix(X, order="F")
        n, d = X.shape
        y = check_vector(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0)
        chosen = Options(penalty_weights, lower, upper, sample_weight)
        loss = QuadraticLoss(row_weights(n, chosen), y)
        penalty = build_penalty(self.alpha, 0.0, d, chosen)
        super().__init__(ColumnMatrix.from_features(X), loss, penalty, l1_weights(d, chosen))
