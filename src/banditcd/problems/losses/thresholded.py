"""The smooth part of the elastic-net dual."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.problems.losses.base import Loss


class ThresholdedLoss(Loss):
    """f(v) = sum_j max(|v_j| - lambda_j, 0)^2 / (2 rho_j): the conjugate of the elastic net.

    w_j = S_lambda(v_j) / rho and f*(w) = sum_j lambda_j |w_j| + (rho_j / 2) w_j^2. f is only
    piecewise quadratic: u_i does not change by exactly -h_i delta. With rho = 0 (pure Lasso) f
    would not be smooth, which is why the Lasso has no dual in this class.
    """

    name: ClassVar[str] = "thresholded"

    def __init__(self, rho: Floats, threshold: Floats) -> None:
        self.rho, self.threshold = rho, threshold

    @property
    def bound(self) -> Floats:
        """f'' <= 1 / rho."""
        return 1.0 / self.rho

    def value(self, v: Floats) -> float:
        """f(v)."""
        return float((np.maximum(np.abs(v) - self.threshold, 0.0) ** 2 / (2.0 * self.rho)).sum())

    def gradient(self, v: Floats) -> Floats:
        """w = S_lambda(v) / rho."""
        return np.sign(v) * np.maximum(np.abs(v) - self.threshold, 0.0) / self.rho

    def second(self, v: Floats) -> Floats:
        """1 / rho outside the threshold, 0 inside."""
        return np.where(np.abs(v) > self.threshold, 1.0 / self.rho, 0.0)

    def conjugate(self, w: Floats) -> float:
        """f*(w) = the elastic-net penalty."""
        return float((self.threshold * np.abs(w) + 0.5 * self.rho * w * w).sum())

    def native(self) -> tuple[Floats, Floats]:
        """1 / rho and the thresholds."""
        return 1.0 / self.rho, self.threshold

    def part(self, rows: Any) -> ThresholdedLoss:
        """Return the loss of some rows."""
        return ThresholdedLoss(self.rho[rows], self.threshold[rows])
