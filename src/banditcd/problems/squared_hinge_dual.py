"""Squared-hinge support vector machine in the dual."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from banditcd._typing import Floats
from banditcd.problems.dual import TwoClassDual
from banditcd.problems.penalties import BoxQuadratic


class SquaredHingeDual(TwoClassDual):
    """Dual of P(theta) = (1/N) sum_i max(1 - y_i z_i . theta, 0)^2 + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha, sample_weight
        See :class:`banditcd.problems.dual.TwoClassDual`.

    Notes
    -----
    g_i(x) = (x^2 / 4 - x) / N on x >= 0, mu_i = 1 / (2N).
    """

    name: ClassVar[str] = "SquaredHingeDual"
    default_update: ClassVar[str] = "exact"

    @staticmethod
    def _dual_loss(share: Floats) -> BoxQuadratic:
        return BoxQuadratic(0.5 * share, share, np.zeros_like(share), np.full_like(share, np.inf))
