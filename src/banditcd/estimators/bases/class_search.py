"""Searches for the C of a logistic model by the scores of folds."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import UNUSED

from banditcd.estimators.backends.parallel import Job, run_jobs
from banditcd.estimators.backends.tasks import Tasks
from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.logistic import INSTALLED
from banditcd.estimators.search.logistic_folds import FoldResult, Search, run_fold
from banditcd.estimators.search.logistic_search import scorer_named
from banditcd.estimators.search.routing import routed_score, search_router
from banditcd.estimators.search.splits import Fold, check_folds


class ClassSearch(LinearClassifier):
    """Measures every fold for every C, by the scorer that ``scoring`` stands for."""

    # Weights of a score go to the scorer, if it asked for them; else scikit-learn refuses them from
    # 1.9 on, and ignores them before.
    if INSTALLED >= (1, 9):
        __metadata_request__score: ClassVar[Any] = {"sample_weight": UNUSED}

    cv: Any
    scoring: Any

    def score(self, X: Any, y: Any, sample_weight: Any = None, **score_params: Any) -> float:
        """Return the score of ``scoring`` on test samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights.
        **score_params
            What metadata routing passes on to the scorer.

        Returns
        -------
        float
            The score.
        """
        arguments = routed_score(self, sample_weight, score_params)
        return float(scorer_named(self.scoring)(self, X, y, **arguments))

    def get_metadata_routing(self) -> Any:
        """Return the routing of metadata: to this fit, the splitter and the scorer."""
        scorer = scorer_named(self.scoring)
        return search_router(self, scorer, classifier=True, callers=("score", "fit"))

    def _folds(self, seen: Training, split: dict[str, Any]) -> list[Fold]:
        """Return the checked folds of samples and their labels; ``split`` is for the splitter."""
        splitter = check_cv(self.cv, seen.y, classifier=True)
        return check_folds(list(splitter.split(seen.X, seen.y, **split)), seen)

    def _run_folds(
        self, search: Search, folds: list[Fold], choices: list[BinarySettings], tasks: Tasks
    ) -> list[FoldResult]:
        """Run one fold after another, each for all choices."""
        jobs: list[Job] = [
            (run_fold, (search, fold, settings)) for fold in folds for settings in choices
        ]
        results: list[FoldResult] = run_jobs(
            jobs, self.n_jobs, "Folds", self.verbose, lambda: tasks.close(tasks.subtask("fold"))
        )
        return results
