r"""Least squares with independent columns, or rows, by a factor that Ctrl-C can interrupt.

With :math:`A = S^{1/2} X_c` the minimizer of :math:`\|b - A w\|` solves
:math:`A^\top A w = A^\top b`; with fewer rows than columns the one of smallest norm is
:math:`A^\top (A A^\top)^{-1} b`.
The Gram matrix squares the condition number, but refined by true residuals (the corrected
seminormal equations of Björck 1987) the answer is as good as one from orthogonal factors, as long
as every step makes the correction much smaller. Where it does not, or where a pivot is small, there
is no answer here.
"""

from __future__ import annotations

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.ridge.rows import RidgeRows

#: A pivot is at least this share of its diagonal entry: rounding leaves about 1e-14 of one that is
#: zero.
PIVOT = 1e-10
#: The smallest diagonal entry is at least this share of the largest.
SCALE = 1e-6
#: Each correction is at most this share of the one before. It ends at a multiple of rounding that
#: the condition of A decides, and that is not above STAGNATION times the solution.
CONTRACTION = 0.05
ROUNDING = 4.0 * np.finfo(np.float64).eps
STAGNATION = 1e-9
CORRECTIONS = 12


def independent_least_squares(
    rows: RidgeRows, responses: Floats, max_seconds: float
) -> Floats | None:
    """The step from zero for every row of responses; None if X may have dependent columns, rows."""
    wide = rows.shape[0] <= rows.shape[1]
    factor = _factor(rows, wide, max_seconds)
    if factor is None:
        return None
    found = []
    for response in responses:
        step = _refined(rows, factor, response, wide)
        if step is None:
            return None
        found.append(step)
    return np.array(found)


def _refined(rows: RidgeRows, factor: _core.Factor, response: Floats, wide: bool) -> Floats | None:
    total, residual, last = np.zeros(rows.shape[1]), response, np.inf
    for count in range(CORRECTIONS):
        step = _row_step(rows, factor, residual) if wide else _step(rows, factor, residual)
        total += step
        size, whole = float(np.linalg.norm(step)), float(np.linalg.norm(total))
        if size <= ROUNDING * whole:
            return total
        if count > 0 and not size <= CONTRACTION * last:
            return total if size <= STAGNATION * whole else None
        last = size
        residual = _residual(rows, response, total)
    return None


def _factor(rows: RidgeRows, wide: bool, max_seconds: float) -> _core.Factor | None:
    gram = rows.outer_matrix(max_seconds) if wide else rows.normal_matrix(max_seconds)
    diagonal = np.diagonal(gram)
    if not diagonal.min() > SCALE * diagonal.max():
        return None
    if wide and rows.mean is not None:
        # Centered rows sum to zero: the direction that is missing gets a typical eigenvalue, and
        # no residual has a part in it.
        unit = np.sqrt(rows.weighted(np.ones(len(gram))) / rows.total)
        gram[:, : len(gram)] += float(diagonal.mean()) * np.outer(unit, unit)
    factor = _core.Factor(gram, 0.0, PIVOT)
    return factor if factor.good else None


def _step(rows: RidgeRows, factor: _core.Factor, residual: Floats) -> Floats:
    """(A^T A)^-1 A^T S^½ residual."""
    step = rows.centered_transposed_times(rows.weighted(residual))
    factor.solve(step)
    return step


def _row_step(rows: RidgeRows, factor: _core.Factor, residual: Floats) -> Floats:
    """A^T (A A^T)^-1 S^½ residual."""
    root = 1.0 if rows.root is None else rows.root
    dual = np.array(root * residual)
    factor.solve(dual)
    return rows.centered_transposed_times(root * dual)


def _residual(rows: RidgeRows, response: Floats, step: Floats) -> Floats:
    """The residual of the step with the best intercept."""
    product = np.empty(rows.shape[0])
    rows.native.times(step, product)
    residual = response - (product - rows.center(step))
    return residual - rows.average(residual)
