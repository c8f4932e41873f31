r"""Multinomial logistic regression with a certificate.

.. math::

    P(W, b) = \frac1n\sum_i s_i \Bigl(\log\sum_k e^{z_{ik}} - z_{i y_i}\Bigr)
    + \sum_{jk} p_j \Bigl(\lambda_1 |w_{kj}| + \frac{\lambda_2}{2} w_{kj}^2\Bigr),
    \qquad z_i = W x_i + b,

with classes :math:`y_i`, plain row weights :math:`s` and unpenalized intercepts. The conjugate of
the log-sum-exp is the negative entropy on the simplex: any distributions :math:`q_i` over the
classes give a dual point :math:`\theta_{ik} = s_i ([y_i = k] - q_{ik})`, and with
:math:`u = X^\top\theta` and probabilities :math:`\pi_i = \mathrm{softmax}(z_i)`

.. math::

    P - D = \frac1n\sum_i s_i \mathrm{KL}(q_i \| \pi_i)
    + \sum_{jk} \bigl[g_j(w_{kj}) + g_j^*(u_{jk} / n) - w_{kj} u_{jk} / n\bigr]

by Fenchel-Young. An intercept asks for :math:`\sum_i \theta_{ik} = 0`: intercepts are minimized
exactly before a point certifies itself. Columns without penalty must be orthogonal to
:math:`\theta` up to rounding.

:class:`L2MultinomialSession` (by rows) takes damped Newton steps by preconditioned conjugate
gradients on all classes at once. Two dual points are at hand: the point's own probabilities, and
those that its last step predicts, which certify about one step earlier. Its coefficients and
intercepts sum to zero over the classes. Regimes, by preconditioner: "newton_diagonal",
"newton_shared" (one Gram matrix, scaled for every class), "newton_blocks" (a Gram matrix for every
class), "newton_coupled" (the whole Hessian of a sample: every eighth, fourth or second row, if that
leaves six for each coefficient, or all rows); and "quasi_newton": limited-memory BFGS, whose pairs
take 64 bytes for a coefficient, with Newton steps after half of ``max_iter``. The one that is
expected to cost least starts, another takes over when it promises more, and the one that certified
is reported; "newton_shared" has to be asked for. Steps that come to nothing are followed by those
of "newton_blocks", where its matrices cost no more than the passes so far, or less than 0.1 s.
``n_iter`` counts steps.

:class:`MultinomialSession` (by columns) has an L1 part or bounds: proximal Newton steps (Lee, Sun
and Saunders, 2014) on a pool of coordinates, and between them a look at all columns; its dual point
is :math:`t\,\theta`, which belongs to :math:`q = (1 - t) y + t \pi`, with :math:`t` inside the L1
box. The quadratic model of a step is minimized roughly by epochs of coordinate descent over the
columns; when these have cost what the matrix of the model would, the next one is minimized in Gram
space (ski rental; a matrix that lowered the gap faster for its work comes sooner the next time).
Tall data has the matrix of a sample of its rows instead, which is kept for several steps, and a
start from such a sample. The dual point that a step in Gram space predicts is looked at, too.
Regimes: "pool" (both kinds of steps), "residual" (no matrix was made) and "null"; forced, "pool"
has a matrix in every step. ``n_iter`` counts the looks at all columns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import checked_weights, columns_of, rows_of
from banditcd.solvers.result import Result, result_of
from banditcd.solvers.session import POOL_BYTES

#: Log-odds of a class without weight: with an intercept the best are minus infinity, and at this
#: distance the loss is the same in float64.
ABSENT = -750.0


class ClassSession:
    """A matrix and classes, ready to be solved for one penalty after another.

    Each solve starts from the point of the last one. The arrays are borrowed and must not change
    while the session lives. The caller has validated the input (finite, weights not negative);
    shapes and labels are checked again natively. Coefficients have shape (classes, d), intercepts
    (classes,).
    """

    shape: tuple[int, int]
    classes: int
    _native: Any

    def start_at(self, coef: Floats, intercept: Floats) -> None:
        """Let the next solve start at this point."""
        flat = np.ascontiguousarray(coef, dtype=np.float64).reshape(-1)
        self._native.start_at(flat, np.ascontiguousarray(intercept, dtype=np.float64))

    def force_regime(self, name: str) -> None:
        """Use one regime only."""
        self._native.force_regime(name)

    def _solve(self, penalties: tuple[float, ...], tol: float, limits: tuple[float, ...]) -> Result:
        n, d = self.shape
        coef: Floats = np.empty(self.classes * d)
        intercept: Floats = np.empty(self.classes)
        given = (n * penalty for penalty in penalties)
        report = self._native.solve(*given, tol, *limits, coef, intercept)
        result = result_of(report, coef.reshape(self.classes, d), 1.0 / n)
        result.intercept = intercept
        return result


class L2MultinomialSession(ClassSession):
    """An L2 penalty, or none; by rows.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. C order and CSR are used as they are; anything else is converted once.
    y : ndarray of shape (n,)
        Classes 0, 1, ..., classes - 1.
    classes : int
        How many there are, two or more; a class may have no row.
    fit_intercept : bool
        Whether there are unpenalized intercepts. X is never centered in memory.
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
        classes: int,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.shape, self.classes = X.shape, classes
        data = _core.FitData(
            y, checked_weights(sample_weight), penalty_weights, None, None, fit_intercept
        )
        self._native = _core.L2Multinomial(rows_of(X, n_threads), data, classes)

    def solve(
        self,
        l2: float,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
    ) -> Result:
        """Minimize for one weight of ``w²/2`` beside the mean loss, warm-started.

        Stops when the duality gap is at most ``tol`` times the null model's objective, after
        ``max_iter`` steps or ``max_seconds``. Raises KeyboardInterrupt soon after Ctrl-C;
        the session stays usable.
        """
        return self._solve((l2,), tol, (max_iter, max_seconds))


class MultinomialSession(ClassSession):
    """L1 and elastic-net penalties, and bounds; by columns.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. Fortran order and CSC are used as they are; anything else is converted
        once.
    y, classes, fit_intercept, sample_weight, penalty_weights
        As in :class:`L2MultinomialSession`.
    lower, upper : ndarray of shape (d,), optional
        Bounds of the coefficients of a column, the same for all classes.
    pool_bytes : int
        Memory cap of the matrix of the quadratic model.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        classes: int,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
    ) -> None:
        self.shape, self.classes = X.shape, classes
        data = _core.FitData(
            y, checked_weights(sample_weight), penalty_weights, lower, upper, fit_intercept
        )
        self._native = _core.Multinomial(columns_of(X), data, classes, pool_bytes)

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` beside the mean loss at which no coefficient is non-zero."""
        return float(self._native.largest_penalty()) / self.shape[0]

    def solve(
        self,
        l1: float,
        l2: float = 0.0,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
    ) -> Result:
        """Minimize for one pair of weights of ``|w|`` and ``w²/2``, as the L2 session does.

        ``max_iter`` bounds the looks at all columns.
        """
        return self._solve((l1, l2), tol, (max_iter, max_seconds))
