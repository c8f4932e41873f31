"""Regressions by the block solver: checks, one fit, fitted attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.block_rounding import BlockSolution
from banditcd.estimators.backends.blocks import BlockBackend
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.tasks import begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.checks.groups import Blocks
from banditcd.estimators.checks.inputs import Training, check_training
from banditcd.estimators.checks.numbers import check_start
from banditcd.estimators.checks.parameters import (
    COUNT,
    FLAG,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    SHARE,
    Rule,
    checked,
)
from banditcd.estimators.checks.settings import RULES, LinearSettings

COMMON: dict[str, Rule] = {
    "tol": NOT_NEGATIVE,
    "max_iter": COUNT,
    "fit_intercept": FLAG,
    "pool_bytes": COUNT,
    "n_threads": OPTIONAL_COUNT,
}


def block_settings(estimator: Any, l1_ratio: float) -> LinearSettings:
    """Return the checked hyperparameters of a regression of the block solver, without alpha."""
    rules = COMMON | {
        name: RULES[name] for name in ("copy_X", "selection") if hasattr(estimator, name)
    }
    tol, max_iter, fit_intercept, pool_bytes, n_threads, *_ = checked(estimator, rules)
    return LinearSettings(
        l1_ratio=l1_ratio,
        tol=tol,
        max_iter=max_iter,
        fit_intercept=fit_intercept,
        pool_bytes=pool_bytes,
        n_threads=n_threads,
    )


class BlockModel(PenalizedLinearModel):
    """A regression with a penalty on blocks of coefficients, at one alpha."""

    alpha: Any
    warm_start: Any

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples. Fortran order and CSC avoid a copy.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            One response for groups of features, two dimensions for several tasks.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights, normalized to sum to n_samples; a single number has no effect.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        alpha, warm_start = checked(self, {"alpha": NOT_NEGATIVE, "warm_start": FLAG})
        settings = block_settings(self, self._ratio())
        data = self._training(X, y, sample_weight)
        backend = BlockBackend(data, self._blocks(self.n_features_in_), settings)
        start = self._start(data.y) if warm_start else None
        if start is not None:
            backend.start_at(start)
        tasks = begin_tasks(self, data, max_subtasks=max(settings.max_iter, 1) + 1)
        solution = backend.solve(alpha, tasks)
        self._keep_solution(solution)
        warn_unless_converged([solution.certificate], settings)
        tasks.end()
        return self

    def _ratio(self) -> float:
        """Return the checked share of the penalty on norms; the rest is on their squares."""
        if not hasattr(self, "l1_ratio"):
            return 1.0
        return float(checked(self, {"l1_ratio": SHARE})[0])

    def _blocks(self, n_features: int) -> Blocks:
        """Return the checked blocks of the features."""
        raise NotImplementedError

    def _training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        return check_training(self, X, y, sample_weight, multi_output=False)

    def _start(self, y: Floats) -> Floats | None:
        """Return the coefficients of the last fit to start at."""
        coef = getattr(self, "coef_", None)
        if coef is None:
            return None
        wanted = (*y.shape[1:], self.n_features_in_)
        if np.shape(coef) != wanted:
            raise ValueError(
                f"warm_start=True, but the last fit had coefficients of shape {np.shape(coef)} and "
                f"these data need {wanted}; set warm_start=False or use a new estimator."
            )
        return check_start(coef)

    def _keep_solution(self, solution: BlockSolution) -> None:
        """Set the fitted attributes."""
        self.coef_, self.intercept_ = solution.coef, solution.intercept
        self.certificate_ = solution.certificate
        self.dual_gap_ = solution.certificate.gap
        self.eps_ = solution.certificate.target
        self.n_iter_ = solution.certificate.n_iter
