"""How well models predict: sums over the rows of a block, for several models at once.

``models`` is ``(columns, coefs, intercepts)`` with one column of ``coefs`` and one intercept per
model; all columns of X are meant by ``columns = None``. Nothing but sums leaves the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.places.place import Block
from banditcd.places.rowwise import weighted
from banditcd.places.tasks import reads

Models: TypeAlias = "tuple[Any, Floats, Floats]"

#: Models whose predictions a block holds at a time.
AT_ONCE = 8
#: The most that one row adds to a logarithmic loss: probabilities stay above float64's resolution.
MOST_LOG_LOSS = float(-np.log(np.finfo(np.float64).eps))


def models_of(coefs: Floats, intercepts: Floats) -> Models:
    """Return models whose rows of coefficients have few that are not zero; only these are sent."""
    used = np.flatnonzero(coefs.any(axis=0))
    if len(used) == coefs.shape[1]:
        return None, np.ascontiguousarray(coefs.T), intercepts
    return used, np.ascontiguousarray(coefs[:, used].T), intercepts


def _columns(models: Models, *_: Any) -> Any:
    return models[0]


def _columns_of_first(models: list[Models], *_: Any) -> Any:
    lists = [of_class[0] for of_class in models]
    return None if any(part is None for part in lists) else np.unique(np.concatenate(lists))


def _predicted(block: Block, models: Models) -> Iterator[Any]:
    """Yield the predictions of one model after another, computed a few at a time."""
    columns, coefs, intercepts = models
    for first in range(0, len(intercepts), AT_ONCE):
        part = coefs[:, first : first + AT_ONCE]
        if columns is None or len(columns):
            found = list(block.times(columns, np.ascontiguousarray(part)).T)
        else:
            found = [block.y * 0.0] * part.shape[1]
        for k, values in enumerate(found):
            yield values + intercepts[first + k]


@reads(_columns)
def squared_scores(block: Block, models: Models, center: float) -> tuple[Any, ...]:
    """Return the sums of s r² of every model, and those of s, s (y - center), s (y - center)²."""
    errors = []
    for predicted in _predicted(block, models):
        residual = block.y - predicted
        errors.append(residual @ weighted(block, residual))
    off = block.y - center
    pull = weighted(block, off)
    return (*errors, weighted(block, off * 0.0 + 1.0).sum(), pull.sum(), off @ pull)


@reads(_columns_of_first)
def class_scores(block: Block, models: list[Models], measure: str, joint: bool) -> tuple[Any, ...]:
    """Return the sums of s times a measure of every model, and that of s.

    y holds the numbers of the classes. ``models`` are those of the second of two classes, or those
    of every class, which are ``joint`` if they are one multinomial model; ``measure`` is
    "accuracy" or "neg_log_loss".
    """
    out = []
    for scores in zip(*(_predicted(block, of_class) for of_class in models), strict=True):
        right = measure == "accuracy"
        gains = _right(block.y, scores) if right else -_log_loss(block.y, scores, joint)
        out.append(weighted(block, gains).sum())
    return (*out, weighted(block, block.y * 0.0 + 1.0).sum())


def _right(y: Any, scores: Sequence[Any]) -> Any:
    if len(scores) == 1:
        return 1.0 * ((scores[0] > 0.0) == (y > 0.5))
    best, chosen = scores[0], scores[0] * 0.0
    for k, score in enumerate(scores[1:], start=1):
        chosen = np.where(score > best, float(k), chosen)
        best = np.maximum(best, score)
    return 1.0 * (chosen == y)


def _log_loss(y: Any, scores: Sequence[Any], joint: bool) -> Any:
    """Return -log of the probability of the true class; several are normalized to sum to 1."""
    if len(scores) == 1:
        loss = np.logaddexp(0.0, (1.0 - 2.0 * y) * scores[0])
        return np.minimum(loss, MOST_LOG_LOSS)
    logs = scores if joint else [-np.logaddexp(0.0, -score) for score in scores]
    total, true = logs[0], logs[0]
    for k, log in enumerate(logs[1:], start=1):
        total = np.logaddexp(total, log)
        true = np.where(y == float(k), log, true)
    return np.minimum(total - true, MOST_LOG_LOSS)
