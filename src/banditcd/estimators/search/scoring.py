"""Scores of models on held-out samples, and which model they choose."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.metrics import get_scorer
from sklearn.utils.metadata_routing import process_routing

from banditcd._typing import Floats

Arguments = dict[str, Any]


def scorer_of(estimator: Any) -> Any:
    """Return the scorer of a regressor's ``scoring``; without one R², which takes weights."""
    if estimator.scoring is not None:
        return get_scorer(estimator.scoring)
    scorer = get_scorer("r2")
    routing = get_config()["enable_metadata_routing"]
    return scorer.set_score_request(sample_weight=True) if routing else scorer


def routed(
    estimator: Any, sample_weight: Any, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the keyword arguments of ``cv.split`` and of the scorer.

    With metadata routing enabled, what was requested is routed. Without it, ``groups`` goes to
    the splitter and ``sample_weight`` to the scorer.
    """
    if get_config()["enable_metadata_routing"]:
        found = process_routing(estimator, "fit", sample_weight=sample_weight, **params)
        return dict(found.splitter.split), dict(found.scorer.score)
    unknown = sorted(set(params) - {"groups"})
    if unknown:
        raise ValueError(
            f"fit got {', '.join(unknown)}; beside sample_weight and groups, metadata is only "
            "passed on with sklearn.set_config(enable_metadata_routing=True)."
        )
    return params, {} if sample_weight is None else {"sample_weight": sample_weight}


def routed_score(estimator: Any, sample_weight: Any, params: Arguments) -> Arguments:
    """Return the keyword arguments of a scorer called by ``score``."""
    given = params if sample_weight is None else {**params, "sample_weight": sample_weight}
    if get_config()["enable_metadata_routing"]:
        return dict(process_routing(estimator, "score", **given).scorer.score)
    if params:
        raise ValueError(
            f"score got {', '.join(sorted(params))}; beside sample_weight, metadata is only passed "
            "on with sklearn.set_config(enable_metadata_routing=True)."
        )
    return given


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


def strongest_within_one_error(scores: Floats, best: int, strongest_first: Any) -> int:
    """Return the strongest penalty whose mean score is within one standard error of the best.

    ``scores`` has a row per fold and a column per penalty; ``strongest_first`` the columns from
    the strongest penalty to the weakest (Hastie, Tibshirani & Friedman, The Elements of
    Statistical Learning, 7.10).
    """
    mean, folds = scores.mean(axis=0), len(scores)
    spread = scores[:, best].std(ddof=1) / np.sqrt(folds) if folds > 1 else 0.0
    return int(next(k for k in strongest_first if mean[k] >= mean[best] - spread))
