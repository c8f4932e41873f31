"""Logistic regression on groups of features with a chosen penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.logistic_path import automatic_grid
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.one_vs_rest import OneVsRest
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.class_search import ClassSearch
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.group_classifier import GroupClassifier, group_logistic_settings
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.grid import check_eps
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.logistic import check_grid
from banditcd.estimators.checks.types import ClassWeight, Folds, Grid, Groups, Scoring, SelectC
from banditcd.estimators.group_logistic import GroupLogisticRegression
from banditcd.estimators.search.logistic_folds import FoldResult, Search, choice
from banditcd.estimators.search.logistic_search import scorer_named
from banditcd.estimators.search.routing import routed
from banditcd.estimators.search.selection import check_rule
from banditcd.solvers import POOL_BYTES


@documented_blocks
class GroupLogisticRegressionCV(ClassSearch, GroupClassifier):
    """Logistic regression on groups of features whose C is chosen by cross-validation, certified.

    The objective is that of :class:`banditcd.GroupLogisticRegression`; every fold's path and the
    final fit stop at their duality gap. More than two classes are fitted one against the rest, with
    one C for all of them.

    Parameters
    ----------
    {group_parameters}
    {weight_parameters}
    Cs : int or array-like, default=10
        How many values of C in an automatic grid, or the values. The grid starts at the largest C
        at which no penalized coefficient is non-zero (of any class) and ends at 1 / ``eps`` times
        it.
    eps : float, default=1e-3
        How far an automatic grid reaches, between 0 and 1: its smallest C is ``eps`` times its
        largest. 1e-3 makes the penalty a thousand times weaker from one end to the other.
    cv : int, splitter, iterable or None, default=None
        Folds: 5 stratified ones by default, or as in scikit-learn.
    scoring : str, callable or None, default=None
        A scorer of scikit-learn; None is accuracy.
    select_C : {"best", "1se"}, default="best"
        "best" takes the best mean score, "1se" the smallest C within one standard error of it.
    {common_parameters}
    class_weight : dict or "balanced", default=None
        Factors of the losses by label; 0 leaves a class out. "balanced" lets all classes weigh the
        same; of more than two, each class and the rest in its problem, as ``OneVsRestClassifier``.
    verbose : bool or int, default=0
        Show a progress bar over the folds, and write gap and iterations to standard error.
    n_jobs : int or None, default=None
        Folds fitted at the same time, in threads; in processes if joblib is told so.
    pool_bytes : int, default=2**30
        Memory that the Gram matrix of the features in use may take; beyond it the solver works on
        the residual.

    Attributes
    ----------
    C_ : float
        The chosen C, by the rule of ``select_C``; the smallest of equals.
    Cs_ : ndarray of shape (n_Cs,)
        The values compared, from small to large.
    scores_ : ndarray of shape (n_folds, n_Cs)
        Scores on the test rows.
    coefs_paths_ : ndarray of shape (n_folds, n_Cs, n_rows, n_features + 1)
        Models of the folds (one row for two classes), the intercept last if there is one.
    classes_ : ndarray of shape (n_classes,)
        The labels, in order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Coefficients of the fit to all samples at ``C_``.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Its intercepts; 0 without one.
    n_iter_ : ndarray of shape (1,) or (n_classes,)
        Bins that it used, at least 1.
    dual_gap_ : ndarray of shape (1,) or (n_classes,)
        Its duality gaps in the units of the objective.
    certificate_ : FitCertificate, or a list with one for each class
        Its primal and dual value, gap, target, status, regime, passes over X and seconds.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are all strings.

    Examples
    --------
    >>> from banditcd import GroupLogisticRegressionCV
    >>> model = GroupLogisticRegressionCV(groups=4, cv=3, scoring="neg_log_loss")
    """

    def __init__(
        self,
        groups: Groups = 1,
        *,
        weights: ArrayLike | None = None,
        Cs: Grid = 10,
        eps: float = 1e-3,
        cv: Folds = None,
        scoring: Scoring = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        class_weight: ClassWeight = None,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
        select_C: SelectC = "best",
    ) -> None:
        self.groups = groups
        self.weights = weights
        self.Cs = Cs
        self.eps = eps
        self.cv = cv
        self.scoring = scoring
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads
        self.select_C = select_C

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        """Choose the penalty and fit the model on all samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Labels of any hashable type, all of one type.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of the losses and of the scores.
        **params
            ``groups`` for a splitter that needs them, or whatever metadata routing passes on.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        check_rule(self.select_C, "select_C", ("best", "1se"))
        wanted, settings = check_grid(self.Cs), group_logistic_settings(self)
        eps, scorer = check_eps(self.eps, wanted), scorer_named(self.scoring)
        data, labels, problems = self._set_up(X, y, sample_weight, settings)
        split, score = routed(self, data.sample_weight, params)
        seen = Training(data.X, labels.classes[labels.codes], data.sample_weight)
        folds = self._folds(seen, split)
        Cs = automatic_grid(problems, settings, eps, wanted) if isinstance(wanted, int) else wanted
        weights, judge = self._weights(data, labels), GroupLogisticRegression()
        search = Search(self, judge, data, labels, weights, np.sort(Cs), scorer, score)
        tasks = begin_tasks(self, seen, max_subtasks=len(folds) + 1)
        self.classes_ = labels.classes
        results = self._run_folds(search, folds, [settings], tasks)
        self._choose(results, search)
        certificates = [c for result in results for c in result.certificates]
        certificates += self._refit(problems, settings, tasks)
        warn_unless_converged(certificates, settings)
        tasks.end()
        return self

    def _choose(self, results: list[FoldResult], search: Search) -> None:
        """Keep scores and models of the folds, and the best C."""
        self.Cs_ = search.Cs
        self.scores_ = np.array([result.scores for result in results])
        self.coefs_paths_ = np.array([r.with_intercepts(self.fit_intercept) for r in results])
        self.C_ = float(self.Cs_[choice(self.scores_[:, None], self.Cs_, self.select_C)[1]])

    def _refit(
        self, problems: OneVsRest, settings: BinarySettings, tasks: Tasks
    ) -> list[FitCertificate]:
        """Fit all samples at the chosen C; return the certificates."""
        leaf = tasks.subtask("refit")
        solutions = self._solve(problems, self.C_, settings)
        self._keep(solutions)
        tasks.close(leaf, {})
        return [solution.certificate for solution in solutions]
