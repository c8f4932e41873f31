"""One fold of a cross-validation, solved in the Gram matrix that all folds share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.solution import Solution, Watch, solution_of
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.solvers import ElasticNetFolds, Path


@dataclass(frozen=True, slots=True)
class FoldBackend:
    """Solves the training rows of one fold, or all rows, in the shared Gram matrix."""

    folds: ElasticNetFolds
    fold: int
    settings: LinearSettings

    def start_at(self, coef: Floats) -> None:
        """Do nothing: in Gram space a start saves less than it costs."""

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        return self.folds.largest_penalty() / self.settings.l1_ratio

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty; nobody watches the bins of a search."""
        return solution_of(self.path(np.array([alpha])).result(0))

    def path(self, alphas: Floats) -> Path:
        """Minimize for every alpha in the order given, warm-started."""
        settings = self.settings
        l1, l2 = settings.penalties(alphas)
        return self.folds.path(self.fold, l1, l2, **settings.limits)
