"""Ridge regression with a chosen penalty."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.model_selection import check_cv

from banditcd._typing import Floats
from banditcd.estimators.backends.messages import warn_unless_exact
from banditcd.estimators.backends.solution import Solution
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.bases.ridge_search import RidgeSearch
from banditcd.estimators.checks.inputs import Training, check_training
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.checks.types import Folds, Scoring, SelectAlpha, Strengths
from banditcd.estimators.ridge import Ridge, keep_type
from banditcd.estimators.search.placed_ridge import search_elsewhere
from banditcd.estimators.search.scoring import scorer_of
from banditcd.estimators.search.selection import pick
from banditcd.estimators.search.splits import Fold, make_folds
from banditcd.solvers.arrays import is_sparse

MODES = ("auto", "svd", "eigen")
SPARSE_SVD = (
    "The 'svd' mode is not supported for sparse X: the smaller Gram matrix is decomposed, as "
    "always. scikit-learn 1.11 refuses this word; leave gcv_mode=None."
)


class RidgeCV(MultiOutputMixin, RidgeSearch, PenalizedLinearModel):  # type: ignore[misc]
    r"""Ridge regression whose alpha is chosen by cross-validation, certified.

    A drop-in replacement of scikit-learn's class. The objective is that of
    :class:`banditcd.Ridge`. By default every sample is predicted by the model fitted without it:
    the errors :math:`(y_i - \hat y_i) / (1 - H_{ii})` of all samples and alphas come from one
    eigendecomposition.

    Parameters
    ----------
    alphas : float or array-like of shape (n_alphas,), default=(0.1, 1.0, 10.0)
        Penalties to choose from, > 0 (with folds: at least 0).
    fit_intercept : bool, default=True
        Whether to fit an unpenalized intercept.
    scoring : str, callable or None, default=None
        A scorer of scikit-learn. None is minus the mean squared error (leave-one-out), or R²
        (folds).
    cv : int, splitter, iterable or None, default=None
        None is leave-one-out; else folds as in scikit-learn.
    gcv_mode : {None, "auto", "svd", "eigen"}, default=None
        Accepted for compatibility, without effect: the smaller matrix is decomposed.
    store_cv_results : bool, default=False
        Keep ``cv_results_`` (leave-one-out only).
    store_cv_values : bool, default="deprecated"
        The word of scikit-learn before 1.7 for ``store_cv_results``, with a warning.
    alpha_per_target : bool, default=False
        Choose an alpha for each response (leave-one-out only).
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
    alpha_ : float, or an ndarray of shape (n_targets,)
        The chosen alpha.
    best_score_ : float, or an ndarray of shape (n_targets,)
        Its score.
    cv_results_ : ndarray of shape (n_samples, n_alphas) or (n_samples, n_targets, n_alphas)
        With ``store_cv_results=True``: squared errors times sample weights, or predictions if a
        scorer was given.
    fold_scores_ : ndarray of shape (n_folds, n_alphas)
        With ``cv``: the score of every fold; :class:`banditcd.CVDisplay` draws it.
    coef_, intercept_, n_iter_, dual_gap_, certificate_, solver_
        As in :class:`banditcd.Ridge`.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from banditcd import RidgeCV
    >>> model = RidgeCV(alphas=[0.1, 1.0]).fit([[0.0], [1.0], [3.0]], [0.0, 1.0, 2.0])
    >>> model.alpha_ in (0.1, 1.0)
    True
    """

    _measure = "r2"
    _flags = ("store_cv_results", "alpha_per_target")
    _counts_by_target = True

    def __init__(
        self,
        alphas: Strengths = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Scoring = None,
        cv: Folds = None,
        gcv_mode: Literal["auto", "svd", "eigen"] | None = None,
        store_cv_results: bool = False,
        store_cv_values: bool | Literal["deprecated"] = "deprecated",
        alpha_per_target: bool = False,
        select_alpha: SelectAlpha = "min",
        tol: float = 1e-4,
        n_threads: int | None = None,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.store_cv_values = store_cv_values
        self.alpha_per_target = alpha_per_target
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
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Responses.
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
        data = check_training(
            self, X, y, sample_weight, multi_output=True, rows=True, normalized=False
        )
        if self.gcv_mode == "svd" and is_sparse(data.X):
            warnings.warn(SPARSE_SVD, FutureWarning, stacklevel=3)
        solutions, tasks = self._search((data, data.y), settings, alphas, params)
        self._keep_solutions(solutions, squeeze=True, array=data.y.ndim == 2)
        keep_type(self, data.X.dtype)
        self.solver_ = solutions[0].certificate.regime
        warn_unless_exact([s.certificate for s in solutions], settings)
        tasks.end()
        return self

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        certificates, settings = search_elsewhere(self, (X, y, sample_weight), params)
        warn_unless_exact(certificates, settings)
        return self

    def _check(self) -> tuple[Floats, LinearSettings]:
        mode: Any = self.gcv_mode
        if not (mode is None or (isinstance(mode, str) and mode in MODES)):
            raise ValueError(f"gcv_mode is {mode!r}; it must be None, auto, svd or eigen.")
        return super()._check()

    def _folds(self, data: Training, y: Any, split: dict[str, Any]) -> list[Fold]:
        return make_folds(check_cv(self.cv), data, **split)

    def _judge(self, alpha: float, solutions: list[Solution], data: Training) -> Ridge:
        judge = Ridge(alpha=alpha, fit_intercept=self.fit_intercept)
        judge.n_features_in_ = self.n_features_in_
        judge._keep_solutions(solutions, squeeze=True, array=data.y.ndim == 2)
        return judge

    def _scores_left_out(
        self, predictions: Floats, samples: tuple[Training, Any], score: dict[str, Any]
    ) -> list[Any]:
        scorer, judge, y = scorer_of(self), _Given(), samples[1]
        if self.alpha_per_target and y.ndim == 2:
            pairs = zip(predictions.T, y.T, strict=True)
            return [scorer(judge, found, true, **score) for found, true in pairs]
        shaped = predictions[:, 0] if y.ndim == 1 else predictions
        return [scorer(judge, shaped, y, **score)] * predictions.shape[1]

    def _choose(self, scores: Floats, alphas: Floats, y: Any) -> Floats:
        if not self.alpha_per_target or y.ndim == 1:
            return super()._choose(scores, alphas, y)
        picks = [pick(each, alphas, self.select_alpha) for each in np.moveaxis(scores, 1, 0)]
        self.best_score_ = np.array([best for _, best in picks])
        chosen = alphas[[place for place, _ in picks]]
        self.alpha_ = chosen if len(chosen) > 1 else float(chosen[0])
        return np.asarray(chosen)


class _Given(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted regressor whose samples are its predictions."""

    def predict(self, X: Any) -> Any:
        """Return the predictions."""
        return X

    def __sklearn_is_fitted__(self) -> bool:
        return True
