"""Searches of ridge regression: alpha by leave-one-out errors or by folds, and a refit."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.ridge import AUTOMATIC, RidgeMethod, RidgeSolver
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.linear_model import LinearModel
from banditcd.estimators.checks.column_options import PLAIN
from banditcd.estimators.checks.grid import check_strength
from banditcd.estimators.checks.inputs import Training, take_rows
from banditcd.estimators.checks.parameters import (
    FLAG,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    check_flag,
    checked,
)
from banditcd.estimators.checks.settings import MAX_ITER, LinearSettings
from banditcd.estimators.checks.warning import warn_caller
from banditcd.estimators.search.fold_errors import rows_of
from banditcd.estimators.search.routing import routed, search_router
from banditcd.estimators.search.scoring import rows_of_arguments, scorer_of
from banditcd.estimators.search.selection import check_rule, pick
from banditcd.estimators.search.splits import Fold

RULES = {"fit_intercept": FLAG, "tol": NOT_NEGATIVE, "n_threads": OPTIONAL_COUNT}


class RidgeSearch(LinearModel):
    """Chooses alpha for all responses; ``_measure`` scores where ``scoring`` is None."""

    _measure: ClassVar[str]
    _flags: ClassVar[tuple[str, ...]] = ("store_cv_results",)  # for leave-one-out errors alone

    alphas: Any
    fit_intercept: Any
    scoring: Any
    cv: Any
    store_cv_results: Any
    store_cv_values: Any
    cv_results_: Any
    select_alpha: Any
    tol: Any
    n_threads: Any
    alpha_: Any
    best_score_: Any

    def get_metadata_routing(self) -> Any:
        """Return the routing of metadata: to this fit, the scorer and the splitter."""
        return search_router(self, scorer_of(self, self._measure))

    @property
    def cv_values_(self) -> Any:
        """The older name of ``cv_results_``."""
        found = self.cv_results_
        warnings.warn(
            "Attribute `cv_values_` is deprecated, gone in scikit-learn 1.7; use `cv_results_`.",
            FutureWarning,
            stacklevel=2,
        )
        return found

    def _older_flag(self) -> bool:
        """Whether results are to be kept by the older word for that."""
        given = self.store_cv_values
        if isinstance(given, str) and given == "deprecated":
            return False
        return check_flag(given, "store_cv_values")

    def _warn_of_older_words(self) -> None:
        older = self._older_flag()
        if isinstance(self.store_cv_values, str):
            return
        if self.store_cv_results:
            raise ValueError(
                "Both 'store_cv_values' and 'store_cv_results' were given; leave out the former, "
                "which is the older word."
            )
        if older and self.cv is not None:
            raise ValueError("cv!=None and store_cv_values=True are incompatible; leave cv=None.")
        warn_caller(
            "'store_cv_values' is deprecated, gone in scikit-learn 1.7; use 'store_cv_results'.",
            FutureWarning,
        )

    def _check(self) -> tuple[Floats, LinearSettings]:
        """Check the parameters that need no data."""
        fit_intercept, tol, n_threads = checked(self, RULES)
        settings = LinearSettings(
            0.0, tol, MAX_ITER, fit_intercept=fit_intercept, n_threads=n_threads
        )
        self._warn_of_older_words()
        for name in self._flags:
            if check_flag(getattr(self, name), name) and self.cv is not None:
                raise ValueError(f"cv!=None and {name}=True are incompatible; leave cv=None.")
        check_rule(self.select_alpha, "select_alpha", ("min", "1se"))
        return check_alphas(self.alphas, positive=self.cv is None), settings

    def _search(
        self,
        samples: tuple[Training, Any],
        settings: LinearSettings,
        alphas: Floats,
        params: dict[str, Any],
    ) -> tuple[list[Solution], Tasks]:
        """Choose, and fit all samples; ``samples`` are the responses, and y as scorers want it."""
        data, y = samples
        split, score = routed(self, data.sample_weight, params)
        for name in ("cv_results_", "fold_scores_"):
            self.__dict__.pop(name, None)
        if self.cv is None:
            tasks = begin_tasks(self, data, max_subtasks=1)
            chosen = self._leave_one_out(samples, settings, alphas, score)
            method = RidgeMethod(exact=True)  # as in scikit-learn
        else:
            folds = self._folds(data, y, split)
            tasks = begin_tasks(self, data, max_subtasks=len(folds) + 1)
            chosen = self._by_folds(samples, settings, alphas, (folds, score), tasks)
            method = AUTOMATIC
        leaf = tasks.subtask("refit")
        solutions = RidgeSolver(data, PLAIN, settings, method).solve(chosen)
        tasks.close(leaf, {})
        return solutions, tasks

    def _folds(self, data: Training, y: Any, split: dict[str, Any]) -> list[Fold]:
        """Return the folds of ``cv``."""
        raise NotImplementedError

    def _judge(self, alpha: float, solutions: list[Solution], data: Training) -> Any:
        """Return the estimator of one alpha, for a scorer."""
        raise NotImplementedError

    def _scores_left_out(
        self, predictions: Floats, samples: tuple[Training, Any], score: dict[str, Any]
    ) -> list[Any]:
        """Return the score of each response, given the predictions of all of them at one alpha."""
        raise NotImplementedError

    def _choose(self, scores: Floats, alphas: Floats, y: Any) -> Floats:
        """Keep the choice by scores of shape (n, n_targets, n_alphas); return alphas of targets."""
        place, self.best_score_ = pick(scores.mean(axis=1), alphas, self.select_alpha)
        self.alpha_ = float(alphas[place])
        return np.full(scores.shape[1], self.alpha_)

    def _leave_one_out(
        self,
        samples: tuple[Training, Any],
        settings: LinearSettings,
        alphas: Floats,
        score: dict[str, Any],
    ) -> Floats:
        """Predict every sample without itself; return an alpha for each response."""
        data = samples[0]
        kept = RidgeSolver(data, PLAIN, settings, solves=len(alphas)).leave_one_out(alphas)
        if self.scoring is None:
            weight = 1.0 if data.sample_weight is None else data.sample_weight[:, None]
            kept = weight * kept**2  # (n_alphas, n, n_targets)
            scores = -np.moveaxis(kept, 0, 2)  # samples, targets, alphas
        else:
            kept = data.y.reshape(len(data.y), -1) - kept
            found = [self._scores_left_out(predictions, samples, score) for predictions in kept]
            scores = np.array(found).T[None]
        if self.store_cv_results or self._older_flag():
            results = np.moveaxis(kept, 0, 2).astype(data.X.dtype, copy=False)
            self.cv_results_ = results[:, 0] if data.y.ndim == 1 else results
        return self._choose(scores, alphas, samples[1])

    def _by_folds(
        self,
        samples: tuple[Training, Any],
        settings: LinearSettings,
        alphas: Floats,
        splits: tuple[list[Fold], dict[str, Any]],
        tasks: Tasks,
    ) -> Floats:
        """Score every alpha on every fold; return an alpha for each response."""
        (data, y), (folds, score) = samples, splits
        scorer, n = scorer_of(self, self._measure), data.X.shape[0]
        targets = 1 if data.y.ndim == 1 else data.y.shape[1]
        scores = np.empty((len(folds), len(alphas)))
        for row, fold in zip(scores, folds, strict=True):
            solver = RidgeSolver(rows_of(data, fold.train), PLAIN, settings, solves=len(alphas))
            models = [solver.solve(np.full(targets, alpha)) for alpha in alphas]
            del solver  # a copy of the training rows, before one of the test rows
            X, cut = take_rows(data.X, fold.test), rows_of_arguments(score, fold.test, n)
            for k, alpha in enumerate(alphas):
                row[k] = scorer(self._judge(alpha, models[k], data), X, y[fold.test], **cut)
            del X
            tasks.close(tasks.subtask("fold"))
        self.fold_scores_ = scores
        place, self.best_score_ = pick(scores, alphas, self.select_alpha)
        self.alpha_ = float(alphas[place])
        return np.full(targets, self.alpha_)


def check_alphas(alphas: Any, *, positive: bool) -> Floats:
    """Return the penalties to choose from, > 0 if they must be ``positive``."""
    if alphas is None:
        raise ValueError(
            "alphas is None; give one penalty or a sequence of them, such as (0.1, 1.0, 10.0), the "
            "default: leave-one-out errors have no grid of their own."
        )
    single = np.ndim(alphas) == 0
    values = [alphas] if single else list(alphas)
    if not values:
        raise ValueError("alphas is empty; give at least one value.")
    for k, alpha in enumerate(values):
        check_strength(alpha, "alphas" if single else f"alphas[{k}]", positive)
    return np.array(values, dtype=np.float64)
