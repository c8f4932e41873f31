"""Logistic regression on groups of features: probabilities, problems, settings, without a C."""

from __future__ import annotations

import dataclasses
from typing import Any, NoReturn

from banditcd._typing import Floats
from banditcd.estimators.backends.one_vs_rest import OneVsRest
from banditcd.estimators.backends.probabilities import (
    of_scores,
    separate_log_probabilities,
    separate_probabilities,
)
from banditcd.estimators.backends.separation import marked_separable
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.groups import check_groups
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.labels import Labels
from banditcd.estimators.checks.parameters import (
    COUNT,
    FLAG,
    JOBS,
    NOT_NEGATIVE,
    OPTIONAL_COUNT,
    checked,
)
from banditcd.places.kinds import type_name

RULES = {
    "tol": NOT_NEGATIVE,
    "max_iter": COUNT,
    "fit_intercept": FLAG,
    "n_jobs": JOBS,
    "pool_bytes": COUNT,
    "n_threads": OPTIONAL_COUNT,
}


class GroupClassifier(LinearClassifier):
    """What one fit at a C and a search for it share."""

    groups: Any
    weights: Any

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of every class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; of several classes, one against the rest, made to
            sum to 1. In the precision of X.
        """
        return of_scores(self.decision_function(X), separate_probabilities, len(self.classes_))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the probability of every class, without underflow.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``, in the precision of X.
        """
        return of_scores(self.decision_function(X), separate_log_probabilities, len(self.classes_))

    def _by_rows(self, settings: BinarySettings) -> bool:
        return False

    def _problems(
        self, data: Training, labels: Labels, weights: list[Floats | None], settings: BinarySettings
    ) -> OneVsRest:
        problems = super()._problems(data, labels, weights, settings)
        blocks = check_groups(self.groups, self.weights, self.n_features_in_)
        grouped: OneVsRest = dataclasses.replace(problems, columns=blocks)
        return grouped

    def _solve(self, problems: OneVsRest, C: float, *args: Any, **words: Any) -> list[Solution]:
        return marked_separable(problems, C, super()._solve(problems, C, *args, **words))

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        refuse_elsewhere(X, type(self).__name__)


def group_logistic_settings(estimator: Any, *, continues: bool = False) -> BinarySettings:
    """Return the checked hyperparameters of a logistic regression on groups, without C."""
    tol, max_iter, fit_intercept, _, pool_bytes, n_threads = checked(estimator, RULES)
    return BinarySettings(
        tol=tol,
        max_iter=max_iter,
        intercept="free" if fit_intercept else "none",
        polish=True,
        n_threads=n_threads,
        pool_bytes=pool_bytes,
        continues=continues,
    )


def refuse_elsewhere(X: Any, name: str) -> NoReturn:
    """Refuse data that live on a cluster, on a GPU or in a file."""
    raise TypeError(
        f"{name} fits data in memory only, and X is of type {type_name(X)}; "
        "load it into a NumPy array or a SciPy matrix first."
    )
