"""Classification by ridge regression with a chosen penalty."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import check_cv

from banditcd._typing import Floats
from banditcd.estimators.backends.messages import warn_unless_exact
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.ridge_classifier import RidgeDecisions
from banditcd.estimators.bases.ridge_search import RidgeSearch
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.types import ClassWeight, Folds, Scoring, SelectAlpha, Strengths
from banditcd.estimators.ridge_classifier import RidgeClassifier
from banditcd.estimators.search.routing import search_router
from banditcd.estimators.search.scoring import scorer_of
from banditcd.estimators.search.splits import Fold, check_folds


class RidgeClassifierCV(RidgeSearch, RidgeDecisions):
    r"""Ridge regression on labels whose alpha is chosen by cross-validation, certified.

    A drop-in replacement of scikit-learn's class. The objective is that of
    :class:`banditcd.RidgeClassifier`; without ``cv`` every sample is predicted by the model fitted
    without it, as in :class:`banditcd.RidgeCV`.

    Parameters
    ----------
    alphas : float or array-like of shape (n_alphas,), default=(0.1, 1.0, 10.0)
        Penalties to choose from, > 0 (with folds: at least 0).
    fit_intercept : bool, default=True
        Whether to fit an unpenalized intercept.
    scoring : str, callable or None, default=None
        A scorer of scikit-learn. None is minus the mean squared error of the responses -1 and +1
        (leave-one-out), or accuracy (folds).
    cv : int, splitter, iterable or None, default=None
        None is leave-one-out; else folds as in scikit-learn, stratified if they are a number.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; "balanced" makes all of them count the same.
    store_cv_results : bool, default=False
        Keep ``cv_results_`` (leave-one-out only).
    store_cv_values : bool, default="deprecated"
        The word of scikit-learn before 1.7 for ``store_cv_results``, with a warning.
    select_alpha : {"min", "1se"}, default="min"
        "min" takes the best mean score, "1se" the largest alpha within one standard error of it
        (over samples, or over folds).
    tol : float, default=1e-4
        Tolerance of the final fit's certificate, as in :class:`banditcd.Ridge`; direct solvers
        are more exact than that.
    n_threads : int or None, default=None
        Upper limit on threads within one solve, as in :class:`banditcd.Ridge`.

    Attributes
    ----------
    alpha_ : float
        The chosen alpha.
    best_score_ : float
        Its score.
    cv_results_ : ndarray of shape (n_samples, n_problems, n_alphas)
        With ``store_cv_results=True``: squared errors times sample weights, or decision values if
        a scorer was given.
    fold_scores_ : ndarray of shape (n_folds, n_alphas)
        With ``cv``: the score of every fold.
    coef_, intercept_, classes_, n_iter_, dual_gap_, certificate_, solver_
        As in :class:`banditcd.RidgeClassifier`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from banditcd import RidgeClassifierCV
    >>> model = RidgeClassifierCV().fit([[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> model.predict([[5.0]]).tolist()
    ['b']
    """

    _measure = "accuracy"

    def __init__(
        self,
        alphas: Strengths = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Scoring = None,
        cv: Folds = None,
        class_weight: ClassWeight = None,
        store_cv_results: bool = False,
        store_cv_values: bool | Literal["deprecated"] = "deprecated",
        select_alpha: SelectAlpha = "min",
        tol: float = 1e-4,
        n_threads: int | None = None,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.class_weight = class_weight
        self.store_cv_results = store_cv_results
        self.store_cv_values = store_cv_values
        self.select_alpha = select_alpha
        self.tol = tol
        self.n_threads = n_threads

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        """Choose the penalty and fit the model on all samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Labels of any hashable type, all of one type; or an indicator matrix of zeros and ones.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of the losses and of the test errors.
        **params
            ``groups`` for a splitter that needs them, or whatever metadata routing passes on.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        alphas, settings = self._check()
        data, y = self._check_classes(X, y, sample_weight)
        solutions, tasks = self._search((data, y), settings, alphas, params)
        self._keep_classes(solutions, data.X.dtype)
        warn_unless_exact([s.certificate for s in solutions], settings)
        tasks.end()
        return self

    def get_metadata_routing(self) -> Any:
        """Return the routing of metadata: to this fit, the scorer and the splitter."""
        return search_router(self, scorer_of(self, self._measure), classifier=True)

    def _folds(self, data: Training, y: Any, split: dict[str, Any]) -> list[Fold]:
        splitter = check_cv(self.cv, y, classifier=True)
        return check_folds(list(splitter.split(data.X, y, **split)), data)

    def _judge(self, alpha: float, solutions: list[Solution], data: Training) -> RidgeClassifier:
        judge = RidgeClassifier(alpha=alpha, fit_intercept=self.fit_intercept)
        judge.n_features_in_, judge.classes_ = self.n_features_in_, self.classes_
        judge._several_labels = self._several_labels
        judge._keep_classes(solutions, data.X.dtype)
        return judge

    def _scores_left_out(
        self, predictions: Floats, samples: tuple[Training, Any], score: dict[str, Any]
    ) -> list[Any]:
        scorer = scorer_of(self, self._measure)
        judge, problems = _Given(self.classes_, self._several_labels), predictions.shape[1]
        shaped = predictions[:, 0] if problems == 1 else predictions
        return [scorer(judge, shaped, samples[1], **score)] * problems


class _Given(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted classifier whose samples are its decision values."""

    def __init__(self, classes: Any, several: bool) -> None:
        self.classes_, self.several = classes, several

    def decision_function(self, X: Any) -> Any:
        """Return the decision values."""
        return X

    def predict(self, X: Any) -> Any:
        """Return the labels that belong to the decision values."""
        if self.several:
            return (X > 0.0).astype(np.int64)
        best = (X > 0.0).astype(np.intp) if X.ndim == 1 else X.argmax(axis=1)
        return self.classes_[best]

    def __sklearn_is_fitted__(self) -> bool:
        return True
