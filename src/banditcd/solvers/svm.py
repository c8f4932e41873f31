r"""Linear support vector machines, fast and certified.

.. math::

    \min_{w,\,b}\ \tfrac12 \|w\|^2 + C \sum_i s_i\, \ell\bigl(y_i (x_i^\top w + b)\bigr),
    \qquad \ell(m) = (1-m)_+ \ \text{or}\ (1-m)_+^2,

with labels :math:`y_i = \pm 1`, row weights :math:`s_i \ge 0` used as they are, and an intercept
that is absent, penalized (a constant feature ``intercept_scaling`` is appended, and its weight is
part of :math:`\|w\|^2`) or free. The dual problem, with :math:`C_i = C s_i`, is

.. math::

    \max_a\ \sum_i a_i - \tfrac12 \Bigl\|\sum_i a_i y_i x_i\Bigr\|^2
    \Bigl[- \sum_i \frac{a_i^2}{4 C_i}\Bigr],
    \qquad 0 \le a_i \ [\le C_i],\quad \sum_i y_i a_i = 0 \text{ if } b \text{ is free},

the first bracket for the squared hinge, the second for the hinge (Cortes & Vapnik, 1995; Hsieh et
al., ICML 2008). Dual coordinate descent in bins goes first, unless another method costs as little
as a trial of it (the hinge with a small :math:`C \|x_i\|^2` is left to descent all the same, for a
few digits); semismooth Newton on the primal or the Gram matrix of the rows takes over as soon
as the rest of the way looks cheaper with it, by the measured fall of the gap and a cost model, or
after one pass that gained next to nothing of the gap. Newton has a matrix of all pairs of features
up to 2000 of them; with the squared hinge its steps are by conjugate gradients beyond, and where
the matrix would cost much more, in turns with descent. Descents over wide dense data, and long ones
over other dense rows, read a copy in single precision. The certificate is the gap between the two
problems for the data as they are; where the weights are those of the dual variables but for
rounding, with a bound of the rounding added.

Regimes: "descent" (dual coordinate descent in bins), "newton" (semismooth Newton on the primal),
"proximal_newton" (the same inside a proximal loop, for the hinge), "descent_then_newton", "gram"
(one of these on the Gram matrix of the rows), and "null" (nothing to learn). ``n_iter`` counts
refreshes of coordinate descent and steps of Newton; ``max_iter`` bounds passes over the data,
and is the most that is reported.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.row_session import Intercept, RowSession
from banditcd.solvers.session import POOL_BYTES

LOSSES = {"hinge": _core.SvmLoss.hinge, "squared_hinge": _core.SvmLoss.squared_hinge}


class SvmSession(RowSession):
    """Rows and labels, ready to be solved for one C after another.

    Each solve starts from the dual variables of the last one. The arrays are borrowed, never
    changed, and must not change while the session lives. The caller has validated the input
    (finite, matching shapes, weights not negative); shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. C order and CSR with ascending column indices are used as they are;
        anything else is converted once.
    y : ndarray of shape (n,)
        Labels, -1 or +1.
    loss : {"squared_hinge", "hinge"}
        The loss of a margin.
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
        loss: Literal["squared_hinge", "hinge"] = "squared_hinge",
        sample_weight: Floats | None = None,
        intercept: Intercept = None,
        intercept_scaling: float = 1.0,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        if loss not in LOSSES:
            raise ValueError(f"loss must be 'hinge' or 'squared_hinge', not {loss!r}")
        super().__init__(
            X,
            y,
            loss=LOSSES[loss],
            sample_weight=sample_weight,
            intercept=intercept,
            intercept_scaling=intercept_scaling,
            pool_bytes=pool_bytes,
            n_threads=n_threads,
        )

    def start_at(self, dual: Floats) -> None:
        """Let the next solve start at these dual variables, clipped to their box."""
        self._native.start_at(np.ascontiguousarray(dual, dtype=np.float64))
