"""Lasso."""

from __future__ import annotations

from typing import ClassVar

from banditcd.problems.penalized import LassoProblem, NumericTargets


class Lasso(NumericTargets, LassoProblem):
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
