r"""L2-regularized logistic regression with a certificate, by damped Newton steps.

.. math::

    P(w, b) = \frac1n\sum_i s_i \log\bigl(1 + e^{-y_i (x_i^\top w + b)}\bigr)
    + \frac{\lambda}{2}\sum_j p_j w_j^2 .

With margins :math:`m` and :math:`q_i = 1/(1+e^{m_i})`, the dual point
:math:`\alpha_i = y_i s_i q_i` gives

.. math::

    P - D(\alpha) = \sum_j \frac{(\partial_j P)^2}{2 \lambda p_j}

exactly, because Fenchel-Young holds with equality in every loss. Columns with :math:`p_j = 0` and
the intercept ask the dual point to be orthogonal to them: it is projected first, along the free
columns' own Newton step, and each loss then adds :math:`s_i\,\mathrm{KL}(q_i' \| q_i) / n`.

A second dual point is carried along: the probabilities :math:`p = q - D\,\Delta m` that a Newton
step's quadratic model predicts satisfy :math:`\lambda w = X^\top(y s p)/n` at its end. Their gap
:math:`\tfrac1n\sum_i s_i \mathrm{KL}(p_i \| q_i)` does not grow with :math:`1/\lambda`; the best
point between the two certifies.

Regimes: "newton" (a factored Hessian), "newton_cg" (products with it), "row_space" (the same in the
coordinates of the factored Gram matrix of the rows), and "dual_descent" (coordinate descent on the
dual variables). They are arms that hand one point over (docs/strategies.md); the one that certified
it is reported. ``n_iter`` counts Newton steps or passes; ``max_iter`` bounds them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import checked_weights, rows_of
from banditcd.solvers.result import Result, result_of


class L2LogisticSession:
    """A matrix and labels, ready to be solved for one penalty after another.

    Each solve starts from the point of the last one. The arrays are borrowed and must not change
    while the session lives. The caller has validated the input (finite, weights not negative);
    shapes and labels are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. C order and CSR are used as they are; anything else is converted once.
    y : ndarray of shape (n,)
        Labels, -1 or 1.
    fit_intercept : bool
        Whether there is an unpenalized intercept. X is never centered in memory.
    sample_weight : ndarray of shape (n,), optional
        Row weights s, used as they are; zeros are allowed.
    penalty_weights : ndarray of shape (d,), optional
        Multiply the penalty of a column: 0 means unpenalized, inf means excluded.
    n_threads : int, optional
        As in :class:`banditcd.solvers.ElasticNetSession`; sums over rows are added in an order
        that depends on it.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        data = _core.FitData(
            y, checked_weights(sample_weight), penalty_weights, None, None, fit_intercept
        )
        self._native = _core.L2Logistic(rows_of(X, n_threads), data)

    def start_at(self, coef: Floats, intercept: float = 0.0) -> None:
        """Let the next solve start at this point."""
        self._native.start_at(np.ascontiguousarray(coef, dtype=np.float64), intercept)

    def force_regime(self, name: str) -> None:
        """Use one regime of ``newton``, ``newton_cg``, ``row_space``, ``dual_descent`` only.

        A solve raises ValueError if the problem is not for it.
        """
        self._native.force_regime(name)

    def carried_dual(self) -> Floats | None:
        """Return p of the dual point y s p that certified the last solve, if it was carried along.

        Otherwise the certificate is that of the model's own probabilities, projected if columns
        are free.
        """
        if not self._native.was_carried:
            return None
        out = np.empty(self.shape[0])
        self._native.carried(out)
        return out

    def solve(
        self,
        l2: float,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
    ) -> Result:
        """Minimize for one penalty, warm-started.

        Parameters
        ----------
        l2 : float
            Weight of ``w²/2`` beside the mean loss.
        tol : float
            Stop when the duality gap is at most ``tol`` times the null model's objective.
        max_iter : float
            Limit on Newton steps (passes, in the dual descent).
        max_seconds : float
            Limit on wall-clock time.

        Returns
        -------
        Result
            The point, its certificate and its cost.

        Raises
        ------
        KeyboardInterrupt
            Soon after Ctrl-C; the session stays usable.
        """
        n, d = self.shape
        coef: Floats = np.empty(d)
        report = self._native.solve(n * l2, tol, max_iter, max_seconds, coef)
        return result_of(report, coef, 1.0 / n)
