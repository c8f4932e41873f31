r"""The multinomial loss on one block of rows: pure functions whose results are added up.

y holds the numbers of the classes, 0, 1, ..., K - 1. A *model* is ``(W, b)`` with a row of W and an
intercept for every class: :math:`z_i = W x_i + b`, probabilities :math:`\pi_i =
\mathrm{softmax}(z_i)`, pulls :math:`s_i ([y_i = k] - \pi_{ik})`. One reading serves all classes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.places.place import Block
from banditcd.places.rowwise import weighted
from banditcd.places.tasks import no_columns, reads

ClassModel: TypeAlias = "tuple[Floats, Floats]"


@reads(no_columns)
def class_totals(block: Block, classes: int) -> tuple[Any, ...]:
    """Return the weight of every class."""
    return (weighted_rows(block, own_class(block, classes)).sum(axis=0),)


def column_moments(block: Block) -> tuple[Any, ...]:
    """Return the weighted sums and squares of the columns."""
    return block.survey(block.y)[1:]


def class_look(block: Block, model: ClassModel) -> tuple[Any, ...]:
    """Return the loss, the sums of the pulls and of s π, the matrix sum of s π π', and X'pulls."""
    scores = _scores(block, model)
    chances, log_total = softmax(scores)
    own = own_class(block, len(model[1]))
    loss = weighted(block, log_total - (own * scores).sum(axis=1)).sum()
    pulls, shares = weighted_rows(block, own - chances), weighted_rows(block, chances)
    return (
        loss,
        pulls.sum(axis=0),
        shares.sum(axis=0),
        chances.T @ shares,
        block.transposed_times(pulls),
    )


def class_product(block: Block, model: ClassModel, step: ClassModel) -> tuple[Any, ...]:
    """Return X'M and the sums of M, M = s (diag π - π π') v, for the scores v of a step."""
    chances = softmax(_scores(block, model))[0]
    tilted = chances * _scores(block, step)
    moved = weighted_rows(block, tilted - chances * tilted.sum(axis=1, keepdims=True))
    return block.transposed_times(moved), moved.sum(axis=0)


def class_along(
    block: Block, model: ClassModel, step: ClassModel, shares: tuple[float, ...]
) -> tuple[Any, ...]:
    """Return the losses at model + t step for every t."""
    base, move = _scores(block, model), _scores(block, step)
    own = own_class(block, len(model[1]))
    points = (base + t * move for t in shares)
    return tuple(weighted(block, softmax(z)[1] - (own * z).sum(axis=1)).sum() for z in points)


def _scores(block: Block, model: ClassModel) -> Any:
    W, b = model
    products = block.times(None, np.ascontiguousarray(W.T))
    return np.stack([products[:, k] + float(b[k]) for k in range(len(b))], axis=1)


def softmax(scores: Any) -> tuple[Any, Any]:
    """Return the probabilities of every row, and the logarithm of its sum of exponentials."""
    top = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - top)
    total = powers.sum(axis=1, keepdims=True)
    return powers / total, (top + np.log(total))[:, 0]


def own_class(block: Block, classes: int) -> Any:
    """Return 1 in the column of every row's class, else 0."""
    return np.stack([1.0 * (block.y == float(k)) for k in range(classes)], axis=1)


def weighted_rows(block: Block, values: Any) -> Any:
    """Return s * values, row by row."""
    return values if block.weight is None else block.weight[:, None] * values
