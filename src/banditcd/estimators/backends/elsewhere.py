"""Fits of data that live elsewhere: on a cluster, on a GPU, in a file.

The loops are those of :mod:`banditcd.places`, which are imported on first use; what they cannot do
is refused here, before any work. The certificate is in the units of the estimator, as in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from banditcd._typing import Floats
from banditcd.estimators.backends.placed import (
    PlacedBinary,
    PlacedElasticNet,
    PlacedMultinomial,
    PlacedRidge,
    refuse,
)
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.places.kinds import check_matrix, classes_of, codes_of, names_of, signs_of, vector_of
from banditcd.places.rows import opened

if TYPE_CHECKING:
    from banditcd.estimators.backends.logistic_path import LogisticPath
    from banditcd.places.place import Place


def note_columns(estimator: Any, X: Any) -> None:
    """Keep the number of columns of X, and their names if it is a data frame, for predictions."""
    check_matrix(X)
    names = names_of(X)
    estimator.n_features_in_ = int(X.shape[1]) if names is None else len(names)
    estimator.__dict__.pop("feature_names_in_", None)
    if names is not None and all(isinstance(name, str) for name in names):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)


def solve_elastic_net(
    data: tuple[Any, Any, Any],
    columns: ColumnOptions,
    settings: LinearSettings,
    alpha: float,
    verbose: Any = 0,
) -> Solution:
    """Solve one response; row weights are normalized to sum to n."""
    with placed(*data) as place:
        return PlacedElasticNet(place, columns, settings, verbose).solve(alpha)


def solve_ridge(
    data: tuple[Any, Any, Any], settings: LinearSettings, alpha: float, verbose: Any = 0
) -> Solution:
    """Solve one response by Newton's method."""
    with placed(*data) as place:
        return PlacedRidge(place, settings, verbose).solve(alpha)


def solve_elastic_net_path(
    data: tuple[Any, Any, Any],
    columns: ColumnOptions,
    settings: LinearSettings,
    wanted: tuple[int | Floats, float],
    verbose: Any = 0,
) -> tuple[Floats, list[Solution]]:
    """Solve one response for many alphas or their values (with eps), from large to small."""
    from banditcd.estimators.backends.path_solver import alpha_grid

    with placed(*data) as place:
        solver = PlacedElasticNet(place, columns, settings, verbose)
        alphas = alpha_grid(solver, settings.l1_ratio, wanted[1], wanted[0])
        return alphas, solver.path(alphas.tolist())


def solve_logistic_path(
    data: tuple[Any, Any, Any],
    columns: ColumnOptions,
    settings: BinarySettings,
    wanted: tuple[int | Floats, float],
) -> tuple[Floats, LogisticPath]:
    """Solve all classes for many values of C (with eps), or for given ones, from small to large."""
    X, y, weight = data
    size, eps = wanted
    y, classes = checked_classes(y)
    joint = one_model(classes, settings)
    need_penalty(() if isinstance(size, int) else size)
    with opened(X) as rows:
        given = None if weight is None else rows.vector(weight, "sample_weight")
        places = [rows.place(rows.vector(v, "y"), given) for v in responses_of(y, classes, joint)]
        solvers: list[Any] = [
            PlacedMultinomial(place, columns, settings, classes=len(classes))
            if joint
            else PlacedBinary(place, columns, settings)
            for place in places
        ]
        if not isinstance(size, int):
            grid = np.sort(size)
        elif settings.l1_ratio == 0.0:
            grid = np.logspace(-4.0, 4.0, size)
        else:
            first = min(solver.first_entry() for solver in solvers)
            grid = np.geomspace(first, first / eps, size) if first < np.inf else np.ones(size)
        return grid, path_of([[solver.solve(float(C)) for C in grid] for solver in solvers])


def solve_classes(
    data: tuple[Any, Any, Any],
    columns: ColumnOptions,
    settings: BinarySettings,
    C: float,
    verbose: Any,
    check: Callable[[Any], None],
) -> tuple[Any, list[Solution]]:
    """Return the classes, and one solution for all, or one for each against the rest.

    ``check`` refuses classes before any work.
    """
    X, y, weight = data
    need_penalty((C,))
    y, classes = checked_classes(y)
    check(classes)
    joint = one_model(classes, settings)
    with opened(X) as rows:
        given = None if weight is None else rows.vector(weight, "sample_weight")
        responses = responses_of(y, classes, joint)
        places = (rows.place(rows.vector(values, "y"), given) for values in responses)
        if joint:
            models = (
                PlacedMultinomial(place, columns, settings, verbose, classes=len(classes))
                for place in places
            )
            return classes, [model.solve(C) for model in models]
        solvers = (PlacedBinary(place, columns, settings, verbose) for place in places)
        return classes, [solver.solve(C) for solver in solvers]


def checked_classes(y: Any) -> tuple[Any, Any]:
    """Return checked labels where they live, and their classes on the host."""
    y = vector_of(y, "y")
    classes = classes_of(y)
    if classes.dtype.kind == "f" and np.isnan(classes).any():
        raise ValueError("y contains NaN; every row needs a label.")
    check_classification_targets(classes)
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class(es); a classifier needs two or more.")
    return y, classes


def one_model(classes: Any, settings: BinarySettings) -> bool:
    """Whether the classes are one multinomial model."""
    return len(classes) > 2 and settings.multinomial


def responses_of(y: Any, classes: Any, joint: bool) -> Generator[Any, None, None]:
    """Yield the numbers of the classes for one model, else signs: one problem of two classes."""
    if joint:
        yield codes_of(y, classes)
        return
    for positive in classes[1:] if len(classes) == 2 else classes:
        yield signs_of(y, positive)


def need_penalty(Cs: Iterable[float]) -> None:
    """Refuse models without a penalty."""
    if any(math.isinf(C) for C in Cs):
        raise ValueError(
            "C=inf (no penalty) is solved in memory only; data that live elsewhere (Dask, a GPU, "
            "a large file) need a finite C."
        )


def path_of(problems: list[list[Solution]]) -> LogisticPath:
    """Return the solutions of every problem, or of one model of all classes, for every C."""
    from banditcd.estimators.backends.logistic_path import LogisticPath  # slow to import

    by_c = list(zip(*problems, strict=True))
    coefs = np.array([[s.coef for s in row] for row in by_c])
    intercepts = np.array([[s.intercept for s in row] for row in by_c])
    if coefs.ndim == 4:  # one model, with a row for every class
        coefs, intercepts = coefs[:, 0], intercepts[:, 0]
    return LogisticPath(coefs, intercepts, [[s.certificate for s in row] for row in by_c])


@contextmanager
def placed(X: Any, y: Any, weight: Any) -> Generator[Place, None, None]:
    """Hold the rows with one response and row weights."""
    with opened(X) as rows:
        given = None if weight is None else rows.vector(weight, "sample_weight")
        yield rows.place(rows.vector(y, "y"), given)


__all__ = [
    "checked_classes",
    "need_penalty",
    "note_columns",
    "one_model",
    "path_of",
    "placed",
    "refuse",
    "responses_of",
    "solve_classes",
    "solve_elastic_net",
    "solve_elastic_net_path",
    "solve_logistic_path",
    "solve_ridge",
]
