r"""L1 and elastic-net logistic regression, fast and certified.

.. math::

    \min_{w,\,b}\ \frac{1}{n}\sum_i s_i \log\bigl(1 + e^{-y_i (x_i^\top w + b)}\bigr)
    + \sum_j p_j \Bigl(\lambda_1 |w_j| + \frac{\lambda_2}{2} w_j^2\Bigr),
    \qquad \mathrm{lower}_j \le w_j \le \mathrm{upper}_j,

with labels :math:`y_i \in \{-1, +1\}`, plain row weights :math:`s` and an optional unpenalized
:math:`b`. The outer loop is that of the elastic net: one lazy refresh of all
columns per bin, and the marginal decreases decide which columns enter. In between, proximal
Newton steps (Lee, Sun and Saunders, 2014) work on those columns alone: the quadratic model is
minimized in Gram space or, for many sparse columns, on a packed copy of them whose rows are
multiplied by the roots of their curvatures; the step is cut by a line search on the predictors.
While columns are still coming in, a model without a matrix is left as soon as its epochs bring
little: the next one will have other columns. Many dense columns are then worked on in such a copy,
too. With many more rows than columns the curvatures come from a sample of the rows and then from
rows taken in proportion to their curvatures, until that no longer converges quickly.

The certificate is the duality gap at the dual point :math:`\theta = t\,s_i y_i q_i`, with
:math:`q_i` the modeled probability of the wrong label and :math:`t` the largest scale that is
feasible. With an intercept, :math:`\sum_i \theta_i = 0` holds because :math:`b` is minimized
exactly; columns without penalty must be orthogonal to :math:`\theta` up to rounding, or no
certificate is given.

Regimes: "pool" (quadratic models in Gram space), "residual" (the last model was minimized without a
matrix), and "null" (no column is in use, or the start was good enough). ``n_iter`` counts bins;
``max_iter`` bounds them.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import checked_weights, columns_of, vector
from banditcd.solvers.session import POOL_BYTES, ColumnSession


class LogisticSession(ColumnSession):
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
        Whether there is an unpenalized intercept. Dense columns are then centered in a copy, if
        one of them is ten standard deviations from zero; else X is never copied.
    sample_weight : ndarray of shape (n,), optional
        Row weights, used as they are: the mean stays one over n rows.
    penalty_weights : ndarray of shape (d,), optional
        Multiply both penalties of a column: 0 means unpenalized, inf means excluded.
    lower, upper : ndarray of shape (d,), optional
        Bounds of the coefficients.
    pool_bytes : int
        Memory cap of the matrix of the quadratic model.
    n_threads : int, optional
        As in :class:`banditcd.solvers.ElasticNetSession`.

    Notes
    -----
    If all weight is on one class and there is an intercept, the infimum 0 is not attained; the
    solve returns zero coefficients and an intercept at which the objective is 0 in float64.
    """

    _squared_hinge = False  # another loss, in banditcd.solvers.l1_svm

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
        n_threads: int | None = None,
    ) -> None:
        self.shape = X.shape
        if sample_weight is not None:
            checked_weights(sample_weight)
        data = _core.FitData(y, sample_weight, penalty_weights, lower, upper, fit_intercept)
        columns = columns_of(X, n_threads)
        self._native = _core.Logistic(columns, data, pool_bytes, self._squared_hinge)

    def with_labels(self, y: Floats, sample_weight: Floats | None = None) -> Self:
        """Return a session for other labels on the same X, with the same other options.

        X is not converted again and its column norms are shared if they are known already. Row
        weights are those given here, not those of this session.
        """
        other = object.__new__(type(self))
        other.shape = self.shape
        other._native = self._native.with_labels(
            np.ascontiguousarray(y, dtype=np.float64), vector(checked_weights(sample_weight))
        )
        return other

    def start_at(self, coef: Floats, intercept: float = 0.0) -> None:
        """Let the next solve start at these coefficients."""
        self._native.start_at(np.ascontiguousarray(coef, dtype=np.float64), intercept)
