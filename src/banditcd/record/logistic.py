r"""L1 and elastic-net logistic regression, fast and certified.

.. math::

    \min_{w,\,b}\ \frac{1}{n}\sum_i s_i \log\bigl(1 + e^{-y_i (x_i^\top w + b)}\bigr)
    + \sum_j p_j \Bigl(\lambda_1 |w_j| + \frac{\lambda_2}{2} w_j^2\Bigr),
    \qquad \mathrm{lower}_j \le w_j \le \mathrm{upper}_j,

with labels :math:`y_i \in \{-1, +1\}`, plain row weights :math:`s` and an optional unpenalized
:math:`b`. The outer loop is that of the record solver for squared loss: one lazy refresh of all
columns per bin, and the marginal decreases decide which columns enter. In between, proximal
Newton steps (Lee, Sun and Saunders, 2014) work on those columns alone: the quadratic model is
minimized in Gram space and the step is cut by a line search on the predictors.

The certificate is the duality gap at the dual point :math:`\theta = t\,s_i y_i q_i`, with
:math:`q_i` the modeled probability of the wrong label and :math:`t` the largest scale that is
feasible. With an intercept, :math:`\sum_i \theta_i = 0` holds because :math:`b` is minimized
exactly; columns without penalty must be orthogonal to :math:`\theta` up to rounding, or no
certificate is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy import sparse

from banditcd import _core
from banditcd.record.result import RecordResult
from banditcd.record.solve import POOL_BYTES, Floats, as_result, storage_type, vector


class LogisticSession:
    """A matrix and its labels, ready to be solved for one penalty after another.

    Each solve starts from the coefficients and the snapshots of the last one, which is what
    makes a path cheap. The arrays are borrowed, never changed, and must not change while the
    session lives. The caller has validated the input (finite, matching shapes, labels -1 and
    +1, ``lower <= 0 <= upper``, weights not negative); shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. Fortran order and CSC are used as they are; anything else is
        converted once.
    y : ndarray of shape (n,)
        Labels, -1.0 or +1.0.
    fit_intercept : bool
        Whether there is an unpenalized intercept. X is never centered in memory.
    sample_weight : ndarray of shape (n,), optional
        Row weights, used as they are: the mean stays one over n rows.
    penalty_weights : ndarray of shape (d,), optional
        Multiply both penalties of a column: 0 means unpenalized, inf means excluded.
    lower, upper : ndarray of shape (d,), optional
        Bounds of the coefficients.
    pool_bytes : int
        Memory cap of the matrix of the quadratic model.
    solves : int
        How many penalties will be asked for. Accepted for symmetry with the session for
        squared loss; it has no effect here.

    Notes
    -----
    If all weight is on one class and there is an intercept, the infimum 0 is not attained; the
    solve returns zero coefficients and an intercept at which the objective is 0 in float64.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
        solves: int = 1,
    ) -> None:
        del solves
        self.shape: tuple[int, int] = X.shape
        sides = (
            np.ascontiguousarray(y, dtype=np.float64),
            vector(sample_weight),
            vector(penalty_weights),
            vector(lower),
            vector(upper),
            fit_intercept,
            pool_bytes,
        )
        is_sparse: bool = sparse.issparse(X)
        if is_sparse:
            matrix = X.tocsc()  # no copy if it is CSC already
            entries: Any = np.ascontiguousarray(matrix.data, dtype=storage_type(matrix.dtype))
            self._native = _core.logistic_sparse(
                entries,
                np.ascontiguousarray(matrix.indices, dtype=np.int32),
                np.ascontiguousarray(matrix.indptr, dtype=np.int64),
                self.shape[0],
                *sides,
            )
        else:
            dense: Any = np.asfortranarray(X, dtype=storage_type(X.dtype))
            self._native = _core.logistic_dense(dense, *sides)

    def with_labels(self, y: Floats, sample_weight: Floats | None = None) -> Self:
        """Return a session for other labels on the same X, with the same other options.

        X is not converted again and its column norms are shared if they are known already. Row
        weights are those given here, not those of this session.
        """
        other = object.__new__(type(self))
        other.shape = self.shape
        other._native = self._native.with_labels(
            np.ascontiguousarray(y, dtype=np.float64), vector(sample_weight)
        )
        return other

    def start_at(self, coef: Floats, intercept: float = 0.0) -> None:
        """Let the next solve start at these coefficients."""
        self._native.start_at(np.ascontiguousarray(coef, dtype=np.float64), intercept)

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` at which no penalized coefficient is non-zero."""
        return self._native.largest_penalty() / self.shape[0]

    def solve(
        self,
        l1: float,
        l2: float = 0.0,
        *,
        tol: float = 1e-4,
        max_bins: int = 1000,
        max_seconds: float = math.inf,
    ) -> RecordResult:
        """Minimize for one penalty, warm-started.

        Parameters
        ----------
        l1, l2 : float
            Weights of ``|w|`` and of ``w²/2`` beside the mean loss.
        tol : float
            Stop when the duality gap is at most ``tol`` times the null model's objective.
        max_bins : int
            Limit on bins (refreshes of what is known about all columns).
        max_seconds : float
            Limit on wall-clock time.

        Returns
        -------
        RecordResult
            The point, its certificate and its cost.

        Raises
        ------
        KeyboardInterrupt
            Within about a twentieth of a second of Ctrl-C; the session stays usable.
        """
        n, d = self.shape
        report = self._native.solve(n * l1, n * l2, tol, max_bins, max_seconds)
        coef = np.empty(d)
        self._native.coefficients(coef)
        return as_result(report, n, coef, self._native.intercept)


def solve_logistic(
    X: Any,
    y: Floats,
    *,
    l1: float,
    l2: float = 0.0,
    tol: float = 1e-4,
    max_bins: int = 1000,
    max_seconds: float = math.inf,
    coef_init: Floats | None = None,
    intercept_init: float = 0.0,
    **options: Any,
) -> RecordResult:
    """Solve one problem; ``options`` are those of :class:`LogisticSession`."""
    session = LogisticSession(X, y, **options)
    if coef_init is not None:
        session.start_at(coef_init, intercept_init)
    return session.solve(l1, l2, tol=tol, max_bins=max_bins, max_seconds=max_seconds)


def solve_logistic_path(
    X: Any,
    y: Floats,
    *,
    alphas: Sequence[float] | Floats,
    l1_ratio: float = 1.0,
    tol: float = 1e-4,
    max_bins: int = 1000,
    max_seconds: float = math.inf,
    **options: Any,
) -> list[RecordResult]:
    """Solve for every alpha in the order given (largest first is fastest), warm-started.

    ``l1 = alpha * l1_ratio`` and ``l2 = alpha * (1 - l1_ratio)``; ``max_seconds`` is for each
    alpha; ``options`` are those of :class:`LogisticSession`.
    """
    session = LogisticSession(X, y, solves=len(alphas), **options)
    return [
        session.solve(
            float(alpha) * l1_ratio,
            float(alpha) * (1.0 - l1_ratio),
            tol=tol,
            max_bins=max_bins,
            max_seconds=max_seconds,
        )
        for alpha in alphas
    ]
