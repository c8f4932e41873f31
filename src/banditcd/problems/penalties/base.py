"""The separable part of a cost: what the engine asks of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats

ALL = slice(None)


class Penalty(ABC):
    """Convex functions g_i of one variable, i = 1..d.

    Every method works element by element: ``at`` is an index, an index array or (default) all
    coordinates, and x, u have the matching shape. u_i stands for -a_i . grad f(Ax).
    """

    name: ClassVar[str]
    """Its name, and that of the native twin if there is one."""

    @property
    @abstractmethod
    def mu(self) -> Floats:
        """Strong convexity of each g_i."""

    @property
    def lower(self) -> Floats:
        """Left end of each domain (-inf if none)."""
        return np.full(len(self.mu), -np.inf)

    @property
    def upper(self) -> Floats:
        """Right end of each domain (inf if none)."""
        return np.full(len(self.mu), np.inf)

    @property
    def lipschitz(self) -> Floats:
        """L_i with support of g_i in [-L_i, L_i], the Lipschitz constant of g_i*."""
        return np.maximum(np.abs(self.lower), np.abs(self.upper))

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        """Coordinates whose g_i is identically zero: they have no finite G_i and kappa_i."""
        return np.zeros(len(self.mu), dtype=bool)

    @abstractmethod
    def value(self, x: Any, at: Any = ALL) -> Any:
        """g_i(x_i), inf outside the domain."""

    @abstractmethod
    def conjugate(self, u: Any, at: Any = ALL) -> Any:
        """g_i*(u_i) = sup_z u_i z - g_i(z)."""

    @abstractmethod
    def maximizer(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """Return the point of the subdifferential of g_i* at u_i that is nearest to x_i."""

    def gap(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """G_i = g_i(x_i) + g_i*(u_i) - x_i u_i >= 0; the built-in ones avoid the cancellation."""
        return np.maximum(self.value(x, at) + self.conjugate(u, at) - x * u, 0.0)

    @abstractmethod
    def prox(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """Return argmin_z -u_i (z - x_i) + (h_i / 2) (z - x_i)^2 + g_i(z)."""

    @abstractmethod
    def subdifferential(self, x: Any, at: Any = ALL) -> tuple[Any, Any]:
        """Left and right end of the subdifferential of g_i at x_i."""

    def minimizer(self) -> Floats:
        """Return argmin g_i, the value of a coordinate whose column is empty."""
        zero = np.zeros(len(self.mu))
        return np.asarray(self.maximizer(zero, zero))

    def native(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Four parameter arrays as the native twin reads them."""
        raise NotImplementedError(f"{type(self).__name__} has no native twin.")

    @abstractmethod
    def keep(self, columns: npt.NDArray[np.intp]) -> Penalty:
        """Return the penalty of the chosen coordinates."""

    def kappa(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """Dual residue: maximizer - x."""
        return self.maximizer(x, u, at) - x

    def free_decrease(self, x: Any, u: Any, h: Any, at: Any = ALL) -> Any:
        """r_i where g_i is 0: the model's gain by moving u_i / h_i, cut to the bounds.

        Without bounds that is u_i^2 / (2 h_i).
        """
        there = np.asarray(h) > 0.0  # nothing is to be gained on an empty column
        newton = np.where(there, u, 0.0) / np.where(there, h, 1.0)
        move = np.clip(newton, self.lower[at] - x, self.upper[at] - x)
        return move * (u - 0.5 * h * move)

    def violation(self, x: Any, u: Any, at: Any = ALL) -> Any:
        """Distance of u_i from the subdifferential of g_i at x_i (0 at an optimum along i)."""
        low, high = self.subdifferential(x, at)
        return np.maximum(np.maximum(low - u, u - high), 0.0)
