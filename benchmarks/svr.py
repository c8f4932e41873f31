"""The benchmark of linear support vector regression.

Run ``python -m benchmarks.svr`` (or ``make bench-svr``) from the root of the project.

C and epsilon are in units of the standard deviation σ of the responses, so that a setting means the
same on every set: residuals up to σ/10 cost nothing, and everybody gets C σ (C for the squared
loss) with the responses as they are, which is the same problem.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.benchmark import Benchmark, Kind
from benchmarks.gap import SvrCost, svr_dual, svr_objective
from benchmarks.lasso import BENCHMARK as LASSO
from benchmarks.peers.client import Fit
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.ridge import DATA
from benchmarks.run import main

TARGETS = (1e-2, 1e-4, 1e-6)
STRENGTHS = (0.01, 1.0, 100.0)
WIDTH = 0.1
REFERENCE_TOLERANCES = (1e-12, 3e-12, 1e-11, 3e-11)
LOSSES: dict[str, Any] = {
    "svr_linear": "epsilon_insensitive",
    "svr_squared": "squared_epsilon_insensitive",
}


def tasks(problem: Problem, book: Book) -> list[Task]:
    """Return the tasks of a data set, judged by P(w) - D(best)."""
    spread = float(np.std(problem.y))

    def task(kind: str, strength: float) -> Task:
        setting = f"C={strength:g}"
        scale = spread if kind == "svr_linear" else 1.0
        cost = SvrCost(kind, strength * scale, WIDTH * spread)

        def bound() -> float:
            return book.bound(problem, kind, setting, lambda: reference(problem, cost))

        def judge(fit: Fit) -> float:
            return svr_objective(problem.X, problem.y, fit.coef, cost) - bound()

        return Task(
            kind=kind,
            setting=setting,
            arguments={"C": cost.C, "epsilon": cost.epsilon},
            judge=judge,
            targets=TARGETS,
            small=lambda *_: {"C": 1.0, "epsilon": WIDTH},
            ready=bound,
        )

    return [task(kind, strength) for kind in LOSSES for strength in STRENGTHS]


def reference(problem: Problem, cost: SvrCost) -> tuple[float, float]:
    """Return the best dual value found and its gap, both from ``benchmarks.gap``.

    The points come from our own solver at the tightest tolerance that it certifies; what it claims
    is not used.
    """
    from banditcd.solvers.svr import SvrSession

    X, y = problem.X, problem.y
    rows = X.tocsr() if hasattr(X, "tocsr") else np.ascontiguousarray(X)
    best, lowest = -np.inf, np.inf
    for tol in REFERENCE_TOLERANCES:
        session = SvrSession(rows, y, epsilon=cost.epsilon, loss=LOSSES[cost.kind])
        result = session.solve(cost.C, tol=tol, max_iter=10**6)
        best = max(best, svr_dual(X, y, np.asarray(result.dual_coef), cost))
        lowest = min(lowest, svr_objective(X, y, result.coef, cost))
        if lowest - best <= 1e-11:
            break
    return best, lowest - best


BENCHMARK = Benchmark(
    name="svr",
    title="Linear support vector regression: time to a certified accuracy",
    judged=(
        "Gap: P(w) − D, P(w) = C Σ loss + ‖w‖²/2 from the coefficients by one independent function "
        "and D a dual value certified to 1e-10, divided by P(0). Residuals up to a tenth of the "
        "standard deviation of y cost nothing, and C is in its units. Our own certificate is in "
        "the rows as `claimed`."
    ),
    data=DATA,
    task="regression",
    tasks=tasks,
    kinds=(
        Kind("linear", "svr_linear", "Epsilon-insensitive loss", 1.0, 3.0),
        Kind("squared", "svr_squared", "Squared epsilon-insensitive loss", 1.0, 3.0),
    ),
    solvers=(
        ("banditcd", "banditcd, loosest"),
        ("banditcd", "banditcd"),
        ("liblinear", "liblinear dual"),
        ("liblinear", "liblinear"),
        ("scikit_learn", "scikit-learn liblinear dual"),
        ("scikit_learn", "scikit-learn liblinear"),
    ),
    ours=("banditcd, loosest", "banditcd"),
    families=LASSO.families,
    growing=(("svr_linear", "C=1"), ("svr_squared", "C=1")),
    quick_settings=("C=1",),
    quick_targets=(1e-2, 1e-4),
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
