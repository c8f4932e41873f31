"""Lasso with a chosen penalty."""

from __future__ import annotations

from typing import Literal

from numpy.typing import ArrayLike

from banditcd.estimators.bases.cross_validated import CrossValidatedModel
from banditcd.estimators.checks.docs import documented
from banditcd.estimators.checks.types import (
    Folds,
    PerColumn,
    Precompute,
    RandomState,
    Selection,
    SelectorLike,
    SolverWord,
)
from banditcd.estimators.paths import lasso_path
from banditcd.solvers import POOL_BYTES

COMMON = {"precompute": '"auto"', "targets": "", "several": ""}


@documented(**COMMON)
class LassoCV(CrossValidatedModel):
    """Lasso whose alpha is chosen by cross-validation, certified.

    A drop-in replacement of scikit-learn's class. The objective is that of
    :class:`banditcd.Lasso`; every fold's path and the final fit stop at their duality gap. Folds
    that partition the rows share one Gram matrix where that pays: that of the training rows is
    that of all rows minus that of the test rows.

    Parameters
    ----------
    eps : float, default=1e-3
        How far an automatic grid reaches, between 0 and 1: its smallest alpha is ``eps`` times its
        largest, the one at which no feature is used.
    alphas : int or array-like, default=100
        How many alphas in an automatic grid, or their values.
    n_alphas : int, default="deprecated"
        The older word for an integer ``alphas``, with a FutureWarning.
    {common_parameters}
    cv : int, splitter or iterable, default=None
        Folds: 5 by default, a number, any splitter of scikit-learn (also for groups and time
        series), or pairs of training and test rows.
    verbose : bool or int, default=False
        Show a progress bar over the folds, and write gap and iterations to standard error.
    n_jobs : int or None, default=None
        Folds fitted at the same time, in threads; in processes if joblib is told so.
    select_alpha : {"min", "1se", "aic", "bic"}, default="min"
        "min" takes the smallest mean test error, "1se" the largest alpha within one standard
        error of it. "aic" and "bic" need no folds:
        n log(RSS / n) + c df, c = 2 or log(n), on all samples.
    store_path : bool, default=False
        Keep the whole path of all samples for :meth:`predict_path` and
        :class:`banditcd.PathDisplay`.

    Attributes
    ----------
    alpha_ : float
        The chosen alpha.
    alphas_ : ndarray of shape (n_alphas,)
        The alphas compared, from large to small.
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        Mean squared error on the test rows of every fold.
    support_path_ : ndarray of the same shape
        Number of features that the model of every fold uses.
    criterion_ : ndarray of shape (n_alphas,)
        AIC or BIC, instead of ``mse_path_``, if that was asked for.
    alpha_path_, coef_path_, intercept_path_ : ndarrays
        With ``store_path=True``: alphas, coefficients of shape (n_features, n_alphas) and
        intercepts of all samples, for the chosen l1_ratio.
    {common_attributes}

    Examples
    --------
    >>> from banditcd import LassoCV
    >>> model = LassoCV(cv=3, select_alpha="1se")
    """

    path = staticmethod(lasso_path)

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: int | ArrayLike = 100,
        n_alphas: int | Literal["deprecated"] = "deprecated",
        fit_intercept: bool = True,
        precompute: Precompute = "auto",
        max_iter: int = 1000,
        tol: float = 1e-4,
        copy_X: bool = True,
        cv: Folds = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Selection = "cyclic",
        solver: SolverWord = "auto",
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        standardize: bool = False,
        select_alpha: Literal["min", "1se", "aic", "bic"] = "min",
        store_path: bool = False,
        n_threads: int | None = None,
        pool_bytes: int = POOL_BYTES,
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.n_alphas = n_alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.solver = solver
        self.selector = selector
        self.penalty_weights = penalty_weights
        self.lower = lower
        self.upper = upper
        self.standardize = standardize
        self.select_alpha = select_alpha
        self.store_path = store_path
        self.n_threads = n_threads
        self.pool_bytes = pool_bytes
