"""The native solvers behind the classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import (
    BinaryBackend,
    BinaryData,
    BinarySettings,
    objective_units,
)
from banditcd.estimators.backends.certificate import certificate_of
from banditcd.estimators.backends.solution import Solution, Watch
from banditcd.estimators.checks.inputs import is_sparse
from banditcd.results import TraceRow

if TYPE_CHECKING:
    from banditcd.solvers import LogisticSession, Result

#: Problems with fewer entries are solved as exactly as float64 allows, whatever the tolerance:
#: that costs next to nothing, and equivalent data (a weight of 2, or a sample twice) then give
#: the same model.
SMALL = 1 << 12
POLISH = 400  # iterations: the target is out of reach for some, and the result is good without


def session_backend(
    data: BinaryData, model: BinarySettings, like: BinaryBackend | None = None
) -> BinaryBackend:
    """Return the native solver of the loss and penalty."""
    if model.loss != "logistic":
        return SvmBackend(data, model)
    if reads_rows(data, model):
        return L2LogisticBackend(data, model)
    return LogisticBackend(data, model, like)


def reads_rows(data: BinaryData, model: BinarySettings) -> bool:
    """Whether the solver of an L2 penalty takes the problem; it knows no bounds."""
    return model.l1_ratio == 0.0 and data.columns.lower is None and data.columns.upper is None


Run: TypeAlias = "Callable[[int, float], Result]"
"""Runs up to so many more iterations from the current point to a tolerance and reports."""


class SessionBackend:
    """One run if nobody looks on; else several shorter ones."""

    _exact = 1e-16  # the tolerance of small problems
    _step = 1  # iterations of the first short run; each next one has _growth times as many
    _growth = 1

    def __init__(self, data: BinaryData, model: BinarySettings) -> None:
        self._data, self._model = data, model
        entries = data.X.nnz if is_sparse(data.X) else data.X.size
        self._exactly = model.polish and entries <= SMALL

    def _solve(self, run: Run, unit: float, watch: Watch | None) -> Solution:
        if watch is not None or self._model.keep_history:
            return self._solve_in_steps(run, watch).times(unit)
        report: Result = run(self._model.max_iter, self._model.tol)
        reports = [report]
        best = self._best(run, report, reports)
        return _solution(best, report.status, report.target, reports).times(unit)

    def _best(self, run: Run, report: Result, reports: list[Result]) -> Result:
        """Return the report, or a more exact one of a small problem."""
        if not (self._exactly and report.status == "converged"):
            return report
        reports.append(run(min(self._model.max_iter, POLISH), self._exact))
        return reports[-1] if reports[-1].gap <= report.gap else report

    def _solve_in_steps(self, run: Run, watch: Watch | None) -> Solution:
        reports: list[Result] = []
        rows: list[TraceRow] = []
        stopped = False
        for iterations in self._budgets():
            report: Result = run(iterations, self._model.tol)
            reports.append(report)
            rows.append(_row(report, reports))
            stopped = watch is not None and watch(report.coef, report.intercept)
            if report.status != "max_iter" or stopped:
                break
        cut = stopped and report.status == "max_iter"
        best = self._best(run, report, reports)
        if best is not report:
            rows.append(_row(best, reports))
        solution = _solution(best, "stopped" if cut else report.status, report.target, reports)
        solution.history.extend(rows if self._model.keep_history else [])
        return solution

    def _budgets(self) -> Iterator[int]:
        left, step = self._model.max_iter, self._step
        while left > 0:
            yield min(step, left)
            left, step = left - step, step * self._growth


class LogisticBackend(SessionBackend):
    """L1 and elastic-net penalties, and bounds; by columns."""

    _session: LogisticSession

    def __init__(self, data: BinaryData, model: BinarySettings, like: Any = None) -> None:
        from banditcd.solvers import LogisticSession

        super().__init__(data, model)
        if isinstance(like, LogisticBackend):
            self._session = like._session.with_labels(data.sign, data.weight)
            return
        self._session = LogisticSession(
            data.X,
            data.sign,
            fit_intercept=model.intercept == "free",
            sample_weight=data.weight,
            penalty_weights=data.columns.penalty_weights,
            lower=data.columns.lower,
            upper=data.columns.upper,
        )

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        self._session.start_at(self._data.columns.clip(coef), intercept)

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` beside the mean loss at which no coefficient is non-zero."""
        return self._session.largest_penalty()

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        model = self._model
        alpha, unit = objective_units(C, self._data.sign.size)
        l1, l2 = alpha * model.l1_ratio, alpha * (1.0 - model.l1_ratio)
        return self._solve(
            lambda bins, tol: self._session.solve(l1, l2, tol=tol, max_iter=bins), unit, watch
        )


class L2LogisticBackend(SessionBackend):
    """An L2 penalty; by rows."""

    _growth = 2

    def __init__(self, data: BinaryData, model: BinarySettings) -> None:
        from banditcd.solvers.l2_logistic import L2LogisticSession

        super().__init__(data, model)
        self._session = L2LogisticSession(
            data.X,
            data.sign,
            fit_intercept=model.intercept == "free",
            sample_weight=data.weight,
            penalty_weights=data.columns.penalty_weights,
        )

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        self._session.start_at(self._data.columns.clip(coef), intercept)

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        alpha, unit = objective_units(C, self._data.sign.size)
        return self._solve(
            lambda steps, tol: self._session.solve(alpha, tol=tol, max_iter=steps), unit, watch
        )


class SvmBackend(SessionBackend):
    """Hinge and squared hinge with an L2 penalty; by rows."""

    _exact = 1e-26
    _step = 4
    _growth = 2

    def __init__(self, data: BinaryData, model: BinarySettings) -> None:
        from banditcd.solvers.svm import SvmSession

        if not data.columns.plain:
            raise ValueError("A support vector machine has no penalty_weights, lower or upper.")
        super().__init__(data, model)
        self._session = SvmSession(
            data.X,
            data.sign,
            loss="hinge" if model.loss == "hinge" else "squared_hinge",
            sample_weight=data.weight,
            intercept=None if model.intercept == "none" else model.intercept,
            intercept_scaling=model.intercept_scaling,
        )

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Do nothing: the dual variables of the last solve are a better start than a model."""

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        return self._solve(
            lambda passes, tol: self._session.solve(C, tol=tol, max_iter=passes), 1.0, watch
        )


def _solution(last: Result, status: str, target: float, reports: list[Result]) -> Solution:
    total = replace(
        last,
        status=status,
        target=target,
        passes=sum(r.passes for r in reports),
        seconds=sum(r.seconds for r in reports),
        n_iter=sum(r.n_iter for r in reports),
    )
    return Solution(last.coef, last.intercept, certificate_of(total), [])


def _row(last: Result, reports: list[Result]) -> TraceRow:
    """Return a row whose steps and epochs are iterations; work counts entries / (2 nnz)."""
    iterations = sum(r.n_iter for r in reports)
    return TraceRow(
        step=iterations,
        epoch=float(iterations),
        work=sum(r.passes for r in reports) / 2.0,
        seconds=sum(r.seconds for r in reports),
        objective=last.primal,
        gap=last.gap,
        support=int(np.count_nonzero(last.coef)),
        certificate_work=0.0,
    )
