"""A run of the engine as the result of a solver, in the words of the estimators."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from banditcd import problems, results
from banditcd._typing import Floats
from banditcd.results import TraceRow
from banditcd.solvers import Result

SMALLEST_TOL = float(np.finfo(np.float64).tiny)
STATUS = {"max_epochs": "max_iter"}


def engine_result(
    run: results.Result, coef: Floats, intercept: float, target: float, cost: Floats | None = None
) -> Result:
    """Return a run's result for a model, in the units of the engine's cost.

    ``cost`` has the epochs, the passes over the matrix and the seconds of several runs.
    """
    epochs, passes, seconds = run_cost(run) if cost is None else cost
    status = STATUS.get(str(run.status), str(run.status))
    certified = math.isfinite(run.gap) or status == "stopped"
    return Result(
        coef=coef,
        intercept=intercept,
        primal=run.certificate.primal,
        gap=run.gap,
        target=target,
        status=status if certified else "uncertified",
        regime=run.selector,
        passes=float(passes),
        n_iter=math.ceil(epochs),
        seconds=float(seconds),
        pool_size=coef.size,
        support=int(np.count_nonzero(coef)),
    )


def run_cost(run: results.Result) -> Floats:
    """Return epochs, passes over the matrix and seconds of a run."""
    return np.array([run.epochs, 2.0 * run.work, run.seconds])


def primal_rows(run: results.Result, problem: problems.Problem) -> list[TraceRow]:
    """Return the rows of a run with the primal objective, also of a dual cost."""
    if problem.kind == "primal":
        return list(run.trace.rows)
    return [dataclasses.replace(row, objective=row.gap - row.objective) for row in run.trace.rows]
