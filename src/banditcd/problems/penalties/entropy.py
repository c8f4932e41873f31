"""Binary entropy: the dual of the logistic loss."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, xlogy

from banditcd._typing import Floats
from banditcd.problems.penalties.base import ALL, Penalty

NEWTON_STEPS = 200  # the safeguarded Newton below needs 5 to 15; bisection alone would need 70


class Entropy(Penalty):
    """g_i(x) = c_i (x ln x + (1 - x) ln(1 - x)) on [0, 1]; mu_i = 4 c_i.

    Conjugate g_i*(u) = c_i log(1 + exp(u / c_i)), maximizer sigma(u / c_i), and
    G_i = c_i KL(x || sigma(u / c_i)).
    """

    name: ClassVar[str] = "entropy"

    def __init__(self, scale: Floats) -> None:
        self.scale = scale

    @property
    def mu(self) -> Floats:
        """4 c."""
        return 4.0 * self.scale

    @property
    def lower(self) -> Floats:
        """0."""
        return np.zeros_like(self.scale)

    @property
    def upper(self) -> Floats:
        """1."""
        return np.ones_like(self.scale)

    def value(self, x: Any, at: Any = ALL) -> Any:
        """c (x ln x + (1 - x) ln(1 - x))."""
        inside = (x >= 0.0) & (x <= 1.0)
        z = np.where(inside, x, 0.5)
        return np.where(inside, self.scale[at] * (xlogy(z, z) + xlogy(1.0 - z, 1.0 - z)), np.inf)

    def conjugate(self, u: Any, at: Any = ALL) -> Any:
        """c log(1 + exp(u / c)), without overflow."""
        return self.scale[at] * np.logaddexp(0.0, u / self.scale[at])

    def maximizer(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """sigma(u / c)."""
        return expit(u / self.scale[at]) + 0.0 * x

    def gap(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """c KL(x || p), p = sigma(u / c), as a sum of two non-negative terms."""
        t = u / self.scale[at]
        kappa = np.where(t > 0.0, (1.0 - x) - expit(-t), expit(t) - x)  # exact near both ends
        left = _part(x, kappa, -np.logaddexp(0.0, -t))
        right = _part(1.0 - x, -kappa, -np.logaddexp(0.0, t))
        return self.scale[at] * (left + right)

    def prox(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """Root t of t + (h (sigma(t) - x) - u) / c = 0, returned as sigma(t).

        The left side is increasing in t with slope in [1, 1 + h / (4 c)]. Newton inside a
        bracket; where its step is not half the one before (it can cycle between the two flat
        ends of sigma) the bracket is halved instead.
        """
        c = self.scale[at]
        x, u, h = np.broadcast_arrays(x, u, h)
        low, high = (u - h * (1.0 - x)) / c, (u + h * x) / c  # where the root must lie
        t = np.clip(logit(np.clip(x, 1e-300, 1.0 - 1e-16)), low, high)
        move = high - low
        for _ in range(NEWTON_STEPS):
            p = expit(t)
            value = t + (h * (p - x) - u) / c
            low, high = np.where(value < 0.0, t, low), np.where(value > 0.0, t, high)
            new = t - value / (1.0 + h * p * (1.0 - p) / c)
            good = (new >= low) & (new <= high) & (np.abs(new - t) <= 0.5 * move)
            new = np.where(good, new, 0.5 * (low + high))
            move = np.abs(new - t)
            t = new
            if np.all(move <= 1e-15 * (1.0 + np.abs(t))):
                break
        return expit(t)

    def subdifferential(self, x: Any, at: Any = ALL) -> tuple[Any, Any]:
        """c logit(x); everything beyond at the ends."""
        slope = self.scale[at] * logit(x)
        return np.where(x <= 0.0, -np.inf, slope), np.where(x >= 1.0, np.inf, slope)

    def minimizer(self) -> Floats:
        """1/2."""
        return np.full_like(self.scale, 0.5)

    def native(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Scale, and three unused arrays."""
        return self.scale, self.scale, self.scale, self.scale

    def keep(self, columns: npt.NDArray[np.intp]) -> Entropy:
        """Return the penalty of the chosen coordinates."""
        return Entropy(self.scale[columns])


def _part(x: Any, kappa: Any, log_p: Any) -> Any:
    """(p - x) - x log(p / x) >= 0 with p = x + kappa, by its series where it would cancel."""
    near = np.abs(kappa) < 0.01 * x
    a = np.where(near, kappa, 0.0) / np.where(near, x, 1.0)
    series = np.zeros_like(a)
    for k in range(10, 1, -1):
        series = a * series + (-1.0) ** k / k
    log_x = np.log(np.where(x > 0.0, x, 1.0))
    return np.where(near, x * a * a * series, np.maximum(kappa - x * (log_p - log_x), 0.0))
