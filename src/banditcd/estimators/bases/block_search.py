"""Searches over models with blocks: grid, folds, choice, refit."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from sklearn.model_selection import check_cv

from banditcd._typing import Floats
from banditcd.estimators.backends.blocks import BlockBackend
from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.parallel import Job
from banditcd.estimators.backends.path_solver import alpha_grid
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.alpha_search import AlphaSearch
from banditcd.estimators.bases.block_model import BlockModel, block_settings
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.checks.grid import CV_WORDS, check_alphas, check_eps, number_or_values
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.parameters import JOBS, checked
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.search.block_folds import block_fold_errors
from banditcd.estimators.search.routing import routed
from banditcd.estimators.search.selection import check_rule
from banditcd.estimators.search.splits import Fold, make_folds


class BlockSearch(AlphaSearch, BlockModel):
    """Chooses alpha (and l1_ratio) by cross-validation."""

    select_alpha: Any

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        """Choose the penalty and fit the model on all samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            One response for groups of features, two dimensions for several tasks.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of fitting and of the test errors; a single number has no effect.
        **params
            ``groups`` for a splitter that needs them, or whatever metadata routing passes on.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        checked(self, {"n_jobs": JOBS})
        check_rule(self.select_alpha, "select_alpha", ("min", "1se"))
        ratios = self._ratios()
        settings = [block_settings(self, ratio) for ratio in ratios]
        arguments, _ = routed(self, sample_weight, params)
        data = self._training(X, y, sample_weight)
        folds = make_folds(check_cv(self.cv), data, **arguments)
        grids = self._grids(data, settings)
        tasks = begin_tasks(self, data, max_subtasks=len(ratios) * len(folds) + 1)
        missed = self._by_folds(data, folds, list(zip(settings, grids, strict=True)), tasks)
        missed.append(self._refit(data, settings, tasks))
        total = len(ratios) * len(folds) * len(grids[0]) + 1
        warn_unless_converged(missed, settings[0], total=total)
        tasks.end()
        return self

    def _grids(self, data: Training, settings: list[LinearSettings]) -> list[Floats]:
        older = getattr(self, "n_alphas", "deprecated")
        wanted = check_alphas(number_or_values(self.alphas, older, CV_WORDS))
        eps = check_eps(self.eps, wanted)
        blocks = self._blocks(self.n_features_in_)
        grids = [
            alpha_grid(BlockBackend(data, blocks, each), each.l1_ratio, eps, wanted)
            for each in settings
        ]
        self._keep_grids(grids, wanted)
        return grids

    def _by_folds(
        self,
        data: Training,
        folds: list[Fold],
        candidates: list[tuple[LinearSettings, Floats]],
        tasks: Tasks,
    ) -> list[FitCertificate]:
        """Measure every fold and choose; return the certificates that fell short."""
        blocks = self._blocks(self.n_features_in_)
        jobs: list[Job] = [
            (block_fold_errors, (data, fold, blocks, settings, alphas))
            for settings, alphas in candidates
            for fold in folds
        ]
        simplest = self.select_alpha == "1se"
        results, best, position = self._measured(jobs, len(candidates), simplest, tasks)
        self.alpha_ = candidates[best][1][position]
        self.l1_ratio_ = np.float64(candidates[best][0].l1_ratio)
        return [certificate for result in results for certificate in result.missed]

    def _refit(
        self, data: Training, settings: list[LinearSettings], tasks: Tasks
    ) -> FitCertificate:
        """Fit all samples at the chosen penalty."""
        leaf = tasks.subtask("refit")
        chosen = dataclasses.replace(settings[0], l1_ratio=float(self.l1_ratio_))
        if not hasattr(self, "l1_ratio"):
            del self.l1_ratio_
        backend = BlockBackend(data, self._blocks(self.n_features_in_), chosen)
        solution = backend.solve(float(self.alpha_))
        self._keep_solution(solution)
        tasks.close(leaf, {})
        return solution.certificate
