"""Linear support vector machine in the dual."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd.problems.dual import TwoClassDual
from banditcd.problems.penalties import BoxQuadratic


class HingeDual(TwoClassDual):
    """Dual of P(theta) = (1/N) sum_i max(1 - y_i z_i . theta, 0) + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha
        See :class:`banditcd.problems.dual.TwoClassDual`.

    Notes
    -----
    g_i(x) = -x / N on [0, 1], mu_i = 0, L = 1; r_i is the exact decrease of
    x+ = clip(x + q/h, 0, 1) with q = u + 1/N.
    """

    name: ClassVar[str] = "HingeDual"
    default_update: ClassVar[str] = "exact"

    @staticmethod
    def _dual_loss(n: int) -> BoxQuadratic:
        return BoxQuadratic(np.zeros(n), np.full(n, 1.0 / n), np.zeros(n), np.ones(n))
