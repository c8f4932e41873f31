"""Absolute value plus square, on a box."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.problems.penalties.base import ALL, Penalty


class L1L2(Penalty):
    """g_i(x) = lambda_i |x| + (rho_i / 2) x^2 on lower_i <= x <= upper_i (with 0 inside).

    Lasso: rho = 0. Ridge: lambda = 0. The Lipschitzing of Duenner et al. (ICML 2016) that the
    marginal decrease of a pure L1 cost needs is nothing but a box [-B, B] which no descent
    iterate leaves: see :meth:`boxed`.
    """

    name: ClassVar[str] = "l1_l2"

    def __init__(self, lam: Floats, rho: Floats, lower: Floats, upper: Floats) -> None:
        self.lam, self.rho = lam, rho
        self._lower, self._upper = lower, upper

    def boxed(self, bound: Floats) -> L1L2:
        """Return the same penalty with the box cut to [-bound_i, bound_i]."""
        return L1L2(
            self.lam, self.rho, np.maximum(self._lower, -bound), np.minimum(self._upper, bound)
        )

    @property
    def mu(self) -> Floats:
        """rho."""
        return self.rho

    @property
    def lower(self) -> Floats:
        """Left end of the box."""
        return self._lower

    @property
    def upper(self) -> Floats:
        """Right end of the box."""
        return self._upper

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """No penalty and an infinite end of the box."""
        unbounded = np.isinf(self._lower) | np.isinf(self._upper)
        return np.asarray((self.lam == 0.0) & (self.rho == 0.0) & unbounded)

    def value(self, x: Any, at: Any = ALL) -> Any:
        """lambda |x| + rho x^2 / 2."""
        inside = (x >= self._lower[at]) & (x <= self._upper[at])
        return np.where(inside, self.lam[at] * np.abs(x) + 0.5 * self.rho[at] * x * x, np.inf)

    def conjugate(self, u: Any, at: Any = ALL) -> Any:
        """u z - g(z) at the maximizer z; inf where the supremum is not attained."""
        z = self._support_point(u, at)
        rho = self.rho[at]
        with np.errstate(invalid="ignore"):  # 0 times inf is replaced
            square = np.where(rho > 0.0, 0.5 * rho * z * z, 0.0)
            out = np.abs(z) * (np.abs(u) - self.lam[at]) - square
        return np.where(np.abs(u) <= self.lam[at], 0.0, out)

    def _support_point(self, u: Any, at: Any) -> Any:
        """Return the maximizer of u z - g(z) that is nearest to 0."""
        excess = np.maximum(np.abs(u) - self.lam[at], 0.0)
        rho = self.rho[at]
        far = np.where(excess > 0.0, np.inf, 0.0)
        z = np.where(rho > 0.0, excess / np.where(rho > 0.0, rho, 1.0), far)
        return np.clip(np.sign(u) * z, self._lower[at], self._upper[at])

    def maximizer(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """S_lambda(u) / rho cut to the box; at |u| = lambda and rho = 0 the nearest of a ray."""
        z = self._support_point(u, at)
        edge = (self.rho[at] == 0.0) & (np.abs(u) == self.lam[at])
        ray_low = np.where(u > 0.0, 0.0, self._lower[at])
        ray_high = np.where(u < 0.0, 0.0, self._upper[at])
        return np.where(edge, np.clip(x, ray_low, ray_high), z)

    def gap(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """G_i as a sum of non-negative terms.

        With z the maximizer and q = u - rho z:  rho (x - z)^2 / 2 plus |x| (lambda - sgn(x) q) if
        |q| <= lambda, else lambda (|x| - s x) + (|q| - lambda) s (z - x) with s = sgn(q).
        """
        lam, rho = self.lam[at], self.rho[at]
        z = self.maximizer(x, u, at)
        inside = (rho > 0.0) & (z > self._lower[at]) & (z < self._upper[at]) & (z != 0.0)
        # Free coordinates have an infinite maximizer: their gap is inf, by arithmetic on purpose.
        with np.errstate(invalid="ignore"):
            q = u - np.where(rho > 0.0, rho * z, 0.0)
            q = np.where(inside, lam * np.sign(z), q)  # so it is, but for rounding
            s = np.sign(q)
            inner = np.abs(x) * np.maximum(lam - np.sign(x) * q, 0.0)
            outer = lam * (np.abs(x) - s * x) + np.maximum(np.abs(q) - lam, 0.0) * s * (z - x)
            square = np.where(rho > 0.0, 0.5 * rho * (x - z) ** 2, 0.0)
        return square + np.where(np.abs(q) <= lam, inner, outer)

    def prox(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """S_lambda(h x + u) / (h + rho), cut to the box."""
        q = h * x + u
        z = np.sign(q) * np.maximum(np.abs(q) - self.lam[at], 0.0) / (h + self.rho[at])
        return np.clip(z, self._lower[at], self._upper[at])

    def subdifferential(self, x: Any, at: Any = ALL) -> tuple[Any, Any]:
        """rho x + lambda sgn(x), an interval at 0 and at the ends of the box."""
        slope = self.rho[at] * x
        low = np.where(x > 0.0, self.lam[at], -self.lam[at]) + slope
        high = np.where(x < 0.0, -self.lam[at], self.lam[at]) + slope
        return (
            np.where(x <= self._lower[at], -np.inf, low),
            np.where(x >= self._upper[at], np.inf, high),
        )

    def minimizer(self) -> Floats:
        """0."""
        return np.zeros(len(self.lam))

    def native(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Lambda, rho, lower, upper."""
        return self.lam, self.rho, self._lower, self._upper

    def keep(self, columns: npt.NDArray[np.intp]) -> L1L2:
        """Return the penalty of the chosen coordinates."""
        return L1L2(*(part[columns] for part in self.native()))
