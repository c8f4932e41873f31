"""Costs that are a mean loss of the rows of X with an L1 and an L2 penalty."""

from __future__ import annotations

from typing import Any

from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number, check_vector
from banditcd.problems.losses import LogisticLoss, Loss, QuadraticLoss
from banditcd.problems.primal import L1Problem, Options, build_penalty, l1_weights, row_weights


class ElasticNetProblem(L1Problem):
    """F(x) = (1/n) sum_j loss(y_j, (Xx)_j) + alpha (l1_ratio ||x||_1 + (1 - l1_ratio) ||x||^2 / 2).

    A subclass says which loss: ``make_loss`` and ``check_targets``.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        The data.
    y : array of shape (n,)
        The targets.
    alpha : float
        Strength of the penalty.
    l1_ratio : float
        Share of the L1 part.
    penalty_weights : array of shape (d,), optional
        Multiply the penalty of each coordinate.
    lower, upper : float or array of shape (d,), optional
        Bounds of the coordinates, lower <= 0 <= upper.
    sample_weight : array of shape (n,), optional
        Weights of the rows.
    """

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
        y = self.check_targets(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0)
        self.l1_ratio = check_number(l1_ratio, "l1_ratio", minimum=0.0, maximum=1.0)
        chosen = Options(penalty_weights, lower, upper, sample_weight)
        l1, l2 = self.alpha * self.l1_ratio, self.alpha * (1.0 - self.l1_ratio)
        loss = self.make_loss(row_weights(n, chosen), y)
        penalty = build_penalty(l1, l2, d, chosen)
        super().__init__(ColumnMatrix.from_features(X), loss, penalty, l1_weights(d, chosen))

    def check_targets(self, y: Any, n: int) -> Any:
        """Return the targets of the n rows as an array, or say what is wrong with them."""
        raise NotImplementedError

    def make_loss(self, weights: Any, y: Any) -> Loss:
        """Return the loss; ``weights`` sum to 1 over the rows (1/n each without sample weights)."""
        raise NotImplementedError


class LassoProblem(ElasticNetProblem):
    """The same with l1_ratio = 1.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
        The data.
    y : array of shape (n,)
        The targets.
    alpha : float
        Strength of the penalty.
    penalty_weights : array of shape (d,), optional
        Multiply the penalty of each coordinate.
    lower, upper : float or array of shape (d,), optional
        Bounds of the coordinates, lower <= 0 <= upper.
    sample_weight : array of shape (n,), optional
        Weights of the rows.
    """

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
        super().__init__(
            X,
            y,
            alpha,
            1.0,
            penalty_weights=penalty_weights,
            lower=lower,
            upper=upper,
            sample_weight=sample_weight,
        )


class NumericTargets:
    """Targets are numbers; the loss is half the squared error unless a cost says otherwise."""

    def check_targets(self, y: Any, n: int) -> Any:
        """Return n finite numbers."""
        return check_vector(y, n)

    def make_loss(self, weights: Any, y: Any) -> Loss:
        """Return c_j / 2 times the squared residuals."""
        return QuadraticLoss(weights, y)


class ClassTargets:
    """Targets are two classes; the loss is logistic unless a cost says otherwise."""

    def check_targets(self, y: Any, n: int) -> Any:
        """Return n signs, the larger label as +1."""
        return check_labels(y, n)

    def make_loss(self, weights: Any, y: Any) -> Loss:
        """Return c_j times the logistic losses."""
        return LogisticLoss(weights, y)
