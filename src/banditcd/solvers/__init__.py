r"""The fast solvers behind the estimators, each certified by a duality gap.

Squared loss with an L1 or elastic-net penalty (:class:`ElasticNetSession`):

.. math::

    \min_{w,\,b}\ \frac{1}{2n}\sum_i s_i (y_i - b - x_i^\top w)^2
    + \sum_j p_j \Bigl(\lambda_1 |w_j| + \frac{\lambda_2}{2} w_j^2\Bigr),
    \qquad \mathrm{lower}_j \le w_j \le \mathrm{upper}_j,

with row weights :math:`s` normalized to sum to :math:`n` and an optional unpenalized
:math:`b`. The parts are those of the paper's bins: one refresh of all columns (done lazily,
with safe bounds on stale correlations), the marginal decreases decide which columns enter,
and the work between two refreshes touches only a pool of columns, in Gram space. Without an L1
term, :class:`RidgeSession` and :class:`L2LogisticSession` use factored Hessians, conjugate
gradients and dual coordinates.

What a Lasso does not need is imported on first use.
"""

from typing import TYPE_CHECKING

from banditcd._first_use import on_first_use
from banditcd.solvers.elastic_net import ElasticNetSession
from banditcd.solvers.path import Path
from banditcd.solvers.result import Result
from banditcd.solvers.session import POOL_BYTES

if TYPE_CHECKING:
    from banditcd.solvers.folds import ElasticNetFolds
    from banditcd.solvers.groups import BlockResult, GroupSession
    from banditcd.solvers.l1_svm import L1SvmSession
    from banditcd.solvers.l2_logistic import L2LogisticSession
    from banditcd.solvers.logistic import LogisticSession
    from banditcd.solvers.multinomial import L2MultinomialSession, MultinomialSession
    from banditcd.solvers.ridge import RidgeSession
    from banditcd.solvers.svm import SvmSession
    from banditcd.solvers.svr import SvrSession
    from banditcd.solvers.targets import ElasticNetTargets

_HOMES = {
    "BlockResult": "groups",
    "ElasticNetFolds": "folds",
    "ElasticNetTargets": "targets",
    "GroupSession": "groups",
    "L1SvmSession": "l1_svm",
    "L2LogisticSession": "l2_logistic",
    "L2MultinomialSession": "multinomial",
    "LogisticSession": "logistic",
    "MultinomialSession": "multinomial",
    "RidgeSession": "ridge",
    "SvmSession": "svm",
    "SvrSession": "svr",
}

__all__ = [
    "POOL_BYTES",
    "BlockResult",
    "ElasticNetFolds",
    "ElasticNetSession",
    "ElasticNetTargets",
    "GroupSession",
    "L1SvmSession",
    "L2LogisticSession",
    "L2MultinomialSession",
    "LogisticSession",
    "MultinomialSession",
    "Path",
    "Result",
    "RidgeSession",
    "SvmSession",
    "SvrSession",
]


__getattr__ = on_first_use(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
