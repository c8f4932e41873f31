"""Ridge regression in the primal."""

from __future__ import annotations

from typing import Any, ClassVar

from banditcd.data import ColumnMatrix, check_matrix, check_number, check_vector, unknown_name
from banditcd.problems.losses import QuadraticLoss
from banditcd.problems.primal import Options, PrimalProblem, build_penalty, row_weights

SCALINGS = {"half": 1.0, "paper": 2.0}
"""Factor of ||y - Xx||^2 / (2n): the usual scaling, and the paper's 1/n."""


class Ridge(PrimalProblem):
    """F(x) = ||y - Xx||^2 / (2n) + (alpha / 2) ||x||^2.

    Parameters
    ----------
    X, y, alpha, penalty_weights, lower, upper, sample_weight
        As for :class:`banditcd.problems.Lasso`.
    scaling : {"half", "paper"}
        ``"paper"`` doubles the squared loss: ||y - Xx||^2 / n.

    Notes
    -----
    mu_i = alpha, kappa_i = u_i / alpha - x_i and r_i = (grad_i F)^2 / (2 (mu_i + h_i)): with
    unit columns max_r is the Gauss-Southwell rule (Lemma 2 of the paper, corrected).
    """

    name: ClassVar[str] = "Ridge"
    default_update: ClassVar[str] = "exact"

    def __init__(
        self,
        X: Any,
        y: Any,
        alpha: float,
        scaling: str = "half",
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
        if scaling not in SCALINGS:
            raise unknown_name("scaling", scaling, SCALINGS)
        self.scaling = scaling
        chosen = Options(penalty_weights, lower, upper, sample_weight)
        loss = QuadraticLoss(SCALINGS[scaling] * row_weights(n, chosen), y)
        penalty = build_penalty(0.0, self.alpha, d, chosen)
        super().__init__(ColumnMatrix.from_features(X), loss, penalty)
