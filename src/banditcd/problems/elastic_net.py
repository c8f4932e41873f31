"""Elastic net."""

from __future__ import annotations

from typing import ClassVar

from banditcd.problems.penalized import ElasticNetProblem, NumericTargets


class ElasticNet(NumericTargets, ElasticNetProblem):
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
