"""The optimum F* of a problem, with a certificate: suboptimalities are measured from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from banditcd._typing import Floats
from banditcd.problems import Lasso, LogisticL1, Problem, RidgeDual
from banditcd.problems.ridge import SCALINGS
from banditcd.solvers import ElasticNetSession

ASKED = 1e-13  # relative gap that is asked for; what was certified is in the rows
PATIENCE = 120.0  # seconds
MOST_NEWTON_STEPS = 60


@dataclass(frozen=True)
class Optimum:
    """A point, its value, its certified gap and how it was found."""

    x: Floats
    value: float
    gap: float
    how: str


def certified_optimum(problem: Problem, X: Any, y: Floats) -> Optimum:
    """Return the optimum of one of the paper's three costs, certified by its duality gap."""
    x, how = _SOLVERS[problem.name](problem, X, y)
    certificate = problem.certificate(x)
    value = certificate.primal if problem.kind == "primal" else -certificate.dual
    return Optimum(x, value, certificate.gap, how)


def _lasso(problem: Any, X: Any, y: Floats) -> tuple[Floats, str]:
    assert isinstance(problem, Lasso)
    session = ElasticNetSession(X, y)
    result = session.solve(problem.alpha, tol=ASKED, max_iter=100_000, max_seconds=PATIENCE)
    return result.coef, "fast solver"


def ridge_weights(X: Any, y: Floats, alpha: float, scaling: str) -> Floats:
    """Minimize (k/2n) ||y - X theta||^2 + (alpha/2) ||theta||^2 by a Cholesky factorization."""
    k = SCALINGS[scaling] / X.shape[0]
    gram: Any = X.T @ X
    gram = gram if isinstance(gram, np.ndarray) else gram.toarray()
    factor = cho_factor(k * gram + alpha * np.eye(X.shape[1]))
    return np.asarray(cho_solve(factor, k * np.asarray(X.T @ y).ravel()))


def _ridge(problem: Any, X: Any, y: Floats) -> tuple[Floats, str]:
    assert isinstance(problem, RidgeDual)
    theta = ridge_weights(X, y, problem.alpha, problem.scaling)
    return SCALINGS[problem.scaling] * (y - np.asarray(X @ theta)), "direct solve (Cholesky)"


def _logistic(problem: Any, X: Any, y: Floats) -> tuple[Floats, str]:
    assert isinstance(problem, LogisticL1)
    return logistic_optimum(problem, X, y, ASKED), "proximal Newton with the fast solver"


def logistic_optimum(
    problem: LogisticL1,
    X: Any,
    y: Floats,
    tol: float,
    start: Floats | None = None,
) -> Floats:
    """Minimize an L1-regularized logistic cost to a gap of ``tol`` times P0.

    Proximal Newton (Lee, Sun & Saunders, 2014): at x the loss is replaced by its second-order
    model, a weighted Lasso, which the fast solver minimizes; the step is halved until F falls.
    """
    x = np.zeros(problem.d) if start is None else start.copy()
    target = tol * problem.null_objective()
    sign = np.where(np.asarray(y) > 0.0, 1.0, -1.0)
    value = problem.objective(x)
    for _ in range(MOST_NEWTON_STEPS):
        gap = problem.certificate(x).gap
        if gap <= target:
            break
        point = _model_minimizer(problem, X, sign, x, gap)
        for step in 0.5 ** np.arange(20):
            moved = x + step * (point - x)
            if (lower := problem.objective(moved)) < value:
                break
        else:  # F falls no more in float64, but the certificate may still get better
            moved, lower = point, problem.objective(point)
            if problem.certificate(moved).gap >= gap:
                break
        x, value = moved, lower
    return x


def _model_minimizer(problem: LogisticL1, X: Any, sign: Floats, x: Floats, gap: float) -> Floats:
    """Minimize the second-order model at x: (1/2n) sum_j s_j (z_j - x_j . w)^2 + alpha |w|_1."""
    v = np.asarray(X @ x)
    p = 0.5 * (1.0 - np.tanh(0.5 * sign * v))  # sigma(-margin)
    curvature = np.maximum(p * (1.0 - p), 1e-7)
    session = ElasticNetSession(X, v + sign * p / curvature, sample_weight=curvature)
    session.start_at(x)
    mean = float(curvature.mean())  # the session normalizes its weights to mean 1
    accuracy = float(np.clip(1e-4 * gap / problem.null_objective(), 1e-15, 1e-7))
    result = session.solve(
        problem.alpha / mean, tol=accuracy, max_iter=10_000, max_seconds=PATIENCE / 4.0
    )
    return result.coef


_SOLVERS = {"Lasso": _lasso, "RidgeDual": _ridge, "LogisticL1": _logistic}
