"""Lasso."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from banditcd.estimators.bases.constructor import with_constructor
from banditcd.estimators.checks.docs import documented
from banditcd.estimators.elastic_net import COMMON, ElasticNet

if TYPE_CHECKING:
    pass


@documented(**COMMON)
@with_constructor
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

    l1_ratio: float = field(default=1.0, init=False)
