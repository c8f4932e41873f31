"""The marginal decrease: a guaranteed lower bound on what one update gains (Lemma 1).

For F(x) = f(Ax) + sum_i g_i(x_i) with f (1/beta)-smooth, h_i >= the curvature of f along i and
g_i mu_i-strongly convex, let u_i = -a_i . grad f(Ax), G_i the coordinate-wise duality gap and
kappa_i the dual residue. The reference update x_i += s_i kappa_i with

    s_i = min(1, (G_i + mu_i kappa_i^2 / 2) / (kappa_i^2 (mu_i + h_i)))

decreases F by at least

    r_i = G_i - h_i kappa_i^2 / 2                                       if s_i = 1,
    r_i = (G_i + mu_i kappa_i^2 / 2)^2 / (2 kappa_i^2 (mu_i + h_i))     otherwise,

and so does every update rule of the class H (Salehi, Thiran & Celis, NeurIPS 2018, Lemma 1).
Where kappa_i = 0 the point is optimal along i: G_i = 0 and s_i = r_i = 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats


def reference_step(
    gap: npt.ArrayLike, kappa: npt.ArrayLike, mu: npt.ArrayLike, h: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Return (s, r): the reference step size and the marginal decrease, element by element."""
    gap, kappa, mu, h = (np.asarray(part, dtype=np.float64) for part in (gap, kappa, mu, h))
    size = np.abs(kappa)
    moving = size > 0.0
    # The slope (G + mu kappa^2 / 2) / |kappa| keeps every quantity in range: no kappa^2 alone.
    slope = np.where(moving, gap, 0.0) / np.where(moving, size, 1.0) + 0.5 * mu * size
    flat = mu + h == 0.0  # an empty column and a straight g_i: go all the way
    bend = np.where(flat, 1.0, mu + h)
    s = np.where(flat, 1.0, np.minimum(1.0, slope / (np.where(moving, size, 1.0) * bend)))
    s = np.where(moving, s, 0.0)
    whole = gap - 0.5 * h * size * size
    r = np.where(s >= 1.0, whole, slope * (slope / (2.0 * bend)))
    return s, np.where(moving, np.maximum(r, 0.0), 0.0)
