"""A session of a fast solver behind an estimator: one run, or several that somebody watches.

Only histories need the rows of a trace, which are imported on first use.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution, Watch, relieved, solution_of
from banditcd.estimators.checks.settings import Settings
from banditcd.solvers import Result

if TYPE_CHECKING:
    from banditcd.results import TraceRow

#: Iterations of a polish: the target is out of reach for some, and the result is good without.
POLISH = 400
#: Short runs in a row that may leave the objective as it is: rounding has the last word then.
PATIENCE = 2
#: Targets below lost digits to underflow.
TINY = 1e-290

#: Takes ``tol`` and ``max_iter``, and goes on from where the last run ended.
Run = Callable[..., Result]


class SessionBackend:
    """One run if nobody looks on; else several shorter ones."""

    _exact = 1e-16  # the tolerance of a polish
    _first = 1  # iterations of the first short run; each next one has _growth times as many
    _growth = 1
    _least = 1  # iterations that a solve counts at least; 0 once it starts at a model
    # The support vector solvers count bins, of which a pass has many once few rows move. Counted
    # here are passes over X, as ``max_iter`` is. What certifies a result is no iteration of the
    # method, and counts up to the limit only.
    _in_passes = False
    _shows_start = False  # whether callbacks see the model before the first iteration
    _aim: float | None = None  # the tolerance that is solved to, if that is not the one judged by

    _settings: Settings
    _polish: bool  # whether a converged result is made as exact as float64 allows

    @property
    def _tolerance(self) -> float:
        """The share of the null model's objective that the gap may be."""
        return self._settings.tol

    def first_model(self, strength: float) -> tuple[Floats, Any] | None:
        """Return the model that the next solve starts at, where one without a step is solved."""
        if not self._shows_start:
            return None
        start = self._run_of(strength)[0](tol=self._goal, max_iter=0)
        return start.coef, start.intercept

    def _run_of(self, strength: float) -> tuple[Run, float]:
        """Return what solves for one alpha or C, and what its objective is multiplied by."""
        raise NotImplementedError

    def solve(self, strength: float, watch: Watch | None = None) -> Solution:
        """Minimize for one strength of the penalty, warm-started."""
        run, unit = self._run_of(strength)
        settings = self._settings
        if watch is not None or settings.keep_history:
            return self._solve_in_steps(run, unit, watch)
        if self._polish:
            best = self._exact_result(run)
        else:
            best = run(tol=self._goal, max_iter=settings.max_iter)
            if self._in_passes:
                best = self._counted(best, settings.max_iter)
        if self._aim is not None:
            best = relieved(best, settings.tol, self._aim)
        return solution_of(best, unit, least=min(self._least, settings.max_iter))

    @property
    def _goal(self) -> float:
        """The tolerance that is solved to."""
        return self._tolerance if self._aim is None else self._aim

    def _counted(self, result: Result, most: int) -> Result:
        """Count passes as iterations where that is what ``max_iter`` limits."""
        if self._in_passes:
            result.n_iter = min(math.ceil(result.passes), most)
        return result

    def _exact_result(self, run: Run) -> Result:
        """Return the result of one run as exact as float64 allows, judged by the tolerance."""
        most = self._settings.max_iter
        if self._least == 0:  # a solved problem, fitted again, takes no step
            start = run(tol=self._goal, max_iter=0)
            if start.status == "converged":
                return start
        result = self._counted(run(tol=self._exact, max_iter=min(most, POLISH)), most)
        target = result.target / self._exact * self._tolerance
        if result.gap <= target and result.target > TINY:
            result.status, result.target = "converged", target
            return result
        if result.status == "max_iter" and result.n_iter >= most:
            result.target = target
            return result
        return self._best(run, [self._counted(run(tol=self._goal, max_iter=most), most)])

    def _best(self, run: Run, results: list[Result]) -> Result:
        """Return the last result or, of a small problem, a more exact one; costs are summed up."""
        last = best = results[-1]
        left = self._settings.max_iter - sum(result.n_iter for result in results)
        if self._polish and last.status == "converged" and left > 0:
            results.append(self._counted(run(tol=self._exact, max_iter=min(left, POLISH)), left))
            best = results[-1] if results[-1].gap <= last.gap else last
        if len(results) == 1:
            return best
        return replace(self._summed(best, results), status=last.status, target=last.target)

    def _solve_in_steps(self, run: Run, unit: float, watch: Watch | None) -> Solution:
        """Solve by short runs; a small problem to the last digit, as one run would."""
        goal = self._exact if self._polish else self._goal
        results: list[Result] = []
        rows: list[TraceRow] = []
        lowest, idle, stopped = math.inf, 0, False
        for iterations in self._budgets():
            last = self._counted(run(tol=goal, max_iter=iterations), iterations)
            results.append(last)
            rows.append(trace_row(results))
            stopped = watch is not None and watch(last.coef, last.intercept)
            idle = 0 if last.primal < lowest else idle + 1
            lowest = min(lowest, last.primal)
            if last.status != "max_iter" or stopped or (self._polish and idle > PATIENCE):
                break
        best = self._summed(last, results)
        if self._polish:
            best = self._polished(run, best, results, stopped)
        if stopped and best.status == "max_iter":
            best.status = "stopped"
        if best.gap < last.gap:
            rows.append(trace_row(results))
        if self._aim is not None:
            best = relieved(best, self._settings.tol, self._aim)
        rows = rows if self._settings.keep_history else []
        return solution_of(best, unit, rows, min(self._least, self._settings.max_iter))

    def _polished(self, run: Run, total: Result, results: list[Result], stopped: bool) -> Result:
        """Return the total of short runs that aimed at the last digit, judged by the tolerance."""
        target = total.target / self._exact * self._tolerance
        left = self._settings.max_iter - total.n_iter
        if total.target > TINY and (total.gap <= target or stopped or left <= 0):
            status = "converged" if total.gap <= target else "max_iter"
            return replace(total, target=target, status=status)
        results.append(self._counted(run(tol=self._goal, max_iter=max(left, 0)), left))
        return self._summed(results[-1], results)

    def _summed(self, best: Result, results: list[Result]) -> Result:
        """Return one of several runs with the costs of all."""
        return replace(
            best,
            passes=sum(result.passes for result in results),
            seconds=sum(result.seconds for result in results),
            n_iter=min(sum(result.n_iter for result in results), self._settings.max_iter),
        )

    def _budgets(self) -> Iterator[int]:
        left, step = self._settings.max_iter, self._first
        if self._polish:
            left = min(left, POLISH)
        if left == 0:
            yield 0  # the start, as it is
        while left > 0:
            yield min(step, left)
            left, step = left - step, step * self._growth


def trace_row(results: list[Result]) -> TraceRow:
    """Return the row of the last of several runs; they count iterations and entries / (2 nnz)."""
    from banditcd.results import TraceRow

    last, iterations = results[-1], sum(result.n_iter for result in results)
    return TraceRow(
        step=iterations,
        epoch=float(iterations),
        work=sum(result.passes for result in results) / 2.0,
        seconds=sum(result.seconds for result in results),
        objective=last.primal,
        gap=last.gap,
        support=int(np.count_nonzero(last.coef)),
        certificate_work=0.0,
    )
