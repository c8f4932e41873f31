"""A fitted point with its certificate, and what a solver of one response offers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate, certificate_of
from banditcd.solvers import Result

if TYPE_CHECKING:
    from banditcd.results import TraceRow

OVERFLOW = (
    "The fit overflowed to non-finite coefficients: X or y has values too large for float64 "
    "squares; rescale the data."
)

AnyResult = TypeVar("AnyResult", bound=Result)
#: Sees every bin or epoch as (coefficients, intercept); returns True to stop.
Watch = Callable[[Floats, Any], bool]


@dataclass(slots=True)
class Solution:
    """Coefficients and intercept of one response at one penalty.

    Of a multinomial model, one row and one intercept for each class.
    """

    coef: Floats
    intercept: Any
    certificate: FitCertificate
    history: list[TraceRow] = field(default_factory=list)

    def times(self, unit: float) -> Solution:
        """Return the solution of the objective multiplied by ``unit``."""
        rows = _rows_times(self.history, unit)
        return replace(self, certificate=self.certificate.times(unit), history=rows)


def solution_of(
    result: Result, unit: float = 1.0, history: Sequence[TraceRow] = (), least: int = 1
) -> Solution:
    """Return a solver's result as a solution, its objective multiplied by ``unit``.

    ``least`` is the number of iterations it counts at least.
    """
    rows = _rows_times(history, unit) if history else []
    return Solution(result.coef, result.intercept, certificate_of(result, unit, least), rows)


def relieved(result: AnyResult, tol: float, aim: float) -> AnyResult:
    """Return a result that was solved to ``aim``, with the target and the status of ``tol``."""
    if aim < tol:
        result.target *= tol / aim
        if result.gap <= result.target and result.status in ("max_iter", "stalled"):
            result.status = "converged"
    return result


def _rows_times(rows: Sequence[TraceRow], unit: float) -> list[TraceRow]:
    return [replace(row, objective=row.objective * unit, gap=row.gap * unit) for row in rows]


def constant_solution(n_features: int, intercept: float) -> Solution:
    """Return a constant that is known to be perfect: its objective is 0, as no other's is less."""
    zeros = np.zeros(n_features)
    return solution_of(
        Result(zeros, intercept, 0.0, 0.0, 0.0, "converged", "null", 0.0, 1, 0.0, 0, 0)
    )


def check_finite(solution: Solution) -> None:
    """Refuse a solution that overflowed."""
    coef = solution.coef
    if coef.ndim == 1 and math.isfinite(_core.dot(coef, coef) + solution.intercept):
        return  # the usual case, without waking up NumPy's machinery
    if not (np.isfinite(coef).all() and np.isfinite(solution.intercept).all()):
        raise ValueError(OVERFLOW)


class Solver(Protocol):
    """A problem, ready to be solved for one strength of the penalty after another."""

    def solve(self, strength: float, /, watch: Watch | None = None) -> Solution:
        """Minimize for one alpha or C, warm-started."""


class Backend(Solver, Protocol):
    """A matrix and a response, ready to be solved for one alpha after another."""

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
