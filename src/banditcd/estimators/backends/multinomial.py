r"""One model of three and more classes, in the units of its objective.

That is

.. math::

    C \sum_i s_i \Bigl(\log\sum_k e^{z_{ik}} - z_{i y_i}\Bigr)
    + \sum_{jk} p_j \Bigl(\rho |w_{kj}| + \frac{1 - \rho}{2} w_{kj}^2\Bigr),
    \qquad z_i = W x_i + b,

without the factor C where C is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import SMALL, objective_units
from banditcd.estimators.backends.native_binary import pool_aim, smooth_tolerance
from banditcd.estimators.backends.rounding import multinomial_objective, rounded_classes
from banditcd.estimators.backends.scaling import ScaledColumns
from banditcd.estimators.backends.solution import Solution, Solver, Watch, solution_of
from banditcd.estimators.backends.stepping import Run, SessionBackend
from banditcd.estimators.backends.tasks import SILENT, Tasks, solve_watched
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.labels import Labels
from banditcd.estimators.checks.logistic import CLASS_REGIMES, POOL_REGIMES, check_regime
from banditcd.solvers import L2MultinomialSession, MultinomialSession, Result
from banditcd.solvers.multinomial import ABSENT

CENTERED = 1e-9  # of the largest intercept: a mean that is rounding


@dataclass(frozen=True, slots=True)
class Multinomial(ScaledColumns):
    """Samples of three and more classes; as :class:`OneVsRest`, but one problem."""

    X: Any
    labels: Labels
    weight: Floats | None
    columns: ColumnOptions
    scale: Floats | None
    single: bool

    def __post_init__(self) -> None:
        if self.weight is not None and not self.weight.any():
            raise ValueError(
                "Every sample weighs 0 once sample_weight and class_weight are multiplied; at "
                "least one sample must count."
            )

    @property
    def rows(self) -> int:
        """Rows of coefficients."""
        return len(self.labels.classes)

    @property
    def solves(self) -> int:
        """Problems to solve."""
        return 1

    def fitted(self, coef: Floats, intercept: Floats) -> dict[str, Any]:
        """Return what a callback may see: the model so far."""
        names = {"coef_": self.unscaled(coef), "intercept_": intercept}
        return {**names, "classes_": self.labels.classes}


class MultinomialBackend(SessionBackend):
    """The fast solvers: by rows with an L2 penalty, else by columns."""

    _shows_start = True
    _exact = 1e-20  # Newton's last step leaves a gap of 0: the error of the model is its root

    def __init__(self, problem: Multinomial, settings: BinarySettings) -> None:
        self._settings, self._columns = settings, problem.columns
        self._entries = int(problem.X.size)
        self._polish = settings.polish and self._entries <= SMALL
        self._n, self._rows = problem.X.shape[0], problem.rows
        codes, self._present = _present(problem, settings)
        columns = problem.columns
        options: dict[str, Any] = {
            "fit_intercept": settings.intercept == "free",
            "sample_weight": problem.weight,
            "penalty_weights": columns.penalty_weights,
        }
        self._by_rows = settings.l1_ratio == 0.0 and columns.lower is None and columns.upper is None
        self._session: L2MultinomialSession | MultinomialSession
        if self._by_rows:
            options["n_threads"] = settings.n_threads
            self._session = L2MultinomialSession(problem.X, codes, len(self._present), **options)
        else:
            options |= {"lower": columns.lower, "upper": columns.upper}
            options["pool_bytes"] = settings.pool_bytes
            self._session = MultinomialSession(problem.X, codes, len(self._present), **options)
        if settings.regime is not None:
            known = CLASS_REGIMES if self._by_rows else POOL_REGIMES
            penalty = "an L2 penalty" if self._by_rows else "an L1 part or bounds"
            model = f"three and more classes with {penalty}"
            self._session.force_regime(check_regime(settings.regime, known, model))

    _without_penalty = False  # of the present solve

    @property
    def _tolerance(self) -> float:
        tol = self._settings.tol
        penalized = self._by_rows and not self._without_penalty  # else no bound is that tight
        return smooth_tolerance(tol, self._entries) if penalized else tol

    def start_at(self, coef: Floats, intercept: Floats) -> None:
        """Let the next solve start at this model."""
        rows = [self._columns.clip(row) for row in coef[self._present]]
        self._session.start_at(np.array(rows), np.asarray(intercept)[self._present])
        self._least = 0

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` beside the mean loss at which no coefficient is non-zero."""
        assert isinstance(self._session, MultinomialSession)
        return self._session.largest_penalty()

    def solve(self, strength: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started; classes without weight get their limit."""
        solution = SessionBackend.solve(self, strength, watch)
        if len(self._present) == self._rows:
            return _centered(solution)
        coef = np.zeros((self._rows, solution.coef.shape[1]))
        intercept = np.full(self._rows, ABSENT)
        coef[self._present], intercept[self._present] = solution.coef, solution.intercept
        return replace(solution, coef=coef, intercept=intercept - intercept.mean())

    def _run_of(self, strength: float) -> tuple[Run, float]:
        self._without_penalty = math.isinf(strength)
        if not (self._by_rows or self._polish):
            self._aim = pool_aim(self._settings.tol, self._entries, strength)
        alpha, unit = objective_units(strength, self._n)
        l1, l2 = self._settings.penalties(alpha)
        if isinstance(self._session, L2MultinomialSession):
            return partial(self._session.solve, l2), unit
        return partial(self._session.solve, l1, l2), unit


def _centered(solution: Solution) -> Solution:
    """Let intercepts sum to zero, as steps leave them; a start that no step left need not."""
    shift = float(np.mean(solution.intercept))
    if abs(shift) <= CENTERED * float(np.max(np.abs(solution.intercept))):
        return solution
    return replace(solution, intercept=solution.intercept - shift)


class OnlyClass:
    """All weight on one class, with intercepts: a constant is a perfect model."""

    def __init__(self, problem: Multinomial) -> None:
        codes = (
            problem.labels.codes
            if problem.weight is None
            else problem.labels.codes[problem.weight > 0.0]
        )
        self._shape, self._only = (problem.rows, problem.X.shape[1]), int(codes[0])

    def start_at(self, coef: Floats, intercept: Floats) -> None:
        """Do nothing: the model is known."""

    def largest_penalty(self) -> float:
        """Return 0: no coefficient is ever non-zero."""
        return 0.0

    def solve(self, strength: float, watch: Watch | None = None) -> Solution:
        """Return the constant."""
        intercept = np.full(self._shape[0], ABSENT)
        intercept[self._only] = 0.0
        intercept -= intercept.mean()
        zeros = np.zeros(self._shape)
        return solution_of(
            Result(zeros, intercept, 0.0, 0.0, 0.0, "converged", "null", 0.0, 1, 0.0, 0, 0)
        )


def multinomial_backend(problem: Multinomial, settings: BinarySettings) -> Any:
    """Return the solver of a multinomial model."""
    if settings.intercept == "free" and len(_counting(problem)) == 1:
        return OnlyClass(problem)
    return MultinomialBackend(problem, settings)


def solve_multinomial(
    problem: Multinomial,
    C: float,
    settings: BinarySettings,
    start: tuple[Floats, Floats] | None = None,
    tasks: Tasks = SILENT,
) -> Solution:
    """Solve the problem; the coefficients are those of the columns as given."""
    backend = multinomial_backend(problem, settings)
    if start is not None:
        backend.start_at(problem.scaled(start[0]), start[1])
    solver: Solver = backend
    solution = solve_watched(solver, C, tasks, problem.fitted)
    solution = replace(solution, coef=problem.unscaled(solution.coef))
    return in_float32(problem, C, settings, solution)


def in_float32(
    problem: Multinomial, C: float, settings: BinarySettings, solution: Solution
) -> Solution:
    """Return the model in float32 if X is, with the certificate of the rounded numbers."""
    if not problem.single:
        return solution
    factor, l1, l2 = settings.terms(C)
    objective = multinomial_objective(
        problem.X,
        problem.labels.codes,
        problem.weight,
        problem.columns,
        factor=factor,
        l1=l1,
        l2=l2,
    )
    return rounded_classes(solution, problem.given_columns, problem.of_given(objective))


def stacked(starts: Iterable[tuple[Floats, float]] | None) -> tuple[Floats, Floats] | None:
    """Return coefficients and intercepts of all classes from those of each."""
    if starts is None:
        return None
    rows = list(starts)
    return np.array([coef for coef, _ in rows]), np.array([b for _, b in rows])


def _counting(problem: Multinomial) -> NDArray[np.intp]:
    """Return the classes that some sample with weight belongs to."""
    codes = problem.labels.codes
    return np.flatnonzero(
        np.bincount(codes if problem.weight is None else codes[problem.weight > 0.0])
    )


def _present(problem: Multinomial, settings: BinarySettings) -> tuple[Floats, NDArray[np.intp]]:
    """Return labels among the classes that take part, and those classes.

    Without an intercept a class that no sample belongs to has coefficients, too.
    """
    everyone = np.arange(problem.rows, dtype=np.intp)
    present = _counting(problem) if settings.intercept == "free" else everyone
    place = np.zeros(problem.rows)
    place[present] = np.arange(len(present))
    return place[problem.labels.codes], present
