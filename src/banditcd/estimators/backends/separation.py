r"""Classes that a model without a penalty tells apart: then no optimum exists.

The loss of a logistic model of any number of classes has no minimum if and only if the coefficients
have a direction D along which no sample loses and one gains: every margin
(D_y - D_k)'(x, 1) of a sample of class y over another class k is at least zero, and some are not
(Albert and Anderson, *Biometrika* 71, 1984). Two directions are looked at: the model itself, whose
margins are all positive if all samples are told apart, and the model less what the margins that
have not grown need, for data of which a part is told apart, as one class of three. Of penalties
with weights the columns count that have none.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.groups import Blocks
from banditcd.solvers.arrays import is_sparse

#: A margin from here on has grown (its sample has a probability above 0.993); the most
#: coefficients for which the second direction is looked for; the number of margins taken for each.
GROWN, MOST, MARGINS = 5.0, 600, 4
#: Of the largest margin: what rounding leaves of a zero, and what makes a direction.
ROUNDING, LEAST = 1e-9, 1e-3


def marked_separable(problem: Any, C: float, solutions: list[Solution]) -> list[Solution]:
    """Return the solutions, "separable" where no optimum exists; one for each problem."""
    free = free_columns(problem.columns, C)
    if free is None:
        return solutions
    return [
        replace(found, certificate=replace(found.certificate, status="separable"))
        if separates(problem, row, found, free)
        else found
        for row, found in enumerate(solutions)
    ]


def free_columns(columns: ColumnOptions, C: float) -> NDArray[np.bool_] | slice | None:
    """Return the columns that may grow without a penalty or a bound; None without any."""
    if columns.lower is not None or columns.upper is not None:
        return None
    weights = columns.penalty_weights
    if isinstance(columns, Blocks) and columns.groups is not None and columns.weights is not None:
        weights = np.empty(sum(map(len, columns.groups)))
        for group, weight in zip(columns.groups, columns.weights, strict=True):
            weights[group] = weight
    if weights is None:
        return slice(None) if math.isinf(C) else None
    free: NDArray[np.bool_] = weights < np.inf if math.isinf(C) else weights == 0.0
    return free if free.any() else None


def separates(problem: Any, row: int, solution: Solution, free: Any) -> bool:
    """Whether the coefficients of columns without a penalty can grow, with a loss that never rises.

    ``row`` is the number of a problem of one class against the rest.
    """
    coef = np.asarray(problem.scaled(solution.coef), dtype=np.float64)[..., free]
    intercept = np.asarray(solution.intercept, dtype=np.float64)
    several = coef.ndim == 2
    if several:
        codes, weight = problem.labels.codes, problem.weight
    else:
        codes, weight = (problem.labels.signs(row) > 0.0).astype(np.intp), problem.weights[row]
        coef, intercept = np.stack([0.0 * coef, coef]), np.array([0.0, float(intercept)])
    X = problem.X if isinstance(free, slice) else problem.X[:, free]
    counting = codes if weight is None else np.flatnonzero(weight > 0.0)
    if len(counting) < len(codes):
        X, codes = X[counting], codes[counting]
    if np.any(intercept != 0.0):  # a class without samples has its limit: that is no separation
        present, codes = np.unique(codes, return_inverse=True)
        if len(present) < 2:
            return False
        coef, intercept = coef[present], intercept[present]
    own = _margins(X, codes, coef, intercept)
    return bool(np.all(own > 0.0)) or _in_part(X, codes, coef, intercept, own)


def _margins(X: Any, codes: Any, coef: Floats, intercept: Floats) -> Floats:
    """Return the margins of each sample over all classes; infinite over its own."""
    scores = np.asarray(X @ coef.T + intercept, dtype=np.float64)
    samples = np.arange(len(codes))
    margins: Floats = scores[samples, codes][:, None] - scores
    margins[samples, codes] = math.inf
    return margins


def _in_part(X: Any, codes: Any, coef: Floats, intercept: Floats, margins: Floats) -> bool:
    """Whether the second direction of this module is one along which nobody loses."""
    classes, columns = coef.shape
    width = columns + int(np.any(intercept != 0.0))
    finite = np.isfinite(margins)
    largest = float(margins[finite].max(initial=0.0))
    if classes * width > MOST or not largest > GROWN:
        return False
    # 1. Margins that have not grown, the least first, as rows of a matrix on (D_1, ..., D_K).
    few = min(MARGINS * classes * width, margins.size)
    stuck = np.argpartition(margins, few - 1, axis=None)[:few]
    stuck = stuck[np.argsort(margins.ravel()[stuck])]
    samples, others = np.unravel_index(stuck[margins.ravel()[stuck] <= GROWN], margins.shape)
    part = X[samples]
    rows = np.ones((len(samples), width))
    rows[:, :columns] = part.toarray() if is_sparse(part) else part
    scale = np.abs(rows).max(axis=0, initial=0.0)
    scale[scale == 0.0] = 1.0
    matrix = np.zeros((len(samples), classes, width))
    at = np.arange(len(samples))
    matrix[at, codes[samples]] = rows / scale
    matrix[at, others] = -rows / scale
    # 2. The model less its part in their row space.
    model = np.concatenate([coef, intercept[:, None]], axis=1)[:, :width] * scale
    matrix = matrix.reshape(len(samples), classes * width)
    kept = model.ravel() - linalg.lstsq(matrix, matrix @ model.ravel(), cond=ROUNDING)[0]
    direction = kept.reshape(classes, width) / scale
    # 3. Nobody loses along what is left, and somebody gains.
    tail = direction[:, columns] if width > columns else np.zeros(classes)
    gains = _margins(X, codes, direction[:, :columns], tail)
    most = float(gains[finite].max(initial=0.0))
    return most > LEAST * largest and bool(gains.min() >= -ROUNDING * most)
