"""The hyperparameters the estimators share, checked once before any work.

The names of selectors are looked up on first use: a fit by a fast solver does not load the engine.
Records that every fit makes are not frozen, which would take six times as long to make; nobody
changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from banditcd._typing import Floats
from banditcd.estimators.checks.parameters import (
    COUNT,
    FLAG,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    Rule,
    checked,
)
from banditcd.solvers import POOL_BYTES

SOLVERS = ("auto", "fast", "engine")
DEFAULT_SELECTOR = "focus"
OPENING = "Objective did not converge."
CLOSEST_AIM = 1e-12  # a relative gap that float64 allows on most data
MAX_ITER = 1000  # where None is given, as scikit-learn's Ridge does

Strength = TypeVar("Strength", float, Floats)


@dataclass(slots=True)
class Settings:
    """Checked hyperparameters that every model has, without the strength of the penalty.

    ``selector`` is None for the fast solver and what ``banditcd.minimize`` takes otherwise.
    ``n_threads`` None leaves their number to the environment.
    """

    l1_ratio: float = 1.0
    tol: float = 1e-4
    max_iter: int = 1000
    selector: Any = None
    random_state: Any = None
    keep_history: bool = False
    n_threads: int | None = None

    @property
    def opening(self) -> str:
        """How the warning of a fit begins that ``max_iter`` ended."""
        return OPENING

    def penalties(self, alpha: Strength) -> tuple[Strength, Strength]:
        """Return the weights of ``|w|`` and of ``w²/2`` for a strength, or for several."""
        return alpha * self.l1_ratio, alpha * (1.0 - self.l1_ratio)


@dataclass(slots=True)
class LinearSettings(Settings):
    """Checked hyperparameters of a regression with the squared loss, without alpha."""

    fit_intercept: bool = True
    standardize: bool = False
    pool_bytes: int = POOL_BYTES

    @property
    def aim(self) -> float:
        """Where the fast solver ends its work, below ``tol``, which it is judged by.

        A gap of ``tol`` times the null model's objective leaves coefficients off by about the root
        of ``tol``, where scikit-learn's rule for the last steps leaves about ``tol``. What lies
        between takes few steps, because the pool is solved by Newton's method.
        """
        return min(self.tol, max(1e-3 * self.tol * self.tol, CLOSEST_AIM))

    @property
    def limits(self) -> dict[str, float]:
        """What a native path is judged by, and where its work ends."""
        return {"tol": self.tol, "aim": self.aim, "max_iter": self.max_iter}

    @property
    def finds_overflow(self) -> bool:
        """Whether the solver's first pass sees X as it is, and finds values that are not finite."""
        return self.selector is None and not self.standardize


def check_settings(estimator: Any, l1_ratio: float, keep_history: bool = False) -> LinearSettings:
    """Return the checked hyperparameters of a regression with an L1 or elastic-net penalty."""
    tol, max_iter, n_threads, *others = checked(estimator, RULES)
    return LinearSettings(
        l1_ratio,
        tol,
        MAX_ITER if max_iter is None else max_iter,
        choose_selector(estimator.solver, estimator.selector),
        estimator.random_state,
        keep_history,
        n_threads,
        *others[:3],  # those after them have no effect
    )


def split_solver(solver: Any, regimes: tuple[str, ...]) -> tuple[Any, str | None]:
    """Return the solver, and the strategy where one is asked for by the word of its certificate."""
    if isinstance(solver, str) and solver in regimes:
        return "fast", solver
    return solver, None


def choose_selector(
    solver: Any, selector: Any, others: tuple[str, ...] = (), regimes: tuple[str, ...] = ()
) -> Any:
    """Return None for the fast solver, else the engine's selector.

    ``others`` are the words for the fast solver that scikit-learn's class knows, ``regimes`` those
    of strategies, which :func:`split_solver` has taken out.
    """
    if not (isinstance(solver, str) and (solver in SOLVERS or solver in others)):
        known = ", ".join((*SOLVERS, *others, *regimes))
        raise ValueError(f"solver is {solver!r}; it must be one of {known}.")
    if solver in others:
        solver = "auto"
    automatic = isinstance(selector, str) and selector == "auto"
    if solver == "fast" and not automatic:
        raise ValueError(
            "solver='fast' chooses its coordinates itself; use solver='auto' or 'engine' with "
            f"selector={selector!r}."
        )
    if automatic:
        return DEFAULT_SELECTOR if solver == "engine" else None
    if isinstance(selector, str):
        from banditcd import selectors

        selectors.make(selector)  # an unknown name is an error now, not in the middle of a path
    return selector


def _check_selection(value: Any, name: str) -> None:
    if not (isinstance(value, str) and value in ("cyclic", "random")):
        raise ValueError(
            f"{name} is {value!r}; it must be 'cyclic' or 'random' (and has no effect: choose a "
            "rule with selector=)."
        )


def _check_precompute(value: Any, name: str) -> None:
    if isinstance(value, str) and value != "auto":
        raise ValueError(
            f"{name} is {value!r}; it must be True, False, 'auto' or a Gram matrix (the first "
            "three have no effect: the solver decides by itself)."
        )


RULES = {
    "tol": NOT_NEGATIVE,
    "max_iter": OPTIONAL_COUNT,
    "n_threads": OPTIONAL_COUNT,
    "fit_intercept": FLAG,
    "standardize": FLAG,
    "pool_bytes": COUNT,
    "copy_X": FLAG,
    "selection": Rule(str, "cyclic", "cyclic", _check_selection),
    "precompute": Rule(bool, False, True, _check_precompute, plain="auto"),
}
