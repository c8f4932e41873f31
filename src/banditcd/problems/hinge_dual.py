"""Linear support vector machine in the dual."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.problems.dual import TwoClassDual
from banditcd.problems.penalties import BoxQuadratic


class HingeDual(TwoClassDual):
    """Dual of P(theta) = (1/N) sum_i max(1 - y_i z_i . theta, 0) + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha, sample_weight
        See :class:`banditcd.problems.dual.TwoClassDual`.

    Notes
    -----
    g_i(x) = -x / N on [0, 1], mu_i = 0, L = 1; r_i is the exact decrease of
    x+ = clip(x + q/h, 0, 1) with q = u + 1/N.
    """

    name: ClassVar[str] = "HingeDual"
    default_update: ClassVar[str] = "exact"

    @staticmethod
    def _dual_loss(share: Floats) -> BoxQuadratic:
        return BoxQuadratic(np.zeros_like(share), share, np.zeros_like(share), np.ones_like(share))
