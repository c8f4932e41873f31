"""Binary problems for a whole grid of C, warm-started from the strongest penalty on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.estimators.backends import multinomial, one_vs_rest
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.choose import binary_backend, largest_penalty
from banditcd.estimators.backends.multinomial import (
    Multinomial,
    multinomial_backend,
)
from banditcd.estimators.backends.one_vs_rest import OneVsRest
from banditcd.estimators.backends.progress import tracked
from banditcd.estimators.backends.separation import marked_separable
from banditcd.estimators.backends.solution import Solution, check_finite
from banditcd.estimators.checks.binary_settings import BinarySettings


@dataclass(frozen=True, slots=True)
class LogisticPath:
    """Models for every C: ``coefs`` has shape (n_Cs, n_rows, n_features)."""

    coefs: Floats
    intercepts: Floats
    certificates: list[list[FitCertificate]]

    @property
    def all_certificates(self) -> list[FitCertificate]:
        """The certificates of all models, C after C."""
        return [certificate for row in self.certificates for certificate in row]


def solve_logistic_path(
    problems: OneVsRest | Multinomial, settings: BinarySettings, Cs: Floats, verbose: Any = False
) -> LogisticPath:
    """Solve every problem for every C, from small to large C, and return them as given.

    Models are in the precision of the data.
    """
    order = np.argsort(Cs, kind="stable")
    if isinstance(problems, Multinomial):
        found = _several(problems, settings, Cs, tracked(order, len(order), "Path", verbose))
    else:
        found = _one_vs_rest(problems, settings, Cs, (order, verbose))
    models = [marked_separable(problems, float(C), row) for C, row in zip(Cs, found, strict=True)]
    stack = np.concatenate if isinstance(problems, Multinomial) else np.array
    coefs = np.array([stack([s.coef for s in row]) for row in models])
    intercepts = np.array([stack([s.intercept for s in row]) for row in models])
    return LogisticPath(coefs, intercepts, [[s.certificate for s in row] for row in models])


def _several(
    problem: Multinomial, settings: BinarySettings, Cs: Floats, order: Iterable[int]
) -> list[list[Solution]]:
    """Solve one model of all classes for every C, in this order."""
    models: list[list[Solution]] = [[] for _ in Cs]
    solver = multinomial_backend(problem, settings)
    for k in order:
        C = float(Cs[k])
        solution = _in_given_columns(problem, solver.solve(C))
        models[k].append(multinomial.in_float32(problem, C, settings, solution))
    return models


def _one_vs_rest(
    problems: OneVsRest, settings: BinarySettings, Cs: Floats, way: tuple[NDArray[np.intp], Any]
) -> list[list[Solution]]:
    """Solve one problem after another for every C; ``way``: their order, and ``verbose``."""
    order, verbose = way
    models: list[list[Solution]] = [[] for _ in Cs]
    steps = [(row, k) for row in range(problems.rows) for k in order]
    backend = None
    for row, k in tracked(steps, len(steps), "Path", verbose):
        if k == order[0]:
            backend = binary_backend(problems.binary(row), settings, like=backend)
        assert backend is not None
        models[k].append(_in_given_columns(problems, backend.solve(float(Cs[k]))))
    return [
        one_vs_rest.in_float32(problems, float(C), settings, row)
        for C, row in zip(Cs, models, strict=True)
    ]


def _in_given_columns(problems: OneVsRest | Multinomial, solution: Solution) -> Solution:
    check_finite(solution)
    return replace(solution, coef=problems.unscaled(solution.coef))


def automatic_grid(
    problems: OneVsRest | Multinomial, settings: BinarySettings, eps: float, size: int
) -> Floats:
    """Return a logarithmic grid of C from where the first coefficient enters."""
    if settings.l1_ratio == 0.0:
        return np.logspace(-4.0, 4.0, size)
    n = problems.X.shape[0]
    if isinstance(problems, Multinomial):
        top = float(multinomial_backend(problems, settings).largest_penalty())
    else:
        rows = range(problems.rows)
        top = max(largest_penalty(problems.binary(row), settings) for row in rows)
    if not top > 0.0:
        return np.ones(size)
    first = settings.l1_ratio / (n * top)
    return np.geomspace(first, first / eps, size)
