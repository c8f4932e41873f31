"""What the Lasso benchmark consists of: data sets, settings, accuracies and solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from banditcd.data import apply, load
from benchmarks.gap import largest_penalty, lasso_gap, lasso_gaps
from benchmarks.peers.client import Fit
from benchmarks.peers.tasks import Problem, Task

TARGETS = (1e-4, 1e-6, 1e-10)
DIVISORS = (10, 100, 1000)
PATH_LENGTH = 100
PATH_DIVISOR = 100
FOLDS = 5

#: (environment, variant): everyone who may enter; those that are often fast come first, because
#: the fastest so far limits the time of the others.
SOLVERS = (
    ("banditcd", "banditcd"),
    ("banditcd", "banditcd.record"),
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


@dataclass(frozen=True)
class DataSpec:
    """A data set of the benchmark.

    Attributes
    ----------
    name : str
        Printed name.
    source : str
        What ``banditcd.data.load`` reads.
    group : str
        "real", "synthetic", or "held out": never looked at while constants were chosen.
    steps : tuple of str
        Preprocessing. In all sets empty columns are dropped and y is centered.
    quick : bool
        Whether it belongs to the quick subset.
    """

    name: str
    source: str
    group: str
    steps: tuple[str, ...] = ()
    quick: bool = False


DATA: dict[str, DataSpec] = {
    spec.name: spec
    for spec in (
        DataSpec("usps", "usps", "real", quick=True),
        DataSpec("news20", "news20", "real"),
        DataSpec("leu", "leu", "real"),
        DataSpec("colon-cancer", "colon-cancer", "real"),
        DataSpec("madelon", "madelon", "real"),
        DataSpec("cadata", "cadata", "real", ("standardize",)),
        DataSpec("a9a", "a9a", "real"),
        DataSpec("w8a", "w8a", "real"),
        DataSpec("tiny", "synthetic:tall(rows=100, columns=10, rho=0.0)", "synthetic"),
        DataSpec("tall", "synthetic:tall", "synthetic"),
        DataSpec("wide", "synthetic:wide", "synthetic"),
        DataSpec("gene", "synthetic:gene", "synthetic"),
        DataSpec("text", "synthetic:text", "synthetic"),
        DataSpec("aloi-shaped", "synthetic:aloi", "synthetic"),
        DataSpec(
            "easy", "synthetic:wide(rows=500, columns=2000, rho=0.0)", "synthetic", quick=True
        ),
        DataSpec("saturated", "synthetic:wide(rows=200, columns=2000, rho=0.9)", "synthetic"),
        DataSpec(
            "tall, other", "synthetic:tall(rows=7000, columns=450, rho=0.7, seed=101)", "held out"
        ),
        DataSpec(
            "wide, other", "synthetic:wide(rows=600, columns=15000, rho=0.8, seed=102)", "held out"
        ),
        DataSpec(
            "gene, other",
            "synthetic:gene(rows=120, columns=9000, pathways=20, seed=103)",
            "held out",
        ),
        DataSpec(
            "text, other",
            "synthetic:text(rows=8000, columns=30000, words=60, seed=104)",
            "held out",
        ),
        DataSpec(
            "square, other",
            "synthetic:tall(rows=1500, columns=1500, rho=0.6, seed=105)",
            "held out",
        ),
        DataSpec("mushrooms", "mushrooms", "held out"),
        DataSpec("phishing", "phishing", "held out"),
        DataSpec("abalone", "abalone", "held out", ("standardize",)),
        DataSpec("cpusmall", "cpusmall", "held out", ("standardize",)),
    )
}


def read(spec: DataSpec) -> Problem:
    """Load a set: Fortran order or CSC, float64, no empty column, labels as centered numbers."""
    dataset = apply(load(spec.source), spec.steps)
    X: Any = dataset.X
    is_sparse: bool = sparse.issparse(X)
    if is_sparse:
        X = X.tocsc().astype(np.float64)
        X.eliminate_zeros()
        X = X[:, np.diff(X.indptr) > 0]
        X.sort_indices()
    else:
        X = np.asfortranarray(X, dtype=np.float64)
        X = np.asfortranarray(X[:, np.any(X != 0.0, axis=0)])
    y = np.asarray(dataset.y, dtype=np.float64)
    return Problem(spec.name, spec.group, X, y - y.mean())


def tasks(problem: Problem, kinds: tuple[str, ...]) -> list[Task]:
    """Return the tasks of a data set, of the kinds asked for."""
    every = [*_single_tasks(problem), _path_task(problem), _cv_task(problem)]
    return [task for task in every if task.kind in kinds]


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
