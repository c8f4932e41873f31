"""Classification by ridge regression with a chosen penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from banditcd._typing import Floats
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.ridge import AUTOMATIC, RidgeMethod, RidgeSolver
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.ridge_classifier import RidgeDecisions
from banditcd.estimators.checks.column_options import PLAIN
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.parameters import check_flag
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.checks.types import ClassWeight, Folds, Scoring, SelectAlpha, Strengths
from banditcd.estimators.ridge import Ridge, check_ridge
from banditcd.estimators.ridge_classifier import RidgeClassifier
from banditcd.estimators.ridge_cv import check_alphas, pick
from banditcd.estimators.search.fold_errors import rows_of
from banditcd.estimators.search.routing import routed, routed_splitter
from banditcd.estimators.search.scoring import rows_of_arguments, scorer_of
from banditcd.estimators.search.selection import check_rule
from banditcd.estimators.search.splits import Fold, check_folds


class RidgeClassifierCV(RidgeDecisions):
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
    select_alpha : {"min", "1se"}, default="min"
        "min" takes the best mean score, "1se" the largest alpha within one standard error of it
        (over samples, or over folds).
    tol : float, default=1e-4
        Tolerance of the final fit's certificate, as in :class:`banditcd.Ridge`; direct solvers
        are more exact than that.

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

    def __init__(
        self,
        alphas: Strengths = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Scoring = None,
        cv: Folds = None,
        class_weight: ClassWeight = None,
        store_cv_results: bool = False,
        select_alpha: SelectAlpha = "min",
        tol: float = 1e-4,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.class_weight = class_weight
        self.store_cv_results = store_cv_results
        self.select_alpha = select_alpha
        self.tol = tol

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
        split, score = routed(self, data.sample_weight, params)
        for name in ("cv_results_", "fold_scores_"):
            self.__dict__.pop(name, None)
        if self.cv is None:
            tasks = begin_tasks(self, data, max_subtasks=1)
            self._leave_one_out(data, y, settings, alphas, score)
        else:
            splitter = check_cv(self.cv, y, classifier=True)
            folds = check_folds(list(splitter.split(data.X, y, **split)), data)
            tasks = begin_tasks(self, data, max_subtasks=len(folds) + 1)
            self._by_folds((data, y), settings, alphas, (folds, score), tasks)
        leaf = tasks.subtask("refit")
        chosen = np.full(data.y.shape[1], self.alpha_)
        method = RidgeMethod(exact=True) if self.cv is None else AUTOMATIC  # as in scikit-learn
        solutions = RidgeSolver(data, PLAIN, settings, method).solve(chosen)
        tasks.close(leaf, {})
        self._keep_classes(solutions, data.X.dtype)
        warn_unless_converged([s.certificate for s in solutions], settings, stacklevel=3)
        tasks.end()
        return self

    def get_metadata_routing(self) -> Any:
        """Return the routing of metadata: to this fit, the scorer and the splitter."""
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(
            scorer=scorer_of(self, "accuracy"),
            method_mapping=MethodMapping().add(caller="fit", callee="score"),
        )
        return router.add(
            splitter=routed_splitter(self.cv, classifier=True),
            method_mapping=MethodMapping().add(caller="fit", callee="split"),
        )

    def _check(self) -> tuple[Floats, LinearSettings]:
        """Check the parameters that need no data."""
        settings, _ = check_ridge(Ridge(fit_intercept=self.fit_intercept, tol=self.tol))
        if check_flag(self.store_cv_results, "store_cv_results") and self.cv is not None:
            raise ValueError("cv!=None and store_cv_results=True are incompatible; leave cv=None.")
        check_rule(self.select_alpha, "select_alpha", ("min", "1se"))
        return check_alphas(self.alphas, positive=self.cv is None), settings

    def _leave_one_out(
        self, data: Training, y: Any, settings: LinearSettings, alphas: Floats, score: Any
    ) -> None:
        """Predict every sample without itself, and choose alpha."""
        solver = RidgeSolver(data, PLAIN, settings, solves=len(alphas))
        kept = solver.leave_one_out(alphas)
        if self.scoring is None:
            weight = 1.0 if data.sample_weight is None else data.sample_weight[:, None]
            kept = weight * kept**2  # (n_alphas, n, n_problems)
            scores = -kept.mean(axis=2).T
        else:
            kept = data.y - kept
            scorer, judge = scorer_of(self, "accuracy"), _Given(self.classes_, self._several_labels)
            shaped = [found[:, 0] if found.shape[1] == 1 else found for found in kept]
            scores = np.array([[scorer(judge, found, y, **score) for found in shaped]])
        if self.store_cv_results:
            self.cv_results_ = np.moveaxis(kept, 0, 2).astype(data.X.dtype, copy=False)
        place, self.best_score_ = pick(scores, alphas, self.select_alpha)
        self.alpha_ = float(alphas[place])

    def _by_folds(
        self,
        samples: tuple[Training, Any],
        settings: LinearSettings,
        alphas: Floats,
        splits: tuple[list[Fold], dict[str, Any]],
        tasks: Tasks,
    ) -> None:
        """Score every alpha on every fold, and choose alpha."""
        (data, y), (folds, score) = samples, splits
        scorer, n = scorer_of(self, "accuracy"), data.X.shape[0]
        scores = np.empty((len(folds), len(alphas)))
        for row, fold in zip(scores, folds, strict=True):
            solver = RidgeSolver(rows_of(data, fold.train), PLAIN, settings, solves=len(alphas))
            test, cut = rows_of(data, fold.test), rows_of_arguments(score, fold.test, n)
            for k, alpha in enumerate(alphas):
                judge = RidgeClassifier(alpha=alpha, fit_intercept=self.fit_intercept)
                judge.n_features_in_, judge.classes_ = self.n_features_in_, self.classes_
                judge._several_labels = self._several_labels
                found = solver.solve(np.full(data.y.shape[1], alpha))
                judge._keep_classes(found, data.X.dtype)
                row[k] = scorer(judge, test.X, y[fold.test], **cut)
            tasks.close(tasks.subtask("fold"))
        self.fold_scores_ = scores
        place, self.best_score_ = pick(scores, alphas, self.select_alpha)
        self.alpha_ = float(alphas[place])


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
