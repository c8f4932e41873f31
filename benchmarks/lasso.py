"""The Lasso benchmark: every solver that builds here, on every data set, judged by one gap.

Run ``python -m benchmarks.lasso`` (or ``make bench-lasso``) from the root of the project.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.benchmark import Benchmark, DataSpec, Family, Kind, listed
from benchmarks.gap import largest_penalty, lasso_gap, lasso_gaps
from benchmarks.peers.client import Fit
from benchmarks.peers.references import Book
from benchmarks.peers.tasks import Problem, Task
from benchmarks.run import main

TARGETS = (1e-4, 1e-6, 1e-10)
DIVISORS = (10, 100, 1000)
PATH_LENGTH = 100
PATH_DIVISOR = 100
FOLDS = 5

#: (environment, variant): everyone who may enter; those that are often fast come first, because
#: the fastest so far limits the time of the others.
SOLVERS = (
    ("banditcd", "banditcd, loosest"),
    ("banditcd", "banditcd"),
    ("banditcd", "banditcd.solvers"),
    ("skglm", "skglm Gram"),
    ("scikit_learn", "scikit-learn Gram"),
    ("adelie", "adelie covariance"),
    ("skglm", "skglm"),
    ("celer", "celer"),
    ("adelie", "adelie"),
    ("glmnet", "glmnet"),
    ("blitz", "Blitz"),
    ("snapml", "Snap ML"),
    ("lightning", "lightning"),
    ("scikit_learn", "scikit-learn"),
    ("spams", "SPAMS LARS"),
    ("scikit_learn", "scikit-learn LARS"),
)

DATA = listed(
    DataSpec("usps", "usps", "real", quick=True),
    DataSpec("news20", "news20", "real"),
    DataSpec("leu", "leu", "real"),
    DataSpec("colon-cancer", "colon-cancer", "real"),
    DataSpec("madelon", "madelon", "real"),
    DataSpec("cadata", "cadata", "real", ("standardize",)),
    DataSpec("a9a", "a9a", "real"),
    DataSpec("w8a", "w8a", "real"),
    DataSpec("tiny", "synthetic:tall(rows=100, columns=10, rho=0.0)", "synthetic"),
    DataSpec("easy", "synthetic:wide(rows=500, columns=2000, rho=0.0)", "synthetic", quick=True),
    DataSpec("saturated", "synthetic:wide(rows=200, columns=2000, rho=0.9)", "synthetic"),
    DataSpec("mushrooms", "mushrooms", "real"),
    DataSpec("phishing", "phishing", "real"),
    DataSpec("abalone", "abalone", "real", ("standardize",)),
    DataSpec("cpusmall", "cpusmall", "real", ("standardize",)),
    DataSpec("a8a", "a8a", "real"),
    DataSpec("protein", "protein.val", "real"),
    DataSpec("digits", "digits", "held out"),
    DataSpec("diabetes", "diabetes", "held out"),
    DataSpec("usps-unsmoothed", "usps-unsmoothed", "held out"),
)


def tasks(problem: Problem, book: Book) -> list[Task]:
    """Return the tasks of a data set; the gap needs no optimum, so the book stays closed."""
    del book
    return [*_single_tasks(problem), _path_task(problem), _cv_task(problem)]


def _single_tasks(problem: Problem) -> list[Task]:
    X, y = problem.X, problem.y
    largest = largest_penalty(X, y)

    def task(divisor: int) -> Task:
        penalty = largest / divisor
        return Task(
            kind="lasso",
            setting=f"1/{divisor}",
            arguments={"penalty": penalty},
            judge=lambda fit: lasso_gap(X, y, fit.coef, penalty),
            targets=TARGETS,
            small=lambda X, y: {"penalty": largest_penalty(X, y) / 10},
        )

    return [task(divisor) for divisor in DIVISORS]


def _path(X: Any, y: Any, length: int = PATH_LENGTH) -> Any:
    largest = largest_penalty(X, y)
    return np.geomspace(largest, largest / PATH_DIVISOR, length)


def _path_task(problem: Problem) -> Task:
    X, y = problem.X, problem.y
    penalties = _path(X, y)
    return Task(
        kind="lasso_path",
        setting=f"path {PATH_LENGTH}",
        arguments={"penalties": penalties},
        judge=lambda fit: _worst_gap(X, y, fit, penalties),
        targets=TARGETS,
        small=lambda X, y: {"penalties": _path(X, y, 5)},
        patience=3.0,
    )


def _worst_gap(X: Any, y: Any, fit: Fit, penalties: Any) -> float:
    """Return the largest gap of a path; a path that is not complete has none."""
    if fit.coef.shape != (X.shape[1], len(penalties)):
        return float("inf")
    return float(np.max(lasso_gaps(X, y, fit.coef, penalties)))


def _cv_task(problem: Problem) -> Task:
    """Cross-validation: the refit is judged, at the penalty that was chosen."""
    X, y = problem.X, problem.y
    return Task(
        kind="lasso_cv",
        setting=f"CV {FOLDS}",
        arguments={"penalties": _path(X, y), "folds": FOLDS},
        judge=lambda fit: lasso_gap(X, y, fit.coef, float(fit.note["penalty"])),
        targets=(1e-4, 1e-6),
        small=lambda X, y: {"penalties": _path(X, y, 5), "folds": FOLDS},
        patience=5.0,
    )


BENCHMARK = Benchmark(
    name="lasso",
    title="Lasso: time to a certified accuracy",
    judged=("Gap: duality gap of the coefficients by one independent function, divided by ‖y‖²/2."),
    data=DATA,
    task="regression",
    tasks=tasks,
    kinds=(
        Kind("single", "lasso", "One penalty", 0.9, 4.0),
        Kind(
            "path",
            "lasso_path",
            "Path of 100 penalties, λmax to λmax/100 (worst gap of the path)",
            2.0,
            5.0,
        ),
        Kind(
            "cv",
            "lasso_cv",
            "Cross-validation, 5 folds, 100 penalties (gap of the refit)",
            4.0,
            4.0,
            ("scikit-learn",),
        ),
    ),
    solvers=SOLVERS,
    ours=("banditcd, loosest", "banditcd", "banditcd.solvers"),
    families=(
        Family(
            "rows", "synthetic:tall(rows={}, columns=300)", (2000, 4000, 8000, 16000, 32000, 64000)
        ),
        Family(
            "columns",
            "synthetic:wide(rows=500, columns={})",
            (1000, 2000, 4000, 8000, 16000, 32000),
        ),
        Family(
            "nonzeros", "synthetic:text(rows=10000, columns=30000, words={})", (10, 20, 40, 80, 160)
        ),
    ),
    growing=(("lasso", "1/10"), ("lasso", "1/100")),
    quick_settings=("1/10",),
    few_passes={"1/10": 6.0},
)

if __name__ == "__main__":
    raise SystemExit(main(BENCHMARK, sys.argv[1:]))
