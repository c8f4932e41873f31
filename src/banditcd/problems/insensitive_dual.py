"""Linear support vector regression in the dual."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix, check_matrix, check_number, check_vector
from banditcd.problems.dual import L2DualProblem, dual_weights, l2_dual_loss
from banditcd.problems.penalties import TiltedL1L2


class InsensitiveLossDual(L2DualProblem):
    """Duals of (1/N) sum_i phi(max(|y_i - z_i . theta| - epsilon, 0)) + (alpha / 2) ||theta||^2.

    a_i = z_i; a subclass says what phi is.

    Parameters
    ----------
    X : array or sparse matrix of shape (N, p)
    y : array of shape (N,)
    alpha : float
        Penalty strength, > 0; liblinear's C is 1 / (alpha N).
    epsilon : float
        Errors up to here cost nothing, >= 0.
    sample_weight : array of shape (N,), optional
        Positive weights s_i of the losses, normalized to sum N: a_i = s_i z_i, g_i times s_i.
    """

    default_update: ClassVar[str] = "exact"

    def __init__(
        self, X: Any, y: Any, alpha: float, epsilon: float = 0.1, *, sample_weight: Any = None
    ) -> None:
        X = check_matrix(X, order="C")
        n = X.shape[0]
        y = check_vector(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        self.epsilon = check_number(epsilon, "epsilon", minimum=0.0)
        self.n_samples = n
        weight = dual_weights(n, sample_weight)
        A = ColumnMatrix.from_samples(X, weight)
        share = np.full(n, 1.0 / n) if weight is None else weight / n
        curvature, bound = self._dual_loss(share)
        penalty = TiltedL1L2(self.epsilon * share, curvature, bound, y * share)
        super().__init__(A, l2_dual_loss(A, self.alpha, n), penalty)

    @staticmethod
    @abstractmethod
    def _dual_loss(share: Floats) -> tuple[Floats, Floats]:
        """Return mu_i and the bound of |x_i|."""


class InsensitiveDual(InsensitiveLossDual):
    """Dual of P(theta) = (1/N) sum_i max(|y_i - z_i . theta| - epsilon, 0) + (alpha/2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha, epsilon, sample_weight
        See :class:`banditcd.problems.insensitive_dual.InsensitiveLossDual`.

    Notes
    -----
    g_i(x) = (epsilon |x| - y_i x) / N on [-1, 1], mu_i = 0 (Ho and Lin, JMLR 2012, in the scaling
    of the other duals).
    """

    name: ClassVar[str] = "InsensitiveDual"

    @staticmethod
    def _dual_loss(share: Floats) -> tuple[Floats, Floats]:
        return np.zeros_like(share), np.ones_like(share)


class SquaredInsensitiveDual(InsensitiveLossDual):
    """Dual of (1/N) sum_i max(|y_i - z_i . theta| - epsilon, 0)^2 + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha, epsilon, sample_weight
        See :class:`banditcd.problems.insensitive_dual.InsensitiveLossDual`.

    Notes
    -----
    g_i(x) = (epsilon |x| - y_i x + x^2 / 4) / N, mu_i = 1 / (2N).
    """

    name: ClassVar[str] = "SquaredInsensitiveDual"

    @staticmethod
    def _dual_loss(share: Floats) -> tuple[Floats, Floats]:
        return 0.5 * share, np.full_like(share, np.inf)
