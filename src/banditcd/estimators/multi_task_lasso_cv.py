"""Lasso of several responses, with a chosen penalty."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.base import MultiOutputMixin

from banditcd.estimators.bases.block_search import BlockSearch
from banditcd.estimators.checks.block_docs import documented_blocks
from banditcd.estimators.checks.groups import Blocks
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.types import (
    Folds,
    Grid,
    PerColumn,
    RandomState,
    SelectAlpha,
    Selection,
)
from banditcd.estimators.multi_task_elastic_net import check_responses, task_blocks
from banditcd.estimators.paths import lasso_path
from banditcd.solvers import POOL_BYTES


@documented_blocks
class MultiTaskLassoCV(MultiOutputMixin, BlockSearch):  # type: ignore[misc]
    """Multi-task Lasso whose alpha is chosen by cross-validation, certified.

    A drop-in replacement of scikit-learn's class. The objective is that of
    :class:`banditcd.MultiTaskLasso`; every fold's path and the final fit stop at their duality
    gap.

    Parameters
    ----------
    {search_parameters}
    n_alphas : int, default="deprecated"
        The older word for an integer ``alphas``, with a FutureWarning.
    {select_parameters}
    {common_parameters}
    {task_parameters}

    Attributes
    ----------
    coef_ : ndarray of shape (n_targets, n_features)
        Coefficients; a column is zero or not as a whole.
    intercept_ : ndarray of shape (n_targets,)
        Intercepts; 0 without.
    {search_attributes}
    {common_attributes}

    Examples
    --------
    >>> from banditcd import MultiTaskLassoCV
    >>> model = MultiTaskLassoCV(cv=3)
    """

    path = staticmethod(lasso_path)

    def __init__(
        self,
        *,
        eps: float = 1e-3,
        alphas: Grid = 100,
        n_alphas: int | Literal["deprecated"] = "deprecated",
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        copy_X: bool = True,
        cv: Folds = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        selection: Selection = "cyclic",
        penalty_weights: PerColumn = None,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
        select_alpha: SelectAlpha = "min",
    ) -> None:
        self.eps = eps
        self.alphas = alphas
        self.n_alphas = n_alphas
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.selection = selection
        self.penalty_weights = penalty_weights
        self.pool_bytes = pool_bytes
        self.n_threads = n_threads
        self.select_alpha = select_alpha

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    def _blocks(self, n_features: int) -> Blocks:
        return task_blocks(self.penalty_weights, n_features)

    def _training(self, X: Any, y: Any, sample_weight: Any) -> Training:
        return check_responses(self, X, y, sample_weight, "LassoCV")
