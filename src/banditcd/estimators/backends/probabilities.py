"""Probabilities of classes from decision values, in float64.

One column of decision values stands for two classes. More are one model of all of them, or separate
models of each against the rest, whose probabilities are normalized to sum to 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, log_expit, log_softmax, logsumexp, softmax

from banditcd.places.kinds import by_rows, kind_of


def of_scores(scores: Any, found: Any, classes: int) -> Any:
    """Return a function of decision values in their library and precision; lazily for Dask."""
    if kind_of(scores) is not None:
        return by_rows(scores, found, classes)
    scores = np.asarray(scores)
    return found(scores).astype(scores.dtype, copy=False)


def probabilities(scores: Any) -> Any:
    """Return the probabilities of one model of all classes."""
    scores = scores.astype(np.float64, copy=False)
    if scores.ndim == 1:
        return np.column_stack([expit(-scores), expit(scores)])
    return softmax(scores, axis=1)


def separate_probabilities(scores: Any) -> Any:
    """Return the probabilities of separate models of the classes."""
    return probabilities(scores) if scores.ndim == 1 else np.exp(separate_log_probabilities(scores))


def log_probabilities(scores: Any) -> Any:
    """Return the logarithms for one model of all classes, without underflow."""
    scores = scores.astype(np.float64, copy=False)
    if scores.ndim == 1:
        return np.column_stack([log_expit(-scores), log_expit(scores)])
    return log_softmax(scores, axis=1)


def halved_probabilities(scores: Any) -> Any:
    """Return the probabilities of two classes whose scores are minus and plus these."""
    return probabilities(2.0 * scores.astype(np.float64, copy=False))


def halved_log_probabilities(scores: Any) -> Any:
    """Return their logarithms, without underflow."""
    return log_probabilities(2.0 * scores.astype(np.float64, copy=False))


def separate_log_probabilities(scores: Any) -> Any:
    """Return the logarithms for separate models of the classes."""
    if scores.ndim == 1:
        return log_probabilities(scores)
    logs = log_expit(scores.astype(np.float64, copy=False))
    return logs - logsumexp(logs, axis=1, keepdims=True)


#: By the model of an estimator (:func:`banditcd.estimators.checks.logistic.model_word`).
PROBABILITIES = {
    "usual": probabilities,
    "separate": separate_probabilities,
    "halved": halved_probabilities,
}
LOGARITHMS = {
    "usual": log_probabilities,
    "separate": separate_log_probabilities,
    "halved": halved_log_probabilities,
}
