"""The one loop: certify, record, stop; otherwise go on choosing and updating."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.data import check_number, check_vector
from banditcd.engine.prepare import Plan, prepare
from banditcd.engine.schedule import Schedule, Steps
from banditcd.problems import Problem
from banditcd.results import Certificate, Result, Status, Trace, TraceRow

SLICE_SECONDS = 0.05  # how long native code runs before Python may handle Ctrl-C


@dataclass(frozen=True)
class Progress:
    """The view of a run that a callback has at every record; returning True stops the run."""

    row: TraceRow
    x: Floats
    problem: Problem
    target: float


def minimize(
    problem: Problem,
    selector: Any = "focus",
    update: Any = "auto",
    *,
    x0: Any = None,
    tol: float = 1e-6,
    max_epochs: float = 1000.0,
    max_seconds: float | None = None,
    random_state: Any = None,
    callback: Callable[[Progress], Any] | None = None,
    trace: str | int | Steps | None = "epoch",
    engine: str = "compiled",
) -> Result:
    """Minimize F(x) = f(Ax) + sum_i g_i(x_i), one coordinate at a time.

    Parameters
    ----------
    problem : Problem
        The cost, from ``banditcd.problems``.
    selector : str or object
        Which coordinate next: a name, a ``banditcd.selectors`` object, or your own with
        ``start``, ``next`` and optionally ``observe`` or ``observe_batch``. The default is
        shuffled passes that concentrate on what pays; ``"b_max_r"`` is the paper's bandit.
        ``"approx"`` and ``"nuacdm"`` are accelerated methods.
    update : str or object
        How it moves: a name, a ``banditcd.updates`` object, or your own with ``target``;
        ``"auto"`` is the cost's own default.
    x0 : array, optional
        Starting point; 0 (moved into the domain) by default.
    tol : float
        Stop when the duality gap is at most ``tol`` times the primal objective of the null model.
    max_epochs, max_seconds : float
        Limits: d updates are an epoch; seconds are those of the method, evaluation excluded.
    random_state : None, int or NumPy generator
        The same seed gives the same bits on one machine.
    callback : callable, optional
        Called with a :class:`Progress` at every record; returning True stops.
    trace : {"epoch", "step"}, int, array of int or None
        Record every epoch, every step, at multiples of a number of steps or at the listed steps;
        None keeps no rows and certifies at growing intervals.
    engine : {"compiled", "reference"}
        The compiled engine, or the plain NumPy specification it is tested against.

    Returns
    -------
    Result
    """
    if not isinstance(problem, Problem):
        raise TypeError(f"problem must come from banditcd.problems, not {type(problem).__name__}.")
    tol = check_number(tol, "tol", minimum=0.0, strict=True)
    limit = check_number(max_epochs, "max_epochs", minimum=0.0)
    budget = (
        np.inf if max_seconds is None else check_number(max_seconds, "max_seconds", minimum=0.0)
    )
    if x0 is not None:
        x0 = check_vector(x0, problem.d, "x0", of="coordinates")
    plan = prepare(problem, selector, update, x0, random_state, engine)
    schedule = Schedule(trace, plan.problem.d)
    target = tol * problem.null_objective()
    return _drive(plan, schedule, target, (limit, budget), callback)


def _drive(
    plan: Plan,
    schedule: Schedule,
    target: float,
    limits: tuple[float, float],
    callback: Callable[[Progress], Any] | None,
) -> Result:
    run, trace = plan.run, Trace()
    last_step = int(np.ceil(limits[0] * plan.problem.d))
    try:
        while True:
            if schedule.due(run.steps) or run.steps >= last_step or run.seconds >= limits[1]:
                row, certificate = _certify(plan)
                if schedule.records:
                    trace.record(row)
                status = _status(plan, row, certificate, target, (last_step, limits[1]))
                if callback is not None and callback(
                    Progress(row, plan.full(run.x), plan.whole, target)
                ):
                    status = status or Status.STOPPED
                if status is not None:
                    return _result(plan, certificate, target, status, trace)
            steps = min(schedule.next, last_step) - run.steps
            run.advance(steps, min(SLICE_SECONDS, limits[1] - run.seconds))
    except KeyboardInterrupt:
        return _result(plan, _certify(plan)[1], target, Status.INTERRUPTED, trace)


def _certify(plan: Plan) -> tuple[TraceRow, Certificate]:
    """Evaluate the current point; none of this is counted as the method's work or time."""
    run, unit = plan.run, 2.0 * max(plan.problem.A.nnz, 1)
    x = plan.full(run.x)
    certificate = plan.whole.certificate(x)
    # One product with A and one with A^T; F(x) shares the former.
    plan.certificate_entries += 2 * plan.whole.A.nnz
    row = TraceRow(
        step=run.steps,
        epoch=run.steps / plan.problem.d,
        work=run.entries / unit,
        seconds=run.seconds,
        objective=certificate.primal if plan.whole.kind == "primal" else -certificate.dual,
        gap=certificate.gap,
        support=int(np.count_nonzero(x)),
        certificate_work=plan.certificate_entries / unit,
    )
    return row, certificate


def _status(
    plan: Plan, row: TraceRow, certificate: Certificate, target: float, limits: tuple[int, float]
) -> Status | None:
    if certificate.gap <= target < np.inf:
        return Status.CONVERGED
    if plan.stalled(row.step):
        return Status.STALLED
    if row.step >= limits[0]:
        return Status.MAX_EPOCHS
    if row.seconds >= limits[1]:
        return Status.MAX_SECONDS
    return None


def _result(
    plan: Plan, certificate: Certificate, target: float, status: Status, trace: Trace
) -> Result:
    run, x = plan.run, plan.full(plan.run.x)
    return Result(
        x=x,
        coef=plan.whole.coef(x),
        objective=certificate.primal if plan.whole.kind == "primal" else -certificate.dual,
        certificate=certificate,
        tolerance=target,
        status=status,
        steps=run.steps,
        epochs=run.steps / plan.problem.d,
        work=run.entries / (2.0 * max(plan.problem.A.nnz, 1)),
        seconds=run.seconds,
        engine=plan.engine,
        selector=plan.selector_name,
        update=plan.update_name,
        trace=trace,
        picks=getattr(run, "picks", None),
    )
