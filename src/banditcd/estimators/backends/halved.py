r"""Two classes by the word multinomial, as scikit-learn before 1.8 fits them.

There the scores of both classes have coefficients, :math:`-w` and w, and both are penalized:

.. math::

    C \sum_i s_i \log(1 + e^{-2 y_i (x_i^\top w + b)})
    + 2 \sum_j p_j \Bigl(\rho |w_j| + \frac{1 - \rho}{2} w_j^2\Bigr)

In :math:`v = 2 w` this is :math:`\sigma = (1 + \rho) / 2` times the usual logistic regression of
:math:`C / \sigma` and the share :math:`\rho / \sigma` of the L1 penalty; bounds double.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.logistic_path import LogisticPath, solve_logistic_path
from banditcd.estimators.backends.one_vs_rest import OneVsRest, Start
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.backends.tasks import Tasks
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.logistic import is_halved


def solve_halved(
    solve: Callable[..., list[Solution]],
    problems: OneVsRest,
    C: float,
    settings: BinarySettings,
    starts: list[Start] | None,
    tasks: Tasks,
) -> list[Solution]:
    """Solve by ``solve``, which has the arguments after it and knows the usual model."""
    sigma, usual, inner = _usual(problems, settings)
    if starts is not None:
        starts = [(2.0 * coef, 2.0 * intercept) for coef, intercept in starts]
    unit = 1.0 if math.isinf(C) else sigma
    return [
        replace(found, coef=0.5 * found.coef, intercept=0.5 * found.intercept).times(unit)
        for found in solve(usual, C / sigma, inner, starts, tasks)
    ]


def solve_search_path(
    estimator: Any, problems: Any, settings: BinarySettings, Cs: Floats
) -> LogisticPath:
    """Solve for every C of a search, as :func:`solve_logistic_path` does."""
    if not is_halved(estimator, problems.labels.classes):
        return solve_logistic_path(problems, settings, Cs)
    sigma, usual, inner = _usual(problems, settings)
    path = solve_logistic_path(usual, inner, Cs / sigma)
    units = np.where(np.isinf(Cs), 1.0, sigma).tolist()
    certificates = [
        [certificate.times(unit) for certificate in row]
        for unit, row in zip(units, path.certificates, strict=True)
    ]
    return LogisticPath(0.5 * path.coefs, 0.5 * path.intercepts, certificates)


def _usual(problems: OneVsRest, settings: BinarySettings) -> tuple[float, Any, BinarySettings]:
    """Return sigma, and problem and settings of the usual model."""
    sigma = 0.5 * (1.0 + settings.l1_ratio)
    columns = problems.columns.scaled(np.asarray(2.0))
    usual = replace(problems, columns=columns)
    return sigma, usual, replace(settings, l1_ratio=settings.l1_ratio / sigma)
