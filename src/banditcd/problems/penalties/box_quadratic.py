"""A parabola or a line on an interval."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.problems.penalties.base import ALL, Penalty


class BoxQuadratic(Penalty):
    """g_i(x) = (mu_i / 2) x^2 - b_i x on lower_i <= x <= upper_i.

    The duals of ridge (no box), hinge (mu = 0 on [0, 1]), squared hinge (x >= 0) and elastic net.
    """

    name: ClassVar[str] = "box_quadratic"

    def __init__(self, mu: Floats, linear: Floats, lower: Floats, upper: Floats) -> None:
        self._mu, self.linear = mu, linear
        self._lower, self._upper = lower, upper

    @property
    def mu(self) -> Floats:
        """Curvature of the parabola."""
        return self._mu

    @property
    def lower(self) -> Floats:
        """Left end of the interval."""
        return self._lower

    @property
    def upper(self) -> Floats:
        """Right end of the interval."""
        return self._upper

    def value(self, x: Any, at: Any = ALL) -> Any:
        """mu x^2 / 2 - b x."""
        inside = (x >= self._lower[at]) & (x <= self._upper[at])
        return np.where(inside, x * (0.5 * self._mu[at] * x - self.linear[at]), np.inf)

    def _best(self, x: Any, force: Any, at: Any) -> Any:
        """Return argmax of force z - mu z^2 / 2 on the interval, nearest to x."""
        mu = self._mu[at]
        curved = force / np.where(mu > 0.0, mu, 1.0)
        flat = np.where(force > 0.0, np.inf, np.where(force < 0.0, -np.inf, x))
        return np.clip(np.where(mu > 0.0, curved, flat), self._lower[at], self._upper[at])

    def conjugate(self, u: Any, at: Any = ALL) -> Any:
        """(u + b) z - mu z^2 / 2 at the maximizer z."""
        force = u + self.linear[at]
        z = self._best(np.zeros_like(force), force, at)
        return z * (force - 0.5 * self._mu[at] * z)

    def maximizer(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """(u + b) / mu cut to the interval; on a flat line the nearest end, or x itself."""
        return self._best(x, u + self.linear[at], at)

    def gap(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """mu (x - z)^2 / 2 + q (z - x) with q = u + b - mu z: both terms are >= 0."""
        z = self.maximizer(x, u, at)
        q = u + self.linear[at] - self._mu[at] * z
        pressed = (z == self._lower[at]) | (z == self._upper[at])  # elsewhere q is rounding
        return 0.5 * self._mu[at] * (x - z) ** 2 + np.where(pressed, q * (z - x), 0.0)

    def prox(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """x + (u + b - mu x) / (h + mu), cut to the interval."""
        move = (u + self.linear[at] - self._mu[at] * x) / (h + self._mu[at])
        return np.clip(x + move, self._lower[at], self._upper[at])

    def subdifferential(self, x: Any, at: Any = ALL) -> tuple[Any, Any]:
        """mu x - b, a ray at the ends."""
        slope = self._mu[at] * x - self.linear[at]
        return (
            np.where(x <= self._lower[at], -np.inf, slope),
            np.where(x >= self._upper[at], np.inf, slope),
        )

    def minimizer(self) -> Floats:
        """b / mu cut to the interval, or the end a line falls to."""
        best: Floats = self._best(np.zeros(len(self._mu)), self.linear, ALL)
        return best

    def native(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Mu, linear, lower, upper."""
        return self._mu, self.linear, self._lower, self._upper

    def keep(self, columns: npt.NDArray[np.intp]) -> BoxQuadratic:
        """Return the penalty of the chosen coordinates."""
        return BoxQuadratic(*(part[columns] for part in self.native()))
