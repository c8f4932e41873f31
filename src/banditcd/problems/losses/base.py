"""The smooth part of a cost: what the engine asks of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from banditcd._typing import Floats


class Loss(ABC):
    """A convex function f(v) = sum_j f_j(v_j) of v = Ax with f_j'' <= ``bound_j``.

    f is (1/beta)-smooth with 1/beta = max_j bound_j, and its curvature along coordinate i is at
    most h_i = sum_j bound_j a_ji^2, the one constant that updates and marginal decreases share.
    """

    name: ClassVar[str]
    """Its name, and that of the native twin if there is one."""

    is_quadratic: ClassVar[bool] = False
    """Whether a move delta on i changes u_i by exactly -h_i delta."""

    @property
    @abstractmethod
    def bound(self) -> Floats | float:
        """Upper bound on f_j'' for every row (or one for all)."""

    @abstractmethod
    def value(self, v: Floats) -> float:
        """f(v)."""

    @abstractmethod
    def gradient(self, v: Floats) -> Floats:
        """w = f'(v), element by element."""

    @abstractmethod
    def second(self, v: Floats) -> Floats:
        """f''(v), element by element (a generalized derivative at kinks)."""

    @abstractmethod
    def conjugate(self, w: Floats) -> float:
        """f*(w) = sup_v w.v - f(v); inf outside its domain."""

    @abstractmethod
    def part(self, rows: Any) -> Loss:
        """Return the loss of some rows only: a step along one column sees no others."""

    def native(self) -> tuple[Floats, Floats]:
        """Return (per-row weight c_j, per-row target t_j) as the native twin reads them."""
        raise NotImplementedError(f"{type(self).__name__} has no native twin.")

    @property
    def beta(self) -> float:
        """f is (1/beta)-smooth."""
        return float(1.0 / np.max(self.bound))
