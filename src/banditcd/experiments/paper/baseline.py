"""The fast solvers as a baseline: what they spend until each accuracy, each time from scratch.

Work is in the units of the others, entries of the matrix / (2 nnz); epochs have no meaning here
and are recorded as nan. Ridge is solved in the primal, and the dual point of its residual is what
is recorded.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Lasso, LogisticL1, Problem, RidgeDual
from banditcd.problems.ridge import SCALINGS
from banditcd.results import Certificate, TraceRow
from banditcd.solvers import ElasticNetSession, LogisticSession, Result, RidgeSession

Solve = Callable[[float], Result]
TOLERANCES = tuple(10.0**-k for k in range(1, 11))


def fast_rows(problem: Problem, X: Any, y: Floats) -> list[TraceRow]:
    """Return a row for the start, and one per accuracy that was asked for."""
    rows = [_row(problem, problem.start(), 0, 0.0, 0.0)]
    solve = _solver(problem, X, y)
    for tol in TOLERANCES:
        began = time.process_time()  # of all threads: the solvers may use some
        result = solve(tol)
        spent = time.process_time() - began
        x = result.coef
        if isinstance(problem, RidgeDual):
            x = SCALINGS[problem.scaling] * (y - np.asarray(X @ x))
        rows.append(_row(problem, x, result.n_iter, 0.5 * result.passes, spent))
    return rows


def _solver(problem: Problem, X: Any, y: Floats) -> Solve:
    """Return a function that solves to a tolerance, from the raw arrays on."""
    if isinstance(problem, Lasso):
        return lambda tol: ElasticNetSession(X, y).solve(problem.alpha, tol=tol)
    if isinstance(problem, LogisticL1):
        sign = np.where(y > 0.0, 1.0, -1.0)
        return lambda tol: LogisticSession(X, sign).solve(problem.alpha, tol=tol)
    if isinstance(problem, RidgeDual):
        # Twice the loss with alpha is twice the cost of the plain loss with alpha / 2.
        l2 = problem.alpha / SCALINGS[problem.scaling]
        return lambda tol: RidgeSession(X, y).solve(l2, tol=tol)[0]
    raise ValueError(f"There is no fast solver for {problem.name}.")


def _row(problem: Problem, x: Floats, step: int, work: float, seconds: float) -> TraceRow:
    certificate: Certificate = problem.certificate(x)
    value = certificate.primal if problem.kind == "primal" else -certificate.dual
    support = int(np.count_nonzero(x))
    return TraceRow(step, np.nan, work, seconds, value, certificate.gap, support, 0.0)
