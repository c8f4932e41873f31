"""The benchmark of ridge regression.

Run ``python -m benchmarks.ridge`` (or ``make bench-ridge``) from the root of the project.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.benchmark import Benchmark, DataSpec, Kind, listed
from benchmarks.gap import Floats, ridge_dual, ridge_objective
from benchmarks.lasso import BENCHMARK as LASSO
from benchmarks.peers.client import Fit
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.run import main

TARGETS = (1e-2, 1e-4, 1e-6)
STRENGTHS = (0.01, 1.0, 100.0)
POLISHING = 10
CHOSEN = [
    *("usps", "news20", "madelon", "cadata", "a9a", "w8a"),
    *("easy", "mushrooms", "phishing", "abalone", "cpusmall"),
    *("digits", "diabetes", "usps-unsmoothed"),
]


def tasks(problem: Problem, book: Book) -> list[Task]:
    """Return the tasks of a data set."""
    return ridge_tasks(problem, "ridge", book)


def ridge_tasks(problem: Problem, kind: str, book: Book) -> list[Task]:
    """Return the tasks ||y - X w||² + penalty ||w||², solved by the method ``kind``."""

    def task(penalty: float) -> Task:
        setting = f"α={penalty:g}"

        def bound() -> float:
            return book.bound(problem, kind, setting, lambda: reference(problem, penalty))

        def judge(fit: Fit) -> float:
            return ridge_objective(problem.X, problem.y, fit.coef, penalty) - bound()

        return Task(
            kind=kind,
            setting=setting,
            arguments={"penalty": penalty},
            judge=judge,
            targets=TARGETS,
            small=lambda *_: {"penalty": 1.0},
            ready=bound,
        )

    return [task(penalty) for penalty in STRENGTHS]


def reference(problem: Problem, penalty: float) -> tuple[float, float]:
    """Return the dual value near our own solution at a tight tolerance, and its gap."""
    import banditcd

    X, y = problem.X, problem.y
    best, lowest = -np.inf, np.inf
    for tol in (1e-12, 1e-11):
        model = banditcd.Ridge(alpha=penalty, fit_intercept=False, tol=tol, max_iter=10**6)
        coef = model.fit(X, y).coef_
        best = max(best, best_ridge_dual(X, y, y - np.asarray(X @ coef), penalty))
        lowest = min(lowest, ridge_objective(X, y, coef, penalty))
        if lowest - best <= 1e-11:
            break
    return best, lowest - best


def best_ridge_dual(X: Any, y: Floats, theta: Floats, penalty: float) -> float:
    """Return the best dual value that conjugate gradients reach from a point.

    D is largest where (XX'/penalty + I) θ = y. At a residual X'θ/penalty is off by all of the
    model's error, which the square of a wide X magnifies; a few steps remove that.
    """

    def product(vector: Floats) -> Floats:
        return np.asarray(X @ np.asarray(X.T @ vector)) / penalty + vector

    value = ridge_dual(X, y, theta, penalty)
    descent = y - product(theta)
    direction, square = descent, float(descent @ descent)
    for _ in range(POLISHING):
        if square == 0.0:
            break
        image = product(direction)
        step = square / float(direction @ image)
        theta, descent = theta + step * direction, descent - step * image
        value = max(value, ridge_dual(X, y, theta, penalty))
        previous, square = square, float(descent @ descent)
        direction = descent + square / previous * direction
    return value


DATA: dict[str, DataSpec] = listed(*(LASSO.data[name] for name in CHOSEN))

BENCHMARK = Benchmark(
    name="ridge",
    title="Ridge regression: time to a certified accuracy",
    judged=(
        "Gap: P(w) − D, P(w) = ‖y − Xw‖² + α‖w‖² from the coefficients by one independent function "
        "and D a dual value certified to 1e-10, divided by ‖y‖². Our own certificate is in the "
        "rows as `claimed`."
    ),
    data=DATA,
    task="regression",
    tasks=tasks,
    kinds=(Kind("ridge", "ridge", "One penalty", 0.9, 1.5),),
    solvers=(
        ("banditcd", "banditcd, loosest"),
        ("banditcd", "banditcd"),
        ("scikit_learn", "scikit-learn cholesky"),
        ("scikit_learn", "scikit-learn sparse_cg"),
        ("scikit_learn", "scikit-learn lsqr"),
        ("snapml", "Snap ML dual"),
        ("snapml", "Snap ML"),
        ("cyanure", "cyanure"),
        ("scikit_learn", "scikit-learn svd"),
        ("scikit_learn", "scikit-learn saga"),
        ("scikit_learn", "scikit-learn sag"),
    ),
    ours=("banditcd, loosest", "banditcd"),
    families=LASSO.families,
    growing=(("ridge", "α=1"),),
    quick_settings=("α=1",),
    quick_targets=(1e-4, 1e-6),
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
