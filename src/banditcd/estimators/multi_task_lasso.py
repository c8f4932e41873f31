"""Lasso of several responses that use the same features."""

from __future__ import annotations

from typing import Any

from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.types import PerColumn, RandomState, Selection
from banditcd.estimators.multi_task_elastic_net import MultiTaskElasticNet, check_responses
from banditcd.estimators.paths import lasso_path
from banditcd.solvers import POOL_BYTES


@documented_blocks
class MultiTaskLasso(MultiTaskElasticNet):
    r"""Linear regressions of several responses on the same few features, certified.

    .. math::

        \min_{W, b}\ \frac{1}{2n} \sum_{i,k} s_i (y_{ik} - b_k - x_i^\top w_k)^2
        + \alpha \sum_j p_j \|W_j\|

    :class:`banditcd.MultiTaskElasticNet` with ``l1_ratio=1``: a feature is used by all responses
    or by none. A drop-in replacement of scikit-learn's class.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty strength, at least 0.
    {common_parameters}
    warm_start : bool, default=False
        Start at the coefficients of the last fit.
    {task_parameters}

    Attributes
    ----------
    coef_ : ndarray of shape (n_targets, n_features)
        Coefficients; a column is zero or not as a whole.
    intercept_ : ndarray of shape (n_targets,)
        Intercepts; 0 without.
    {common_attributes}

    Examples
    --------
    >>> from banditcd import MultiTaskLasso
    >>> model = MultiTaskLasso(0.1).fit([[0.0], [1.0], [2.0]], [[0, 0], [1, 1], [2, 2]])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    path = staticmethod(lasso_path)  # type: ignore[assignment]

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: RandomState = None,
        selection: Selection = "cyclic",
        penalty_weights: PerColumn = None,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        super().__init__(
            alpha=alpha,
            l1_ratio=1.0,
            fit_intercept=fit_intercept,
            copy_X=copy_X,
            max_iter=max_iter,
            tol=tol,
            warm_start=warm_start,
            random_state=random_state,
            selection=selection,
            penalty_weights=penalty_weights,
            pool_bytes=pool_bytes,
            n_threads=n_threads,
        )

    def _training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        return check_responses(self, X, y, sample_weight, "Lasso")
