"""Scale of a dual direction: the best multiple of it, from the kinks of a piecewise square."""

from __future__ import annotations

import numpy as np

from banditcd._typing import Floats
from banditcd.problems.penalties import L1L2


def best_scale(penalty: L1L2, u: Floats, along: tuple[float, float], limit: float) -> float:
    r"""Return the s in [0, limit] with the least :math:`a s^2/2 + b s + \sum_i g_i^*(s u_i)`.

    The derivative of :math:`g_i^*(s u_i)` is 0 until :math:`s |u_i| = \lambda_i`, rises by
    :math:`u_i^2/\rho_i` until the maximizer meets its bound, and is constant from there; without a
    square it jumps there at once. So the sum's derivative is known from its sorted kinks: one sort,
    however far the root lies and whatever the units are. ``along`` is (a, b), a >= 0. Every s is a
    valid scale: rounding in it costs the dual value its square, and no validity.
    """
    square, linear = along
    if not linear < 0.0:
        return 0.0
    at, rates, jumps = _kinks(penalty, u)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        slopes = square + np.maximum(np.cumsum(rates), 0.0)
        after = linear + np.cumsum(jumps)
        after[1:] += np.cumsum(slopes[:-1] * np.diff(at))
        last = int(np.flatnonzero(after < 0.0)[-1])
        scale = at[last] - after[last] / slopes[last]
    ahead = at[last + 1] if last + 1 < len(at) else np.inf
    scale = float(min(scale, ahead, limit))
    return scale if np.isfinite(scale) else min(limit, 1.0)


def _kinks(penalty: L1L2, u: Floats) -> tuple[Floats, Floats, Floats]:
    """Return kinks in order, 0 first, with the changes of slope and value at each."""
    a, end = np.abs(u), np.where(u > 0.0, penalty.upper, -penalty.lower)
    moves = (a > 0.0) & (end > 0.0)
    a, end, lam, rho = a[moves], end[moves], penalty.lam[moves], penalty.rho[moves]
    curved = rho > 0.0
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        enters = lam / a
        leaves = enters + np.where(curved, rho, 0.0) / a * end
        rate = np.where(curved, a * (a / rho), 0.0)
        jump = np.where(curved, 0.0, a * end)
    none = np.zeros(len(a))
    at = np.concatenate([[0.0], enters, leaves])
    rates = np.concatenate([[0.0], rate, -rate])
    jumps = np.concatenate([[0.0], jump, none])
    there = np.isfinite(at)
    order = np.argsort(at[there], kind="stable")
    return at[there][order], rates[there][order], jumps[there][order]
