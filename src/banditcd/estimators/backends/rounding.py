r"""Models in the precision of the data: float32 in, float32 out, with a certificate in float64.

Solvers work in float64. Coefficients and intercept of float32 data are rounded once at the end, and
the primal objective is computed again, in float64, at the rounded model. The dual value is a lower
bound of every model's objective, so that the difference of the two is the certificate of the
numbers returned. Where rounding lifts it above its target, the status is "stalled"; so it is where
float64 had stalled before, and ``lost_to_float32`` says that rounding made most of the gap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from banditcd._typing import FLOAT32, Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.moments import exact_product

#: Objectives of models, from coefficients of shape (n_features, n_models) and their intercepts.
Objective = Callable[[Floats, Floats], Floats]

OVERFLOW = (
    "Coefficients or intercept overflow the float32 of X; pass X as float64, or rescale the data."
)

ENTRIES = 1 << 22  # predictions of a path that are in memory at a time


def is_single(X: Any) -> bool:
    """Whether X is in single precision, and so is what comes out."""
    return bool(X.dtype == FLOAT32)


def rounded_solutions(
    solutions: list[Solution], columns: ColumnOptions, objective: Objective
) -> list[Solution]:
    """Return solutions in float32, each with the certificate of the rounded numbers."""
    coefs = rounded_coefs(np.stack([s.coef for s in solutions], axis=1), columns)
    with np.errstate(over="ignore"):
        intercepts = np.array([s.intercept for s in solutions]).astype(np.float32)
    check_finite(coefs, intercepts)
    values = objective(coefs.astype(np.float64), intercepts.astype(np.float64))
    return [
        replace(
            solution,
            coef=np.ascontiguousarray(coefs[:, k]),
            intercept=intercepts[k],
            certificate=rounded_certificate(solution.certificate, float(values[k])),
        )
        for k, solution in enumerate(solutions)
    ]


def rounded_classes(solution: Solution, columns: ColumnOptions, objective: Objective) -> Solution:
    """Return a model of all classes in float32, with the certificate of the rounded numbers.

    ``objective`` has one value for the coefficients (n_features, n_classes) and their intercepts.
    """
    coefs = rounded_coefs(solution.coef.T, columns)
    with np.errstate(over="ignore"):
        intercepts = np.asarray(solution.intercept).astype(np.float32)
    check_finite(coefs, intercepts)
    value = objective(coefs.astype(np.float64), intercepts.astype(np.float64))
    return replace(
        solution,
        coef=np.ascontiguousarray(coefs.T),
        intercept=intercepts,
        certificate=rounded_certificate(solution.certificate, float(value.sum())),
    )


def check_finite(coefs: NDArray[np.float32], intercepts: NDArray[np.float32]) -> None:
    """Refuse coefficients that rounding made infinite."""
    if not (np.isfinite(coefs).all() and np.isfinite(intercepts).all()):
        raise ValueError(OVERFLOW)


def rounded_coefs(coefs: Floats, columns: ColumnOptions) -> NDArray[np.float32]:
    """Round coefficients, one column per model; none leaves its bounds."""
    with np.errstate(over="ignore"):
        near = coefs.astype(np.float32)
    low = -np.inf if columns.lower is None else columns.lower[:, None]
    high = np.inf if columns.upper is None else columns.upper[:, None]
    outside = (near < low) | (near > high)
    inward = np.nextafter(near, np.float32(0.0))
    return np.asarray(np.where(outside, inward, near), dtype=np.float32)


def rounded_certificate(certificate: FitCertificate, primal: float) -> FitCertificate:
    """Return the certificate of a rounded model, whose objective is ``primal``."""
    gap = max(primal - certificate.dual, 0.0)
    ended = certificate.converged or (
        certificate.status == "stalled" and not gap <= 2.0 * certificate.gap
    )
    lost = ended and not gap <= certificate.target
    status = "stalled" if lost else certificate.status
    return replace(certificate, primal=primal, gap=gap, status=status, lost_to_float32=lost)


def squared_objective(
    X: Any,
    y: Floats,
    weight: Floats | None,
    columns: ColumnOptions,
    *,
    factor: float,
    l1: Floats,
    l2: Floats,
) -> Objective:
    """Return ``factor`` times the sum of squares plus ``l1 |w| + l2/2 w²``, for each model.

    ``y`` is one response for all models or has a column for each; ``l1`` and ``l2`` have a value
    for each.
    """
    responses = y[:, None] if y.ndim == 1 else y

    def loss(found: Floats, models: slice) -> Floats:
        squares = ((responses if y.ndim == 1 else responses[:, models]) - found) ** 2
        total = squares.sum(axis=0) if weight is None else weight @ squares
        return np.asarray(factor * total)

    return _objective(X, columns, loss, l1, l2)


def logistic_objective(
    X: Any,
    signs: Floats,
    weights: list[Floats | None],
    columns: ColumnOptions,
    *,
    factor: float,
    l1: float,
    l2: float,
) -> Objective:
    """Return ``factor`` times the sum of logistic losses plus the penalty, for each class.

    ``signs`` has a column of -1 and +1 for each model, ``weights`` the weights of its samples.
    """

    def loss(found: Floats, models: slice) -> Floats:
        losses = np.logaddexp(0.0, -signs[:, models] * found)
        totals = [
            part.sum() if weight is None else weight @ part
            for part, weight in zip(losses.T, weights[models], strict=True)
        ]
        return factor * np.array(totals)

    count = signs.shape[1]
    return _objective(X, columns, loss, np.full(count, l1), np.full(count, l2))


def multinomial_objective(
    X: Any,
    codes: NDArray[np.int64],
    weight: Floats | None,
    columns: ColumnOptions,
    *,
    factor: float,
    l1: float,
    l2: float,
) -> Objective:
    """Return ``factor`` times the sum of multinomial losses plus the penalty of all classes."""

    def objective(coefs: Floats, intercepts: Floats) -> Floats:
        scores = exact_product(X, coefs) + intercepts
        losses = logsumexp(scores, axis=1) - scores[np.arange(len(codes)), codes]
        total = losses.sum() if weight is None else weight @ losses
        ones = np.ones(coefs.shape[1])
        return np.asarray(factor * total + columns.penalty(coefs, l1 * ones, l2 * ones).sum())

    return objective


def _objective(
    X: Any,
    columns: ColumnOptions,
    loss: Callable[[Floats, slice], Floats],
    l1: Floats,
    l2: Floats,
) -> Objective:
    def objective(coefs: Floats, intercepts: Floats) -> Floats:
        width = max(1, ENTRIES // X.shape[0])
        parts = []
        for first in range(0, coefs.shape[1], width):
            models = slice(first, first + width)
            found = exact_product(X, coefs[:, models]) + intercepts[models]
            parts.append(loss(found, models))
        return np.concatenate(parts) + columns.penalty(coefs, l1, l2)

    return objective
