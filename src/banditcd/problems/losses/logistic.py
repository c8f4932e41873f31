"""Logistic loss of two classes."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, xlogy

from banditcd._typing import Floats
from banditcd.problems.losses.base import Loss


class LogisticLoss(Loss):
    """f(v) = sum_j c_j log(1 + exp(-y_j v_j)) with y_j in {-1, +1}; f_j'' <= c_j / 4.

    Gradient w_j = -c_j y_j sigma(-y_j v_j). With p_j = -y_j w_j / c_j in [0, 1] the conjugate is
    f*(w) = sum_j c_j (p_j ln p_j + (1 - p_j) ln(1 - p_j)).
    """

    name: ClassVar[str] = "logistic"

    def __init__(self, weight: Floats, sign: Floats) -> None:
        self.weight, self.sign = weight, sign

    @property
    def bound(self) -> Floats:
        """f'' <= c / 4."""
        return self.weight / 4.0

    def value(self, v: Floats) -> float:
        """f(v), without overflow."""
        return float((self.weight * np.logaddexp(0.0, -self.sign * v)).sum())

    def gradient(self, v: Floats) -> Floats:
        """w = -c y sigma(-y v)."""
        return -self.weight * self.sign * expit(-self.sign * v)

    def second(self, v: Floats) -> Floats:
        """f'' = c sigma (1 - sigma)."""
        return self.weight * expit(v) * expit(-v)

    def conjugate(self, w: Floats) -> float:
        """f*(w); inf outside the box."""
        there = self.weight > 0.0
        if np.any(w[~there] != 0.0):
            return np.inf
        p = -self.sign[there] * w[there] / self.weight[there]
        if np.any((p < 0.0) | (p > 1.0)):
            return np.inf
        return float((self.weight[there] * (xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))).sum())

    def native(self) -> tuple[Floats, Floats]:
        """Weights and signs."""
        return self.weight, self.sign

    def part(self, rows: Any) -> LogisticLoss:
        """Return the loss of some rows."""
        return LogisticLoss(self.weight[rows], self.sign[rows])
