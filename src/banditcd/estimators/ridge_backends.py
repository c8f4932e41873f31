r"""The solvers behind Ridge, and the choice between them.

All of them minimize :math:`\frac{1}{2n}\sum_i s_i (y_i - b - x_i^\top w)^2 + \frac{\alpha}{2}
\|w\|^2`; the estimator converts to scikit-learn's units.
"""

from __future__ import annotations

import copy

import numpy as np

from banditcd.estimators.columns import PLAIN, Columns
from banditcd.estimators.inputs import Training, is_sparse
from banditcd.estimators.model import Model
from banditcd.estimators.record_backend import RecordBackend
from banditcd.estimators.solution import Backend, Floats, Solution, Watch


def ridge_backend(
    data: Training, y: Floats, columns: Columns, model: Model, cost: str, solves: int = 1
) -> Backend:
    """Return the solver of one response.

    ``cost`` is what a selector minimizes: "primal", "dual" or "auto", the one with fewer
    coordinates (as far as the options allow).
    """
    if model.selector is None:
        return RecordBackend(data.X, y, data.sample_weight, columns, model, solves)
    if cost == "auto":
        n, d = data.X.shape
        easy = columns == PLAIN and not (is_sparse(data.X) and model.fit_intercept)
        cost = "dual" if n < d and easy else "primal"
    if cost == "dual":
        return DualRidge(data, y, columns, model)
    from banditcd.estimators.engine_backend import EngineBackend

    return EngineBackend(data.X, y, data.sample_weight, columns, model)


class DualRidge:
    """A selector on the dual of one response; coordinates are samples."""

    def __init__(self, data: Training, y: Floats, columns: Columns, model: Model) -> None:
        from banditcd.estimators.moments import centered, column_means

        if columns != PLAIN:
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
        from banditcd.estimators.engine_results import (
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
