"""Elastic net."""

from __future__ import annotations

from typing import Any, ClassVar

from banditcd.data import ColumnMatrix, check_matrix, check_number, check_vector
from banditcd.problems.losses import QuadraticLoss
from banditcd.problems.primal import L1Problem, Options, build_penalty, l1_weights, row_weights


class ElasticNet(L1Problem):
    """F(x) = ||y - Xx||^2 / (2n) + alpha (l1_ratio ||x||_1 + (1 - l1_ratio) ||x||^2 / 2).

    Parameters
    ----------
    X, y, alpha, penalty_weights, lower, upper, sample_weight
        As for :class:`banditcd.problems.Lasso`.
    l1_ratio : float in [0, 1]
        Share of the L1 term; 1 is the Lasso, 0 is ridge.

    Notes
    -----
    With lambda = alpha l1_ratio and rho = alpha (1 - l1_ratio): mu_i = rho,
    g_i*(u) = max(|u| - lambda, 0)^2 / (2 rho) and kappa_i = S_lambda(u_i) / rho - x_i.
    ``alpha_max`` is inf for l1_ratio = 0: ridge never reaches 0.
    """

    name: ClassVar[str] = "ElasticNet"
    default_update: ClassVar[str] = "exact"

    def __init__(
        self,
        X: Any,
        y: Any,
        alpha: float,
        l1_ratio: float = 0.5,
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
        self.l1_ratio = check_number(l1_ratio, "l1_ratio", minimum=0.0, maximum=1.0)
        chosen = Options(penalty_weights, lower, upper, sample_weight)
        l1, l2 = self.alpha * self.l1_ratio, self.alpha * (1.0 - self.l1_ratio)
        loss = QuadraticLoss(row_weights(n, chosen), y)
        penalty = build_penalty(l1, l2, d, chosen)
        super().__init__(ColumnMatrix.from_features(X), loss, penalty, l1_weights(d, chosen))
