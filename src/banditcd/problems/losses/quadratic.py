"""Weighted squared distance."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.problems.losses.base import Loss


class QuadraticLoss(Loss):
    """f(v) = sum_j (c_j / 2) (v_j - t_j)^2.

    Least squares has c = s/n and t = y; the duals of L2-regularized costs have
    c = 1/(alpha N^2) and t = 0. Conjugate: f*(w) = sum_j w_j^2 / (2 c_j) + t_j w_j.
    A row with c_j = 0 is absent: w_j = 0 there.
    """

    name: ClassVar[str] = "quadratic"
    is_quadratic: ClassVar[bool] = True

    def __init__(self, weight: Floats, target: Floats) -> None:
        self.weight, self.target = weight, target

    @property
    def bound(self) -> Floats:
        """f'' = c."""
        return self.weight

    def value(self, v: Floats) -> float:
        """f(v)."""
        return float(0.5 * (self.weight * (v - self.target) ** 2).sum())

    def gradient(self, v: Floats) -> Floats:
        """w = c (v - t)."""
        return self.weight * (v - self.target)

    def second(self, v: Floats) -> Floats:
        """f'' = c."""
        return np.broadcast_to(self.weight, v.shape)

    def conjugate(self, w: Floats) -> float:
        """f*(w)."""
        there = self.weight > 0.0
        if np.any(w[~there] != 0.0):
            return np.inf
        ww = w[there]
        return float((ww * (0.5 * ww / self.weight[there] + self.target[there])).sum())

    def conjugate_along(self, w: Floats) -> tuple[float, float]:
        """Return (a, b) with f*(s w) = a s^2 / 2 + b s."""
        there = self.weight > 0.0
        square = float((w[there] ** 2 / self.weight[there]).sum())
        return square, float(self.target[there] @ w[there])

    def native(self) -> tuple[Floats, Floats]:
        """Weights and targets."""
        return self.weight, self.target

    def part(self, rows: Any) -> QuadraticLoss:
        """Return the loss of some rows."""
        return QuadraticLoss(self.weight[rows], self.target[rows])
