"""Grids of penalties."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.checks.parameters import LARGEST_GRID, check_count, check_real


def check_alphas(alphas: Any) -> int | Floats:
    """Check a number of alphas, or their values; values come back from large to small."""
    if isinstance(alphas, Integral) and not isinstance(alphas, bool):
        return check_count(alphas, "alphas", LARGEST_GRID)
    if alphas is None or isinstance(alphas, (str, bytes, float)) or not np.iterable(alphas):
        raise ValueError(f"alphas is {alphas!r}; it must be an integer or an array of values.")
    if type(alphas) is not np.ndarray or alphas.dtype != np.float64 or alphas.ndim != 1:
        alphas = _each(alphas)
    if len(alphas) == 0:
        raise ValueError("alphas is empty; give at least one value.")
    rising = np.sort(alphas)
    if not (rising[0] >= 0.0 and rising[-1] < np.inf):  # NaN comes last
        _each(alphas)  # says which
    return np.ascontiguousarray(rising[::-1])


def _each(alphas: Any) -> Floats:
    return np.array([check_real(alpha, f"alphas[{k}]") for k, alpha in enumerate(alphas)])
