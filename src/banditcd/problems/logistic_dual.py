"""L2-regularized logistic regression in the dual."""

from __future__ import annotations

from typing import ClassVar

from banditcd._typing import Floats
from banditcd.problems.dual import TwoClassDual
from banditcd.problems.penalties import Entropy


class LogisticDual(TwoClassDual):
    """Dual of P(theta) = (1/N) sum_i log(1 + exp(-y_i z_i . theta)) + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha, sample_weight
        See :class:`banditcd.problems.dual.TwoClassDual`.

    Notes
    -----
    g_i(x) = (x ln x + (1 - x) ln(1 - x)) / N on [0, 1], mu_i = 4 / N, kappa_i = sigma(N u) - x.
    """

    name: ClassVar[str] = "LogisticDual"
    default_update: ClassVar[str] = "newton"

    @staticmethod
    def _dual_loss(share: Floats) -> Entropy:
        return Entropy(share)
