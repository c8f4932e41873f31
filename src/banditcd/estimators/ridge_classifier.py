"""Classification by ridge regression."""

from __future__ import annotations

from typing import Any

from banditcd.estimators.backends.messages import warn_unless_exact
from banditcd.estimators.backends.ridge import RidgeSolver
from banditcd.estimators.backends.tasks import begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.ridge_classifier import RidgeDecisions
from banditcd.estimators.checks.column_options import check_columns
from banditcd.estimators.checks.types import (
    ClassWeight,
    PerColumn,
    RandomState,
    RidgeWord,
    SelectorLike,
)
from banditcd.estimators.ridge import check_ridge, check_target_alphas


class RidgeClassifier(RidgeDecisions):
    r"""Ridge regression on labels, certified.

    Two classes are the responses -1 and +1 of

    .. math::

        \min_{w, b}\ \sum_i s_i (y_i - b - x_i^\top w)^2 + \alpha \sum_j p_j w_j^2 ,

    more are one problem each, the class (+1) against the rest (-1), and so are the columns of an
    indicator matrix; all of them share one factorization. A drop-in replacement of scikit-learn's
    class.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty strength, at least 0.
    fit_intercept : bool, default=True
        Whether to fit an unpenalized intercept.
    copy_X : bool, default=True
        Accepted for compatibility, without effect: X is never overwritten.
    max_iter : int or None, default=None
        Limit on products with X, or on epochs of a selector; 1000 by default.
    tol : float, default=1e-4
        As in :class:`banditcd.Ridge`.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; "balanced" makes all of them count the same.
    solver : str, default="auto"
        As in :class:`banditcd.Ridge`.
    positive : bool, default=False
        Keep the coefficients non-negative; the same as ``lower=0``.
    random_state : int, RandomState, Generator or None, default=None
        Seed of a randomized ``selector``.
    selector : str or object, default="auto"
        Any selector of :mod:`banditcd.selectors`, by name or as an object, or your own.
    penalty_weights : array-like of shape (n_features,), default=None
        Multiply the penalty of a feature; 0 leaves it unpenalized, inf excludes it.
    lower, upper : float or array-like of shape (n_features,), default=None
        Bounds of the coefficients, ``lower <= 0 <= upper``.
    record_history : bool, default=False
        Keep ``history_``: one row per iteration or epoch.
    n_threads : int or None, default=None
        As in :class:`banditcd.Ridge`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_classes, n_features)
        Coefficients, in the precision of X; one-dimensional for two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,), or float
        Intercepts; 0.0 without.
    classes_ : ndarray of shape (n_classes,)
        The labels in order; their numbers if y was an indicator matrix.
    n_iter_, dual_gap_, certificate_, history_, solver_
        As in :class:`banditcd.Ridge`, one for each problem.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from banditcd import RidgeClassifier
    >>> model = RidgeClassifier().fit([[0.0], [1.0], [3.0]], ["a", "a", "b"])
    >>> model.predict([[4.0]]).tolist()
    ['b']
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        class_weight: ClassWeight = None,
        solver: RidgeWord = "auto",
        positive: bool = False,
        random_state: RandomState = None,
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        record_history: bool = False,
        n_threads: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.record_history = record_history
        self.n_threads = n_threads

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Labels of any hashable type, all of one type; or an indicator matrix of zeros and ones.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Weights of the losses, as they are.

        Returns
        -------
        self
            The fitted estimator. After an interrupt (Ctrl-C) it is unfitted.
        """
        settings, method = check_ridge(self)
        data, _ = self._check_classes(X, y, sample_weight)
        columns = check_columns(self, self.n_features_in_)
        alphas = check_target_alphas(self.alpha, data.y)
        tasks = begin_tasks(self, data, max_subtasks=(max(settings.max_iter, 1) + 1) * len(alphas))
        solutions = RidgeSolver(data, columns, settings, method).solve(alphas, tasks)
        self._keep_classes(solutions, data.X.dtype)
        warn_unless_exact([s.certificate for s in solutions], settings)
        tasks.end()
        return self
