"""Elastic net with a chosen penalty."""

from __future__ import annotations

from typing import Any

from banditcd.estimators.bases.cross_validated import CrossValidatedModel
from banditcd.estimators.checks.docs import documented
from banditcd.estimators.lasso_cv import COMMON
from banditcd.estimators.paths import enet_path
from banditcd.solvers import POOL_BYTES


@documented(**COMMON)
class ElasticNetCV(CrossValidatedModel):
    """Elastic net whose alpha and l1_ratio are chosen by cross-validation, certified.

    A drop-in replacement of scikit-learn's class. The objective is that of
    :class:`banditcd.ElasticNet`; every fold's path and the final fit stop at their duality gap.
    Folds that partition the rows share one Gram matrix where that pays: that of the training rows
    is that of all rows minus that of the test rows.

    Parameters
    ----------
    l1_ratio : float or array-like, default=0.5
        Share of the L1 penalty, from 0 to 1, or several to choose from.
    eps : float, default=1e-3
        Smallest alpha of an automatic grid, relative to the largest.
    alphas : int or array-like, default=100
        How many alphas in an automatic grid, or their values.
    {common_parameters}
    cv : int, splitter or iterable, default=None
        Folds: 5 by default, a number, any splitter of scikit-learn (also for groups and time
        series), or pairs of training and test rows.
    verbose : bool or int, default=False
        Show a progress bar over the folds.
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
    l1_ratio_ : float
        The chosen l1_ratio.
    alphas_ : ndarray of shape (n_alphas,) or (n_l1_ratio, n_alphas)
        The alphas compared, from large to small.
    mse_path_ : ndarray of shape (n_alphas, n_folds) or (n_l1_ratio, n_alphas, n_folds)
        Mean squared error on the test rows of every fold.
    criterion_ : ndarray of shape (n_alphas,) or (n_l1_ratio, n_alphas)
        AIC or BIC, instead of ``mse_path_``, if that was asked for.
    alpha_path_, coef_path_, intercept_path_ : ndarrays
        With ``store_path=True``: alphas, coefficients of shape (n_features, n_alphas) and
        intercepts of all samples, for the chosen l1_ratio.
    {common_attributes}

    Examples
    --------
    >>> from banditcd import ElasticNetCV
    >>> model = ElasticNetCV(l1_ratio=[0.5, 0.9, 1.0], cv=3)
    """

    path = staticmethod(enet_path)

    def __init__(
        self,
        *,
        l1_ratio: Any = 0.5,
        eps: Any = 1e-3,
        alphas: Any = 100,
        fit_intercept: Any = True,
        precompute: Any = "auto",
        max_iter: Any = 1000,
        tol: Any = 1e-4,
        copy_X: Any = True,
        cv: Any = None,
        verbose: Any = False,
        n_jobs: Any = None,
        positive: Any = False,
        random_state: Any = None,
        selection: Any = "cyclic",
        solver: Any = "auto",
        selector: Any = "auto",
        penalty_weights: Any = None,
        lower: Any = None,
        upper: Any = None,
        standardize: Any = False,
        select_alpha: Any = "min",
        store_path: Any = False,
        n_threads: Any = None,
        pool_bytes: Any = POOL_BYTES,
    ) -> None:
        self.l1_ratio = l1_ratio
        super().__init__(
            eps=eps,
            alphas=alphas,
            fit_intercept=fit_intercept,
            precompute=precompute,
            max_iter=max_iter,
            tol=tol,
            copy_X=copy_X,
            cv=cv,
            verbose=verbose,
            n_jobs=n_jobs,
            positive=positive,
            random_state=random_state,
            selection=selection,
            solver=solver,
            selector=selector,
            penalty_weights=penalty_weights,
            lower=lower,
            upper=upper,
            standardize=standardize,
            select_alpha=select_alpha,
            store_path=store_path,
            n_threads=n_threads,
            pool_bytes=pool_bytes,
        )
