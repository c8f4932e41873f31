"""Logistic regression with a chosen penalty."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from banditcd.estimators.backends.certificate import FitCertificate
from banditcd.estimators.backends.halved import solve_search_path
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.class_search import ClassSearch
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.docs import documented_classifier
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.types import (
    ClassWeight,
    Folds,
    Grid,
    LogisticWord,
    MultiClass,
    PenaltyWord,
    PerColumn,
    RandomState,
    Scoring,
    SelectC,
    SelectorLike,
)
from banditcd.estimators.logistic import LOGISTIC, LogisticRegression
from banditcd.estimators.search.logistic_folds import (
    FoldResult,
    Search,
    average_start,
    keep_choice,
    keep_folds,
    keep_path,
    shape_results,
)
from banditcd.estimators.search.logistic_search import check_search, scorer_named, shapes_wanted
from banditcd.estimators.search.placed_logistic import search_elsewhere
from banditcd.estimators.search.routing import routed
from banditcd.solvers import POOL_BYTES


@documented_classifier(**LOGISTIC)
class LogisticRegressionCV(ClassSearch, LogisticRegression):
    """Logistic regression whose C and l1_ratio are chosen by cross-validation, certified.

    A drop-in replacement of scikit-learn's class. The objective is that of
    :class:`banditcd.LogisticRegression`; every fold's path and the final fit stop at their duality
    gap.

    Parameters
    ----------
    Cs : int or array-like, default=10
        Values of C to choose from; a number of them means a logarithmic grid from 1e-4 to 1e4.
    l1_ratios : array-like, default="warn"
        Shares of the L1 penalty to choose from. None and "warn" mean 0, or what ``penalty`` says.
    cv : int, splitter, iterable or None, default=None
        Folds: 5 stratified ones by default, or as in scikit-learn.
    penalty : {"l2", "l1", "elasticnet"}, default="deprecated"
        The older word for ``l1_ratios`` (0.0,), (1.0,) or as given.
    scoring : str, callable or None, default="warn"
        A scorer of scikit-learn; None is accuracy. "warn" is what the installed scikit-learn does
        by default: accuracy before 1.11, with a warning from 1.9 on.
    n_jobs : int or None, default=None
        Folds fitted at the same time, in threads; in processes if joblib is told so.
    refit : bool, default=True
        Fit all samples at the choice; else average the best models of the folds.
    use_legacy_attributes : bool or "warn", default="warn"
        Give ``C_``, ``l1_ratio_``, ``coefs_paths_``, ``scores_`` and ``n_iter_`` the shapes they
        had in scikit-learn before 1.10 (dicts by class). "warn" is what the installed
        scikit-learn does by default: True before 1.10, with a warning in 1.8 and 1.9.
    {common_parameters}
    dual, penalty_weights, lower, upper, standardize, multi_class, n_threads, pool_bytes
        See :class:`banditcd.LogisticRegression`; folds use the spread of their training samples.
    select_C : {"best", "1se"}, default="best"
        "best" takes the best mean score, "1se" the smallest C within one standard error of it.
    store_path : bool, default=False
        Keep the path of all samples for :class:`banditcd.PathDisplay`.

    Attributes
    ----------
    {common_attributes}
    C_, l1_ratio_ : float
        The choice; averages over folds with ``refit=False``.
    Cs_, l1_ratios_ : ndarrays
        What was compared.
    scores_ : ndarray of shape (n_folds, n_l1_ratios, n_Cs)
        Scores on the test rows.
    coefs_paths_ : ndarray of shape (n_folds, n_l1_ratios, n_Cs, n_rows, n_features + 1)
        Models of the folds (one row for two classes), the intercept last if there is one.
    C_path_, coef_path_, intercept_path_ : ndarrays
        With ``store_path=True``, at the chosen l1_ratio: as :func:`banditcd.logistic_path`.

    Notes
    -----
    ``n_iter_`` has the shape of ``scores_``. With ``refit=False`` there is no certificate.

    Examples
    --------
    >>> from banditcd import LogisticRegressionCV
    >>> model = LogisticRegressionCV(Cs=5, l1_ratios=(0.0, 1.0), scoring="neg_log_loss")
    """

    scores_: Any
    coefs_paths_: Any
    n_iter_: Any

    def __init__(
        self,
        *,
        Cs: Grid = 10,
        l1_ratios: ArrayLike | Literal["warn"] | None = "warn",
        fit_intercept: bool = True,
        cv: Folds = None,
        dual: bool = False,
        penalty: PenaltyWord = "deprecated",
        scoring: Scoring = "warn",
        solver: LogisticWord = "auto",
        tol: float = 1e-4,
        max_iter: int = 100,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        verbose: bool | int = 0,
        refit: bool = True,
        intercept_scaling: float = 1.0,
        random_state: RandomState = None,
        use_legacy_attributes: bool | Literal["warn"] = "warn",
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        standardize: bool = False,
        select_C: SelectC = "best",
        store_path: bool = False,
        multi_class: MultiClass = "auto",
        n_threads: int | None = None,
        pool_bytes: int = POOL_BYTES,
    ) -> None:
        self.Cs = Cs
        self.l1_ratios = l1_ratios
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.random_state = random_state
        self.use_legacy_attributes = use_legacy_attributes
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.standardize = standardize
        self.select_C = select_C
        self.store_path = store_path
        self.multi_class = multi_class
        self.n_threads = n_threads
        self.pool_bytes = pool_bytes

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
        Cs, choices = check_search(self)
        older = shapes_wanted(self)
        plan = max(choices, key=lambda settings: settings.l1_ratio)  # needs columns, if any does
        data, labels, _ = self._set_up(X, y, sample_weight, plan)
        split, score = routed(self, data.sample_weight, params)
        seen = Training(data.X, labels.classes[labels.codes], data.sample_weight)
        folds = self._folds(seen, split)
        tasks = begin_tasks(self, seen, max_subtasks=len(folds) * len(choices) + 1)
        weights = self._weights(data, labels)
        judge = LogisticRegression(solver=self.solver, multi_class=self.multi_class)
        search = Search(self, judge, data, labels, weights, Cs, scorer_named(self.scoring), score)
        self.classes_ = labels.classes
        results = self._run_folds(search, folds, choices, tasks)
        keep_folds(self, results, Cs, choices)
        certificates = [c for result in results for c in result.certificates]
        certificates += self._conclude(search, results, choices, tasks)
        shape_results(self, labels.classes, older=older)
        warn_unless_converged(certificates, choices[0])
        tasks.end()
        return self

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        Cs, choices = check_search(self)
        older = shapes_wanted(self)
        certificates = search_elsewhere(self, (X, y, sample_weight), (Cs, choices), params)
        shape_results(self, self.classes_, older=older)
        warn_unless_converged(certificates, choices[0])
        return self

    def _conclude(
        self,
        search: Search,
        results: list[FoldResult],
        choices: list[BinarySettings],
        tasks: Tasks,
    ) -> list[FitCertificate]:
        """Choose, and fit all samples (or average the folds); return the new certificates."""
        leaf = tasks.subtask("refit")
        chosen = keep_choice(self, results)
        if chosen is None:
            tasks.close(leaf, {})
            return []
        (ratio, place), counts = chosen, self.n_iter_
        settings = choices[ratio]
        problems = self._problems(search.data, search.labels, search.weights, settings)
        starts = average_start(self.coefs_paths_[:, ratio, place], self.fit_intercept)
        solutions = self._solve(problems, self.C_, settings, starts)
        self._keep(solutions)
        self.n_iter_ = counts
        certificates = [solution.certificate for solution in solutions]
        if self.store_path:
            path = solve_search_path(self, problems, settings, np.sort(self.Cs_))
            certificates += keep_path(self, path)
        tasks.close(leaf, {})
        return certificates
