"""A loss and a penalty of one's own, put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
from scipy.optimize import minimize_scalar

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix, check_matrix
from banditcd.problems.base import Problem
from banditcd.problems.losses import Loss
from banditcd.problems.penalties import Penalty
from banditcd.results import Certificate

HALVINGS = 60


class Composite(Problem):
    """F(x) = f(Xx) + sum_i g_i(x_i) for any loss f >= 0 and any penalty g.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    loss : Loss
        f; its scaling is its own, nothing is divided by n.
    penalty : Penalty
        g_1, ..., g_d.

    Notes
    -----
    The certificate is weak duality with the best multiple of the gradient: for every s in [0, 1]
    and w = grad f(Xx), -f*(s w) - sum_i g_i*(-s a_i . w) bounds F from below. Where g_i* is not
    finite everywhere (mu_i = 0 and an unbounded domain) small s still are, so the bound exists
    whenever g_i has a minimizer.
    """

    name: ClassVar[str] = "Composite"
    kind: ClassVar[Literal["primal", "dual"]] = "primal"
    default_update: ClassVar[str] = "proximal"

    def __init__(self, X: Any, loss: Loss, penalty: Penalty) -> None:
        X = check_matrix(X, order="F")
        n, d = X.shape
        if (rows := np.size(loss.bound)) not in (1, n):
            raise ValueError(f"The loss is one of {rows} rows; X has {n} rows.")
        if len(penalty.mu) != d:
            raise ValueError(f"The penalty has {len(penalty.mu)} coordinates; X has {d} columns.")
        super().__init__(ColumnMatrix.from_features(X), loss, penalty)

    def certificate(self, x: Floats) -> Certificate:
        """Return the gap of the best multiple of the gradient."""
        v = self.A.matvec(x)
        w = self.loss.gradient(v)
        u = -self.A.rmatvec(w)
        return Certificate(self.objective(x, v), -_least(lambda s: self._dual_cost(s, w, u)))

    def _dual_cost(self, s: float, w: Floats, u: Floats) -> float:
        return self.loss.conjugate(s * w) + float(np.sum(self.penalty.conjugate(s * u)))

    def null_objective(self) -> float:
        """F at the starting point, which is 0 where 0 is in the domain."""
        return self.objective(self.start())

    def coef(self, x: Floats) -> Floats:
        """Return x itself."""
        return x


def _least(cost: Callable[[float], float]) -> float:
    """Return the smallest value found of a convex function on [0, 1] that is finite near 0."""
    end = 1.0 if np.isfinite(cost(1.0)) else _last_finite(cost)
    inside = minimize_scalar(cost, bounds=(0.0, end), method="bounded", options={"xatol": 1e-10})
    return min(cost(0.0), float(inside.fun), cost(end))


def _last_finite(cost: Callable[[float], float]) -> float:
    """Return the right end of the interval from 0 on which a convex function is finite."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if np.isfinite(cost(middle)) else (low, middle)
    return low
