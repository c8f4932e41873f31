"""All binary problems of one fit: two classes are one problem, more are one against the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import (
    BinaryBackend,
    BinaryData,
    BinarySettings,
    make_backend,
)
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.backends.targets import check_finite
from banditcd.estimators.bases.callbacks import Tasks, Watcher
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.labels import Labels
from banditcd.estimators.displays.progress import tracked

Start = tuple[Floats, float]  # coefficients and intercept


@dataclass(frozen=True, slots=True)
class OneVsRest:
    """The binary problems; they share the samples.

    ``weights`` has the weights of the samples in each problem (None: all 1), ``scale`` what the
    columns were divided by (None: nothing).
    """

    X: Any
    labels: Labels
    weights: list[Floats | None]
    columns: ColumnOptions
    scale: Floats | None

    def __len__(self) -> int:
        """Return the number of problems."""
        return len(self.weights)

    def binary(self, row: int) -> BinaryData:
        """Return one of the problems."""
        weight = self.weights[row]
        if weight is not None and not weight.any():
            raise ValueError(
                "Every sample weighs 0 once sample_weight and class_weight are multiplied; at "
                "least one sample must count."
            )
        sign = self.labels.signs(self.labels.positives[row])
        return BinaryData(self.X, sign, weight, self.columns)

    def backend(
        self, row: int, model: BinarySettings, like: BinaryBackend | None = None
    ) -> BinaryBackend:
        """Return a solver of one problem, which shares what another one knows of the samples."""
        return make_backend(self.binary(row), model, like)

    def inner(self, coef: Floats) -> Floats:
        """Return coefficients of the given columns in terms of the scaled ones."""
        return coef if self.scale is None else coef * self.scale

    def outer(self, coef: Floats) -> Floats:
        """Return coefficients of the scaled columns in terms of those given."""
        return coef if self.scale is None else coef / self.scale

    def fitted(self, row: int, coef: Floats, intercept: float) -> dict[str, Any]:
        """Return what a callback may see: the model so far, other classes at 0."""
        coefs, intercepts = np.zeros((len(self), coef.size)), np.zeros(len(self))
        coefs[row], intercepts[row] = self.outer(coef), intercept
        return {"coef_": coefs, "intercept_": intercepts, "classes_": self.labels.classes}


def solve_all(
    problems: OneVsRest,
    C: float,
    model: BinarySettings,
    starts: list[Start] | None,
    tasks: Tasks,
    **options: Any,
) -> list[Solution]:
    """Solve every problem; the coefficients are those of the columns as given.

    ``options``: ``n_jobs`` problems at the same time, in threads; ``verbose`` for a progress bar.
    """
    tasks.begin(max_subtasks=(model.max_iter + 1) * len(problems))
    n_jobs = None if tasks.watched else options["n_jobs"]  # leaves are opened in order
    firsts = [None] * len(problems) if starts is None else starts
    if len(problems) == 1 or effective_n_jobs(n_jobs) == 1:  # a pool takes longer than a small fit
        found = _solve_in_turn(problems, C, model, firsts, tasks)
    else:
        pool = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
        found = pool(
            delayed(_solve_one)(problems, row, problems.backend(row, model), C, start, tasks)
            for row, start in enumerate(firsts)
        )
    return list(tracked(found, len(problems), "Classes", options["verbose"]))


def _solve_in_turn(
    problems: OneVsRest,
    C: float,
    model: BinarySettings,
    starts: Sequence[Start | None],
    tasks: Tasks,
) -> Iterator[Solution]:
    """Solve one problem after the other; they share what depends on the samples alone."""
    backend: BinaryBackend | None = None
    for row, start in enumerate(starts):
        backend = problems.backend(row, model, like=backend)
        yield _solve_one(problems, row, backend, C, start, tasks)


def _solve_one(
    problems: OneVsRest,
    row: int,
    backend: BinaryBackend,
    C: float,
    start: Start | None,
    tasks: Tasks,
) -> Solution:
    if start is not None:
        backend.start_at(problems.inner(start[0]), float(start[1]))
    watch = None
    if tasks.watched:
        watch = Watcher(tasks, lambda coef, intercept: problems.fitted(row, coef, intercept))
    solution = backend.solve(C, watch)
    if watch is not None:
        watch.close()
    check_finite(solution)
    return dataclasses.replace(solution, coef=problems.outer(solution.coef))
