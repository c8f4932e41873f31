"""Solve one penalty or a path of them; keep the pool, the point and the snapshots in between."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from banditcd import _core
from banditcd.record.arrays import Floats, is_sparse, normalized, on_columns, vector
from banditcd.record.path import RecordPath, empty_path
from banditcd.record.result import RecordResult
from banditcd.record.session import POOL_BYTES, ColumnSession, as_result

#: Entries of X times columns below which no pass and no product is ever shared among threads.
SHARED_WORK = 1 << 22
#: Threads used by default, at most: passes are bound by memory, which few cores saturate.
MOST_THREADS = 4


class RecordSession(ColumnSession):
    """A matrix and a response, ready to be solved for one penalty after another.

    Each solve starts from the coefficients, the pool and the residual snapshots of the last
    one, which is what makes a path cheap. The arrays are borrowed, never changed, and must not
    change while the session lives. The caller has validated the input (finite, matching
    shapes, ``lower <= 0 <= upper``, weights not negative); shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. Fortran order and CSC are used as they are; anything else is
        converted once.
    y : ndarray of shape (n,)
        The response.
    fit_intercept : bool
        Whether there is an unpenalized intercept. X is never centered in memory.
    sample_weight : ndarray of shape (n,), optional
        Row weights; only their ratios matter.
    penalty_weights : ndarray of shape (d,), optional
        Multiply both penalties of a column: 0 means unpenalized, inf means excluded.
    lower, upper : ndarray of shape (d,), optional
        Bounds of the coefficients.
    pool_bytes : int
        Memory cap of the Gram matrix.
    solves : int
        How many penalties will be asked for; a path may be worth the whole Gram matrix.
    n_threads : int, optional
        Threads for passes and products that take longer than about two milliseconds. By
        default what ``BANDITCD_NUM_THREADS`` or else ``OMP_NUM_THREADS`` says, or else the
        cores this process may use, at most four. Coefficients do not depend on it beyond
        rounding.
    """

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        penalty_weights: Floats | None = None,
        lower: Floats | None = None,
        upper: Floats | None = None,
        pool_bytes: int = POOL_BYTES,
        solves: int = 1,
        n_threads: int | None = None,
    ) -> None:
        self.shape = X.shape
        sides = (
            np.ascontiguousarray(y, dtype=np.float64),
            normalized(sample_weight),
            vector(penalty_weights),
            vector(lower),
            vector(upper),
            fit_intercept,
            pool_bytes,
            solves,
        )
        self._native = on_columns(X, _core.record_dense, _core.record_sparse, *sides)
        if n_threads is not None:
            self._native.set_threads(n_threads)
        elif is_sparse(X) or X.size * max(32, self.shape[1]) > SHARED_WORK:
            self._native.set_threads(default_threads())

    def _solve_into(self, *arguments: Any) -> tuple[float, tuple[Any, ...]]:
        """Make one native call of four."""
        intercept, values = self._native.solve_into(*arguments)
        return intercept, values

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""
        self._native.start_at(np.ascontiguousarray(coef, dtype=np.float64))

    def solve_path(
        self,
        l1: Sequence[float] | Floats,
        l2: Sequence[float] | Floats,
        *,
        tol: float = 1e-4,
        max_bins: int = 1000,
        max_seconds: float = math.inf,
    ) -> list[RecordResult]:
        """Minimize for one penalty after another, warm-started, in one native call.

        The same points as :meth:`solve` in a loop; where the path is solved in Gram space, the
        true residuals behind the certificates of several penalties share one reading of X.

        Parameters
        ----------
        l1, l2 : sequence of float
            Weights of ``|w|`` and of ``w²/2``, one of each per penalty.
        tol, max_bins, max_seconds
            As in :meth:`solve`, for each penalty.

        Returns
        -------
        list of RecordResult
            In the order of the penalties; their ``coef`` share one array.
        """
        n, d = self.shape
        first, second = (n * np.asarray(values, dtype=np.float64).ravel() for values in (l1, l2))
        coefs, intercepts = np.empty((first.size, d)), np.empty(first.size)
        reports = self._native.solve_path(
            first, second, tol, max_bins, max_seconds, coefs.reshape(-1), intercepts
        )
        return [
            as_result(report, n, coef, intercept)
            for report, coef, intercept in zip(reports, coefs, intercepts.tolist(), strict=True)
        ]

    def path(
        self, l1: Floats, l2: Floats, *, tol: float = 1e-4, max_bins: int = 1000
    ) -> RecordPath:
        """Minimize for every pair of penalties in the order given, in one native call."""
        n, d = self.shape
        out = empty_path(n, d, len(l1))
        self._native.path(n * l1, n * l2, tol, max_bins, out.coefs, out.table)
        return out


def solve(
    X: Any,
    y: Floats,
    *,
    l1: float,
    l2: float = 0.0,
    tol: float = 1e-4,
    max_bins: int = 1000,
    max_seconds: float = math.inf,
    coef_init: Floats | None = None,
    **options: Any,
) -> RecordResult:
    """Solve one problem; ``options`` are those of :class:`RecordSession`."""
    session = RecordSession(X, y, **options)
    if coef_init is not None:
        session.start_at(coef_init)
    return session.solve(l1, l2, tol=tol, max_bins=max_bins, max_seconds=max_seconds)


def solve_path(
    X: Any,
    y: Floats,
    *,
    alphas: Sequence[float] | Floats,
    l1_ratio: float = 1.0,
    tol: float = 1e-4,
    max_bins: int = 1000,
    max_seconds: float = math.inf,
    **options: Any,
) -> list[RecordResult]:
    """Solve for every alpha in the order given (largest first is fastest), warm-started.

    ``l1 = alpha * l1_ratio`` and ``l2 = alpha * (1 - l1_ratio)``; ``max_seconds`` is for each
    alpha; ``options`` are those of :class:`RecordSession`.
    """
    session = RecordSession(X, y, solves=len(alphas), **options)
    grid = np.asarray(alphas, dtype=np.float64)
    return session.solve_path(
        grid * l1_ratio,
        grid * (1.0 - l1_ratio),
        tol=tol,
        max_bins=max_bins,
        max_seconds=max_seconds,
    )


def largest_penalty(X: Any, y: Floats, **options: Any) -> float:
    """Return the smallest ``l1`` at which no penalized coefficient is non-zero."""
    return RecordSession(X, y, **options).largest_penalty()


def default_threads() -> int:
    """Return the number of threads the environment asks for, or one per core up to four."""
    for name in ("BANDITCD_NUM_THREADS", "OMP_NUM_THREADS"):
        value = os.environ.get(name, "").split(",")[0].strip()
        if value.isdigit() and int(value) > 0:
            return int(value)
    available = getattr(os, "sched_getaffinity", None)
    cores = len(available(0)) if available is not None else os.cpu_count() or 1
    return min(cores, MOST_THREADS)
