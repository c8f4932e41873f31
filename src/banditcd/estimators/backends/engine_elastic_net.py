r"""Any selector of the engine behind the estimators, with an exact intercept.

The best intercept at fixed coefficients is :math:`b(w) = \bar y - \bar x^\top w` (weighted
means), and the joint optimum minimizes :math:`F(w, b(w))`. Dense data are centered once, so the
engine minimizes that function itself. Sparse data are never centered: the engine runs an epoch
with the intercept fixed, then the intercept is minimized exactly. The certificate of the shifted
problem (:math:`y - b` in place of :math:`y`) is one of the joint problem if its dual point sums to
zero, which is demanded like the orthogonality to any unpenalized column; at an exact intercept the
residual does so by itself, and a run counts as converged only there.
Constant columns, which an intercept makes useless, are excluded; columns whose mean is much
larger than their spread make the alternation slow.
"""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np

from banditcd import problems
from banditcd._typing import Floats
from banditcd.estimators.backends.engine_result import engine_result, run_cost, run_engine
from banditcd.estimators.backends.solution import Solution, Watch, solution_of
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.moments import centered, column_means, column_spreads
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.problems.losses import QuadraticLoss
from banditcd.problems.primal import PrimalProblem
from banditcd.results import Result, Status, TraceRow
from banditcd.selectors import seed_from
from banditcd.solvers.arrays import is_sparse


class EngineBackend:
    """Solves one response by ``banditcd.minimize``, penalty after penalty."""

    def __init__(
        self,
        X: Any,
        y: Floats,
        sample_weight: Floats | None,
        columns: ColumnOptions,
        settings: LinearSettings,
    ) -> None:
        self._settings, self._coef, self._least = settings, np.zeros(X.shape[1]), 1
        self._selector = copy.deepcopy(settings.selector)  # it learns: folds must not share it
        self._alternates = settings.fit_intercept and is_sparse(X)
        self._columns = _without_flat(X, sample_weight, columns) if self._alternates else columns
        self._options = {
            "sample_weight": sample_weight,
            "penalty_weights": self._columns.penalty_weights,
            "lower": columns.lower,
            "upper": columns.upper,
        }
        self._means, self._center = np.zeros(X.shape[1]), 0.0
        if settings.fit_intercept:
            self._center = float(np.average(y, weights=sample_weight))
            y = y - self._center
        if settings.fit_intercept and not self._alternates:
            self._means = column_means(X, sample_weight)
            X = centered(X, self._means)
        self._X, self._y = X, y

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""
        self._coef, self._least = self._columns.clip(coef), 0

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        problem = problems.Lasso(self._X, self._y, 0.0, **self._options)
        return problem.alpha_max / self._settings.l1_ratio

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty, warm-started."""
        problem = self._problem(alpha)
        # One stream for the whole solve: a restart must not repeat the same draws.
        self._rng = np.random.default_rng(seed_from(self._settings.random_state))
        target = self._settings.tol * problem.null_objective()
        if self._alternates:
            result, shift, cost, rows = self._alternate(problem, target, watch)
        else:
            result, shift = self._run(problem, self._settings.max_iter, target, watch), 0.0
            cost, rows = run_cost(result), result.trace.rows
        self._coef = result.x
        intercept = self._intercept(result.x) + shift
        model = engine_result(result, result.x, intercept, target, cost)
        rows = rows if self._settings.keep_history else []
        return solution_of(model, history=rows, least=self._least)

    def _problem(self, alpha: float) -> PrimalProblem:
        ratio = self._settings.l1_ratio
        if ratio == 1.0:
            return problems.Lasso(self._X, self._y, alpha, **self._options)
        if ratio == 0.0:
            return problems.Ridge(self._X, self._y, alpha, "half", **self._options)
        return problems.ElasticNet(self._X, self._y, alpha, ratio, **self._options)

    def _intercept(self, coef: Floats) -> float:
        return self._center - float(self._means @ coef)

    def _run(
        self, problem: problems.Problem, epochs: float, target: float, watch: Watch | None
    ) -> Result:
        """Let the engine run from the current coefficients until the gap is at the target."""
        null = problem.null_objective()
        return run_engine(
            problem,
            self._selector,
            self._settings,
            target / null if null > 0.0 else 0.0,
            watch and (lambda x: watch(x, self._intercept(x))),
            x0=self._coef,
            max_epochs=epochs,
            random_state=self._rng,
        )

    def _alternate(
        self, problem: PrimalProblem, target: float, watch: Watch | None
    ) -> tuple[Result, float, Floats, list[TraceRow]]:
        """Alternate epochs and exact intercepts; return the result, shift, cost and rows."""
        cost, rows = np.zeros(3), list[TraceRow]()
        limit, stopped = float(self._settings.max_iter), False
        while True:
            shifted, shift = self._at_best_shift(problem)
            result = self._run(shifted, min(1.0, limit - cost[0]), target, None)
            # Only the first certificate of a run is at an exact intercept.
            rows += [_later(row, cost) for row in result.trace.rows[:1]]
            if result.steps == 0 or self._stalled(result):
                break
            cost += run_cost(result)
            self._coef = result.x
            if watch is not None and watch(result.x, self._center + shift):
                limit, stopped = cost[0], True  # the next round only certifies
        if stopped and result.status is Status.MAX_EPOCHS:
            result = dataclasses.replace(result, status=Status.STOPPED)
        return result, shift, cost, rows

    def _stalled(self, result: Result) -> bool:
        return result.status is Status.STALLED and np.array_equal(result.x, self._coef)

    def _at_best_shift(self, problem: PrimalProblem) -> tuple[PrimalProblem, float]:
        """Return the problem with the best intercept at the current coefficients, and that."""
        loss = problem.loss
        assert isinstance(loss, QuadraticLoss)
        residual = self._y - problem.A.matvec(self._coef)
        shift = float(loss.weight @ residual / loss.weight.sum())
        shifted = copy.copy(problem)
        shifted.loss = QuadraticLoss(loss.weight, self._y - shift)
        shifted.beside_intercept = True
        return shifted, shift


def _without_flat(X: Any, sample_weight: Floats | None, columns: ColumnOptions) -> ColumnOptions:
    """Exclude constant columns: beside an intercept they are useless."""
    flat = column_spreads(X, sample_weight, about_mean=True) == 0.0
    given = 1.0 if columns.penalty_weights is None else columns.penalty_weights
    return dataclasses.replace(columns, penalty_weights=np.where(flat, np.inf, given))


def _later(row: TraceRow, cost: Floats) -> TraceRow:
    """Return a row as it counts from the beginning of all runs."""
    return dataclasses.replace(
        row,
        step=row.step + round(cost[0]),
        epoch=row.epoch + cost[0],
        work=row.work + cost[1] / 2.0,
        seconds=row.seconds + cost[2],
    )
