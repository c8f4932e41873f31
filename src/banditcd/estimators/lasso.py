"""Lasso."""

from __future__ import annotations

from banditcd.estimators.checks.docs import documented
from banditcd.estimators.checks.types import (
    PerColumn,
    Precompute,
    RandomState,
    Selection,
    SelectorLike,
    SolverWord,
)
from banditcd.estimators.elastic_net import COMMON, ElasticNet
from banditcd.solvers import POOL_BYTES


@documented(**COMMON)
class Lasso(ElasticNet):
    r"""Linear regression with an L1 penalty, certified.

    .. math::

        \min_{w, b}\ \frac{1}{2n} \sum_i s_i (y_i - b - x_i^\top w)^2 + \alpha \sum_j p_j |w_j|

    with sample weights :math:`s` normalized to sum to n and ``penalty_weights`` p: the elastic
    net with ``l1_ratio=1``. A drop-in replacement of scikit-learn's class: same words, same
    scaling, same predictions to the tolerance.

    Parameters
    ----------
    alpha : float, default=1.0
        Penalty strength, at least 0. 0 is least squares, which this solver handles.
    {common_parameters}
    warm_start : bool, default=False
        Start at the coefficients of the last fit.
    record_history : bool, default=False
        Keep ``history_``: one row per bin or epoch.
    verbose : int, default=0
        1 writes gap and iterations to standard error, and for data that live elsewhere
        (``docs/places.md``) a line after every round.

    Attributes
    ----------
    {common_attributes}
    history_ : Trace, or a list
        With ``record_history=True``: objective, gap, work and seconds after each bin or epoch.

    Examples
    --------
    >>> from banditcd import Lasso
    >>> model = Lasso(alpha=0.1).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.certificate_.gap <= model.certificate_.target
    True
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Precompute = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: RandomState = None,
        selection: Selection = "cyclic",
        solver: SolverWord = "auto",
        selector: SelectorLike = "auto",
        penalty_weights: PerColumn = None,
        lower: PerColumn = None,
        upper: PerColumn = None,
        standardize: bool = False,
        record_history: bool = False,
        n_threads: int | None = None,
        pool_bytes: int = POOL_BYTES,
        verbose: bool | int = 0,
    ) -> None:
        super().__init__(
            alpha=alpha,
            l1_ratio=1.0,
            fit_intercept=fit_intercept,
            precompute=precompute,
            copy_X=copy_X,
            max_iter=max_iter,
            tol=tol,
            warm_start=warm_start,
            positive=positive,
            random_state=random_state,
            selection=selection,
            solver=solver,
            selector=selector,
            penalty_weights=penalty_weights,
            lower=lower,
            upper=upper,
            standardize=standardize,
            record_history=record_history,
            n_threads=n_threads,
            pool_bytes=pool_bytes,
            verbose=verbose,
        )
