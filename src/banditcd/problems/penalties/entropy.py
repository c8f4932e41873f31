"""Binary entropy: the dual of the logistic loss."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, xlogy

from banditcd.problems.penalties.base import ALL, FloatArray, Penalty

NEWTON_STEPS = 100  # the safeguarded Newton below needs 5; bisection alone would need 60


class Entropy(Penalty):
    """g_i(x) = c_i (x ln x + (1 - x) ln(1 - x)) on [0, 1]; mu_i = 4 c_i.

    Conjugate g_i*(u) = c_i log(1 + exp(u / c_i)), maximizer sigma(u / c_i), and
    G_i = c_i KL(x || sigma(u / c_i)).
    """

    name: ClassVar[str] = "entropy"

    def __init__(self, scale: FloatArray) -> None:
        self.scale = scale

    @property
    def mu(self) -> FloatArray:
        """4 c."""
        return 4.0 * self.scale

    @property
    def lower(self) -> FloatArray:
        """0."""
        return np.zeros_like(self.scale)

    @property
    def upper(self) -> FloatArray:
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
        """c KL(x || p), p = sigma(u / c), from a - log(1 + a) >= 0: no cancellation."""
        kappa = self.kappa(x, u, at)
        # x = 0 and x = 1 are limits: x psi(k / x) -> k.
        left = np.where(x > 0.0, x * _excess(kappa / np.where(x > 0.0, x, 1.0)), kappa)
        rest = 1.0 - x
        right = np.where(
            rest > 0.0, rest * _excess(-kappa / np.where(rest > 0.0, rest, 1.0)), -kappa
        )
        far = np.abs(u / self.scale[at]) > 30.0  # sigma rounds to 0 or 1: use the definition there
        plain = self.value(x, at) + self.conjugate(u, at) - x * u
        return np.where(far, np.maximum(plain, 0.0), self.scale[at] * (left + right))

    def prox(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """Root t of t + (h (sigma(t) - x) - u) / c = 0, returned as sigma(t).

        The left side is increasing in t with slope in [1, 1 + h / (4 c)]: Newton, kept inside a
        bracket by bisection.
        """
        c = self.scale[at]
        x, u, h = np.broadcast_arrays(x, u, h)
        low, high = (u - h * (1.0 - x)) / c, (u + h * x) / c  # where the root must lie
        t = np.clip(logit(np.clip(x, 1e-300, 1.0 - 1e-16)), low, high)
        for _ in range(NEWTON_STEPS):
            p = expit(t)
            value = t + (h * (p - x) - u) / c
            low, high = np.where(value < 0.0, t, low), np.where(value > 0.0, t, high)
            new = t - value / (1.0 + h * p * (1.0 - p) / c)
            new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
            done = np.abs(new - t) <= 1e-15 * (1.0 + np.abs(t))
            t = new
            if np.all(done):
                break
        return expit(t)

    def subdifferential(self, x: Any, at: Any = ALL) -> tuple[Any, Any]:
        """c logit(x); everything beyond at the ends."""
        slope = self.scale[at] * logit(x)
        return np.where(x <= 0.0, -np.inf, slope), np.where(x >= 1.0, np.inf, slope)

    def minimizer(self) -> FloatArray:
        """1/2."""
        return np.full_like(self.scale, 0.5)

    def native(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Scale, and three unused arrays."""
        return self.scale, self.scale, self.scale, self.scale

    def keep(self, columns: npt.NDArray[np.intp]) -> Entropy:
        """Return the penalty of the chosen coordinates."""
        return Entropy(self.scale[columns])


def _excess(a: Any) -> Any:
    """a - log(1 + a), by its series near 0 where the difference would cancel."""
    a = np.asarray(a, dtype=np.float64)
    small = np.where(np.abs(a) < 0.01, a, 0.0)
    series = np.zeros_like(small)
    for k in range(10, 1, -1):
        series = small * series + (-1.0) ** k / k
    with np.errstate(divide="ignore"):  # a = -1 gives inf, as it must
        plain = a - np.log1p(np.maximum(a, -1.0))
    return np.where(np.abs(a) < 0.01, small * small * series, plain)
