"""Accelerated methods: their own kind, named next to the selectors.

They keep two sequences, are not monotone, and are exempt from Lemma 1; the engine runs them in
loops of their own and certifies the point they return like any other.
"""

from __future__ import annotations

from typing import ClassVar

from banditcd.data import check_number


class Accelerated:
    """Base of the accelerated methods."""

    name: ClassVar[str]

    def native(self) -> dict[str, float]:
        """Return the parameters of the native twin of the same name."""
        return {}

    def __repr__(self) -> str:
        inner = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"{type(self).__name__}({inner})"


class Approx(Accelerated):
    """APPROX (Fercoq & Richtarik, SIAM J. Optim. 2015) with one uniform coordinate per step.

    With theta_0 = 1/d, y = theta^2 p + z: at coordinate i the step t minimizes
    -u_i(y) t + (theta d h_i / 2) t^2 + g_i(z_i + t); then z_i += t,
    p_i -= (1 - d theta) / theta^2 t, theta <- (sqrt(theta^4 + 4 theta^2) - theta^2) / 2.
    The returned point is theta^2 p + z with the previous theta.

    Cost: that of uniform, with two vectors to update.

    Parameters
    ----------
    restart : float
        Epochs between restarts from the current point; 0 never restarts. Plain APPROX
        stalls at high accuracy on strongly convex costs, restarts keep it going.
    """

    name: ClassVar[str] = "approx"

    def __init__(self, restart: float = 0.0) -> None:
        self.restart = check_number(restart, "restart", minimum=0.0)

    def native(self) -> dict[str, float]:
        """Restart period in epochs."""
        return {"restart": self.restart}


class Nuacdm(Accelerated):
    """NUACDM (Allen-Zhu, Qu, Richtarik & Yuan, ICML 2016) for smooth, strongly convex F.

    L_i = h_i + mu_i, sigma = min mu_i, p_i ~ sqrt(L_i), S = sum sqrt(L_i),
    tau = 2 / (1 + sqrt(4 S^2 / sigma + 1)), eta = 1 / (tau S^2). Each step:
    x = tau z + (1 - tau) y; y = x - grad_i / L_i e_i;
    z = (z + eta sigma x - (eta / p_i) grad_i e_i) / (1 + eta sigma).
    y and z are kept as a 2 x 2 transform of two vectors that change in one entry per step.

    Cost: O(log d) for the draw, two vectors to update.
    """

    name: ClassVar[str] = "nuacdm"
