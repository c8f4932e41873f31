"""Fitted models inside others: the last step of a pipeline, the best one of a grid search."""

from __future__ import annotations

from typing import Any

import numpy as np


def is_grid_search(estimator: Any) -> bool:
    """Whether scores of a grid are in ``cv_results_``; RidgeCV has an array by that name."""
    return isinstance(getattr(estimator, "cv_results_", None), dict)


def last_step(estimator: Any) -> Any:
    """Return the last step of a pipeline, and anything else as it is."""
    while hasattr(estimator, "steps") and not hasattr(estimator, "coef_"):
        estimator = estimator.steps[-1][1]
    return estimator


def fitted_model(estimator: Any) -> Any:
    """Return the linear model at the bottom of pipelines and grid searches."""
    model = last_step(estimator)
    while is_grid_search(model):
        if not hasattr(model, "best_estimator_"):
            raise ValueError(
                f"This {type(model).__name__} was fitted with refit=False and holds no model."
            )
        model = last_step(model.best_estimator_)
    return model


def transformed(estimator: Any, X: Any) -> Any:
    """Return samples as the linear model sees them, after every step before it."""
    if is_grid_search(estimator):
        return transformed(estimator.best_estimator_, X)
    if not hasattr(estimator, "steps"):
        return X
    if len(estimator.steps) > 1:
        X = estimator[:-1].transform(X)
    return transformed(estimator.steps[-1][1], X)


def feature_names(estimator: Any) -> Any:
    """Return the names of the linear model's features, or None if they have none."""
    if is_grid_search(estimator):
        return feature_names(estimator.best_estimator_)
    if not hasattr(estimator, "steps"):
        return getattr(estimator, "feature_names_in_", None)
    own = feature_names(estimator.steps[-1][1])
    if own is not None or len(estimator.steps) == 1:
        return own
    try:
        return np.asarray(estimator[:-1].get_feature_names_out())
    except (AttributeError, ValueError, TypeError):  # a step that does not name its columns
        return None
