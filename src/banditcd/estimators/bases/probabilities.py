"""Probabilities of classes from decision values."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, log_expit, logsumexp, softmax


def softmax_of(scores: Any) -> Any:
    """Return the probabilities of a multinomial model, or of two classes, from decision values."""
    if scores.ndim == 1:
        return probabilities_of(scores)
    return softmax(scores.astype(np.float64, copy=False), axis=1)


def probabilities_of(scores: Any) -> Any:
    """Return the probabilities of separate models of the classes from decision values."""
    scores = scores.astype(np.float64, copy=False)
    if scores.ndim == 1:
        return np.column_stack([expit(-scores), expit(scores)])
    return np.exp(normalized_logs(scores))


def normalized_logs(scores: Any) -> Any:
    """Return log probabilities of classes from their separate models."""
    logs = log_expit(scores)
    return logs - logsumexp(logs, axis=1, keepdims=True)
