"""What a solve returns: the point, its certificate, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SENTENCES = {
    "converged": "The duality gap is at most tol times the objective of the null model.",
    "max_bins": "The number of bins was reached before the gap; raise max_bins or tol.",
    "max_iter": "The number of iterations was reached before the gap; raise max_iter or tol.",
    "max_seconds": "The time limit was reached before the gap; raise max_seconds or tol.",
    "interrupted": "The solve was interrupted.",
    "stalled": "No further progress is possible in float64 at this tolerance; raise tol.",
    "uncertified": (
        "No finite certificate was found: columns without penalty are not exactly orthogonal to "
        "the residual; penalize them or rescale the columns."
    ),
}


@dataclass(frozen=True, slots=True)
class RecordResult:
    """A point with its certificate.

    All objective values are those of the mean-scaled objective in :mod:`banditcd.record`.

    Attributes
    ----------
    coef : ndarray of shape (d,)
        The coefficients.
    intercept : float
        The intercept; 0 without one.
    primal, dual : float
        The objective at the point, and the best dual value known. ``primal - dual == gap``.
    gap : float
        The duality gap from the true residual, in float64. The optimum is at least
        ``primal - gap``.
    target : float
        ``tol`` times the objective of the null model (the best constant, or zero).
    status : str
        "converged" only if ``gap <= target``; else max_bins, max_iter, max_seconds,
        stalled or uncertified.
    regime : str
        How it was solved: "null" (no column ever entered), "pool", "whole_gram" or "residual".
    passes : float
        Entries of X read, Gram packing included, divided by the entries of X.
    bins : int
        How often the pool problem was solved.
    seconds : float
        Wall-clock time in native code.
    pool_size, support : int
        Columns in the pool, and non-zero coefficients.
    """

    coef: NDArray[np.float64]
    intercept: float
    primal: float
    dual: float
    gap: float
    target: float
    status: str
    regime: str
    passes: float
    bins: int
    seconds: float
    pool_size: int
    support: int

    @property
    def converged(self) -> bool:
        """Whether the certificate reached the target."""
        return self.status == "converged"

    @property
    def message(self) -> str:
        """The status as a sentence."""
        return SENTENCES[self.status]
