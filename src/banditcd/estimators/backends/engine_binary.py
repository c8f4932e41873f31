r"""Any selector of the engine behind classifiers and LinearSVR, on the primal or the dual cost.

Primal (logistic loss): a free intercept is a column of ones without a penalty, so its own
coordinate is selected and moved like the others and the certificate is orthogonal to it. Dual
(logistic, hinge and squared hinge with an L2 penalty): a penalized intercept is the coefficient of
a constant feature; a free one would tie all dual variables by :math:`\sum_i y_i x_i = 0`, which
leaves no move of a single coordinate.
"""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from banditcd import problems
from banditcd._typing import Floats
from banditcd.estimators.backends.binary import (
    BinaryData,
    constant_loss,
    objective_units,
    penalized_constant,
    with_constant,
)
from banditcd.estimators.backends.engine_result import (
    counting_rows,
    engine_result,
    primal_rows,
    run_engine,
)
from banditcd.estimators.backends.native_binary import svr_session
from banditcd.estimators.backends.solution import Solution, Watch, constant_solution, solution_of
from banditcd.estimators.checks.binary_settings import BinarySettings, SvrSettings
from banditcd.solvers import Result
from banditcd.solvers.arrays import is_sparse

DUALS: dict[str, Any] = {
    "logistic": problems.LogisticDual,
    "hinge": problems.HingeDual,
    "squared_hinge": problems.SquaredHingeDual,
    "epsilon_insensitive": problems.InsensitiveDual,
    "squared_epsilon_insensitive": problems.SquaredInsensitiveDual,
}


class EngineBinary:
    """One run of the engine for each C, warm-started, on either cost."""

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        self._data, self._settings = data, settings
        self._selector = copy.deepcopy(settings.selector)  # it learns: problems do not share it
        self._total = data.total_weight
        self._x: Floats | None = None

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        alpha, unit = objective_units(C, self._total)
        problem = self._problem(alpha)
        settings, null = self._settings, self._null(problem, C)
        tol = settings.tol * null / problem.null_objective()
        result = run_engine(
            problem,
            self._selector,
            settings,
            tol,
            watch and (lambda x: watch(*self._split(problem.coef(x)))),
            x0=self._x,
        )
        self._x = result.x
        rows = primal_rows(result, problem) if settings.keep_history else []
        model = engine_result(result, *self._split(result.coef), settings.tol * null)
        if not model.converged:
            model = self._not_worse_than_null(model, C, unit)
        return solution_of(model, unit, rows, min(1, settings.max_iter))

    def _not_worse_than_null(self, model: Result, C: float, unit: float) -> Result:
        """Return an unfinished model; on a primal cost, which never rises, it is as it is."""
        return model

    def _null(self, problem: problems.Problem, C: float) -> float:
        """Return the null model's objective, in the units of the engine's cost."""
        if self._settings.intercept == "free":
            return constant_loss(self._data.positive_share, self._settings.loss)[1]
        return problem.null_objective()

    def _problem(self, alpha: float) -> problems.Problem:
        raise NotImplementedError

    def _split(self, coef: Floats) -> tuple[Floats, float]:
        """Return coefficients and intercept of the engine's model."""
        if self._settings.intercept == "none":
            return coef, 0.0
        factor = (
            self._settings.intercept_scaling if self._settings.intercept == "penalized" else 1.0
        )
        return coef[:-1], factor * float(coef[-1])


class PrimalBinary(EngineBinary):
    """The logistic loss with an L1 and an L2 penalty; coordinates are features."""

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        super().__init__(data, settings)
        columns, d = data.columns, data.X.shape[1]
        self._X = data.X
        self._options = {
            "penalty_weights": columns.penalty_weights,
            "lower": columns.lower,
            "upper": columns.upper,
        }
        self._x = np.zeros(d)
        if settings.intercept == "free":
            self._X = with_constant(data.X, 1.0)
            given = np.ones(d) if columns.penalty_weights is None else columns.penalty_weights
            self._options["penalty_weights"] = np.append(given, 0.0)
            if columns.lower is not None:
                self._options["lower"] = np.append(columns.lower, -np.inf)
            if columns.upper is not None:
                self._options["upper"] = np.append(columns.upper, np.inf)
            self._x = np.append(self._x, constant_loss(data.positive_share, "logistic")[0])

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        x = self._data.columns.clip(coef)
        self._x = np.append(x, intercept) if self._settings.intercept == "free" else x

    def _problem(self, alpha: float) -> problems.Problem:
        data, ratio = self._data, self._settings.l1_ratio
        options = {**self._options, "sample_weight": data.weight}
        if ratio == 1.0:
            return problems.LogisticL1(self._X, data.target, alpha, **options)
        return problems.LogisticElasticNet(self._X, data.target, alpha, ratio, **options)


class DualCost(EngineBinary):
    """The dual of a loss with an L2 penalty; coordinates are samples."""

    _epsilon: tuple[float, ...] = ()  # the insensitive zone of a regression

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        check_dual(data, settings)
        super().__init__(data, settings)
        self._X, self._target, self._weight = counting_rows(data.X, data.target, data.weight)
        if settings.intercept == "penalized":
            self._X = with_constant(self._X, settings.intercept_scaling)

    def _not_worse_than_null(self, model: Result, C: float, unit: float) -> Result:
        """Return the model or the null model, whichever is better, beside the dual value found."""
        intercept, objective = self._null_model(C)
        objective /= unit
        if model.primal <= objective:
            return model
        gap = objective - max(model.primal - model.gap, 0.0)
        status = "converged" if gap <= model.target else model.status
        return replace(
            model,
            coef=np.zeros_like(model.coef),
            intercept=intercept,
            primal=objective,
            gap=gap,
            status=status,
            support=0,
        )

    def _null_model(self, C: float) -> tuple[float, float]:
        """Return the best intercept beside no weights, and its objective."""
        raise NotImplementedError

    def _problem(self, alpha: float) -> problems.Problem:
        if alpha == 0.0:
            raise ValueError("A dual cost needs a penalty: C must be finite.")
        make = DUALS[self._settings.loss]
        problem: problems.Problem = make(
            self._X, self._target, alpha, *self._epsilon, sample_weight=self._weight
        )
        return problem


class DualBinary(DualCost):
    """The dual cost of a classifier."""

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        super().__init__(data, settings)
        if np.all(self._target == self._target[0]):
            parts = _two_sided(self._X, self._target, self._weight)
            self._X, self._target, self._weight = parts

    def _null_model(self, C: float) -> tuple[float, float]:
        settings = self._settings
        if settings.loss == "logistic":  # a penalized intercept is none of its options
            return 0.0, C * self._total * math.log(2.0)
        gamma = settings.intercept_scaling if settings.intercept == "penalized" else 0.0
        strength = C * self._total * gamma**2
        constant, value = penalized_constant(self._data.positive_share, settings.loss, strength)
        return constant, C * self._total * value

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at the dual variables of this model (logistic loss)."""
        if self._settings.loss == "logistic":
            margin = self._target * np.asarray(self._X @ coef + intercept)
            self._x = expit(-margin)


class SvrDual(DualCost):
    """The dual cost of a support vector regression."""

    def __init__(self, data: BinaryData, settings: SvrSettings) -> None:
        super().__init__(data, settings)
        self._epsilon = (settings.epsilon,)
        self._session = svr_session(data, settings)  # knows the null model

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        if self._session.null_objective(C) == 0.0:  # epsilon covers all responses
            return constant_solution(self._data.X.shape[1], 0.0)
        return super().solve(C, watch)

    def _null_model(self, C: float) -> tuple[float, float]:
        return self._session.null_model(C)

    def _null(self, problem: problems.Problem, C: float) -> float:
        return self._session.null_objective(C) / objective_units(C, self._total)[1]


def check_dual(data: BinaryData, settings: BinarySettings) -> None:
    """Refuse what a dual cost does not have."""
    if settings.intercept == "free":
        raise ValueError(
            "A selector on a dual cost moves one dual variable at a time, which an unpenalized "
            "intercept does not allow (sum_i y_i x_i = 0); use fit_intercept=False, a penalized "
            "intercept where there is one, or selector='auto'."
        )
    if not data.columns.plain:
        raise ValueError(
            "A dual cost knows no penalty_weights, lower or upper; leave them out or choose the "
            "primal cost (dual=False)."
        )


def _two_sided(X: Any, target: Floats, weight: Floats | None) -> tuple[Any, Floats, Floats]:
    """Return the same losses with both signs: the first sample in halves, one of them mirrored."""
    weight = np.ones(target.size) if weight is None else weight
    stack = sparse.vstack if is_sparse(X) else np.vstack
    X = stack([X, -X[:1]])
    weight = np.append(weight, 0.5 * weight[0])
    weight[0] *= 0.5
    return X.tocsr() if is_sparse(X) else X, np.append(target, -target[0]), weight
