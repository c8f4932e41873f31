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

import math
from dataclasses import replace

from banditcd.solvers.logistic import LogisticSession
from banditcd.solvers.result import Result

#: How often a solve that lost its patience goes on; the share of the objective that the gap then
#: is at least (below it rounding has the last word), and of the gap by which the objective falls.
ROUNDS, FAR, FALLING = 40, 1e-6, 1e-6


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

    def solve(
        self,
        l1: float,
        l2: float = 0.0,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
    ) -> Result:
        """Minimize for one penalty, warm-started; parameters and result are as there.

        Rows cross their margins in most steps as long as many columns come and go, so that bins
        without a smaller gap are common far from the optimum: where the patience for them ends
        and the objective still falls, the solve goes on.
        """
        runs = [super().solve(l1, l2, tol=tol, max_iter=max_iter, max_seconds=max_seconds)]
        while runs[-1].status == "stalled" and len(runs) <= ROUNDS:
            last, bins = runs[-1], max_iter - sum(run.n_iter for run in runs)
            seconds = max_seconds - sum(run.seconds for run in runs)
            if bins <= 0 or seconds <= 0.0 or not last.gap > FAR * last.primal:
                break
            runs.append(super().solve(l1, l2, tol=tol, max_iter=bins, max_seconds=seconds))
            if not last.primal - runs[-1].primal > FALLING * last.gap:
                break
        return replace(
            runs[-1],
            passes=sum(run.passes for run in runs),
            n_iter=sum(run.n_iter for run in runs),
            seconds=sum(run.seconds for run in runs),
            work=sum(run.work for run in runs),
        )
