r"""Group Lasso, multi-task Lasso and group logistic regression: one block solver.

.. math::

    \min_{W,\,b}\ L(W, b) + \sum_g p_g \Bigl(\lambda_1 \|W_g\| + \frac{\lambda_2}{2}\|W_g\|^2\Bigr),

where :math:`W_g` are the coefficients of the columns of group g for all K responses, and L is the
squared loss :math:`\frac{1}{2n}\sum_{i,k} s_i (y_{ik} - b_k - x_i^\top w_k)^2`, with row weights
:math:`s` normalized to sum to n, or for one response the logistic loss
:math:`\frac{1}{n}\sum_i s_i \log(1 + e^{-y_i(x_i^\top w + b)})` with plain row weights. Several
responses and one column to a group make the multi-task Lasso; one response, the group Lasso (Yuan
and Lin, 2006).

The outer loop is that of the elastic net: a lazy refresh of all blocks, a certificate, and the
violators with the largest marginal decreases enter a pool. There, block coordinate descent finds
the blocks in use, each block minimized by a scalar equation in a rotated basis of its columns;
Newton's method on those blocks finds the last digits. The logistic loss is followed by proximal
Newton steps. The dual point is the residual (the pull), scaled until :math:`\|X_g^\top\theta\| \le
p_g\lambda_1` for every group.

Regimes: "pool" (in the Gram matrix of the pool), "residual" (on the residual, where that matrix
would exceed ``pool_bytes``), and "null" (no block entered). ``n_iter`` counts bins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import checked_weights, columns_of, normalized
from banditcd.solvers.result import Result, result_of
from banditcd.solvers.session import POOL_BYTES

Groups = Sequence[NDArray[np.intp]]
ROUNDING = 1e-12  # of the null model's objective, in a comparison with it


@dataclass(slots=True)
class BlockResult(Result):
    """A result with an intercept for every response.

    Attributes
    ----------
    coef : ndarray of shape (d,) or (n_responses, d)
        Two dimensions if y had two.
    intercepts : ndarray of shape (n_responses,)
        ``intercept`` is the first of them.
    primal, gap, target, status, regime, passes, n_iter, seconds
        As in :class:`banditcd.solvers.Result`.
    pool_size, support, dual_coef, work
        As there.
    """

    intercepts: Floats = field(default_factory=lambda: np.zeros(1))


class GroupSession:
    """A matrix, its responses and groups, ready to be solved for one penalty after another.

    Each solve starts from the coefficients, the pool and the snapshots of the last one. The arrays
    are borrowed, never changed, and must not change while the session lives. The caller has
    validated the input; shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. Fortran order and CSC are used as they are.
    y : ndarray of shape (n,) or (n, n_responses)
        Responses; -1.0 or +1.0 for the logistic loss, which takes one.
    groups : sequence of integer arrays, optional
        The columns of each group; every column in exactly one. By default one column each.
    weights : ndarray of shape (n_groups,), optional
        Penalty weights p: 0 leaves a group unpenalized, inf excludes it. By default 1.
    logistic : bool
        The logistic instead of the squared loss.
    fit_intercept : bool
        Whether there are unpenalized intercepts.
    sample_weight : ndarray of shape (n,), optional
        Row weights.
    pool_bytes : int
        Memory cap of the Gram matrix.
    n_threads : int, optional
        As in :class:`banditcd.solvers.ElasticNetSession`.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        groups: Groups | None = None,
        weights: Floats | None = None,
        logistic: bool = False,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        self._single = y.ndim == 1
        responses = np.asfortranarray(y.reshape(len(y), -1), dtype=np.float64)
        self.tasks = responses.shape[1]
        weight = checked_weights(sample_weight) if logistic else normalized(sample_weight)
        data = _core.FitData(None, weight, None, None, None, fit_intercept)
        layout = _layout(self.shape[1], groups, weights)
        columns = columns_of(X, n_threads)
        self._cold = partial(_core.Groups, columns, data, responses, layout, logistic, pool_bytes)
        self._native = self._cold()

    def start_at(self, coef: Floats, intercept: Any = 0.0) -> None:
        """Let the next solve start at these coefficients, shaped as those of a result."""
        first = np.ascontiguousarray(coef, dtype=np.float64).ravel()
        given = np.array(np.broadcast_to(np.asarray(intercept, dtype=np.float64), (self.tasks,)))
        self._native.start_at(first, given)

    def largest_penalty(self) -> float:
        r"""Return the smallest ``l1`` at which no penalized coefficient is non-zero.

        The largest :math:`\|X_g^\top R\| / (n p_g)`, R the residual (pull) of the null model.
        """
        return float(self._native.largest_penalty() / self.shape[0])

    def solve(
        self,
        l1: float,
        l2: float = 0.0,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
    ) -> BlockResult:
        """Minimize for one penalty, warm-started; limits as in ``ElasticNetSession.solve``.

        A start so bad that the limits end it above the null model is forgotten, and what is left of
        them is spent on a cold start, which is never worse.
        """
        result = self._solve((l1, l2), tol, max_iter, max_seconds)
        null = result.target / tol if tol > 0.0 else math.inf
        if result.converged or not result.primal > null * (1.0 + ROUNDING):
            return result
        self._native = self._cold()
        left = max(max_iter - result.n_iter, 0), max(max_seconds - result.seconds, 0.0)
        again = self._solve((l1, l2), tol, *left)
        return replace(
            again,
            n_iter=result.n_iter + again.n_iter,
            passes=result.passes + again.passes,
            seconds=result.seconds + again.seconds,
        )

    def _solve(
        self, penalties: tuple[float, float], tol: float, max_iter: float, max_seconds: float
    ) -> BlockResult:
        (n, d), (l1, l2) = self.shape, penalties
        coef: Floats = np.empty(self.tasks * d)
        intercepts: Floats = np.empty(self.tasks)
        report = self._native.solve(
            n * l1, n * l2, (tol, float(max_iter)), max_seconds, coef, intercepts
        )
        shaped = coef if self._single else coef.reshape(self.tasks, d)
        plain = result_of(report, shaped, 1.0 / n)
        values = {each.name: getattr(plain, each.name) for each in fields(Result)}
        return BlockResult(**values, intercepts=intercepts)


def _layout(columns: int, groups: Groups | None, weights: Floats | None) -> _core.GroupLayout:
    if groups is None:
        order, starts = np.arange(columns, dtype=np.int32), np.arange(columns + 1, dtype=np.int64)
    else:
        order = np.concatenate(list(groups)).astype(np.int32)
        starts = np.cumsum([0, *(len(group) for group in groups)]).astype(np.int64)
    count = len(starts) - 1
    given = np.ones(count) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    return _core.GroupLayout(order, starts, given)
