r"""L1 support vector classification, fast and certified.

.. math::

    \min_{w,\,b}\ \frac{1}{n}\sum_i s_i \max\bigl(0, 1 - y_i (x_i^\top w + b)\bigr)^2
    + \sum_j p_j \Bigl(\lambda_1 |w_j| + \frac{\lambda_2}{2} w_j^2\Bigr),
    \qquad \mathrm{lower}_j \le w_j \le \mathrm{upper}_j,

with labels :math:`y_i \in \{-1, +1\}`, plain row weights :math:`s` and an optional unpenalized
:math:`b`. The method is that of :mod:`banditcd.solvers.logistic`, bins and proximal Newton steps,
with another loss: a row short of its margin has the curvature :math:`2 s_i` and the others a small
share of the mean, so that near the solution a step is exact. After a step that had to be cut, all
rows have :math:`2 s_i`, which bounds the loss from above. The dual of the loss at
:math:`\theta_i = s_i y_i p_i`, :math:`p_i \ge 0`, is :math:`s_i (p_i - p_i^2 / 4)`; at the pulls
scaled by t it is :math:`(1 - t)^2` times the loss short of it.

Regimes: "pool", "residual" and "null", and ``n_iter`` and ``max_iter``, as in
:mod:`banditcd.solvers.logistic`.
"""

from __future__ import annotations

from banditcd.solvers.logistic import LogisticSession


class L1SvmSession(LogisticSession):
    """A matrix and its labels, ready to be solved for one penalty after another.

    Everything is as in :class:`banditcd.solvers.LogisticSession`, but for the loss. If all weight
    is on one class and there is an intercept, that class as a constant has objective 0.

    Parameters
    ----------
    X, y, fit_intercept, sample_weight, penalty_weights, lower, upper, pool_bytes, n_threads
        As there.
    """

    _squared_hinge = True
