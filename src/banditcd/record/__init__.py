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

What a Lasso does not need is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from banditcd.record.path import RecordPath
from banditcd.record.result import RecordResult
from banditcd.record.session import POOL_BYTES
from banditcd.record.solve import RecordSession, largest_penalty, solve, solve_path

if TYPE_CHECKING:
    from banditcd.record.folds import RecordFolds
    from banditcd.record.logistic import LogisticSession, solve_logistic, solve_logistic_path
    from banditcd.record.ridge import RidgeSession
    from banditcd.record.smooth import L2LogisticSession
    from banditcd.record.targets import RecordTargets

_HOMES = {
    "L2LogisticSession": "smooth",
    "LogisticSession": "logistic",
    "RecordFolds": "folds",
    "RecordTargets": "targets",
    "RidgeSession": "ridge",
    "solve_logistic": "logistic",
    "solve_logistic_path": "logistic",
}

__all__ = [
    "POOL_BYTES",
    "L2LogisticSession",
    "LogisticSession",
    "RecordFolds",
    "RecordPath",
    "RecordResult",
    "RecordSession",
    "RecordTargets",
    "RidgeSession",
    "largest_penalty",
    "solve",
    "solve_logistic",
    "solve_logistic_path",
    "solve_path",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'banditcd.record' has no attribute {name!r}")
    value = getattr(import_module(f"banditcd.record.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
