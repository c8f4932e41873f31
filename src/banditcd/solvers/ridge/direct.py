"""All targets by a direct way: steps to the minimizer, refined by true residuals."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats
from banditcd.solvers.ridge.models import Models
from banditcd.solvers.ridge.ways import Way

#: Steps before a solve is called stalled.
STEPS = 14
#: Coefficients are exact if their error is at most this share of their norm: proved by strong
#: convexity, |w - w*| <= |gradient| / lam, or estimated from the last two steps of a refinement
#: that contracts. The second is for models that are rounded to single precision.
PROVED, ESTIMATED, ROUNDED = 1e-11, 1e-11, 1e-8
#: Two steps show no faster contraction than this: the first may have missed the slowest direction.
RATE, TINY = 1e-3, 1e-300
#: A refinement contracts if every step is at most this share of the one before.
CONTRACTION = 0.1


def solve_direct(models: Models, way: Way, max_seconds: float, *, exact: bool, single: bool) -> Way:
    """Step until the gaps are at their targets and, if ``exact``, the coefficients at rounding.

    Returns the way that got there; a way that does not contract hands over to a finer one.
    """
    # Main loop: steps, and a finer way where they do not contract.
    last: Floats | None = None
    accuracy = ROUNDED if single else ESTIMATED
    for _ in range(STEPS):
        try:
            step = _step(models, way, max_seconds)
        except TimeoutError:
            models.status = ["max_seconds"] * len(models.targets)
            return way
        if step is None:
            finer = way.finer()
            if finer is None:
                return way
            way, last = finer, None
            continue
        before = models.coef, models.gap.copy(), models.primal.copy()
        coef = models.coef + step
        size, whole = _norms(step), _norms(coef)
        near = size if last is None else size * np.clip(size / np.maximum(last, TINY), RATE, 1.0)
        close = (near <= accuracy * whole) | (not exact or way.at_once)
        (models.round if single and np.all(close) else models.move)(coef)
        models.n_iter += 1
        done = (models.gap <= models.target) & (close | _proved(models, whole))
        if np.all(done):
            return way
        worse = ~(models.gap < before[1]) & ~(models.primal < before[2])
        if worse.any():
            models.move(np.where(worse[:, None], before[0], models.coef))
        stuck = worse | (False if last is None else size > CONTRACTION * last)
        if np.any(stuck & ~done):
            finer = None if _small(size, whole) else way.finer()
            if finer is None:
                return way
            way, last = finer, None
        else:
            last = size
    return way


def _step(models: Models, way: Way, max_seconds: float) -> Floats | None:
    left = max_seconds - (time.perf_counter() - models.started)
    if not left > 0.0:
        raise TimeoutError
    return way.step(models, left)


def _norms(rows: Floats) -> Floats:
    out: Floats = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return out


def _proved(models: Models, whole: Floats) -> NDArray[np.bool_]:
    """Whether the gradients prove the coefficients exact."""
    if models.lam == 0.0:
        return np.zeros(len(whole), dtype=bool)
    out: NDArray[np.bool_] = _norms(models.gradient) <= PROVED * models.lam * whole
    return out


def _small(size: Floats, whole: Floats) -> bool:
    """Whether steps that contract no more are as small as rounding makes them."""
    return bool(np.all(size <= 1e-9 * whole))
