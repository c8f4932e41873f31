"""Dual costs: coordinates are samples, the certificate is the primal objective."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix, check_labels, check_matrix, check_number, check_vector
from banditcd.problems.base import Problem
from banditcd.problems.losses import QuadraticLoss
from banditcd.problems.penalties import Penalty
from banditcd.results import Certificate


class DualProblem(Problem):
    """The dual of P(theta) = (1/N) sum_i phi_i(z_i . theta) + R(theta), coordinates = samples.

    Weak duality makes -F(x) a lower bound of every P, and P(theta) = F_D(w) at the model theta
    that w stands for: the certificate is P(theta) + F(x), with no rescaling.
    """

    kind: ClassVar[Literal["primal", "dual"]] = "dual"

    def certificate(self, x: Floats) -> Certificate:
        """Primal value F_D(w) of the model, dual value -F(x)."""
        v = self.A.matvec(x)
        return Certificate(self.dual_objective(self.loss.gradient(v)), -self.objective(x, v))

    def null_objective(self) -> float:
        """P(0) = sum_i g_i*(0)."""
        return float(np.sum(self.penalty.conjugate(np.zeros(self.d))))


class L2DualProblem(DualProblem):
    """Duals of (1/N) sum_i phi_i(z_i . theta) + (alpha / 2) ||theta||^2.

    f(v) = ||v||^2 / (2 alpha N^2), beta = alpha N^2, theta = N w = v / (alpha N),
    h_i = ||z_i||^2 / (alpha N^2).
    """

    alpha: float
    n_samples: int

    def coef(self, x: Floats) -> Floats:
        """Theta = A x / (alpha N)."""
        return self.A.matvec(x) / (self.alpha * self.n_samples)


class TwoClassDual(L2DualProblem):
    """Duals of (1/N) sum_i phi(y_i z_i . theta) + (alpha / 2) ||theta||^2 with y_i in {-1, +1}.

    a_i = y_i z_i; a subclass says what g_i is.

    Parameters
    ----------
    X : array or sparse matrix of shape (N, p)
    y : array of shape (N,)
        Two classes; the larger label counts as +1.
    alpha : float
        Penalty strength, > 0; liblinear's C is 1 / (alpha N).
    sample_weight : array of shape (N,), optional
        Positive weights s_i of the losses, normalized to sum N. x_i stays the dual variable of
        one sample of weight 1: a_i = s_i y_i z_i and g_i is s_i times the g_i below.
    """

    def __init__(self, X: Any, y: Any, alpha: float, *, sample_weight: Any = None) -> None:
        X = check_matrix(X, order="C")
        n = X.shape[0]
        sign = check_labels(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        self.n_samples = n
        weight = dual_weights(n, sample_weight)
        A = ColumnMatrix.from_samples(X, sign if weight is None else sign * weight)
        share = np.full(n, 1.0 / n) if weight is None else weight / n
        super().__init__(A, l2_dual_loss(A, self.alpha, n), self._dual_loss(share))

    @staticmethod
    @abstractmethod
    def _dual_loss(share: Floats) -> Penalty:
        """Return g_i, the conjugate of phi at -x, times the share s_i / N of the sample."""


def dual_weights(n: int, sample_weight: Any) -> Floats | None:
    """Check the weights of a dual, normalized to sum n; None stays None."""
    if sample_weight is None:
        return None
    weight = check_vector(sample_weight, n, "sample_weight")
    if not np.all(weight > 0.0):
        raise ValueError(
            "sample_weight of a dual cost must be positive: a sample of weight 0 has no dual "
            "variable, so drop its row."
        )
    return np.asarray(weight * (n / weight.sum()))


def l2_dual_loss(A: ColumnMatrix, alpha: float, n_samples: int) -> QuadraticLoss:
    """f(v) = ||v||^2 / (2 alpha N^2)."""
    weight = np.full(A.m, 1.0 / (alpha * float(n_samples) ** 2))
    return QuadraticLoss(weight, np.zeros(A.m))
