"""A path of penalties, warm-started from the largest to the smallest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.certificates import PathCertificates
from banditcd.estimators.backends.elastic_net import ElasticNetBackend
from banditcd.estimators.backends.fold import FoldBackend
from banditcd.estimators.backends.prepared import Prepared
from banditcd.estimators.backends.rounding import (
    is_single,
    rounded_certificate,
    rounded_coefs,
)
from banditcd.estimators.backends.solution import OVERFLOW, Backend, check_finite
from banditcd.estimators.checks.inputs import squares_are_finite
from banditcd.solvers import Path as SolverPath

SMALLEST_ALPHA = float(np.finfo(np.float64).resolution)


@dataclass(frozen=True, slots=True)
class Path:
    """Models along a path: ``coefs`` has one column per penalty."""

    coefs: NDArray[Any]
    intercepts: NDArray[Any]
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
        coefs[:, k] = prepared.unscaled(solution.coef)
        intercepts[k] = solution.intercept
        certificates.append(solution.certificate)
    return Path(coefs, intercepts, certificates)


def in_precision_of(X: Any, prepared: Prepared, y: Floats, alphas: Floats, path: Path) -> Path:
    """Return a path in float32 if X is, each model with the certificate of the rounded numbers.

    X and the path are those of the columns as given.
    """
    if not is_single(X):
        return path
    scale, columns = prepared.scale, prepared.columns
    coefs = rounded_coefs(path.coefs, columns if scale is None else columns.scaled(1.0 / scale))
    intercepts = path.intercepts.astype(np.float32)
    objective = prepared.objective(y, alphas)
    values = objective(coefs.astype(np.float64), intercepts.astype(np.float64))
    certificates = [
        rounded_certificate(certificate, float(value))
        for certificate, value in zip(path.certificates, values, strict=True)
    ]
    return Path(coefs, intercepts, certificates)


def as_path(path: SolverPath, scale: Floats | None = None) -> Path:
    """Return a native path in terms of the columns before they were divided by ``scale``."""
    coefs, intercepts = path.coefs, path.intercepts
    if not (_are_finite(coefs) and _are_finite(intercepts)):
        raise ValueError(OVERFLOW)
    if scale is not None:
        coefs = np.asfortranarray(coefs / scale[:, None])
    return Path(coefs, intercepts, PathCertificates(path))


def _are_finite(values: Floats) -> bool:
    """Whether all are; their squares, which one native call adds up, need not be."""
    return squares_are_finite(values.ravel(order="K")) or bool(np.isfinite(values).all())


class HasLargest(Protocol):
    """A backend that knows the largest useful alpha."""

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""


def alpha_grid(backend: HasLargest, l1_ratio: float, eps: float, wanted: int | Floats) -> Floats:
    """Return the alphas that are wanted: these, or that many.

    They go from the largest useful one down to ``eps`` times it, evenly in logarithm.
    """
    if not isinstance(wanted, int):
        return wanted
    if l1_ratio == 0.0:
        raise ValueError(
            "Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a grid "
            "by providing your estimator with the appropriate `alphas=` argument: there is no "
            "largest useful alpha to build one from."
        )
    top = backend.largest_alpha()
    if top <= SMALLEST_ALPHA:
        return np.full(wanted, SMALLEST_ALPHA)
    if not top * eps > 0.0:
        raise ValueError(f"eps is {eps!r}: the smallest alpha would be 0; use a larger eps.")
    grid: Floats = top * eps ** (np.arange(wanted) / max(wanted - 1, 1))
    return grid
