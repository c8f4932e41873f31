"""Sums of products without cancellation: pairs of float64 numbers, high and low.

A product of two float64 numbers is the sum of two (T. J. Dekker, "A floating-point technique for
extending the available precision", Numerische Mathematik 18, 1971); `math.fsum` adds any number of
them and rounds once. So a dot product comes back as ``high + low`` with an error below
``u^2 |high|``, u = 2^-53, whatever cancels inside it. This holds unless a product overflows, and up
to ``TINY`` for every product that underflows.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from banditcd._typing import Floats

UNIT = 2.0**-53
TINY = 2.0**-1072
_SPLIT = 2.0**27 + 1.0
_SAFE = 2.0**480  # factors beyond it, or its inverse, are scaled before they are split

_BLOCK = 1 << 20  # entries of X whose products are held at a time

Pair = tuple[Floats, Floats]


def product(a: Floats, b: Floats) -> Pair:
    """Return the rounded products and what rounding took from them."""
    high = np.asarray(a * b)
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return high, np.where(np.isfinite(low), low, 0.0)


def _halves(a: Floats) -> Pair:
    """Split into two numbers of 26 bits."""
    scale = np.where(np.abs(a) > _SAFE, 2.0**-64, 1.0)
    big = _SPLIT * (a * scale)
    high = (big - (big - a * scale)) / scale
    return high, a - high


def total(a: Floats, b: Floats) -> Pair:
    """Return the rounded sums and what rounding took from them (D. E. Knuth's two-sum)."""
    high = np.asarray(a + b)
    part = high - a
    low = (a - (high - part)) + (b - part)
    return high, np.where(np.isfinite(low), low, 0.0)


def dots(X: Any, w: Floats) -> Pair:
    """Return X w, for X dense or CSR, as high and low parts."""
    if hasattr(X, "indptr"):
        high, low = product(X.data, w[X.indices])
        cuts = [slice(a, b) for a, b in pairwise(X.indptr.tolist())]
        sums = [_sum(high[cut], low[cut]) for cut in cuts]
    else:
        size = max(1, _BLOCK // max(1, X.shape[1]))
        blocks = (product(X[first : first + size], w) for first in range(0, len(X), size))
        sums = [_sum(*row) for high, low in blocks for row in zip(high, low, strict=True)]
    both = np.array(sums, dtype=np.float64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _sum(high: Floats, low: Floats) -> tuple[float, float]:
    """Return a sum rounded once, and the rest rounded once."""
    parts = [*high.tolist(), *low.tolist()]
    try:
        first = math.fsum(parts)
        return first, math.fsum([*parts, -first])
    except (OverflowError, ValueError):  # beyond float64, or infinities of both signs
        return float(np.sum(high)), 0.0
