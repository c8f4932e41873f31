"""Fits of data that live elsewhere: on a cluster, on a GPU, in a file.

The loops are those of :mod:`banditcd.places`, which are imported on first use; what they cannot do
is refused here, before any work. The certificate is in the units of the estimator, as in memory.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from banditcd.estimators.backends.certificate import certificate_of
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.places.kinds import (
    check_matrix,
    classes_of,
    names_of,
    places_of,
    signs_of,
    vector_of,
)

if TYPE_CHECKING:
    from banditcd.places.penalties import ColumnPenalties
    from banditcd.places.place import Place
    from banditcd.solvers import Result


def refuse(estimator: Any, *names: str) -> None:
    """Refuse parameters that only data in memory have, where they are not at their default."""
    for name in names:
        value = getattr(estimator, name, None)
        if value is not None and value is not False and value != "auto":
            raise ValueError(
                f"{name}={value!r} is for data in memory; {type(estimator).__name__} fits data "
                "that live elsewhere (Dask, a GPU, a large file) without it."
            )


def note_columns(estimator: Any, X: Any) -> None:
    """Keep the number of columns of X, and their names if it is a data frame, for predictions."""
    check_matrix(X)
    names = names_of(X)
    estimator.n_features_in_ = int(X.shape[1]) if names is None else len(names)
    estimator.__dict__.pop("feature_names_in_", None)
    if names is not None and all(isinstance(name, str) for name in names):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)


def solve_elastic_net(
    data: tuple[Any, Any, Any], columns: ColumnOptions, settings: LinearSettings, alpha: float
) -> Solution:
    """Solve one response; row weights are normalized to sum to n."""
    from banditcd.places.elastic_net import ElasticNetLoop

    X, y, weight = data
    limits = {"tol": settings.tol, "max_iter": settings.max_iter}
    with closing(places_of(X, [y], weight)) as places:
        place, free = next(places), settings.fit_intercept
        loop = ElasticNetLoop(place, _penalties(place, columns), fit_intercept=free)
        l1, l2 = settings.penalties(alpha)
        result = loop.solve(loop.total * l1, loop.total * l2, **limits)
    return _solution(result, place, 1.0 / loop.total)


def solve_ridge(data: tuple[Any, Any, Any], settings: LinearSettings, alpha: float) -> Solution:
    """Solve one response by Newton's method, exact after a step where its matrix is formed."""
    from banditcd.places.smooth import SmoothLoop

    X, y, weight = data
    kind = "free" if settings.fit_intercept else "none"
    with closing(places_of(X, [y], weight)) as places:
        place = next(places)
        loop = SmoothLoop(place, "squared", intercept=kind)
        result = loop.solve(alpha, tol=settings.tol, max_iter=settings.max_iter)
    return _solution(result, place, 2.0)


def solve_classes(
    data: tuple[Any, Any, Any], columns: ColumnOptions, settings: BinarySettings, C: float
) -> tuple[Any, list[Solution]]:
    """Return the classes, and one solution for two of them, else one for each against the rest."""
    X, y, weight = data
    y = vector_of(y, "y")
    classes = classes_of(y)
    if classes.dtype.kind == "f" and np.isnan(classes).any():
        raise ValueError("y contains NaN; every row needs a label.")
    check_classification_targets(classes)
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class(es); a classifier needs two or more.")
    if len(classes) > 2 and settings.multinomial:
        raise ValueError(
            "Three and more classes of data that live elsewhere (Dask, a GPU, a large file) are "
            "fitted one against the rest: set multi_class='ovr'."
        )
    positives = classes[1:] if len(classes) == 2 else classes
    signs = (signs_of(y, positive) for positive in positives)
    with closing(places_of(X, signs, weight)) as places:
        return classes, [_solve_binary(place, columns, settings, C) for place in places]


def _solve_binary(
    place: Place, columns: ColumnOptions, settings: BinarySettings, C: float
) -> Solution:
    from banditcd.places.logistic import LogisticLoop
    from banditcd.places.smooth import SmoothLoop

    limits = {"tol": settings.tol, "max_iter": settings.max_iter}
    l1, l2 = settings.penalties(1.0 / C)
    if settings.loss == "hinge":
        raise ValueError(
            "The hinge is solved in memory only; use loss='squared_hinge' for data that live "
            "elsewhere."
        )
    if settings.loss != "logistic" and l1 > 0.0:
        raise ValueError(
            "penalty='l1' of a support vector machine is solved in memory only; use penalty='l2' "
            "or LogisticRegression(l1_ratio=1) for data that live elsewhere."
        )
    if settings.loss == "logistic" and (l1 > 0.0 or not columns.plain):
        free = settings.intercept == "free"
        loop = LogisticLoop(place, _penalties(place, columns), fit_intercept=free)
        return _solution(loop.solve(l1, l2, **limits), place, C)
    scaling = settings.intercept_scaling if settings.intercept == "penalized" else 1.0
    smooth = SmoothLoop(place, settings.loss, intercept=settings.intercept, scaling=scaling)
    return _solution(smooth.solve(1.0 / C, **limits), place, C)


def _penalties(place: Place, columns: ColumnOptions) -> ColumnPenalties:
    from banditcd.places.penalties import ColumnPenalties

    return ColumnPenalties(place.shape[1], columns.penalty_weights, columns.lower, columns.upper)


def _solution(result: Result, place: Place, unit: float) -> Solution:
    traffic = place.traffic
    certificate = replace(
        certificate_of(result, unit),
        passes=traffic.passes,
        rounds=traffic.rounds,
        bytes_moved=traffic.bytes_moved,
    )
    return Solution(np.asarray(result.coef), float(result.intercept), certificate)
