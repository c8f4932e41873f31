"""A run of the engine behind an estimator, and its result in the words of the estimators."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from banditcd import problems, results
from banditcd._typing import Floats
from banditcd.engine import minimize
from banditcd.estimators.checks.settings import Settings
from banditcd.results import Status, TraceRow
from banditcd.solvers import Result

SMALLEST_TOL = float(np.finfo(np.float64).tiny)
STATUS = {"max_epochs": "max_iter"}


def run_engine(
    problem: problems.Problem,
    selector: Any,
    settings: Settings,
    tol: float,
    seen: Callable[[Floats], bool] | None,
    **options: Any,
) -> results.Result:
    """Minimize until the gap is at ``tol`` of the objective at zero.

    ``seen`` hears of the point after every epoch; ``options`` are those of ``minimize``, whose
    limits and random state are those of the settings otherwise.
    """
    result = minimize(
        problem,
        selector,
        tol=max(tol, SMALLEST_TOL),
        callback=seen and (lambda progress: seen(progress.x)),
        trace="epoch" if settings.keep_history or seen is not None else None,
        **{"max_epochs": settings.max_iter, "random_state": settings.random_state, **options},
    )
    if result.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return result


def counting_rows(X: Any, y: Floats, weight: Floats | None) -> tuple[Any, Floats, Floats | None]:
    """Return the rows with a positive weight: a dual cost has no others."""
    if weight is None or weight.all():
        return X, y, weight
    there = np.flatnonzero(weight)
    return X[there], y[there], weight[there]


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
