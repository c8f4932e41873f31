"""Elastic net of several responses that use the same features."""

from __future__ import annotations

from typing import Any

from sklearn.base import MultiOutputMixin

from banditcd.estimators.bases.block_model import BlockModel
from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.groups import Blocks, check_group_weights
from banditcd.estimators.checks.inputs import Training, check_training
from banditcd.estimators.checks.types import PerColumn, RandomState, Selection
from banditcd.estimators.paths import enet_path
from banditcd.solvers import POOL_BYTES


def check_responses(estimator: Any, X: Any, y: Any, sample_weight: Any, single: str) -> Training:
    """Check the data of several responses; one alone belongs to the class named."""
    data = check_training(estimator, X, y, sample_weight, multi_output=True)
    if data.y.ndim == 1:
        raise ValueError(
            f"For mono-task outputs, use {single}: y has one dimension, and "
            f"{type(estimator).__name__} needs shape (n_samples, n_targets)."
        )
    return data


@documented_blocks
class MultiTaskElasticNet(MultiOutputMixin, BlockModel):  # type: ignore[misc]
    r"""Linear regressions of several responses on the same few features, certified.

    .. math::

        \min_{W, b}\ \frac{1}{2n} \sum_{i,k} s_i (y_{ik} - b_k - x_i^\top w_k)^2
        + \alpha \sum_j p_j \Bigl(\rho \|W_j\| + \frac{1 - \rho}{2} \|W_j\|^2\Bigr)

    with :math:`W_j` the coefficients of feature j for all responses, sample weights :math:`s`
    normalized to sum to n, ``penalty_weights`` p and :math:`\rho` = ``l1_ratio``: a feature is used
    by all responses or by none. A drop-in replacement of scikit-learn's class. Coefficients of a
    block have no bounds: ``positive`` is a word of :class:`banditcd.ElasticNet`.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty strength, at least 0.
    l1_ratio : float, default=0.5
        Share of the penalty on the norms; the rest is on their squares.
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
    >>> from banditcd import MultiTaskElasticNet
    >>> model = MultiTaskElasticNet(0.1).fit([[0.0], [1.0], [2.0]], [[0, 0], [1, 1], [2, 2]])
    >>> model.certificate_.converged
    True
    """

    path = staticmethod(enet_path)

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
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
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.selection = selection
        self.penalty_weights = penalty_weights
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    def _blocks(self, n_features: int) -> Blocks:
        return task_blocks(self.penalty_weights, n_features)

    def _training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        return check_responses(self, X, y, sample_weight, "ElasticNet")


def task_blocks(penalty_weights: Any, n_features: int) -> Blocks:
    """Return one block for every feature."""
    if penalty_weights is None:
        return Blocks()
    return Blocks(weights=check_group_weights(penalty_weights, n_features, "penalty_weights"))
