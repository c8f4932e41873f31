r"""The mathematics of rows, one value each: residuals, and the logistic loss with y = -1 or +1.

From predictions z without their intercept b, with responses y and row weights s. Written with
NumPy's functions, which arrays of other libraries answer in their own kind; a card has kernels of
its own for the same (:mod:`banditcd.places.card_rows`).
"""

from __future__ import annotations

from typing import Any

import numpy as np


class RowMaths:
    """Functions of rows, and sums of them; ``rows`` has y and weight (None means ones)."""

    def squared(self, rows: Any, z: Any, b: float) -> tuple[Any, Any]:
        """Return the pulls s r of the residuals r = y - z - b, and the sums of s r² and s r.

        z may be None: zeros.
        """
        residual = rows.y - b if z is None else rows.y - (z + b)
        pull = weighted(rows, residual)
        return pull, np.stack([residual @ pull, pull.sum()])

    def points(
        self, rows: Any, at: tuple[Any, float], step: tuple[Any, float], shares: Any
    ) -> tuple[Any, ...]:
        """Return :func:`point_sums` at (z, b) + t (its step), for one share t after another."""
        base, move = at[0] + at[1], step[0] + step[1]
        return tuple(point_sums(rows, rows.y * (base + t * move)) for t in shares)

    def balanced(self, rows: Any, z: Any, b: float, balance: float) -> tuple[Any, Any]:
        """Return s y p for p = q - balance y q (1 - q), clipped to [0, 1], and its sum."""
        pull = rows.y * weighted(rows, _balanced(rows, rows.y * (z + b), balance))
        return pull, pull.sum()

    def entropies(self, rows: Any, at: tuple[Any, float], balance: float, scale: float) -> Any:
        """Return the sum of -s (t p log t p + (1 - t p) log(1 - t p)) for a scale t, p as above."""
        p = scale * _balanced(rows, rows.y * (at[0] + at[1]), balance)
        return -weighted(rows, _xlogx(p) + _xlogx(1.0 - p)).sum()

    def bends(self, rows: Any, z: Any, b: float) -> tuple[Any, Any, Any]:
        """Return the curvatures D = s q (1 - q), the pulls s y q, and sums.

        Those of D, of s y q and of (s y q)² / D.
        """
        q, right = wrong_and_right(rows.y * (z + b))
        pull, curvature = rows.y * weighted(rows, q), weighted(rows, q * right)
        square = weighted(rows, q / np.maximum(right, 1e-12))
        return curvature, pull, np.stack([curvature, pull, square]).sum(axis=1)


#: What rows of NumPy's arrays use.
ROW_MATHS = RowMaths()


def weighted(rows: Any, values: Any) -> Any:
    """Return s * values."""
    return values if rows.weight is None else rows.weight * values


def wrong_and_right(margin: Any) -> tuple[Any, Any]:
    """Return q = 1 / (1 + exp(margin)), the probability of the wrong label, and 1 - q.

    Each is a quotient without a difference, so that it has all its digits however small it is.
    """
    odds = np.exp(-np.abs(margin))  # of the less probable label
    less, more = odds / (1.0 + odds), 1.0 / (1.0 + odds)
    return np.where(margin < 0.0, more, less), np.where(margin < 0.0, less, more)


def point_sums(rows: Any, margin: Any) -> Any:
    """Return the sums of s times loss, y q, q (1 - q), m q, y m q (1 - q), q / (1 - q) and q².

    m is the margin.
    """
    q, right = wrong_and_right(margin)
    bend = q * right
    slopes = margin * q, rows.y * margin * bend
    squares = q / np.maximum(right, 1e-300), q * q
    values = np.stack([np.logaddexp(0.0, -margin), rows.y * q, bend, *slopes, *squares])
    return values.sum(axis=1) if rows.weight is None else values @ rows.weight


def _balanced(rows: Any, margin: Any, balance: float) -> Any:
    q, right = wrong_and_right(margin)
    if balance == 0.0:
        return q
    return np.clip(q - balance * rows.y * q * right, 0.0, 1.0)


def _xlogx(p: Any) -> Any:
    return p * np.log(np.maximum(p, 1e-300))
