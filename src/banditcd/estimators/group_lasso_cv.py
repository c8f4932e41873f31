"""Group Lasso with a chosen penalty."""

from __future__ import annotations

from numpy.typing import ArrayLike

from banditcd.estimators.bases.block_search import BlockSearch
from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.groups import Blocks, check_groups
from banditcd.estimators.checks.types import Folds, Grid, Groups, SelectAlpha
from banditcd.solvers import POOL_BYTES


@documented_blocks
class GroupLassoCV(BlockSearch):
    """Group Lasso whose alpha is chosen by cross-validation, certified.

    The objective is that of :class:`banditcd.GroupLasso`; every fold's path and the final fit stop
    at their duality gap.

    Parameters
    ----------
    {group_parameters}
    {weight_parameters}
    {search_parameters}
    {select_parameters}
    {common_parameters}
    pool_bytes : int, default=2**30
        Memory that the Gram matrix of the pool may take; beyond it the solver works on the
        residual.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients; those of a group are zero or not as a whole.
    intercept_ : float
        The intercept; 0.0 without one.
    {search_attributes}
    {common_attributes}

    Examples
    --------
    >>> from banditcd import GroupLassoCV
    >>> model = GroupLassoCV(groups=4, cv=3)
    """

    def __init__(
        self,
        groups: Groups = 1,
        *,
        weights: ArrayLike | None = None,
        eps: float = 1e-3,
        alphas: Grid = 100,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        cv: Folds = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
        select_alpha: SelectAlpha = "min",
    ) -> None:
        self.groups = groups
        self.weights = weights
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads
        self.select_alpha = select_alpha

    def _blocks(self, n_features: int) -> Blocks:
        return check_groups(self.groups, self.weights, n_features)
