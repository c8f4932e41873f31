r"""The mathematics of one block of rows: pure functions whose results are added up.

Every function takes a block (:class:`banditcd.places.place.Block`) and host arguments and returns a
tuple of numbers and arrays. They are written with NumPy's functions, which arrays of other libraries
answer in their own kind. A *model* is ``(columns, coef, intercept)``: predictions are
``X[:, columns] @ coef + intercept``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.places.place import Block

Model: TypeAlias = "tuple[Any, Floats, float]"


def responses(block: Block) -> tuple[Any, ...]:
    """Return the sums of the weights, of s y, and the number of rows."""
    if block.weight is None:
        return float(block.rows), block.y.sum(), block.rows
    return block.weight.sum(), block.weight @ block.y, block.rows


def spread(block: Block, center: float) -> tuple[Any, ...]:
    """Return the sum of s (y - center)²."""
    off = block.y - center
    return (off @ weighted(block, off),)


def survey(block: Block, center: float) -> tuple[Any, ...]:
    """Return X'(s (y - center)), and the weighted sums and squares of the columns."""
    off = weighted(block, block.y - center)
    return block.survey(off)


def squared_look(block: Block, model: Model) -> tuple[Any, ...]:
    """Return the sums of s r² and s r, and X'(s r), for the residual r of a model."""
    columns, coef, intercept = model
    residual = block.y - (block.times(columns, coef) + intercept)
    pull = weighted(block, residual)
    return residual @ pull, pull.sum(), block.transposed_times(pull)


def plain_gram(block: Block, columns: Any, more: Any, shift: Floats | None) -> tuple[Any, ...]:
    """Return the Gram matrix of two sets of columns, centered at ``shift``."""
    return (block.gram(columns, more, block.weight, shift),)


def weighted(block: Block, values: Any) -> Any:
    """Return s * values."""
    return values if block.weight is None else block.weight * values


# ---------------------------------------------------------------------- logistic loss, y = -1 or +1


def _logistic(block: Block, model: Model) -> tuple[Any, Any]:
    """Return the margins and q = 1 / (1 + exp(margin)), the probability of the wrong label."""
    columns, coef, intercept = model
    margin = block.y * (block.times(columns, coef) + intercept)
    return margin, 0.5 * (1.0 - np.tanh(0.5 * margin))


def logistic_look(block: Block, model: Model) -> tuple[Any, ...]:
    """Return the loss, the sum of s y q, that of s q (1 - q), and X'(s y q)."""
    margin, q = _logistic(block, model)
    loss = weighted(block, np.logaddexp(0.0, -margin)).sum()
    pull = block.y * weighted(block, q)
    return loss, pull.sum(), weighted(block, q * (1.0 - q)).sum(), block.transposed_times(pull)


def logistic_bias(block: Block, model: Model) -> tuple[Any, ...]:
    """Return the loss and its first two derivatives in the intercept; X is needed for columns only."""
    margin, q = _logistic(block, model)
    loss = weighted(block, np.logaddexp(0.0, -margin)).sum()
    return loss, -(block.y * weighted(block, q)).sum(), weighted(block, q * (1.0 - q)).sum()


def logistic_gram(block: Block, model: Model, pool: Any, shift: Floats) -> tuple[Any, ...]:
    """Return the Gram matrix of a pool with curvatures s q (1 - q) as weights, and its first row."""
    _, q = _logistic(block, model)
    curvature = weighted(block, q * (1.0 - q))
    return (
        block.gram(pool, pool, curvature, shift),
        block.gram_sums(pool, curvature, shift),
        curvature.sum(),
    )


def logistic_entropy(block: Block, model: Model, scale: float, balance: float) -> tuple[Any, ...]:
    r"""Return the dual value of p = scale q - balance y q (1 - q), its sum of s y p and X'(s y p).

    The conjugate of the loss at -p is the entropy p log p + (1 - p) log(1 - p) with p in [0, 1].
    """
    _, q = _logistic(block, model)
    p = np.clip(scale * q - balance * block.y * q * (1.0 - q), 0.0, 1.0)
    entropy = _xlogx(p) + _xlogx(1.0 - p)
    pull = block.y * weighted(block, p)
    return -weighted(block, entropy).sum(), pull.sum(), block.transposed_times(pull)


def _xlogx(p: Any) -> Any:
    return p * np.log(np.maximum(p, 1e-300))


def logistic_along(block: Block, model: Model, step: Model, shares: Any) -> tuple[Any, ...]:
    """Return the losses at model + t step for every t."""
    columns, coef, intercept = model
    base = block.times(columns, coef) + intercept
    move = block.times(step[0], step[1]) + step[2]
    losses = [
        weighted(block, np.logaddexp(0.0, -block.y * (base + t * move))).sum() for t in shares
    ]
    return tuple(losses)
