"""Binary problems for a whole grid of C, warm-started from the strongest penalty on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.choose import binary_backend, largest_penalty
from banditcd.estimators.backends.multinomial import Multinomial, multinomial_backend
from banditcd.estimators.backends.one_vs_rest import OneVsRest
from banditcd.estimators.backends.progress import tracked
from banditcd.estimators.backends.solution import check_finite
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
    """Solve every problem for every C, from small to large C, and return them as given."""
    shape = (len(Cs), problems.rows, problems.X.shape[1])
    coefs, intercepts = np.empty(shape), np.empty(shape[:2])
    certificates: list[list[FitCertificate]] = [[] for _ in Cs]
    order = np.argsort(Cs, kind="stable")
    if isinstance(problems, Multinomial):
        solver = multinomial_backend(problems, settings)
        for k in tracked(order, len(order), "Path", verbose):
            solution = solver.solve(float(Cs[k]))
            check_finite(solution)
            coefs[k] = problems.unscaled(solution.coef)
            intercepts[k] = solution.intercept
            certificates[k].append(solution.certificate)
        return LogisticPath(coefs, intercepts, certificates)
    steps = [(row, k) for row in range(problems.rows) for k in order]
    backend = None
    for row, k in tracked(steps, len(steps), "Path", verbose):
        if k == order[0]:
            backend = binary_backend(problems.binary(row), settings, like=backend)
        assert backend is not None
        solution = backend.solve(float(Cs[k]))
        check_finite(solution)
        coefs[k, row] = problems.unscaled(solution.coef)
        intercepts[k, row] = solution.intercept
        certificates[k].append(solution.certificate)
    return LogisticPath(coefs, intercepts, certificates)


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
