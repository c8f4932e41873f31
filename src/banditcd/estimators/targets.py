"""One solve per response."""

from __future__ import annotations

import dataclasses

import numpy as np

from banditcd.estimators.callbacks import Tasks, Watcher
from banditcd.estimators.prepared import Prepared
from banditcd.estimators.solution import Floats, Solution


def solve_targets(
    prepared: Prepared, y: Floats, alpha: float, starts: Floats | None, tasks: Tasks
) -> list[Solution]:
    """Solve for every response; the coefficients are those of the columns as given."""
    responses = [y] if y.ndim == 1 else [np.ascontiguousarray(y[:, k]) for k in range(y.shape[1])]
    tasks.begin(max_subtasks=(prepared.model.max_iter + 1) * len(responses))
    return [
        _solve_one(prepared, response, alpha, None if starts is None else starts[k], tasks)
        for k, response in enumerate(responses)
    ]


def _solve_one(
    prepared: Prepared, y: Floats, alpha: float, start: Floats | None, tasks: Tasks
) -> Solution:
    backend = prepared.backend(y)
    if start is not None:
        backend.start_at(prepared.inner(start))
    watch = Watcher(tasks, prepared.fitted) if tasks.listened_to else None
    solution = backend.solve(alpha, watch)
    if watch is not None:
        watch.close()
    check_finite(solution)
    if prepared.scale is None:
        return solution
    return dataclasses.replace(solution, coef=prepared.outer(solution.coef))


def check_finite(solution: Solution) -> None:
    """Refuse a solution that overflowed."""
    if not (np.isfinite(solution.coef).all() and np.isfinite(solution.intercept)):
        raise ValueError(
            "The fit overflowed to non-finite coefficients: X or y has values too large for "
            "float64 squares; rescale the data."
        )
