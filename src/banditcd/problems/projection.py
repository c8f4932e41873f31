"""Dual directions that unpenalized columns allow: projections, checked against rounding.

A dual point w must be orthogonal to every unpenalized column a (or have one sign of a . w, if the
column is bounded on one side). Where these columns explain all of w, a projection leaves nothing
but rounding, which is orthogonal to nothing; scaled up it would be a false bound. So what is left
is compared with its own length, not with that of w, and w = 0 is returned where it does not pass:
that is a dual point, too, of value 0.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lstsq
from scipy.optimize import lsq_linear

from banditcd._typing import Floats

#: What may be left of an unpenalized column in a dual point, relative to their lengths.
ORTHOGONAL = 1e-12


def feasible_direction(
    w: Floats, columns: Floats, ends: tuple[Floats, Floats], weight: Floats, intercept: bool
) -> Floats:
    """Return w projected so that unpenalized columns allow it; zeros if rounding prevents it.

    ``ends`` are the bounds of their coefficients, ``weight`` bounds the curvature of each row: it
    is the metric of f*, in which rows of weight 0 stay at w_j = 0, where f* is finite. With an
    intercept w has to sum to zero as well.
    """
    root = np.sqrt(weight)
    columns = _prepared(columns, root, intercept)
    lower, upper = ends
    if intercept:
        lower, upper = np.append(lower, -np.inf), np.append(upper, np.inf)
    scaled = np.where(root > 0.0, w / np.where(root > 0.0, root, 1.0), 0.0)
    size = float(np.abs(scaled).max(initial=0.0))
    if size == 0.0 or not np.isfinite(size) or not np.isfinite(columns).all():
        return np.zeros_like(w)
    scaled = scaled / size
    if np.isinf(lower).all() and np.isinf(upper).all():
        inside = np.ones(len(lower), dtype=bool)
        left = scaled - columns @ lstsq(columns, scaled)[0]
    else:  # a column bounded on one side has a multiplier of one sign
        low, high = np.where(np.isinf(upper), -np.inf, 0.0), np.where(np.isinf(lower), np.inf, 0.0)
        found = lsq_linear(columns, scaled, (low, high), method="bvls", tol=1e-13)
        inside = (found.x > low) & (found.x < high)
        left = scaled - columns @ found.x
    part = columns[:, inside]
    if part.shape[1]:
        left = left - part @ lstsq(part, left)[0]  # once more, for the rounding of the first
    u = -columns.T @ left
    if np.any(excess(u, lower, upper) > ORTHOGONAL * np.linalg.norm(left)):
        return np.zeros_like(w)
    return np.asarray(root * left * size)


def excess(u: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return by how much each u_i makes the conjugate of an unpenalized coordinate infinite."""
    up, down = np.where(np.isinf(upper), u, 0.0), np.where(np.isinf(lower), -u, 0.0)
    return np.asarray(np.maximum(np.maximum(up, down), 0.0))


def _prepared(columns: Floats, root: Floats, intercept: bool) -> Floats:
    """Return the columns in the metric of f*, centered beside an intercept, of length 1."""
    columns = columns / _positive(np.abs(columns).max(axis=0, initial=0.0))
    columns = columns * root[:, None]
    if intercept:  # centered, or a small spread beside a large mean is lost
        columns -= np.outer(root, root @ columns / (root @ root))
        columns = np.column_stack([columns, root])
    return np.asarray(columns / _positive(np.linalg.norm(columns, axis=0)))


def _positive(sizes: Floats) -> Floats:
    return np.where(sizes > 0.0, sizes, 1.0)
