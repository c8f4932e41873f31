r"""The solvers behind Ridge, and the choice between them.

Objectives and penalties are in the units of the estimator:
:math:`\sum_i s_i (y_i - b - x_i^\top w)^2 + \alpha \|w\|^2`.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import certificate_of
from banditcd.estimators.backends.elastic_net import ElasticNetBackend
from banditcd.estimators.backends.solution import Backend, Solution, Watch
from banditcd.estimators.backends.targets import check_finite
from banditcd.estimators.bases.callbacks import Tasks, Watcher
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training, is_sparse
from banditcd.estimators.checks.settings import Settings
from banditcd.results import TraceRow
from banditcd.solvers import Result, RidgeSession


class RidgeSolver:
    """Samples and responses, ready to be solved for one set of penalties after another.

    ``cost`` is what a selector minimizes: "primal", "dual" or "auto", the one with fewer
    coordinates (as far as the options allow).
    """

    def __init__(
        self, data: Training, columns: ColumnOptions, model: Settings, cost: str, solves: int = 1
    ) -> None:
        self._data, self._columns, self._model = data, columns, model
        self._cost, self._solves = cost, solves
        self._session: RidgeSession | None = None
        if model.selector is None and columns.plain:
            self._session = RidgeSession(
                data.X,
                data.y,
                fit_intercept=model.fit_intercept,
                sample_weight=data.sample_weight,
                solves=solves,
            )
        responses = data.y[:, None] if data.y.ndim == 1 else data.y
        self._responses = [np.ascontiguousarray(y) for y in responses.T]
        self._backends: dict[int, Backend] = {}

    def solve(self, alphas: Floats, tasks: Tasks | None = None) -> list[Solution]:
        """Minimize for every response, each with its alpha."""
        if self._session is None:
            return [self._coordinates(k, alpha, tasks) for k, alpha in enumerate(alphas)]
        found: dict[int, Solution] = {}
        for alpha in np.unique(alphas):
            results = self._direct(float(alpha))
            found |= {int(k): results[k] for k in np.flatnonzero(alphas == alpha)}
        solutions = [found[k] for k in range(len(alphas))]
        for solution in solutions:
            check_finite(solution)
            if tasks is not None and tasks.watched:
                _watch_once(solution, tasks)
        return solutions

    def leave_one_out(self, alphas: Floats) -> Floats:
        """Return each sample's error in the models without it, (n_alphas, n, n_targets)."""
        assert self._session is not None
        return self._session.leave_one_out(alphas / self._data.X.shape[0])

    def _direct(self, alpha: float) -> list[Solution]:
        assert self._session is not None
        n, model = self._data.X.shape[0], self._model
        results = self._session.solve(alpha / n, tol=model.tol, max_iter=model.max_iter)
        return [_solution(result, model.keep_history).times(2.0 * n) for result in results]

    def _coordinates(self, k: int, alpha: float, tasks: Tasks | None) -> Solution:
        if k not in self._backends:
            self._backends[k] = self._backend(self._responses[k])
        total = total_weight(self._data)
        watch = Watcher(tasks, fitted) if tasks is not None and tasks.watched else None
        solution = self._backends[k].solve(alpha / total, watch)
        if watch is not None:
            watch.close()
        check_finite(solution)
        return solution.times(2.0 * total)

    def _backend(self, y: Floats) -> Backend:
        data, columns, model = self._data, self._columns, self._model
        if model.selector is None:
            return ElasticNetBackend(data.X, y, data.sample_weight, columns, model, self._solves)
        cost = self._cost
        if cost == "auto":
            n, d = data.X.shape
            easy = columns.plain and not (is_sparse(data.X) and model.fit_intercept)
            cost = "dual" if n < d and easy else "primal"
        if cost == "dual":
            return DualRidge(data, y, columns, model)
        from banditcd.estimators.backends.engine_elastic_net import EngineBackend

        return EngineBackend(data.X, y, data.sample_weight, columns, model)


def fitted(coef: Floats, intercept: float) -> dict[str, Any]:
    """Return the attributes of an estimator at this point, for callbacks."""
    return {"coef_": coef, "intercept_": intercept}


def _watch_once(solution: Solution, tasks: Tasks) -> None:
    """Let callbacks see a model that was solved at once."""
    watch = Watcher(tasks, fitted)
    watch(solution.coef, solution.intercept)
    watch.close()


def _solution(result: Result, keep_history: bool) -> Solution:
    row = TraceRow(
        step=result.n_iter,
        epoch=float(result.n_iter),
        work=result.passes / 2.0,
        seconds=result.seconds,
        objective=result.primal,
        gap=result.gap,
        support=result.support,
        certificate_work=0.0,
    )
    return Solution(
        result.coef, result.intercept, certificate_of(result), [row] if keep_history else []
    )


class DualRidge:
    """A selector on the dual of one response; coordinates are samples."""

    def __init__(self, data: Training, y: Floats, columns: ColumnOptions, model: Settings) -> None:
        from banditcd.estimators.checks.moments import centered, column_means

        if not columns.plain:
            raise ValueError(
                "The dual cost of ridge knows no positive, penalty_weights, lower or upper; leave "
                "them out or use solver='primal'."
            )
        if model.fit_intercept and is_sparse(data.X):
            raise ValueError(
                "The dual cost with an intercept needs centered data, and sparse data are never "
                "centered; use fit_intercept=False or solver='primal'."
            )
        X, weight = data.X, data.sample_weight
        self._means, self._center = np.zeros(X.shape[1]), 0.0
        if model.fit_intercept:
            self._means = column_means(X, weight)
            self._center = float(np.average(y, weights=weight))
            X, y = centered(X, self._means), y - self._center
        if weight is not None and not weight.all():
            there = np.flatnonzero(weight)
            X, y, weight = X[there], y[there], weight[there]
        self._X, self._y, self._weight, self._model = X, y, weight, model
        self._selector = copy.deepcopy(model.selector)
        self._x: Floats | None = None

    def start_at(self, coef: Floats) -> None:
        """Start at the dual variables of these coefficients: the residual."""
        self._x = self._y - np.asarray(self._X @ coef)

    def largest_alpha(self) -> float:
        """Return inf: ridge never reaches 0."""
        return np.inf

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty, warm-started."""
        from banditcd import problems
        from banditcd.engine import minimize
        from banditcd.estimators.backends.engine_certificate import (
            SMALLEST_TOL,
            engine_certificate,
            primal_rows,
        )
        from banditcd.results import Status

        if alpha == 0.0:
            raise ValueError("The dual cost of ridge needs alpha > 0; use solver='primal'.")
        model = self._model
        problem = problems.RidgeDual(self._X, self._y, alpha, sample_weight=self._weight)
        result = minimize(
            problem,
            self._selector,
            x0=self._x,
            tol=max(model.tol, SMALLEST_TOL),
            max_epochs=model.max_iter,
            random_state=model.random_state,
            callback=watch and (lambda seen: watch(*self._seen(problem.coef(seen.x)))),
            trace="epoch" if model.keep_history or watch is not None else None,
        )
        if result.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        self._x = result.x
        proof = engine_certificate(result, model.tol * problem.null_objective())
        rows = primal_rows(result, problem) if model.keep_history else []
        return Solution(*self._seen(result.coef), proof, rows)

    def _seen(self, coef: Floats) -> tuple[Floats, float]:
        return coef, self._center - float(self._means @ coef)


def total_weight(data: Training) -> float:
    """Return the sum of the weights; the number of samples without any."""
    return float(data.X.shape[0] if data.sample_weight is None else data.sample_weight.sum())
