"""What a run of the engine says, in the words of the estimators."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from banditcd import problems
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.results import Result, TraceRow

SMALLEST_TOL = float(np.finfo(np.float64).tiny)
STATUS = {"max_epochs": "max_iter"}


def engine_certificate(result: Result, target: float) -> FitCertificate:
    """Return the certificate of a run, in the units of the engine's cost."""
    status = STATUS.get(str(result.status), str(result.status))
    certified = math.isfinite(result.gap) or status == "stopped"
    return FitCertificate(
        primal=result.certificate.primal,
        dual=result.certificate.dual,
        gap=result.gap,
        target=target,
        status=status if certified else "uncertified",
        regime=result.selector,
        passes=2.0 * result.work,
        seconds=result.seconds,
        n_iter=max(math.ceil(result.epochs), 1),
    )


def primal_rows(result: Result, problem: problems.Problem) -> list[TraceRow]:
    """Return the rows of a run with the primal objective, also of a dual cost."""
    if problem.kind == "primal":
        return list(result.trace.rows)
    return [
        dataclasses.replace(row, objective=row.gap - row.objective) for row in result.trace.rows
    ]
