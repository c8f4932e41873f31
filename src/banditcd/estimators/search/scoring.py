"""Scores of models on held-out samples."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.metrics import get_scorer


def scorer_of(estimator: Any, default: str = "r2") -> Any:
    """Return the scorer of an estimator's ``scoring``; without one a default that takes weights."""
    if estimator.scoring is not None:
        return get_scorer(estimator.scoring)
    scorer = get_scorer(default)
    routing = get_config()["enable_metadata_routing"]
    return scorer.set_score_request(sample_weight=True) if routing else scorer


def knowing_classes(scorer: Any, classes: Any) -> Any:
    """Return a classifier's scorer that knows all classes, if its function can be told.

    The test samples of a fold may lack some: the logarithmic loss, say, is then not defined by
    the labels that are there. As in scikit-learn, the positive class of two is the second.
    """
    function = getattr(scorer, "_score_func", None)
    known = {} if function is None else inspect.signature(function).parameters
    if "labels" not in known:
        return scorer
    given = {"labels": classes}
    if len(classes) == 2 and "pos_label" in known:
        given["pos_label"] = classes[-1]
    told = copy.copy(scorer)
    told._kwargs = {**given, **scorer._kwargs}
    return told


def rows_of_arguments(arguments: dict[str, Any], rows: Any, n_samples: int) -> dict[str, Any]:
    """Return the arguments of some samples: arrays with one value per sample are cut."""
    return {
        name: np.asarray(value)[rows]
        if value is not None and np.ndim(value) > 0 and len(value) == n_samples
        else value
        for name, value in arguments.items()
    }
