r"""Linear support vector regression, fast and certified.

.. math::

    \min_{w,\,b}\ \tfrac12 \|w\|^2 + C \sum_i s_i\, \ell(y_i - x_i^\top w - b),
    \qquad \ell(r) = (|r| - \epsilon)_+ \ \text{or}\ (|r| - \epsilon)_+^2,

with row weights :math:`s_i \ge 0` used as they are and an intercept that is absent, penalized (a
constant feature ``intercept_scaling`` is appended, and its weight is part of :math:`\|w\|^2`) or
free. The dual problem, with :math:`C_i = C s_i`, is

.. math::

    \max_\beta\ \sum_i (y_i \beta_i - \epsilon |\beta_i|)
    - \tfrac12 \Bigl\|\sum_i \beta_i x_i\Bigr\|^2 \Bigl[- \sum_i \frac{\beta_i^2}{4 C_i}\Bigr],
    \qquad |\beta_i| \ [\le C_i],\quad \sum_i \beta_i = 0 \text{ if } b \text{ is free},

the first bracket for the squared loss, the second for the other one (Smola & Schölkopf, 2004; Ho &
Lin, JMLR 2012). A residual beyond :math:`\epsilon` is a hinge on either side,

.. math::

    (|r| - \epsilon)_+ = (y - \epsilon - x^\top w)_+ + (-y - \epsilon + x^\top w)_+,

so the solver of :mod:`banditcd.solvers.svm` does the work: a sample is two of its rows, with goals
of their own in the place of the margin 1 and one stored row between them.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import vector
from banditcd.solvers.row_session import Intercept, RowSession
from banditcd.solvers.session import POOL_BYTES

FARTHEST = 200.0  # the binary exponent of the scale of y, at most: squares stay inside float64
NEAR = 1e-3  # of a mean, without a free intercept: responses closer together than this are alike
LOSSES = {
    "epsilon_insensitive": _core.SvmLoss.hinge,
    "squared_epsilon_insensitive": _core.SvmLoss.squared_hinge,
}


class SvrSession(RowSession):
    """Rows and responses, ready to be solved for one C after another.

    Each solve starts from the dual variables of the last one. The arrays are borrowed, never
    changed, and must not change while the session lives. The caller has validated the input
    (finite, matching shapes, weights not negative); shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. C order and CSR with ascending column indices are used as they are;
        anything else is converted once.
    y : ndarray of shape (n,)
        Responses.
    epsilon : float
        Residuals up to here cost nothing; at least 0.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}
        The loss of a residual.
    sample_weight : ndarray of shape (n,), optional
        Multiplies C row by row; rows of weight zero are left out.
    intercept : {None, "penalized", "free"}
        No intercept, an appended constant feature, or an unpenalized one; with that, dense columns
        ten standard deviations from zero are centered in a copy.
    intercept_scaling : float
        The value of the appended feature; only for a penalized intercept.
    pool_bytes : int
        Memory for a copy of X in single precision, or of the places of equal entries, and for the
        Gram matrix of the rows: each is done without where it is larger.
    n_threads : int, optional
        Upper limit on threads of passes and outer products; None: as many as are allowed, where
        that pays.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        epsilon: float = 0.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        sample_weight: Floats | None = None,
        intercept: Intercept = None,
        intercept_scaling: float = 1.0,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        if loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)}, not {loss!r}")
        if not (epsilon >= 0.0 and math.isfinite(epsilon)):
            raise ValueError(f"epsilon must be a number, at least 0, not {epsilon}")
        weight = vector(sample_weight)
        y = np.ascontiguousarray(y, dtype=np.float64)
        self._shift, self._scale = _shift_and_scale(y, weight, intercept == "free")
        super().__init__(
            X,
            (y - self._shift) / self._scale,
            loss=LOSSES[loss],
            sample_weight=weight,
            intercept=intercept,
            intercept_scaling=intercept_scaling,
            epsilon=epsilon / self._scale,
            pool_bytes=pool_bytes,
            n_threads=n_threads,
        )

    def start_at(self, dual: Floats) -> None:
        """Let the next solve start at these dual variables, clipped to their box."""
        both = np.empty((self.shape[0], 2))
        both[:, 0] = np.maximum(dual, 0.0) / self._scale
        both[:, 1] = np.maximum(-np.asarray(dual), 0.0) / self._scale
        self._native.start_at(both.ravel())

    def null_objective(self, C: float) -> float:
        """Return the objective of zero weights and the best intercept, if there is one."""
        return float(self._native.null_objective(self._cost(C))) * self._scale**2


def _shift_and_scale(y: Floats, weight: Floats | None, free: bool) -> tuple[float, float]:
    """Return what to subtract from the responses and, a power of two, what to divide them by.

    The solver was made for margins around 1; dividing by a power of two rounds nothing. A free
    intercept takes up the median. Responses of weight zero do not count.
    """
    if weight is not None:
        y = y[weight > 0.0]
    if y.size == 0:
        return 0.0, 1.0
    middle = float(np.median(y) if free else y.mean())
    spread = float(np.abs(y - middle).mean())
    if not free:
        spread = max(spread, NEAR * abs(middle))
    exponent = round(math.log2(spread or abs(middle) or 1.0))
    return middle if free else 0.0, 2.0 ** min(max(exponent, -FARTHEST), FARTHEST)
