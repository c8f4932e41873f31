r"""The mathematics of one block of rows: pure functions whose results are added up.

Every function takes a block (:class:`banditcd.places.place.Block`) and host arguments and returns a
tuple of numbers and arrays. They are written with NumPy's functions, which arrays of other
libraries answer in their own kind. A *model* is ``(columns, coef, intercept)``: predictions are
``X[:, columns] @ coef + intercept``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from banditcd._typing import Floats
from banditcd.places.conjugate import conjugate_gradients, penalized
from banditcd.places.place import Block, Task, WholeBlock
from banditcd.places.rowwise import point_sums, weighted, wrong_and_right

Model: TypeAlias = "tuple[Any, Floats, float]"


def reads(columns: Callable[..., Any]) -> Callable[[Task], Task]:
    """Mark a task that needs some columns of X only, which ``columns`` finds in its arguments."""

    def mark(task: Task) -> Task:
        task.columns = columns  # type: ignore[attr-defined]
        return task

    return mark


def _of_model(model: Model, *_: Any) -> Any:
    return model[0]


def no_columns(*_: Any) -> Any:
    """Return no index: the task of a block reads nothing of X."""
    return np.empty(0, dtype=np.intp)


@reads(no_columns)
def responses(block: Block) -> tuple[Any, ...]:
    """Return the sums of the weights, of s y, and the number of rows."""
    if block.weight is None:
        return float(block.rows), block.y.sum(), block.rows
    return block.weight.sum(), block.weight @ block.y, block.rows


@reads(no_columns)
def spread(block: Block, center: float) -> tuple[Any, ...]:
    """Return the sums of s (y - center)² and s (y - center)."""
    return (block.maths.squared(block, None, center)[1],)


def survey(block: Block, center: float) -> tuple[Any, ...]:
    """Return X'(s (y - center)), and the weighted sums and squares of the columns."""
    return block.survey(block.maths.squared(block, None, center)[0])


def squared_look(block: Block, model: Model) -> tuple[Any, ...]:
    """Return the sums of s r² and s r, and X'(s r), for the residual r of a model."""
    columns, coef, intercept = model
    pull, sums = block.maths.squared(block, block.times(columns, coef), intercept)
    return sums, block.transposed_times(pull)


@reads(lambda columns, *_: columns)
def plain_gram(block: Block, columns: Any, more: Any, shift: Floats | None) -> tuple[Any, ...]:
    """Return the Gram matrix of two sets of columns, centered at ``shift``."""
    return (block.gram(columns, more, block.weight, shift),)


# ---------------------------------------------------------------------- logistic loss, y = -1 or +1


def logistic_trial(block: Block, model: Model, with_lean: bool) -> tuple[Any, ...]:
    """Return the sums at a model, X'(s y q) and, if asked for, X'(s q (1 - q))."""
    columns, coef, intercept = model
    margin = block.y * (block.times(columns, coef) + intercept)
    q, right = wrong_and_right(margin)
    sums, pull = point_sums(block, margin), weighted(block, block.y * q)
    if not with_lean:
        return sums, block.transposed_times(pull)
    lean = weighted(block, q * right)
    return sums, *block.transposed_pair(pull, lean)


def logistic_look(block: Block, model: Model, balance: float) -> tuple[Any, ...]:
    """Return X'(s y p) and the sum of s y p for p = q - balance y q (1 - q), clipped to [0, 1]."""
    columns, coef, intercept = model
    pull, total = block.maths.balanced(block, block.times(columns, coef), intercept, balance)
    return block.transposed_times(pull), total


@reads(_of_model)
def logistic_dual(block: Block, model: Model, balance: float, scale: float) -> tuple[Any, ...]:
    r"""Return the sum of -s (t p log t p + (1 - t p) log(1 - t p)) for a scale t.

    That is the part of the dual value that belongs to the losses, at the dual point t s y p.
    """
    columns, coef, intercept = model
    at = (block.times(columns, coef), intercept)
    return (block.maths.entropies(block, at, balance, scale),)


@reads(lambda _, pool, __: pool)
def logistic_gram(block: Block, model: Model, pool: Any, shift: Floats) -> tuple[Any, ...]:
    """Return what a Newton model on a pool needs, with curvatures D = s q (1 - q).

    The Gram matrix X'DX and the sums X'D 1 of the centered columns, their pull X'(s y q), and the
    sums of D, of s y q and of (s y q)² / D.
    """
    columns, coef, intercept = model
    curvature, pull, totals = block.maths.bends(block, block.times(columns, coef), intercept)
    gram, sums = block.gram_and_sums(pool, curvature, (curvature, pull), shift)
    return gram, *sums, totals


@reads(lambda model, step, _: np.concatenate([model[0], step[0]]))
def logistic_along(block: Block, model: Model, step: Model, shares: Any) -> tuple[Any, ...]:
    """Return the sums at model + t step, for one t after another."""
    at, move = ((block.times(part[0], part[1]), part[2]) for part in (model, step))
    return block.maths.points(block, at, move, shares)


# ----------------------------------------------------------------- smooth losses with an L2 penalty


def _link(loss: str, y: Any, z: Any) -> tuple[Any, Any, Any]:
    """Return the loss of predictions z, its negative slope (the pull) and its curvature."""
    if loss == "squared":
        return 0.5 * (y - z) ** 2, y - z, z * 0.0 + 1.0
    if loss == "logistic":
        with np.errstate(invalid="ignore"):  # NumPy < 2 warns of NaN, which is refused later
            q, right = wrong_and_right(y * z)
            return np.logaddexp(0.0, -y * z), y * q, q * right
    short = np.maximum(1.0 - y * z, 0.0)
    return short**2, 2.0 * y * short, 2.0 * (short > 0.0)


def smooth_look(
    block: Block, loss: str, w: Floats, intercept: float, with_lean: bool
) -> tuple[Any, ...]:
    """Return the sums of loss, pull and curvature, X'pull and, if asked for, X'curvature.

    X is read once.
    """
    values, pull, bend = _link(loss, block.y, block.times(None, w) + intercept)
    pull, bend = weighted(block, pull), weighted(block, bend)
    sums = weighted(block, values).sum(), pull.sum(), bend.sum()
    if not with_lean:
        return *sums, block.transposed_times(pull)
    return *sums, *block.transposed_pair(pull, bend)


def smooth_gram(
    block: Block, loss: str, w: Floats, intercept: float, shift: Any
) -> tuple[Any, ...]:
    """Return X'DX of the centered columns, D the curvatures."""
    bend = _link(loss, block.y, block.times(None, w) + intercept)[2]
    return (block.gram(None, None, weighted(block, bend), shift),)


def smooth_product(
    block: Block, loss: str, model: tuple[Floats, float], step: tuple[Floats, float]
) -> tuple[Any, ...]:
    """Return X'D(X v + c) and its sum, for the curvatures D at a model: a product of Newton's."""
    moved = weighted(block, block.times(None, step[0]) + step[1])
    if loss != "squared":  # whose curvature is 1 everywhere
        moved = moved * _link(loss, block.y, block.times(None, model[0]) + model[1])[2]
    return block.transposed_times(moved), moved.sum()


def smooth_direction(
    block: WholeBlock,
    loss: str,
    model: tuple[Floats, float],
    r: Floats,
    terms: tuple[float, float | None],
    goal: float,
) -> tuple[Any, ...]:
    """Return Newton's step for a negative gradient r, and the products it took.

    For a block of all rows: conjugate gradients run where they live. ``terms`` as in
    :func:`banditcd.places.conjugate.penalized`.
    """
    bend = block.weight
    if loss != "squared":
        bend = weighted(block, _link(loss, block.y, block.times(None, model[0]) + model[1])[2])

    def product(p: Any) -> Any:
        moved = block.times(None, p[:-1]) + p[-1]
        moved = moved if bend is None else bend * moved
        return penalized((block.transposed_times(moved), moved.sum()), p, *terms)

    return conjugate_gradients(product, block.placed(r), goal)


def smooth_along(
    block: Block, loss: str, model: tuple[Floats, float], step: tuple[Floats, float], shares: Any
) -> tuple[Any, ...]:
    """Return the losses at model + t step for every t."""
    base = block.times(None, model[0]) + model[1]
    move = block.times(None, step[0]) + step[1]
    return tuple(weighted(block, _link(loss, block.y, base + t * move)[0]).sum() for t in shares)
