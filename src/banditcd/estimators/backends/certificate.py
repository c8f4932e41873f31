"""The certificate of a fit, and the one function that makes it of a solver's result."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from banditcd.solvers import Result

ADVICE = {
    "converged": "The duality gap reached the target.",
    "max_iter": "You might want to increase the number of iterations: max_iter is {max_iter}.",
    "stalled": "Raise tol to {reachable:.0e}: float64 allows no further progress.",
    "rounded": (
        "Center and scale the columns, leave out identifiers, or take another penalty (a large C, "
        "or large sample weights, leave next to none): rounding errors in float64 hide what is "
        "left to gain."
    ),
    "uncertified": (
        "Penalize every feature (alpha > 0, a finite C, positive penalty_weights) or rescale them: "
        "without a penalty, or beside a C or sample weights in which it is lost, no finite "
        "certificate was found."
    ),
    "separable": "Use a finite C, and no penalty weight of 0.",
    "stopped": "A callback stopped the fit; let it run on.",
}
EPS = math.ulp(1.0)
#: A tolerance from here on promises nothing worth having, so that raising it is no advice.
LOOSE = 1e-3
FLOAT32_ADVICE = (
    "Pass X as float64: the fit came closer to the optimum, and lost that when its coefficients "
    "were rounded to the float32 of X."
)


@dataclass(frozen=True, slots=True)
class FitCertificate:
    """A proof of how far the fitted model is from the optimum.

    All values are in the units of the estimator's documented objective, so
    ``0 <= primal - optimum <= gap``.

    Attributes
    ----------
    primal, dual : float
        The objective of the fitted model, and a lower bound on every model's objective.
    gap : float
        ``primal - dual``, computed from a true residual in float64; inf where no certificate
        exists.
    target : float
        The gap asked for: ``tol`` times the objective of the null model (the best constant with
        an intercept, zero without).
    status : str
        "converged" only if ``gap <= target``; else "max_iter", "stalled" (rounding allows no
        more), "uncertified" (no finite bound found), "separable" (classes that a model without
        penalty tells apart: no optimum exists) or "stopped" (by a callback).
    regime : str
        The strategy of the solver, by the name that the module of its session explains: "pool" of
        a Lasso, "newton" of a support vector machine, "null" if no column is in use; or the name
        of the selector.
    passes : float
        Entries of X read by the method, divided by the entries of X.
    seconds : float
        Time of the method.
    n_iter : int
        Bins, Newton steps or refinements of the fast solver; epochs of a selector.
    rounds, bytes_moved : int
        For data that live elsewhere: sums asked for, and the bytes that crossed the boundary.
    lost_to_float32 : bool
        Whether the gap misses its target because the coefficients were rounded to the float32 of
        X: it was at the target before, or less than half as large; the status is then "stalled".
    """

    primal: float
    dual: float
    gap: float
    target: float
    status: str
    regime: str
    passes: float
    seconds: float
    n_iter: int
    rounds: int = 0
    bytes_moved: int = 0
    lost_to_float32: bool = False

    @property
    def converged(self) -> bool:
        """Whether the gap reached the target."""
        return self.status == "converged"

    @property
    def excess(self) -> float:
        """The gap in units of its target; infinite where it is not a number."""
        if math.isnan(self.gap):
            return math.inf
        return self.gap / self.target if self.target > 0.0 else self.gap

    def times(self, unit: float) -> FitCertificate:
        """Return the certificate of the objective multiplied by ``unit``."""
        return replace(
            self,
            primal=self.primal * unit,
            dual=self.dual * unit,
            gap=self.gap * unit,
            target=self.target * unit,
        )

    def advice(self, tol: float, max_iter: int) -> str:
        """Return the one change that would help."""
        if self.lost_to_float32:
            return FLOAT32_ADVICE
        # Without a target the null model's objective is not known; the model's own is smaller.
        null = self.target / tol if tol > 0.0 else self.primal
        ratio = self.gap / null if null > 0.0 else math.inf
        reachable = 2.0 * ratio if math.isfinite(ratio) and ratio > 0.0 else 1e-12
        key = self.status
        if key == "max_iter" and self.gap <= EPS * abs(self.primal):
            key = "stalled"  # no iteration has anything to gain below the rounding of the objective
        elif key == "stalled" and reachable >= LOOSE:
            key = "rounded"
        return ADVICE[key].format(max_iter=max_iter, reachable=reachable)


def certificate_of(result: Result, unit: float = 1.0, least: int = 1) -> FitCertificate:
    """Return the certificate of a result, its objective multiplied by ``unit``.

    A fit counts at least one iteration; ``least`` is 0 for one that continues another.
    """
    if math.isinf(result.primal * unit) and math.isfinite(result.primal):
        raise ValueError(
            "The objective, C times the sum of all losses, overflows float64: use a smaller C."
        )
    return FitCertificate(
        result.primal * unit,
        (result.primal - result.gap) * unit,
        result.gap * unit,
        result.target * unit,
        result.status,
        result.regime,
        result.passes,
        result.seconds,
        max(result.n_iter, least),
    )
