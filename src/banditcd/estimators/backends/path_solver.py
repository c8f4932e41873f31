"""A path of penalties, warm-started from the largest to the smallest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.certificates import PathCertificates
from banditcd.estimators.backends.elastic_net import ElasticNetBackend
from banditcd.estimators.backends.prepared import Prepared
from banditcd.estimators.backends.solution import Backend
from banditcd.estimators.backends.targets import OVERFLOW, check_finite
from banditcd.estimators.checks.inputs import squares_are_finite
from banditcd.estimators.search.shared_folds import FoldBackend
from banditcd.solvers import Path as SolverPath


@dataclass(frozen=True, slots=True)
class Path:
    """Models along a path: ``coefs`` has one column per penalty."""

    coefs: Floats
    intercepts: Floats
    certificates: Sequence[FitCertificate]


def solve_path(
    prepared: Prepared, backend: Backend, alphas: Iterable[float], n_alphas: int
) -> Path:
    """Solve for every alpha in the order given.

    The fast solver runs over an array of alphas in one native call; any other iterable (a
    progress bar, say) is followed step by step.
    """
    if isinstance(alphas, np.ndarray) and isinstance(backend, (ElasticNetBackend, FoldBackend)):
        return as_path(backend.path(alphas), prepared.scale)
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


def as_path(record: SolverPath, scale: Floats | None = None) -> Path:
    """Return a native path in terms of the columns before they were divided by ``scale``."""
    coefs, intercepts = record.coefs, record.intercepts
    if not (_are_finite(coefs) and _are_finite(intercepts)):
        raise ValueError(OVERFLOW)
    if scale is not None:
        coefs = np.asfortranarray(coefs / scale[:, None])
    return Path(coefs, intercepts, PathCertificates(record))


def _are_finite(values: Floats) -> bool:
    """Whether all are; their squares, which one native call adds up, need not be."""
    return squares_are_finite(values.ravel(order="K")) or bool(np.isfinite(values).all())
