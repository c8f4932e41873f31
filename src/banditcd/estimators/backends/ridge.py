r"""The solvers behind Ridge, and the choice between them.

Objectives and penalties are in the units of the estimator:
:math:`\sum_i s_i (y_i - b - x_i^\top w)^2 + \alpha \|w\|^2`.
The engine is imported on first use: a fit by a fast solver does not load it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd._typing import FLOAT32, Floats
from banditcd.estimators.backends.elastic_net import ElasticNetBackend
from banditcd.estimators.backends.rounding import (
    is_single,
    rounded_solutions,
    squared_objective,
)
from banditcd.estimators.backends.solution import Backend, Solution, check_finite, solution_of
from banditcd.estimators.backends.stepping import trace_row
from banditcd.estimators.backends.tasks import SILENT, Tasks, Watcher, solve_watched
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.solvers import Result, RidgeSession
from banditcd.solvers.arrays import is_sparse


@dataclass(frozen=True, slots=True)
class RidgeMethod:
    """How a ridge problem is to be solved.

    ``cost`` is what a selector minimizes: "primal", "dual" or "auto", the one with fewer
    coordinates (as far as the options allow). Of the fast solver, ``exact`` asks for coefficients
    as a direct method gives them (None: for dense X, which scikit-learn solves directly too), and
    ``regime`` for one way to them.
    """

    cost: str = "auto"
    exact: bool | None = None
    regime: str | None = None


AUTOMATIC = RidgeMethod()


class RidgeSolver:
    """Samples and responses, ready to be solved for one set of penalties after another."""

    def __init__(
        self,
        data: Training,
        columns: ColumnOptions,
        settings: LinearSettings,
        method: RidgeMethod = AUTOMATIC,
        solves: int = 1,
    ) -> None:
        self._data, self._columns, self._settings = data, columns, settings
        self._cost, self._solves = method.cost, solves
        self._session: RidgeSession | None = None
        self._backends: dict[int, Backend] = {}
        if settings.selector is None and columns.plain:
            self._session = RidgeSession(
                data.X,
                data.y,
                fit_intercept=settings.fit_intercept,
                sample_weight=data.sample_weight,
                solves=solves,
                exact=not is_sparse(data.X) if method.exact is None else method.exact,
                single=data.X.dtype == FLOAT32,
                n_threads=settings.n_threads,
            )
            if method.regime is not None:
                self._session.force_regime(method.regime)

    def solve(self, alphas: Floats, tasks: Tasks = SILENT) -> list[Solution]:
        """Minimize for every response, each with its alpha."""
        if self._session is None:
            return [self._coordinates(k, float(alpha), tasks) for k, alpha in enumerate(alphas)]
        n, settings, found = self._data.X.shape[0], self._settings, dict[int, Result]()
        strengths = alphas.tolist()
        for alpha in sorted(set(strengths)):
            results = self._session.solve(alpha / n, tol=settings.tol, max_iter=settings.max_iter)
            found |= {k: results[k] for k, own in enumerate(strengths) if own == alpha}
        solutions = []
        for k in range(len(alphas)):
            # A direct solve has no limit; its refinements count up to that of the others.
            found[k].n_iter = min(found[k].n_iter, settings.max_iter)
            rows = [trace_row([found[k]])] if settings.keep_history else []
            solutions.append(solution_of(found[k], 2.0 * n, rows))
            check_finite(solutions[-1])
            if tasks.watched:
                _watch_once(solutions[-1], tasks)
        return solutions

    def leave_one_out(self, alphas: Floats) -> Floats:
        """Return each sample's error in the models without it, (n_alphas, n, n_targets)."""
        assert self._session is not None
        return self._session.leave_one_out(alphas / self._data.X.shape[0])

    def _coordinates(self, k: int, alpha: float, tasks: Tasks) -> Solution:
        if k not in self._backends:
            y = self._data.y
            self._backends[k] = self._backend(y if y.ndim == 1 else np.ascontiguousarray(y[:, k]))
        weight = self._data.sample_weight
        total = float(self._data.X.shape[0] if weight is None else weight.sum())
        solution = solve_watched(self._backends[k], alpha / total, tasks, fitted)
        solution = solution.times(2.0 * total)
        return self._rounded(k, alpha, solution) if is_single(self._data.X) else solution

    def _rounded(self, k: int, alpha: float, solution: Solution) -> Solution:
        """Return the model in float32, with the certificate of the rounded numbers."""
        data, columns = self._data, self._columns
        y = data.y if data.y.ndim == 1 else data.y[:, k]
        l1, l2 = np.zeros(1), np.array([2.0 * alpha])
        objective = squared_objective(
            data.X, y, data.sample_weight, columns, factor=1.0, l1=l1, l2=l2
        )
        return rounded_solutions([solution], columns, objective)[0]

    def _backend(self, y: Floats) -> Backend:
        data, columns, settings = self._data, self._columns, self._settings
        if settings.selector is None:
            return ElasticNetBackend(data.X, y, data.sample_weight, columns, settings, self._solves)
        cost = self._cost
        if cost == "auto":
            n, d = data.X.shape
            easy = columns.plain and not (is_sparse(data.X) and settings.fit_intercept)
            cost = "dual" if n < d and easy else "primal"
        if cost == "dual":
            from banditcd.estimators.backends.engine_ridge import DualRidge

            return DualRidge(data, y, columns, settings)
        from banditcd.estimators.backends.engine_elastic_net import EngineBackend

        return EngineBackend(data.X, y, data.sample_weight, columns, settings)


def fitted(coef: Floats, intercept: float) -> dict[str, Any]:
    """Return the attributes of an estimator at this point, for callbacks."""
    return {"coef_": coef, "intercept_": intercept}


def _watch_once(solution: Solution, tasks: Tasks) -> None:
    """Let callbacks see a model that was solved at once."""
    watch = Watcher(tasks, fitted)
    watch(solution.coef, solution.intercept)
    watch.close()
