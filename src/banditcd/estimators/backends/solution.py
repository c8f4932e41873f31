"""A fitted point with its certificate, and what a solver of one response offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate

if TYPE_CHECKING:
    from banditcd.results import TraceRow

#: Sees every bin or epoch as (coefficients, intercept); returns True to stop.
Watch = Callable[[Floats, float], bool]


@dataclass(frozen=True, slots=True)
class Solution:
    """Coefficients and intercept of one response at one penalty."""

    coef: Floats
    intercept: float
    certificate: FitCertificate
    history: list[TraceRow] = field(default_factory=list)

    def times(self, unit: float) -> Solution:
        """Return the solution of the objective multiplied by ``unit``."""
        rows = [
            replace(row, objective=row.objective * unit, gap=row.gap * unit) for row in self.history
        ]
        return replace(self, certificate=self.certificate.times(unit), history=rows)


class Backend(Protocol):
    """A matrix and a response, ready to be solved for one penalty after another."""

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty, warm-started."""
