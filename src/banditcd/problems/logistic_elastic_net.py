"""Logistic regression with an L1 and an L2 penalty."""

from __future__ import annotations

from typing import Any, ClassVar

from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number
from banditcd.problems.losses import LogisticLoss
from banditcd.problems.primal import L1Problem, Options, build_penalty, l1_weights, row_weights


class LogisticElasticNet(L1Problem):
    """F(x) = (1/n) sum_j log(1 + exp(-y_j (Xx)_j)) + l1 ||x||_1 + (l2 / 2) ||x||^2.

    l1 = alpha l1_ratio and l2 = alpha (1 - l1_ratio).

    Parameters
    ----------
    X, alpha, penalty_weights, lower, upper, sample_weight
        As for :class:`banditcd.problems.Lasso`.
    y : array of shape (n,)
        Two classes; the larger label counts as +1.
    l1_ratio : float in [0, 1]
        Share of the L1 term; 1 is :class:`banditcd.problems.LogisticL1`, 0 the primal of
        :class:`banditcd.problems.LogisticDual`.

    Notes
    -----
    beta and h_i are those of LogisticL1; mu_i = alpha (1 - l1_ratio).
    """

    name: ClassVar[str] = "LogisticElasticNet"
    default_update: ClassVar[str] = "proximal"

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
        sign = check_labels(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0)
        self.l1_ratio = check_number(l1_ratio, "l1_ratio", minimum=0.0, maximum=1.0)
        chosen = Options(penalty_weights, lower, upper, sample_weight)
        l1, l2 = self.alpha * self.l1_ratio, self.alpha * (1.0 - self.l1_ratio)
        loss = LogisticLoss(row_weights(n, chosen), sign)
        penalty = build_penalty(l1, l2, d, chosen)
        super().__init__(ColumnMatrix.from_features(X), loss, penalty, l1_weights(d, chosen))
