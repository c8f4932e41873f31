"""The record solver as a baseline: what it spends until each accuracy, each time from scratch.

Lasso: the record solver itself, once per tolerance. L1-logistic: proximal Newton steps, each a
weighted Lasso that the record solver minimizes. Ridge: a direct solve, which has no curve but a
time. Work is in the units of the others, entries of the matrix / (2 nnz); epochs have no meaning
here and are recorded as nan.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from banditcd.experiments.paper.optimum import NewtonLook, logistic_optimum, ridge_weights
from banditcd.problems import Lasso, LogisticL1, Problem, RidgeDual
from banditcd.problems.ridge import SCALINGS
from banditcd.record import RecordSession
from banditcd.results import Certificate, TraceRow

FloatArray = npt.NDArray[np.float64]
TOLERANCES = tuple(10.0**-k for k in range(1, 11))


def record_rows(problem: Problem, X: Any, y: FloatArray) -> list[TraceRow]:
    """Return a row for the start, and one per accuracy that was asked for."""
    first = _row(problem, problem.start(), 0, 0.0, 0.0)
    if isinstance(problem, Lasso):
        return [first, *(_lasso(problem, X, y, tol) for tol in TOLERANCES)]
    if isinstance(problem, LogisticL1):
        return [first, *_logistic(problem, X, y)]
    if isinstance(problem, RidgeDual):
        return [first, _ridge(problem, X, y)]
    raise ValueError(f"There is no record solver for {problem.name}.")


def _row(problem: Problem, x: FloatArray, step: int, work: float, seconds: float) -> TraceRow:
    certificate: Certificate = problem.certificate(x)
    value = certificate.primal if problem.kind == "primal" else -certificate.dual
    support = int(np.count_nonzero(x))
    return TraceRow(step, np.nan, work, seconds, value, certificate.gap, support, 0.0)


def _lasso(problem: Lasso, X: Any, y: FloatArray, tol: float) -> TraceRow:
    began = time.process_time()  # of all threads: the solver may use some
    result = RecordSession(X, y).solve(problem.alpha, tol=tol)
    spent = time.process_time() - began
    return _row(problem, result.coef, result.bins, 0.5 * result.passes, spent)


def _logistic(problem: LogisticL1, X: Any, y: FloatArray) -> list[TraceRow]:
    looks: list[NewtonLook] = []
    logistic_optimum(problem, X, y, TOLERANCES[-1], watch=looks.append)
    return [
        _row(problem, look.x, k + 1, look.passes / 2.0, look.seconds)
        for k, look in enumerate(looks)
    ]


def _ridge(problem: RidgeDual, X: Any, y: FloatArray) -> TraceRow:
    began = time.process_time()
    theta = ridge_weights(X, y, problem.alpha, problem.scaling)
    x = SCALINGS[problem.scaling] * (y - np.asarray(X @ theta))
    spent = time.process_time() - began
    # The Gram matrix reads every entry once per column it meets.
    work = 0.5 * X.shape[1] + 1.0
    return _row(problem, x, 1, work, spent)
