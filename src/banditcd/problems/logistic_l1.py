"""L1-regularized logistic regression."""

from __future__ import annotations

from typing import ClassVar

from banditcd.problems.penalized import ClassTargets, LassoProblem


class LogisticL1(ClassTargets, LassoProblem):
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
