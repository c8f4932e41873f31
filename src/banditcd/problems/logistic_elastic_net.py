"""Logistic regression with an L1 and an L2 penalty."""

from __future__ import annotations

from typing import ClassVar

from banditcd.problems.penalized import ClassTargets, ElasticNetProblem


class LogisticElasticNet(ClassTargets, ElasticNetProblem):
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
