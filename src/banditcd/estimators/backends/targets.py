"""One solve per response."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.estimators.backends.prepared import Prepared
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.callbacks import Tasks, Watcher

OVERFLOW = (
    "The fit overflowed to non-finite coefficients: X or y has values too large for float64 "
    "squares; rescale the data."
)


def solve_targets(
    prepared: Prepared, y: Floats, alpha: float, starts: Floats | None, tasks: Tasks
) -> list[Solution]:
    """Solve for every response; the coefficients are those of the columns as given."""
    responses = [y] if y.ndim == 1 else [np.ascontiguousarray(y[:, k]) for k in range(y.shape[1])]
    tasks.begin(max_subtasks=(prepared.model.max_iter + 1) * len(responses))
    model = prepared.model
    observed = tasks.listened_to or model.keep_history
    if len(responses) > 1 and model.selector is None and not observed:
        return _solve_together(prepared, responses, alpha, starts)
    return [
        _solve_one(prepared, response, alpha, None if starts is None else starts[k], tasks)
        for k, response in enumerate(responses)
    ]


def _solve_together(
    prepared: Prepared, responses: list[Floats], alpha: float, starts: Floats | None
) -> list[Solution]:
    """Solve all responses with the squares, means and, where it pays, Gram matrix of one X."""
    from banditcd.estimators.backends.certificates import PathCertificates
    from banditcd.solvers import ElasticNetTargets

    model, columns = prepared.model, prepared.columns
    shared = ElasticNetTargets(
        prepared.X,
        fit_intercept=model.fit_intercept,
        sample_weight=prepared.sample_weight,
        penalty_weights=columns.penalty_weights,
        lower=columns.lower,
        upper=columns.upper,
        pool_bytes=model.pool_bytes,
        targets=len(responses),
    )
    l1, l2 = np.array([alpha * model.l1_ratio]), np.array([alpha * (1.0 - model.l1_ratio)])
    out = []
    for k, y in enumerate(responses):
        start = None if starts is None else columns.clip(prepared.inner(starts[k]))
        path = shared.path(y, l1, l2, tol=model.tol, max_iter=model.max_iter, start=start)
        coef, intercept = prepared.outer(path.coefs[:, 0]), float(path.intercepts[0])
        out.append(Solution(coef, intercept, PathCertificates(path)[0]))
        check_finite(out[-1])
    return out


def _solve_one(
    prepared: Prepared, y: Floats, alpha: float, start: Floats | None, tasks: Tasks
) -> Solution:
    backend = prepared.backend(y)
    if start is not None:
        backend.start_at(prepared.inner(start))
    watch = Watcher(tasks, prepared.fitted) if tasks.watched else None
    solution = backend.solve(alpha, watch)
    if watch is not None:
        watch.close()
    check_finite(solution)
    if prepared.scale is None:
        return solution
    return dataclasses.replace(solution, coef=prepared.outer(solution.coef))


def check_finite(solution: Solution) -> None:
    """Refuse a solution that overflowed."""
    coef = solution.coef
    if math.isfinite(_core.dot(coef, coef) + solution.intercept):
        return  # the usual case, without waking up NumPy's machinery
    if not (np.isfinite(coef).all() and np.isfinite(solution.intercept)):
        raise ValueError(OVERFLOW)
