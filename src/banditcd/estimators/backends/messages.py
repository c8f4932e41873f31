"""Convergence warnings that say what was reached and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.exceptions import ConvergenceWarning

from banditcd.estimators.backends.certificate import EPS, FitCertificate
from banditcd.estimators.checks.settings import OPENING, Settings
from banditcd.estimators.checks.warning import warn_caller

NO_OPTIMUM = (
    "No optimum exists: the features tell all samples apart, or those of a class, and without a "
    "penalty the loss falls for ever as the coefficients grow; they are those where the fit "
    "stopped."
)


def warn_unless_converged(
    certificates: Sequence[FitCertificate],
    settings: Settings,
    total: int | None = None,
) -> None:
    """Warn once about the worst of the certificates that missed their target.

    ``total`` is the number of all certificates, if those that converged were left out.
    """
    missed = [c for c in certificates if c.status != "converged"]
    if not missed:
        return
    if any(c.status == "separable" for c in missed):
        warn_caller(f"{NO_OPTIMUM} Use a finite C, and no penalty weight of 0.", ConvergenceWarning)
        return
    total = len(certificates) if total is None else total
    worst = max(missed, key=lambda c: c.excess)
    many = "" if total == 1 else f"{len(missed)} of {total} solves; worst: "
    begins = settings.opening if worst.status == "max_iter" else OPENING
    warn_caller(
        f"{begins.format(n_iter=worst.n_iter)} {worst.advice(settings.tol, settings.max_iter)} "
        f"({many}the duality gap is {worst.gap:.3g} after {worst.n_iter} iteration(s), above the "
        f"target {worst.target:.3g}: tol={settings.tol:g} times the null model's objective.)",
        ConvergenceWarning,
    )


def warn_unless_exact(certificates: Sequence[FitCertificate], settings: Settings) -> None:
    """Warn about ridge regressions, which direct solves make exact whatever ``tol`` is.

    Where the gap is below the rounding of the objective even ``tol=0`` has nothing left to ask for.
    """
    missed = [c for c in certificates if not c.gap <= EPS * abs(c.primal)]
    warn_unless_converged(missed, settings, total=len(certificates))
