"""Ridge regression in the dual."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from banditcd.data import ColumnMatrix, check_matrix, check_number, check_vector, unknown_name
from banditcd.problems.dual import L2DualProblem, dual_weights, l2_dual_loss
from banditcd.problems.penalties import BoxQuadratic
from banditcd.problems.ridge import SCALINGS


class RidgeDual(L2DualProblem):
    """Dual of P(theta) = ||y - X theta||^2 / (2N) + (alpha / 2) ||theta||^2.

    Parameters
    ----------
    X, y, alpha
        As for :class:`banditcd.problems.Ridge`, alpha > 0.
    scaling : {"half", "paper"}
        ``"paper"`` doubles the squared loss, as in the paper and in SDCA.
    sample_weight : array of shape (N,), optional
        Positive weights s_i of the losses, normalized to sum N: a_i = s_i z_i, g_i times s_i.

    Notes
    -----
    With phi(a) = (k/2)(a - y)^2, k = 1 or 2: g_i(x) = (x^2 / (2k) - x y_i) / N, mu_i = 1/(kN),
    kappa_i = k (y_i - z_i . theta) - x_i, and r_i is the exact decrease of the closed form.
    """

    name: ClassVar[str] = "RidgeDual"
    default_update: ClassVar[str] = "exact"

    def __init__(
        self, X: Any, y: Any, alpha: float, scaling: str = "half", *, sample_weight: Any = None
    ) -> None:
        X = check_matrix(X, order="C")
        n = X.shape[0]
        y = check_vector(y, n)
        self.alpha = check_number(alpha, "alpha", minimum=0.0, strict=True)
        if scaling not in SCALINGS:
            raise unknown_name("scaling", scaling, SCALINGS)
        self.scaling, self.n_samples = scaling, n
        weight = dual_weights(n, sample_weight)
        A = ColumnMatrix.from_samples(X, weight)
        share = np.full(n, 1.0 / n) if weight is None else weight / n
        everywhere = np.full(n, np.inf)
        penalty = BoxQuadratic(share / SCALINGS[scaling], share * y, -everywhere, everywhere)
        super().__init__(A, l2_dual_loss(A, self.alpha, n), penalty)
