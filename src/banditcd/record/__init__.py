r"""The record solvers, fast and certified.

Squared loss with an L1 or elastic-net penalty (:class:`RecordSession`):

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
"""

from banditcd.record.logistic import LogisticSession, solve_logistic, solve_logistic_path
from banditcd.record.result import RecordResult
from banditcd.record.ridge import RidgeSession
from banditcd.record.smooth import L2LogisticSession
from banditcd.record.solve import RecordSession, largest_penalty, solve, solve_path

__all__ = [
    "L2LogisticSession",
    "LogisticSession",
    "RecordResult",
    "RecordSession",
    "RidgeSession",
    "largest_penalty",
    "solve",
    "solve_logistic",
    "solve_logistic_path",
    "solve_path",
]
