r"""Conjugate gradients, wherever the vectors live.

Hestenes and Stiefel's method for :math:`H x = r` with a symmetric positive definite H, which is
known by its products. Written with operators that NumPy's arrays and those of a card understand:
on a card the scalars stay there too, and the host waits for one number a product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Products of one solve.
MOST_PRODUCTS = 200


def conjugate_gradients(
    product: Callable[[Any], Any], r: Any, goal: float, most: int = MOST_PRODUCTS
) -> tuple[Any, int]:
    """Return x, and the number of products after which |r - H x|² was at most ``goal``."""
    x, r, p = 0.0 * r, r.copy(), r.copy()
    rr = (r * r).sum()  # on a card, in half the time of its library's product
    for done in range(most):
        if float(rr) <= goal:
            return x, done
        Hp = product(p)
        share = rr / (p * Hp).sum()
        x += share * p
        r -= share * Hp
        rr, old = (r * r).sum(), rr
        p *= rr / old
        p += r
    return x, most


def penalized(found: tuple[Any, Any], p: Any, l2: float, bias: float | None) -> Any:
    """Return (X'D(X v + c) + l2 v, its sum + bias c) for p = (v, c); no bias: 0 for c."""
    product, total = found
    out = l2 * p
    out[:-1] += product
    out[-1] = 0.0 if bias is None else total + bias * p[-1] if bias else total
    return out
