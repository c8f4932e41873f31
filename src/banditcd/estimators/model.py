"""The hyperparameters the estimators share, checked once before any work."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from banditcd.record import POOL_BYTES

SOLVERS = ("auto", "record", "engine")
DEFAULT_SELECTOR = "focus"


@dataclass(frozen=True, slots=True)
class Model:
    """Checked hyperparameters, without the penalty strength.

    ``selector`` is None for the record solver and what ``banditcd.minimize`` takes otherwise.
    """

    l1_ratio: float = 1.0
    fit_intercept: bool = True
    tol: float = 1e-4
    max_iter: int = 1000
    standardize: bool = False
    selector: Any = None
    random_state: Any = None
    keep_history: bool = False
    n_threads: int | None = None
    pool_bytes: int = POOL_BYTES

    @property
    def finds_overflow(self) -> bool:
        """Whether the solver's first pass sees X as it is, and finds values that are not finite."""
        return self.selector is None and not self.standardize


def check_model(estimator: Any, l1_ratio: float) -> Model:
    """Return the checked hyperparameters of an estimator."""
    _check_ignored(estimator)
    max_iter, n_threads = estimator.max_iter, estimator.n_threads
    return Model(
        l1_ratio,
        check_flag(estimator.fit_intercept, "fit_intercept"),
        check_real(estimator.tol, "tol"),
        1000 if max_iter is None else check_count(max_iter, "max_iter"),
        check_flag(estimator.standardize, "standardize"),
        choose_selector(estimator.solver, estimator.selector),
        estimator.random_state,
        check_flag(getattr(estimator, "record_history", False), "record_history"),
        None if n_threads is None else check_count(n_threads, "n_threads"),
        check_count(getattr(estimator, "pool_bytes", POOL_BYTES), "pool_bytes"),
    )


def choose_selector(solver: Any, selector: Any) -> Any:
    """Return None for the record solver, else the engine's selector."""
    if not (isinstance(solver, str) and solver in SOLVERS):
        raise ValueError(f"solver is {solver!r}; it must be one of {', '.join(SOLVERS)}.")
    automatic = isinstance(selector, str) and selector == "auto"
    if solver == "record" and not automatic:
        raise ValueError(
            "solver='record' chooses its coordinates itself; use solver='auto' or 'engine' with "
            f"selector={selector!r}."
        )
    if automatic:
        return DEFAULT_SELECTOR if solver == "engine" else None
    if isinstance(selector, str):
        from banditcd import selectors

        selectors.make(selector)  # an unknown name is an error now, not in the middle of a path
    return selector


def check_flag(value: Any, name: str) -> bool:
    """Check a boolean."""
    if value is True or value is False or isinstance(value, np.bool_):
        return bool(value)
    raise ValueError(f"{name} is {value!r}; it must be True or False.")


def check_count(value: Any, name: str) -> int:
    """Check a positive integer."""
    if type(value) is int and value >= 1:
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 1:
        return int(value)
    raise ValueError(f"{name} is {value!r}; it must be an integer, at least 1.")


def check_real(value: Any, name: str, maximum: float = math.inf, positive: bool = False) -> float:
    """Check ``0 <= value <= maximum`` (``0 < value`` if positive) for a finite number."""
    if type(value) is float or (isinstance(value, Real) and not isinstance(value, bool)):
        number = float(value)
        enough = number > 0.0 if positive else number >= 0.0
        if enough and number <= maximum and number != math.inf:
            return number
    low = "greater than 0" if positive else "at least 0"
    high = " and finite" if maximum == math.inf else f" and at most {maximum:g}"
    raise ValueError(f"{name} is {value!r}; it must be a number, {low}{high}.")


def _check_ignored(estimator: Any) -> None:
    """Check the parameters that are accepted for compatibility and have no effect."""
    check_flag(estimator.copy_X, "copy_X")
    if estimator.selection not in ("cyclic", "random"):
        raise ValueError(
            f"selection is {estimator.selection!r}; it must be 'cyclic' or 'random' (and has no "
            "effect: choose a rule with selector=)."
        )
    precompute = estimator.precompute
    if isinstance(precompute, str) and precompute != "auto":
        raise ValueError(
            f"precompute is {precompute!r}; it must be True, False, 'auto' or a Gram matrix (and "
            "has no effect: the solver decides by itself)."
        )
