"""All binary problems of one fit: two classes are one problem, more are one against the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import BinaryBackend, BinaryData
from banditcd.estimators.backends.choose import binary_backend
from banditcd.estimators.backends.parallel import Job, run_jobs, workers
from banditcd.estimators.backends.progress import tracked
from banditcd.estimators.backends.rounding import logistic_objective, rounded_solutions
from banditcd.estimators.backends.scaling import ScaledColumns
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.backends.tasks import SILENT, Tasks, solve_watched
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.labels import Labels

Start = tuple[Floats, float]  # coefficients and intercept


@dataclass(slots=True)
class OneVsRest(ScaledColumns):
    """The binary problems; they share the samples.

    ``weights`` has the weights of the samples in each problem (None: all 1), ``scale`` what the
    columns were divided by (None: nothing), ``single`` whether X was given in float32, which a
    scaled copy is not.
    """

    X: Any
    labels: Labels
    weights: list[Floats | None]
    columns: ColumnOptions
    scale: Floats | None
    single: bool

    @property
    def rows(self) -> int:
        """Rows of coefficients."""
        return len(self.weights)

    @property
    def solves(self) -> int:
        """Problems to solve."""
        return len(self.weights)

    def binary(self, row: int) -> BinaryData:
        """Return one of the problems."""
        weight = self.weights[row]
        if weight is not None and not weight.any():
            raise ValueError(
                "Every sample weighs 0 once sample_weight and class_weight are multiplied; at "
                "least one sample must count."
            )
        return BinaryData(self.X, self.labels.signs(row), weight, self.columns)

    def fitted(self, row: int, coef: Floats, intercept: float) -> dict[str, Any]:
        """Return what a callback may see: the model so far, other classes at 0."""
        rows = self.rows
        coefs, intercepts = np.zeros((rows, coef.size)), np.zeros(rows)
        coefs[row], intercepts[row] = self.unscaled(coef), intercept
        return {"coef_": coefs, "intercept_": intercepts, "classes_": self.labels.classes}


def solve_all(
    problems: OneVsRest,
    C: float,
    settings: BinarySettings,
    starts: list[Start] | None = None,
    tasks: Tasks = SILENT,
    **options: Any,
) -> list[Solution]:
    """Solve every problem; the coefficients are those of the columns as given.

    Logistic models of float32 data are in float32, as scikit-learn's are; support vector machines
    stay in float64, as there.

    ``options``: ``n_jobs`` problems at a time; ``verbose`` for a progress bar.
    """
    rows = len(problems.weights)
    firsts = [None] * rows if starts is None else starts
    # Leaves are opened in order, and a pool takes longer than a small fit.
    n_jobs = options.get("n_jobs")
    if rows > 1 and not tasks.watched and workers(n_jobs) > 1:
        jobs: list[Job] = [
            (solve_problem, (problems, row, C, settings, start)) for row, start in enumerate(firsts)
        ]
        out: list[Solution] = run_jobs(jobs, n_jobs, "Classes", options.get("verbose"))
        return in_float32(problems, C, settings, out) if problems.single else out
    out = []
    backend: BinaryBackend | None = None
    order: Iterable[int] = range(rows)
    if options.get("verbose"):
        order = tracked(order, rows, "Classes", True)
    for row in order:
        backend = binary_backend(problems.binary(row), settings, like=backend)
        out.append(_solve_one(problems, row, backend, C, firsts[row], tasks))
    return in_float32(problems, C, settings, out) if problems.single else out


def in_float32(
    problems: OneVsRest, C: float, settings: BinarySettings, solutions: list[Solution]
) -> list[Solution]:
    """Return logistic models in float32 if X is, each with the certificate of rounded numbers."""
    if not problems.single or settings.loss != "logistic":
        return solutions
    signs = np.stack([problems.labels.signs(row) for row in range(len(solutions))], axis=1)
    factor, l1, l2 = settings.terms(C)
    objective = logistic_objective(
        problems.X, signs, problems.weights, problems.columns, factor=factor, l1=l1, l2=l2
    )
    return rounded_solutions(solutions, problems.given_columns, problems.of_given(objective))


def solve_problem(
    problems: OneVsRest, row: int, C: float, settings: BinarySettings, start: Start | None
) -> Solution:
    """Solve one of the problems on its own."""
    backend = binary_backend(problems.binary(row), settings)
    return _solve_one(problems, row, backend, C, start, SILENT)


def _solve_one(
    problems: OneVsRest,
    row: int,
    backend: BinaryBackend,
    C: float,
    start: Start | None,
    tasks: Tasks,
) -> Solution:
    if start is not None:
        backend.start_at(problems.scaled(start[0]), float(start[1]))
    solution = solve_watched(backend, C, tasks, partial(problems.fitted, row))
    if problems.scale is None:
        return solution
    return dataclasses.replace(solution, coef=problems.unscaled(solution.coef))
