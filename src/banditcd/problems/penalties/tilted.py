"""Absolute value plus square on a symmetric interval, tilted by a line."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.problems.penalties.base import ALL, Penalty
from banditcd.problems.penalties.l1_l2 import L1L2


class TiltedL1L2(Penalty):
    """g_i(x) = lambda_i |x| + (rho_i / 2) x^2 - b_i x on |x| <= bound_i.

    The duals of the epsilon-insensitive losses: rho = 0 on [-1, 1], or rho > 0 everywhere. A line
    shifts the argument of the conjugate, g*(u) = level*(u + b), and with it everything else.
    """

    name: ClassVar[str] = "tilted_l1_l2"

    def __init__(self, lam: Floats, rho: Floats, bound: Floats, linear: Floats) -> None:
        self._level = L1L2(lam, rho, -bound, bound)
        self._linear = linear

    @property
    def mu(self) -> Floats:
        """rho."""
        return self._level.rho

    @property
    def lower(self) -> Floats:
        """-bound."""
        return self._level.lower

    @property
    def upper(self) -> Floats:
        """Bound."""
        return self._level.upper

    def value(self, x: Any, at: Any = ALL) -> Any:
        """lambda |x| + rho x^2 / 2 - b x."""
        return self._level.value(x, at) - self._linear[at] * x

    def conjugate(self, u: Any, at: Any = ALL) -> Any:
        """The conjugate without the line, at u + b."""
        return self._level.conjugate(u + self._linear[at], at)

    def maximizer(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """S_lambda(u + b) / rho cut to the interval."""
        return self._level.maximizer(x, u + self._linear[at], at)

    def gap(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """G_i without the line, at u + b."""
        return self._level.gap(x, u + self._linear[at], at)

    def prox(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """S_lambda(h x + u + b) / (h + rho), cut to the interval."""
        return self._level.prox(x, u + self._linear[at], h, at)

    def subdifferential(self, x: Any, at: Any = ALL) -> tuple[Any, Any]:
        """rho x + lambda sgn(x) - b, an interval at 0 and at the ends."""
        low, high = self._level.subdifferential(x, at)
        return low - self._linear[at], high - self._linear[at]

    def minimizer(self) -> Floats:
        """S_lambda(b) / rho cut to the interval."""
        best: Floats = self._level.maximizer(np.zeros(len(self._linear)), self._linear)
        return best

    def native(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Lambda, rho, bound, b."""
        return self._level.lam, self._level.rho, self._level.upper, self._linear

    def keep(self, columns: npt.NDArray[np.intp]) -> TiltedL1L2:
        """Return the penalty of the chosen coordinates."""
        return TiltedL1L2(*(part[columns] for part in self.native()))
