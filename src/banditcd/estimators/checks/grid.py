"""Grids of penalties."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.checks.logistic import INSTALLED
from banditcd.estimators.checks.numbers import check_start
from banditcd.estimators.checks.parameters import (
    LARGEST_GRID,
    check_count,
    check_real,
    check_verbosity,
    shown,
)
from banditcd.estimators.checks.warning import warn_caller

#: Since when ``n_alphas`` is deprecated in scikit-learn, and from when on it is gone there.
CV_WORDS = ("1.7", "1.9")
PATH_WORDS = ("1.9", "1.11")


def number_or_values(alphas: Any, n_alphas: Any, since: tuple[str, str]) -> Any:
    """Take the older words too, with a warning: ``n_alphas``, and None for an automatic grid."""
    automatic = alphas is None or (isinstance(alphas, str) and alphas == "warn")
    if n_alphas is None or (isinstance(n_alphas, str) and n_alphas == "deprecated"):
        if alphas is None:
            _warn("'alphas=None' is", "leave alphas out, or give a number", since[1])
        return 100 if automatic else alphas
    old = f"'n_alphas' was deprecated in {since[0]} and"
    _warn(old, f"use alphas={n_alphas!r}", since[1])
    return n_alphas if automatic or isinstance(alphas, int) else alphas


def _warn(old: str, new: str, gone: str) -> None:
    """Warn about words that scikit-learn gives up."""
    middle = "deprecated and " if old.endswith("is") else ""
    end = "was" if tuple(map(int, gone.split("."))) <= INSTALLED else "will be"
    warn_caller(f"In scikit-learn {old} {middle}{end} removed in {gone}; {new}.", FutureWarning)


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


class PathRequest(NamedTuple):
    """The models that a path function is asked for, in the words of ``enet_path``."""

    alphas: int | Floats
    eps: float
    coef_init: Any
    verbose: Any

    def start(self, shape: tuple[int, ...]) -> Floats:
        """Return the checked coefficients to start at."""
        start = check_start(self.coef_init, "coef_init")
        if start.shape != shape:
            raise ValueError(f"coef_init has shape {start.shape}; it needs {shape}.")
        return start


def check_path(alphas: Any, eps: Any, coef_init: Any, verbose: Any) -> PathRequest:
    """Check the grid of a path."""
    wanted = check_alphas(alphas)
    check_verbosity(verbose)
    return PathRequest(wanted, check_eps(eps, wanted), coef_init, verbose)


def check_eps(eps: Any, wanted: int | Floats) -> float:
    """Check how far an automatic grid reaches; 1 will do for a grid of one value."""
    number = float(eps) if isinstance(eps, Real) and not isinstance(eps, bool) else 0.0
    one = isinstance(wanted, int) and wanted == 1
    if 0.0 < number < 1.0 or (one and number == 1.0):
        return number
    raise ValueError(
        f"eps is {shown(eps)}; it must be a number between 0 and 1, both excluded: the weakest "
        "penalty of an automatic grid is eps times the strongest."
    )


def check_strength(alpha: Any, name: str, positive: bool = False) -> float:
    """Check one alpha, > 0 if it must be ``positive``, and refuse it in scikit-learn's words."""
    if not isinstance(alpha, Real) or isinstance(alpha, bool):
        raise TypeError(f"{name} must be an instance of float, not {type(alpha).__name__}.")
    if alpha < 0.0 or (positive and alpha == 0.0):
        raise ValueError(f"{name} == {alpha}, must be {'>' if positive else '>='} 0.0.")
    return check_real(alpha, name)


def _each(alphas: Any) -> Floats:
    return np.array([check_strength(alpha, f"alphas[{k}]") for k, alpha in enumerate(alphas)])
