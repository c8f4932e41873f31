"""Blitz (the package blitzl1): working sets from a geometric bound on progress.

The package compares a dtype with a ctypes pointer type, which NumPy 2 refuses; its one conversion
function is replaced here. Warm starts return wrong answers, so there is no path.
"""

from __future__ import annotations

from typing import Any

import blitzl1
import numpy as np
from blitzl1 import _blitzl1
from variant import Variant


def _with_pointer(array: Any, pointer_type: Any) -> tuple[Any, Any]:
    converted = np.asarray(array, dtype=np.dtype(pointer_type._type_))
    return converted, converted.ctypes.data_as(pointer_type)


_blitzl1.data_as = _with_pointer


class Blitz(Variant):
    """``LassoProblem`` and ``LogRegProblem``."""

    def __init__(self, X: Any, y: Any) -> None:
        super().__init__(X, y)
        blitzl1.set_use_intercept(False)
        blitzl1.set_verbose(False)
        blitzl1.set_max_time(1e6)

    def lasso(self, penalty: float, tol: float) -> Any:
        blitzl1.set_tolerance(tol)
        return blitzl1.LassoProblem(self.X, self.y).solve(penalty).x

    def logistic_l1(self, penalty: float, tol: float) -> Any:
        blitzl1.set_tolerance(tol)
        return blitzl1.LogRegProblem(self.X, self.y).solve(penalty).x


VARIANTS: dict[str, type[Variant]] = {"Blitz": Blitz}
