"""L1-regularized logistic regression."""

from __future__ import annotations

from typing import Any, ClassVar

from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number
from banditcd.problems.losses import LogisticLoss
from banditcd.problems.primal import L1Problem, Options, build_penalty, l1_weights, row_weights


class LogisticL1(L1Problem):
    """F(x) = (1/n) sum_j log(1 + exp(-y_j (Xx)_j)) + alpha ||x||_1.

    Parameters
    ----------
    X, alpha, penalty_weights, lower, upper, sample_weight
        As for :class:`banditcd.problems.Lasso`.
    y : array of shape (n,)
        Two classes; the larger label counts as +1.

    Notes
    -----
    beta = 4n, h_i = ||a_i||^2 / (4n): the one curvature that the proximal step and r_i share
    (the "4" printed in the paper is right only for ||a_i||^2 = n).
    """

    name: ClassVar[str] = "LogisticL1"
    default_update: ClassVar[str] = "proximal"

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
        sign = check_labels(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0)
        chosen = Options(penalty_weights, lower, upper, sample_weight)
        loss = LogisticLoss(row_weights(n, chosen), sign)
        penalty = build_penalty(self.alpha, 0.0, d, chosen)
        super().__init__(ColumnMatrix.from_features(X), loss, penalty, l1_weights(d, chosen))
