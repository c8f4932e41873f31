"""Ridge regression with a chosen penalty."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MethodMapping

from banditcd._typing import Floats
from banditcd.estimators.backends.messages import warn_unless_converged
from banditcd.estimators.backends.ridge import AUTOMATIC, RidgeMethod, RidgeSolver
from banditcd.estimators.backends.tasks import Tasks, begin_tasks
from banditcd.estimators.bases.fitting import fitting
from banditcd.estimators.bases.linear_model import PenalizedLinearModel
from banditcd.estimators.checks.column_options import PLAIN
from banditcd.estimators.checks.grid import check_strength
from banditcd.estimators.checks.inputs import Training, check_training
from banditcd.estimators.checks.parameters import check_flag
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.estimators.checks.types import Folds, Scoring, SelectAlpha, Strengths
from banditcd.estimators.ridge import Ridge, check_ridge, keep_type
from banditcd.estimators.search.fold_errors import rows_of
from banditcd.estimators.search.placed_ridge import search_elsewhere
from banditcd.estimators.search.routing import new_router, routed, routed_splitter
from banditcd.estimators.search.scoring import rows_of_arguments, scorer_of
from banditcd.estimators.search.selection import check_rule, strongest_within_one_error
from banditcd.estimators.search.splits import Fold, make_folds
from banditcd.solvers.arrays import is_sparse

MODES = (None, "auto", "svd", "eigen")
SPARSE_SVD = (
    "The 'svd' mode is not supported for sparse X: the smaller Gram matrix is decomposed, as "
    "always. scikit-learn 1.11 refuses this word; leave gcv_mode=None."
)


class RidgeCV(MultiOutputMixin, PenalizedLinearModel):  # type: ignore[misc]
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
    alpha_per_target : bool, default=False
        Choose an alpha for each response (leave-one-out only).
    select_alpha : {"min", "1se"}, default="min"
        "min" takes the best mean score, "1se" the largest alpha within one standard error of it
        (over samples, or over folds).
    tol : float, default=1e-4
        Tolerance of the final fit's certificate, as in :class:`banditcd.Ridge`; direct solvers
        are more exact than that.

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

    def __init__(
        self,
        alphas: Strengths = (0.1, 1.0, 10.0),
        *,
        fit_intercept: bool = True,
        scoring: Scoring = None,
        cv: Folds = None,
        gcv_mode: Literal["auto", "svd", "eigen"] | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
        select_alpha: SelectAlpha = "min",
        tol: float = 1e-4,
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.select_alpha = select_alpha
        self.tol = tol

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
        split, score = routed(self, data.sample_weight, params)
        for name in ("cv_results_", "fold_scores_"):
            self.__dict__.pop(name, None)
        if self.cv is None:
            tasks = begin_tasks(self, data, max_subtasks=1)
            chosen = self._leave_one_out(data, settings, alphas, score)
        else:
            folds = make_folds(check_cv(self.cv), data, **split)
            tasks = begin_tasks(self, data, max_subtasks=len(folds) + 1)
            chosen = self._by_folds(data, settings, alphas, (folds, score), tasks)
        leaf = tasks.subtask("refit")
        method = RidgeMethod(exact=True) if self.cv is None else AUTOMATIC  # as in scikit-learn
        solutions = RidgeSolver(data, PLAIN, settings, method).solve(chosen)
        tasks.close(leaf, {})
        self._keep_solutions(solutions, squeeze=True, array=data.y.ndim == 2)
        keep_type(self, data.X.dtype)
        self.solver_ = solutions[0].certificate.regime
        warn_unless_converged([s.certificate for s in solutions], settings, stacklevel=3)
        tasks.end()
        return self

    def _fit_elsewhere(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> Any:
        certificates, settings = search_elsewhere(self, (X, y, sample_weight), params)
        warn_unless_converged(certificates, settings, stacklevel=3)
        return self

    def get_metadata_routing(self) -> Any:
        """Return the routing of metadata: to this fit, the scorer and the splitter."""
        router = new_router(self)
        router.add(
            scorer=scorer_of(self), method_mapping=MethodMapping().add(caller="fit", callee="score")
        )
        return router.add(
            splitter=routed_splitter(self.cv),
            method_mapping=MethodMapping().add(caller="fit", callee="split"),
        )

    def _check(self) -> tuple[Floats, LinearSettings]:
        """Check the parameters that need no data."""
        settings, _ = check_ridge(Ridge(fit_intercept=self.fit_intercept, tol=self.tol))
        for name in ("store_cv_results", "alpha_per_target"):
            if check_flag(getattr(self, name), name) and self.cv is not None:
                raise ValueError(f"cv!=None and {name}=True are incompatible; leave cv=None.")
        if self.gcv_mode not in MODES:
            raise ValueError(f"gcv_mode is {self.gcv_mode!r}; it must be None, auto, svd or eigen.")
        check_rule(self.select_alpha, "select_alpha", ("min", "1se"))
        return check_alphas(self.alphas, positive=self.cv is None), settings

    def _leave_one_out(
        self, data: Training, settings: LinearSettings, alphas: Floats, score: dict[str, Any]
    ) -> Floats:
        """Predict every sample without itself; return an alpha for each response."""
        errors = RidgeSolver(data, PLAIN, settings, solves=len(alphas)).leave_one_out(alphas)
        responses = data.y[:, None] if data.y.ndim == 1 else data.y
        weight = 1.0 if data.sample_weight is None else data.sample_weight[:, None]
        if self.scoring is None:
            kept = weight * errors**2  # (n_alphas, n, n_targets)
            scores = -np.moveaxis(kept, 0, 2)  # samples, targets, alphas
        else:
            kept = responses - errors
            scores = self._scored(kept, data, score)
        if self.store_cv_results:
            results = np.moveaxis(kept, 0, 2).astype(data.X.dtype, copy=False)
            self.cv_results_ = results[:, 0] if data.y.ndim == 1 else results
        targets = responses.shape[1]
        if self.alpha_per_target and targets > 1:
            picks = [pick(scores[:, k], alphas, self.select_alpha) for k in range(targets)]
            self.best_score_: Any = np.array([best for _, best in picks])
            self.alpha_: Any = alphas[[place for place, _ in picks]]
            return np.asarray(self.alpha_)
        place, best = pick(scores.mean(axis=1), alphas, self.select_alpha)
        self.best_score_ = np.array([best]) if self.alpha_per_target and data.y.ndim == 2 else best
        self.alpha_ = float(alphas[place])
        return np.full(targets, self.alpha_)

    def _scored(self, predictions: Floats, data: Training, score: dict[str, Any]) -> Floats:
        """Return the scorer's opinion of all predictions, shape (1, n_targets, n_alphas)."""
        scorer, apart = scorer_of(self), self.alpha_per_target and data.y.ndim == 2
        judge = _Given()
        out = []
        for found in predictions:
            if apart:
                each = [
                    scorer(judge, found[:, k], data.y[:, k], **score) for k in range(found.shape[1])
                ]
            else:
                shaped = found[:, 0] if data.y.ndim == 1 else found
                each = [scorer(judge, shaped, data.y, **score)] * found.shape[1]
            out.append(each)
        return np.array(out).T[None]

    def _by_folds(
        self,
        data: Training,
        settings: LinearSettings,
        alphas: Floats,
        splits: tuple[list[Fold], dict[str, Any]],
        tasks: Tasks,
    ) -> Floats:
        """Score every alpha on every fold; return an alpha for each response."""
        folds, score = splits
        scorer, n = scorer_of(self), data.X.shape[0]
        targets = 1 if data.y.ndim == 1 else data.y.shape[1]
        scores = np.empty((len(folds), len(alphas)))
        for row, fold in zip(scores, folds, strict=True):
            solver = RidgeSolver(rows_of(data, fold.train), PLAIN, settings, solves=len(alphas))
            test = rows_of(data, fold.test)
            cut = rows_of_arguments(score, fold.test, n)
            for k, alpha in enumerate(alphas):
                judge = Ridge(alpha=alpha, fit_intercept=self.fit_intercept)
                judge.n_features_in_ = self.n_features_in_
                found = solver.solve(np.full(targets, alpha))
                judge._keep_solutions(found, squeeze=True, array=data.y.ndim == 2)
                row[k] = scorer(judge, test.X, test.y, **cut)
            tasks.close(tasks.subtask("fold"))
        self.fold_scores_ = scores
        place, self.best_score_ = pick(scores, alphas, self.select_alpha)
        self.alpha_ = float(alphas[place])
        return np.full(targets, self.alpha_)


def pick(scores: Floats, alphas: Floats, rule: str) -> tuple[int, float]:
    """Return the position of the chosen alpha and its mean score."""
    mean = scores.mean(axis=0)
    best = int(np.argmax(mean))
    if rule == "1se":
        best = strongest_within_one_error(scores, best, np.argsort(-alphas, kind="stable"))
    return best, float(mean[best])


def check_alphas(alphas: Any, *, positive: bool) -> Floats:
    """Return the penalties to choose from, > 0 if they must be ``positive``."""
    single = np.ndim(alphas) == 0
    values = [alphas] if single else list(alphas)
    if not values:
        raise ValueError("alphas is empty; give at least one value.")
    for k, alpha in enumerate(values):
        check_strength(alpha, "alphas" if single else f"alphas[{k}]", positive)
    return np.array(values, dtype=np.float64)


class _Given(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted regressor whose samples are its predictions."""

    def predict(self, X: Any) -> Any:
        """Return the predictions."""
        return X

    def __sklearn_is_fitted__(self) -> bool:
        return True
