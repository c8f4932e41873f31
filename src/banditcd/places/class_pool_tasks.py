r"""The multinomial loss of models with few columns, on one block of rows.

A *sparse model* is ``(columns, W, b)``: scores :math:`z_i = W x_{i,\mathrm{columns}} + b` of all
classes, probabilities :math:`\pi_i`, curvatures :math:`H_i = \mathrm{diag}\,\pi_i - \pi_i
\pi_i^\top`. The rest is as in :mod:`banditcd.places.class_tasks`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.places.class_tasks import own_class, softmax, weighted_rows
from banditcd.places.place import Block
from banditcd.places.rowwise import weighted
from banditcd.places.tasks import reads

SparseModel: TypeAlias = "tuple[Any, Floats, Floats]"


def pairs(classes: int) -> list[tuple[int, int]]:
    """Return the pairs k <= l of classes."""
    return [(k, m) for k in range(classes) for m in range(k, classes)]


def _scores(block: Block, model: SparseModel) -> Any:
    columns, W, b = model
    if len(columns) == 0:
        return np.stack([0.0 * block.y + float(part) for part in b], axis=1)
    products = block.times(columns, np.ascontiguousarray(W.T))
    return np.stack([products[:, k] + float(b[k]) for k in range(len(b))], axis=1)


def _tilted(chances: Any, tilt: Floats) -> Any:
    """Return π + H tilt."""
    if not tilt.any():
        return chances
    bent = np.stack([chances[:, k] * float(tilt[k]) for k in range(len(tilt))], axis=1)
    return chances + bent - chances * bent.sum(axis=1, keepdims=True)


def class_pull(block: Block, model: SparseModel, tilt: Floats) -> tuple[Any, ...]:
    """Return X'α and the sums of α = s (y - π - H tilt), for all classes."""
    chances = softmax(_scores(block, model))[0]
    pulls = weighted_rows(block, own_class(block, len(tilt)) - _tilted(chances, tilt))
    return block.transposed_times(pulls), pulls.sum(axis=0)


@reads(lambda model, step, _: np.concatenate([model[0], step[0]]))
def class_points(
    block: Block, model: SparseModel, step: SparseModel, shares: tuple[float, ...]
) -> tuple[Any, ...]:
    """Return loss, sums of s (y - π), sums of s π and of s π π' at model + t step, t by t."""
    base, move = _scores(block, model), _scores(block, step)
    own, out = own_class(block, len(model[2])), []
    for t in shares:
        scores = base + t * move
        chances, log_total = softmax(scores)
        loss = weighted(block, log_total - (own * scores).sum(axis=1)).sum()
        heavy = weighted_rows(block, chances)
        out += [loss, weighted_rows(block, own - chances).sum(axis=0)]
        out += [heavy.sum(axis=0), chances.T @ heavy]
    return tuple(out)


@reads(lambda model, *_: model[0])
def class_dual(block: Block, model: SparseModel, tilt: Floats, scale: float) -> tuple[Any, ...]:
    """Return the sum of the entropies of p = y - scale (y - π - H tilt), weighted by s."""
    chances, own = softmax(_scores(block, model))[0], own_class(block, len(tilt))
    p = np.clip(own - scale * (own - _tilted(chances, tilt)), 0.0, 1.0)
    return (-weighted(block, (p * np.log(np.maximum(p, 1e-300))).sum(axis=1)).sum(),)


@reads(lambda _, pool, __: pool)
def class_gram(block: Block, model: SparseModel, pool: Any, shift: Floats) -> tuple[Any, ...]:
    """Return what a Newton model on a pool of columns needs, with curvatures s H.

    For every pair k <= l of classes the Gram matrix of the centered columns with weights s |H_kl|
    and their products with these weights; for every class the products with its pull; the sums of
    the pulls, of s π and of s π π'; and the sum of s (1 / π_y - 1).
    """
    classes = len(model[2])
    chances, own = softmax(_scores(block, model))[0], own_class(block, classes)
    pulls, heavy = weighted_rows(block, own - chances), weighted_rows(block, chances)
    grams, sums, products = [], [], []
    for k, m in pairs(classes):
        bend = heavy[:, k] * (1.0 - chances[:, k] if k == m else chances[:, m])
        gram, (found, *pull) = block.gram_and_sums(
            pool, bend, (bend, pulls[:, k]) if k == m else (bend,), shift
        )
        grams.append(gram)
        sums.append(found)
        products += pull
    right = np.maximum((own * chances).sum(axis=1), 1e-12)
    totals = (pulls.sum(axis=0), heavy.sum(axis=0), chances.T @ heavy)
    square = weighted(block, 1.0 / right - 1.0).sum()
    return np.stack(grams), np.stack(sums), np.stack(products), *totals, square
