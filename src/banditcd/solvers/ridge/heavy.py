"""Rows much longer than the others, which conjugate gradients are better off without."""

from __future__ import annotations

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import rows_of
from banditcd.solvers.ridge.rows import RidgeRows

#: A row is heavy if its square is this many times the penalty and the mean square of the others;
#: fewer heavy rows than this are found by as many steps of conjugate gradients.
HEAVY_FACTOR, HEAVY_LEAST = 4.0, 24
#: Passes over X that the factor of the heavy rows may cost, and all that is made of them.
FACTOR_PASSES, BUILD_PASSES = 8.0, 24.0
#: Nanoseconds of a multiplication in a factorization (kCholesky of the native price list).
CHOLESKY = 0.09


def heavy_rows(rows: RidgeRows, lam: float) -> _core.RidgeData | None:
    """Return the heavy rows with the means of all; None where they would not pay.

    At most as many as have a factor that costs ``FACTOR_PASSES`` passes over X, or half of them as
    often as their products cost too much.
    """
    one_pass = rows.native.costs[2]
    most = int((FACTOR_PASSES * one_pass * 6.0 / CHOLESKY) ** (1.0 / 3.0))
    most = min(most, rows.shape[0] // 2)
    if lam == 0.0 or most < HEAVY_LEAST:
        return None
    square = rows.weighted(_squares(rows))
    cut = np.partition(square, len(square) - most)[-most:]
    rest = (float(square.sum()) - float(cut.sum())) / (len(square) - most)
    bound = HEAVY_FACTOR * (lam + rest)
    if not np.count_nonzero(cut > bound) >= HEAVY_LEAST:
        return None
    longest = np.argsort(-square, kind="stable")[:most]
    longest = longest[square[longest] > bound]
    X = rows.X.tocsr() if rows.is_sparse else rows.X
    while len(longest) >= HEAVY_LEAST:
        chosen = np.sort(longest)
        native = rows_of(X[chosen], rows.threads)
        if native.costs[1] <= BUILD_PASSES * one_pass:
            weight = None if rows.weight is None else rows.weight[chosen]
            return _core.RidgeData(native, weight, rows.mean)
        longest = longest[: len(longest) // 2]
    return None


def _squares(rows: RidgeRows) -> Floats:
    """|x_i - mean|² of every row. Rows without one in the range of float64 are not heavy."""
    square: Floats = np.empty(rows.shape[0])
    rows.native.row_squares(square)
    if rows.mean is not None:
        along = np.empty(rows.shape[0])
        rows.native.times(rows.mean, along)
        with np.errstate(over="ignore", invalid="ignore"):
            square += float(rows.mean @ rows.mean) - 2.0 * along
    return square
