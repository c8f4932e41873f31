"""One solve per response.

The solver of several responses is imported on first use: one response does without.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.prepared import Prepared
from banditcd.estimators.backends.solution import (
    Solution,
    check_finite,
    solution_of,
)
from banditcd.estimators.backends.tasks import SILENT, Tasks, solve_watched


def solve_targets(
    prepared: Prepared, y: Floats, alpha: float, starts: Floats | None, tasks: Tasks
) -> list[Solution]:
    """Solve for every response; the coefficients are those of the columns as given."""
    responses = [y] if y.ndim == 1 else [np.ascontiguousarray(y[:, k]) for k in range(y.shape[1])]
    settings = prepared.settings
    observed = tasks is not SILENT or settings.keep_history
    shared = settings.selector is None and not observed and prepared.gram is None
    if len(responses) > 1 and shared:
        return _solve_together(prepared, responses, alpha, starts)
    out = []
    for k, response in enumerate(responses):
        backend = prepared.backend(response)
        if starts is not None:
            backend.start_at(prepared.scaled(starts[k]))
        solution = solve_watched(backend, alpha, tasks, prepared.fitted)
        if prepared.scale is not None:
            solution = replace(solution, coef=prepared.unscaled(solution.coef))
        out.append(solution)
    return out


def _solve_together(
    prepared: Prepared, responses: list[Floats], alpha: float, starts: Floats | None
) -> list[Solution]:
    """Solve all responses with the squares, means and, where it pays, Gram matrix of one X."""
    from banditcd.solvers import ElasticNetTargets

    settings, columns = prepared.settings, prepared.columns
    shared = ElasticNetTargets(
        prepared.X,
        fit_intercept=settings.fit_intercept,
        sample_weight=prepared.sample_weight,
        penalty_weights=columns.penalty_weights,
        lower=columns.lower,
        upper=columns.upper,
        pool_bytes=settings.pool_bytes,
        targets=len(responses),
        n_threads=settings.n_threads,
    )
    l1, l2 = settings.penalties(np.array([alpha]))
    out = []
    for k, y in enumerate(responses):
        start = None if starts is None else columns.clip(prepared.scaled(starts[k]))
        path = shared.path(y, l1, l2, start=start, **settings.limits)
        solution = solution_of(path.result(0), least=1 if start is None else 0)
        check_finite(solution)
        out.append(replace(solution, coef=prepared.unscaled(solution.coef)))
    return out
