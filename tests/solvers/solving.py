"""One problem, one call: sessions of the fast solvers as tests use them."""

from typing import Any

import numpy as np

from banditcd.solvers import ElasticNetSession, LogisticSession, Result
from banditcd.solvers.svm import SvmSession

LIMITS = ("tol", "max_iter", "max_seconds")


def _limits(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options.pop(name) for name in LIMITS if name in options}


def solve(
    X: Any, y: Any, *, l1: float, l2: float = 0.0, coef_init: Any = None, **options
) -> Result:
    limits, session = _limits(options), ElasticNetSession(X, y, **options)
    if coef_init is not None:
        session.start_at(coef_init)
    return session.solve(l1, l2, **limits)


def solve_path(X: Any, y: Any, *, alphas: Any, l1_ratio: float = 1.0, **options) -> list[Result]:
    limits = _limits(options)
    grid = np.asarray(alphas, dtype=np.float64)
    session = ElasticNetSession(X, y, solves=len(grid), **options)
    path = session.path(grid * l1_ratio, grid * (1.0 - l1_ratio), **limits)
    return [path.result(k) for k in range(len(path))]


def largest_penalty(X: Any, y: Any, **options) -> float:
    return ElasticNetSession(X, y, **options).largest_penalty()


def solve_logistic(
    X: Any,
    y: Any,
    *,
    l1: float,
    l2: float = 0.0,
    coef_init: Any = None,
    intercept_init: float = 0.0,
    **options,
) -> Result:
    limits, session = _limits(options), LogisticSession(X, y, **options)
    if coef_init is not None:
        session.start_at(coef_init, intercept_init)
    return session.solve(l1, l2, **limits)


def solve_logistic_path(
    X: Any, y: Any, *, alphas: Any, l1_ratio: float = 1.0, **options
) -> list[Result]:
    limits, session = _limits(options), LogisticSession(X, y, **options)
    return [
        session.solve(float(alpha) * l1_ratio, float(alpha) * (1.0 - l1_ratio), **limits)
        for alpha in alphas
    ]


def solve_svm(X: Any, y: Any, *, C: float, dual_init: Any = None, **options) -> Result:
    limits, session = _limits(options), SvmSession(X, y, **options)
    if dual_init is not None:
        session.start_at(dual_init)
    return session.solve(C, **limits)
