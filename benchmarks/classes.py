"""Data sets and references that the benchmarks of two-class problems share."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.benchmark import DataSpec, Family, listed
from benchmarks.gap import dual_of, l2_dual, l2_objective
from benchmarks.peers.client import Fit
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task

TARGETS = (1e-2, 1e-4, 1e-6)
STRENGTHS = (0.01, 1.0, 100.0)
REFERENCE_TOLERANCES = (1e-12, 3e-12, 1e-11, 3e-11)
WORDS = ("log1p", "unit_rows")

DATA = listed(
    DataSpec("a9a", "a9a", "real"),
    DataSpec("w8a", "w8a", "real"),
    DataSpec("news20", "news20", "real", WORDS),
    DataSpec("mushrooms", "mushrooms", "real", quick=True),
    DataSpec("phishing", "phishing", "real"),
    DataSpec("leu", "leu", "real"),
    DataSpec("colon-cancer", "colon-cancer", "real"),
    DataSpec("covtype", "covtype.binary", "real", ("scale01",)),
    DataSpec(
        "easy",
        "synthetic:text(rows=2000, columns=3000, words=40, task='binary')",
        "synthetic",
        quick=True,
    ),
    DataSpec("madelon", "madelon", "real", ("standardize",)),
    DataSpec("usps", "usps", "real"),
    DataSpec("a7a", "a7a", "real"),
    DataSpec("a8a", "a8a", "real"),
    DataSpec("protein", "protein.val", "real"),
    DataSpec("breast_cancer", "breast_cancer", "held out", ("standardize",)),
    DataSpec("usps-unsmoothed", "usps-unsmoothed", "held out"),
)

FAMILIES = (
    Family(
        "rows",
        "synthetic:tall(rows={}, columns=300, task='binary')",
        (2000, 4000, 8000, 16000, 32000, 64000),
    ),
    Family(
        "columns",
        "synthetic:wide(rows=500, columns={}, task='binary')",
        (1000, 2000, 4000, 8000, 16000, 32000),
    ),
    Family(
        "nonzeros",
        "synthetic:text(rows=10000, columns=30000, words={}, task='binary')",
        (10, 20, 40, 80, 160),
    ),
)


def l2_tasks(problem: Problem, kind: str, book: Book) -> list[Task]:
    """Return the tasks C sum loss + ||w||²/2 of one loss, judged by P(w) - D(best)."""

    def task(C: float) -> Task:
        setting = f"C={C:g}"

        def bound() -> float:
            return book.bound(problem, kind, setting, lambda: reference(problem, kind, C))

        def judge(fit: Fit) -> float:
            return l2_objective(problem.X, problem.y, fit.coef, C, kind) - bound()

        return Task(
            kind=kind,
            setting=setting,
            arguments={"C": C},
            judge=judge,
            targets=TARGETS,
            small=lambda *_: {"C": 1.0},
            ready=bound,
        )

    return [task(C) for C in STRENGTHS]


def reference(problem: Problem, kind: str, C: float) -> tuple[float, float]:
    """Return the best dual value found and its gap, both from ``benchmarks.gap``.

    The points come from our own solvers at the tightest tolerance that they certify; what they
    claim is not used.
    """
    X, y = problem.X, problem.y
    best, lowest = -np.inf, np.inf
    for tol in REFERENCE_TOLERANCES:
        coef, dual = _points(X, y, kind, C, tol)
        best = max(best, l2_dual(X, y, dual, C, kind))
        lowest = min(lowest, l2_objective(X, y, coef, C, kind))
        if lowest - best <= 1e-11:
            break
    return best, lowest - best


def _points(X: Any, y: Any, kind: str, C: float, tol: float) -> tuple[Any, Any]:
    """Return a primal and a dual point."""
    import banditcd
    from banditcd.solvers.svm import SvmSession

    rows = X.tocsr() if hasattr(X, "tocsr") else np.ascontiguousarray(X)
    if kind == "logistic_l2":
        options: dict[str, Any] = {"C": C, "fit_intercept": False, "tol": tol, "max_iter": 10**6}
        coef = banditcd.LogisticRegression(**options).fit(rows, y).coef_.ravel()
        return coef, dual_of(X, y, coef, C, kind)
    # A dual point derived from the coefficients would magnify their rounding at large C.
    loss = kind.removeprefix("svm_")
    result = SvmSession(rows, y, loss=loss).solve(C, tol=tol, max_iter=10**6)
    return result.coef, result.dual_coef
