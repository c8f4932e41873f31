"""The search of RidgeCV over data that live elsewhere; folds are row weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.elsewhere import note_columns
from banditcd.estimators.backends.placed import PlacedRidge
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.placed_folds import (
    PlacedSearch,
    SquaredSums,
    placed_folds,
    squared_sums,
)
from banditcd.estimators.search.routing import routed
from banditcd.estimators.search.selection import pick
from banditcd.places.place import Place, Rows
from banditcd.places.rows import opened
from banditcd.places.scores import models_of

MEASURES = {
    "r2": lambda sums: sums.r2,
    "neg_mean_squared_error": lambda sums: -sums.mean_errors,
    "neg_root_mean_squared_error": lambda sums: -np.sqrt(sums.mean_errors),
}


def search_elsewhere(
    model: Any, data: tuple[Any, Any, Any], params: dict[str, Any]
) -> tuple[list[FitCertificate], LinearSettings]:
    """Score every alpha on every fold, choose, fit all rows and keep the model."""
    alphas, settings = model._check()
    measure = _measure(model)
    if not alphas.min() > 0.0:
        raise ValueError("Data that live elsewhere need a penalty; leave out alpha 0.")
    note_columns(model, data[0])
    for name in ("cv_results_", "fold_scores_"):
        model.__dict__.pop(name, None)

    def path(_: int, place: Place) -> list[Solution]:
        solver = PlacedRidge(place, settings)
        return [solver.solve(float(alpha)) for alpha in alphas]

    with opened(data[0]) as rows:
        search = _search(model, rows, data, params)
        whole = PlacedRidge(search.place(), settings)
        fitted = search.fitted(path)
        models = [
            models_of(np.array([s.coef for s in found]), np.array([s.intercept for s in found]))
            for found in fitted
        ]
        center = whole.loop.b if settings.fit_intercept else 0.0
        model.fold_scores_ = np.array(
            [measure(sums) for sums in squared_sums(search, models, center)]
        )
        place, model.best_score_ = pick(model.fold_scores_, alphas, model.select_alpha)
        model.alpha_ = float(alphas[place])
        final = whole.solve(model.alpha_)
    model._keep_solutions([final], squeeze=True, array=False)
    model.solver_ = final.certificate.regime
    return [final.certificate, *(s.certificate for found in fitted for s in found)], settings


def _measure(model: Any) -> Any:
    """Return the score of a fold as a function of its sums; refuse what needs the rows."""
    if model.cv is None:
        raise ValueError(
            "Leave-one-out (cv=None) is for data in memory; choose folds for data that live "
            "elsewhere: cv=5."
        )
    word = "r2" if model.scoring is None else model.scoring
    if not (isinstance(word, str) and word in MEASURES):
        raise ValueError(
            f"scoring={model.scoring!r} is for data in memory; data that live elsewhere are scored "
            f"by {', '.join(MEASURES)} or None."
        )
    return MEASURES[word]


def _search(
    model: Any, rows: Rows, data: tuple[Any, Any, Any], params: dict[str, Any]
) -> PlacedSearch:
    _, y, sample_weight = data
    weight = None if sample_weight is None else rows.vector(sample_weight, "sample_weight")
    arguments, _ = routed(model, sample_weight, params)
    search = PlacedSearch(rows, rows.vector(y, "y"), weight, [])
    return replace(search, folds=placed_folds(rows, model.cv, arguments, y))


__all__ = ["MEASURES", "SquaredSums", "search_elsewhere"]
