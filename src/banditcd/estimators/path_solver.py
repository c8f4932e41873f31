"""A path of penalties, warm-started from the largest to the smallest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from banditcd.estimators.certificate import FitCertificate
from banditcd.estimators.prepared import Prepared
from banditcd.estimators.solution import Backend, Floats
from banditcd.estimators.targets import check_finite


@dataclass(frozen=True, slots=True)
class Path:
    """Models along a path: ``coefs`` has one column per penalty."""

    coefs: Floats
    intercepts: Floats
    certificates: list[FitCertificate]


def solve_path(
    prepared: Prepared, backend: Backend, alphas: Iterable[float], n_alphas: int
) -> Path:
    """Solve for every alpha in the order given."""
    coefs = np.empty((prepared.X.shape[1], n_alphas), order="F")
    intercepts = np.empty(n_alphas)
    certificates = []
    for k, alpha in enumerate(alphas):
        solution = backend.solve(float(alpha))
        check_finite(solution)
        coefs[:, k] = prepared.outer(solution.coef)
        intercepts[k] = solution.intercept
        certificates.append(solution.certificate)
    return Path(coefs, intercepts, certificates)
