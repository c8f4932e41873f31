"""Group Lasso."""

from __future__ import annotations

from numpy.typing import ArrayLike

from banditcd.estimators.bases.block_model import BlockModel
from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.groups import Blocks, check_groups
from banditcd.estimators.checks.types import Groups
from banditcd.solvers import POOL_BYTES


@documented_blocks
class GroupLasso(BlockModel):
    r"""Linear regression that uses groups of features as a whole or not at all, certified.

    .. math::

        \min_{w, b}\ \frac{1}{2n} \sum_i s_i (y_i - b - x_i^\top w)^2
        + \alpha \sum_g p_g \|w_g\|

    with sample weights :math:`s` normalized to sum to n and ``weights`` p of groups that do not
    overlap (Yuan and Lin, 2006). The largest useful alpha is
    :math:`\max_g \|X_g^\top (s \circ (y - \bar y))\| / (n p_g)`. Coefficients of a group have no
    bounds. adelie has the same default weights; those of celer and skglm are
    ``weights=numpy.ones(n_groups)``, with the same alpha.

    Parameters
    ----------
    {group_parameters}
    alpha : float, default=1.0
        Penalty strength, at least 0.
    {weight_parameters}
    {common_parameters}
    warm_start : bool, default=False
        Start at the coefficients of the last fit.
    pool_bytes : int, default=2**30
        Memory that the Gram matrix of the pool may take; beyond it the solver works on the
        residual.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients; those of a group are zero or not as a whole.
    intercept_ : float
        The intercept; 0.0 without one.
    {common_attributes}

    Examples
    --------
    >>> from banditcd import GroupLasso
    >>> X = [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [2.0, 1.0, 1.0]]
    >>> model = GroupLasso(["size", "size", "age"], alpha=0.1).fit(X, [0.0, 1.0, 2.0])
    >>> model.certificate_.converged
    True
    """

    def __init__(
        self,
        groups: Groups = 1,
        alpha: float = 1.0,
        *,
        weights: ArrayLike | None = None,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        self.groups = groups
        self.alpha = alpha
        self.weights = weights
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads

    def _blocks(self, n_features: int) -> Blocks:
        return check_groups(self.groups, self.weights, n_features)
