"""Any selector of the engine behind Ridge, on the dual cost."""

from __future__ import annotations

import copy

import numpy as np

from banditcd import problems
from banditcd._typing import Floats
from banditcd.estimators.backends.engine_result import (
    counting_rows,
    engine_result,
    primal_rows,
    run_engine,
)
from banditcd.estimators.backends.solution import Solution, Watch, solution_of
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.moments import centered, column_means
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.solvers.arrays import is_sparse


class DualRidge:
    """A selector on the dual of one response; coordinates are samples."""

    def __init__(
        self, data: Training, y: Floats, columns: ColumnOptions, settings: LinearSettings
    ) -> None:
        if not columns.plain:
            raise ValueError(
                "The dual cost of ridge knows no positive, penalty_weights, lower or upper; leave "
                "them out or use solver='primal'."
            )
        if settings.fit_intercept and is_sparse(data.X):
            raise ValueError(
                "The dual cost with an intercept needs centered data, and sparse data are never "
                "centered; use fit_intercept=False or solver='primal'."
            )
        X, weight = data.X, data.sample_weight
        self._means, self._center = np.zeros(X.shape[1]), 0.0
        if settings.fit_intercept:
            self._means = column_means(X, weight)
            self._center = float(np.average(y, weights=weight))
            X, y = centered(X, self._means), y - self._center
        self._X, self._y, self._weight = counting_rows(X, y, weight)
        self._settings = settings
        self._selector = copy.deepcopy(settings.selector)
        self._x: Floats | None = None

    def start_at(self, coef: Floats) -> None:
        """Start at the dual variables of these coefficients: the residual."""
        self._x = self._y - np.asarray(self._X @ coef)

    def largest_alpha(self) -> float:
        """Return inf: ridge never reaches 0."""
        return np.inf

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty, warm-started."""
        if alpha == 0.0:
            raise ValueError("The dual cost of ridge needs alpha > 0; use solver='primal'.")
        settings = self._settings
        problem = problems.RidgeDual(self._X, self._y, alpha, sample_weight=self._weight)
        result = run_engine(
            problem,
            self._selector,
            settings,
            settings.tol,
            watch and (lambda x: watch(*self._seen(problem.coef(x)))),
            x0=self._x,
        )
        self._x = result.x
        rows = primal_rows(result, problem) if settings.keep_history else []
        target = settings.tol * problem.null_objective()
        return solution_of(engine_result(result, *self._seen(result.coef), target), history=rows)

    def _seen(self, coef: Floats) -> tuple[Floats, float]:
        return coef, self._center - float(self._means @ coef)
