"""Models with blocks in the precision of the data: float32 in, float32 out, as the others are.

The certificate, in float64, is that of the rounded numbers: see
:mod:`banditcd.estimators.backends.rounding`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.rounding import check_finite, is_single, rounded_certificate
from banditcd.estimators.checks.groups import Blocks
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.moments import exact_product
from banditcd.estimators.checks.settings import LinearSettings


@dataclass(frozen=True, slots=True)
class BlockSolution:
    """Coefficients and intercepts at one penalty: a number, or one for each response."""

    coef: NDArray[Any]
    intercept: Any
    certificate: FitCertificate


#: Takes a solution and its alpha, and returns the solution in the precision of the data.
Rounding = Callable[[BlockSolution, float], BlockSolution]


def rounding_of(data: Training, blocks: Blocks, settings: LinearSettings) -> Rounding:
    """Return what rounds the models of these data: nothing, if X is in float64."""
    if not is_single(data.X):
        return lambda solution, _: solution
    responses = data.y.reshape(len(data.y), -1)
    count = len(responses)
    weight = np.ones(count) if data.sample_weight is None else data.sample_weight
    share = weight / weight.sum()

    def rounded(solution: BlockSolution, alpha: float) -> BlockSolution:
        with np.errstate(over="ignore"):
            coef = np.asarray(solution.coef).astype(np.float32)
            intercept = np.asarray(solution.intercept).astype(np.float32)
        check_finite(coef, intercept)
        columns = np.atleast_2d(coef).T.astype(np.float64)
        residual = responses - exact_product(data.X, columns) - intercept.astype(np.float64)
        loss = 0.5 * float(share @ (residual**2).sum(axis=1))
        primal = loss + blocks.norms_penalty(columns, *settings.penalties(alpha))
        certificate = rounded_certificate(solution.certificate, primal)
        return replace(solution, coef=coef, intercept=intercept[()], certificate=certificate)

    return rounded
