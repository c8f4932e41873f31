"""Logistic regression."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.halved import solve_halved
from banditcd.estimators.backends.multinomial import (
    Multinomial,
    solve_multinomial,
    stacked,
)
from banditcd.estimators.backends.one_vs_rest import solve_all
from banditcd.estimators.backends.probabilities import LOGARITHMS, PROBABILITIES, of_scores
from banditcd.estimators.backends.separation import marked_separable
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.backends.tasks import SILENT, Tasks
from banditcd.estimators.bases.classifier import LinearClassifier
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.docs import documented_classifier
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.labels import (
    Labels,
    by_class,
    check_class_weight,
    liblinear_factors,
)
from banditcd.estimators.checks.logistic import (
    L1_RATIO,
    is_halved,
    is_one_vs_rest,
    logistic_settings,
    model_word,
    penalty_words,
    refuse_halved_elsewhere,
)
from banditcd.estimators.checks.types import (
    ClassWeight,
    LogisticWord,
    MultiClass,
    PenaltyWord,
    PerColumn,
    RandomState,
    SelectorLike,
)
from banditcd.solvers import POOL_BYTES

LOGISTIC = {
    "scaling": "Accepted for compatibility, without effect: the intercept is not penalized.",
    "several": (
        'With ``multi_class="ovr"`` a\n    dict weighs every sample by its own class, and '
        '"balanced" means the class against the rest, as\n    in ``OneVsRestClassifier``; with '
        '``solver="liblinear"`` too, only the class of a problem is\n    weighted and the rest is '
        "not, as LIBLINEAR does."
    ),
    "max_iter": "100",
    "names": (
        ' The names of\n    scikit-learn\'s solvers mean "auto": they share the optimum, but for '
        "class weights."
    ),
    "without": "",
    "n_iter": "ndarray of shape (1,); (n_classes,) of one against the rest",
}


@documented_classifier(**LOGISTIC)
class LogisticRegression(LinearClassifier):
    r"""Logistic regression with an L2, L1 or elastic-net penalty, certified.

    .. math::

        \min_{w, b}\ C \sum_i s_i \log(1 + e^{-y_i (x_i^\top w + b)})
        + \sum_j p_j \Bigl(\rho |w_j| + \frac{1 - \rho}{2} w_j^2\Bigr)

    with :math:`y_i = \pm 1`, sample weights :math:`s` (times class weights) taken as they are,
    ``penalty_weights`` p and :math:`\rho` = ``l1_ratio``; the intercept is never penalized. With
    ``C=inf`` there is no penalty and the objective is the sum of losses. More classes are one
    multinomial model, whose loss is :math:`\log\sum_k e^{z_{ik}} - z_{i y_i}` with
    :math:`z_i = W x_i + b`; an L2 penalty makes its coefficients sum to zero over the classes, and
    intercepts always do. ``multi_class="ovr"`` fits one against the rest instead. A drop-in
    replacement of scikit-learn's class.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet", None}, default="deprecated"
        The older word for ``l1_ratio`` 0, 1 or as given, or for ``C=inf``; it takes precedence.
    C : float, default=1.0
        Inverse strength of the penalty, > 0; inf for none.
    l1_ratio : float, default=0.0
        Share of the L1 penalty, from 0 (L2) to 1 (L1). Beside a scikit-learn before 1.8 the default
        is None, as there: 0, but for ``penalty="elasticnet"``, which needs a share.
    dual : bool, default=False
        Which cost a ``selector`` minimizes: the primal, or (L2 penalty, no intercept) the dual.
        Without a selector it has no effect.
    {common_parameters}
    warm_start : bool, default=False
        Start at the model of the last fit.
    n_jobs : int or None, default=None
        Classes fitted at the same time by ``multi_class="ovr"``, in threads; in processes if joblib
        is told so.
    multi_class : {"auto", "multinomial", "ovr"}, default="auto"
        What three and more classes are: one model of all of them ("auto", "multinomial"), or one
        model of each against the rest ("ovr"), with probabilities normalized to sum to 1, as
        ``OneVsRestClassifier(LogisticRegression())`` does. A ``selector`` needs "ovr". Two classes
        are one model in any case. Beside a scikit-learn before 1.8, ``solver="liblinear"`` makes
        "auto" mean "ovr", and "multinomial" of two classes is its older model, as there.
    penalty_weights : array-like of shape (n_features,), default=None
        Multiply the L1 and the L2 penalty of a feature; 0 leaves it unpenalized, inf excludes it.
        They are not renormalized.
    lower, upper : float or array-like of shape (n_features,), default=None
        Bounds of the coefficients, ``lower <= 0 <= upper``.
    standardize : bool, default=False
        Penalize the coefficients of columns divided by their (weighted) standard deviation, or
        root mean square without an intercept. ``coef_`` and the bounds are for the columns as
        given. With an L2 part this takes one scaled copy of X.
    n_threads : int or None, default=None
        Upper limit on threads for passes over X, and for the products of its columns, that take
        longer than about two milliseconds (None: the environment variables, or all cores). The same
        number gives the same bits; another one differs by rounding.
        Dual coordinate descent, one model of all classes with an L1 penalty, and selectors use one;
        classes run side by side with ``n_jobs``.
    pool_bytes : int, default=2**30
        Memory that a matrix of the features in use, or a copy of their entries, may take with an L1
        penalty or bounds; beyond it the solver works on X itself. A sample of the rows to start
        from is copied only if it fits in as well. Of no effect with an L2 penalty alone.

    Attributes
    ----------
    {common_attributes}

    Examples
    --------
    >>> from banditcd import LogisticRegression
    >>> model = LogisticRegression(l1_ratio=1.0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    def __init__(
        self,
        penalty: PenaltyWord = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = L1_RATIO,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        solver: LogisticWord = "auto",
        max_iter: int = 100,
        verbose: bool | int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        standardize: bool = False,
        record_history: bool = False,
        multi_class: MultiClass = "auto",
        n_threads: int | None = None,
        pool_bytes: int = POOL_BYTES,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.standardize = standardize
        self.record_history = record_history
        self.multi_class = multi_class
        self.n_threads = n_threads
        self.pool_bytes = pool_bytes

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of every class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; rows sum to 1. In the precision of X.
        """
        scores = self.decision_function(X)
        return of_scores(scores, PROBABILITIES[model_word(self)], len(self.classes_))

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
        scores = self.decision_function(X)
        return of_scores(scores, LOGARITHMS[model_word(self)], len(self.classes_))

    def _hyperparameters(self) -> tuple[float, BinarySettings]:
        l1_ratio, C = penalty_words(self.penalty, self.l1_ratio, self.C)
        return C, logistic_settings(self, l1_ratio, single=True)

    def _by_rows(self, settings: BinarySettings) -> bool:
        if settings.selector is not None:
            return settings.dual
        return settings.l1_ratio == 0.0 and self.lower is None and self.upper is None

    def _check_classes_elsewhere(self, classes: Any) -> None:
        refuse_halved_elsewhere(self, classes)

    def _weights(self, data: Training, labels: Labels) -> list[Floats | None]:
        if self.class_weight is None:
            return [data.sample_weight] * labels.problems
        if len(labels.classes) == 2 or is_one_vs_rest(self):
            return super()._weights(data, labels)
        given = check_class_weight(self.class_weight, labels)
        weight = data.sample_weight
        factors = by_class(labels, given, weight)[labels.codes]
        return [factors if weight is None else factors * weight] * labels.problems

    def _factors(
        self, labels: Labels, positive: int, given: Floats | str, weight: Floats | None
    ) -> Floats:
        factors = liblinear_factors if self.solver == "liblinear" else super()._factors
        return factors(labels, positive, given, weight)

    def _problems(
        self, data: Training, labels: Labels, weights: list[Floats | None], settings: BinarySettings
    ) -> Any:
        problems = super()._problems(data, labels, weights, settings)
        if len(labels.classes) == 2 or not settings.multinomial:
            return problems
        if settings.selector is not None:
            raise ValueError(
                f"A selector minimizes a cost of two classes, and y has {len(labels.classes)}: the "
                "engine has no multinomial cost. Set multi_class='ovr' for one model of each class "
                "against the rest, or leave selector='auto'."
            )
        X, columns, scale = problems.X, problems.columns, problems.scale
        return Multinomial(X, labels, weights[0], columns, scale, problems.single)

    def _solve(
        self,
        problems: Any,
        C: float,
        settings: BinarySettings,
        starts: list[tuple[Floats, float]] | None = None,
        tasks: Tasks = SILENT,
        usual: bool = False,
    ) -> list[Solution]:
        named = self.multi_class == "multinomial" and not usual
        if named and is_halved(self, problems.labels.classes):
            solve = partial(self._solve, usual=True)
            return solve_halved(solve, problems, C, settings, starts, tasks)
        if isinstance(problems, Multinomial):
            solutions = [solve_multinomial(problems, C, settings, stacked(starts), tasks)]
        else:
            options = {"n_jobs": self.n_jobs, "verbose": self.verbose}
            solutions = solve_all(problems, C, settings, starts, tasks, **options)
        asked = math.isinf(C) or self.penalty_weights is not None
        return marked_separable(problems, C, solutions) if asked else solutions

    def _keep(self, solutions: list[Solution]) -> None:
        self._keep_solutions(solutions, squeeze=False, array=True)
        counted = self.n_iter_ if self.max_iter > 0 else [0] * len(solutions)
        self.n_iter_ = np.array(counted, dtype=np.int32)
        if solutions[0].coef.ndim == 2:  # one model of all classes
            self.coef_, self.intercept_ = self.coef_[0], np.asarray(solutions[0].intercept)
