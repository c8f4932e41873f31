"""The fast solvers behind the classifiers."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import SMALL, BinaryData, objective_units, with_constant
from banditcd.estimators.backends.stepping import Run, SessionBackend
from banditcd.estimators.checks.binary_settings import BinarySettings, SvrSettings
from banditcd.solvers import (
    L1SvmSession,
    L2LogisticSession,
    LogisticSession,
    Result,
    SvmSession,
    SvrSession,
)

#: Shares of ``tol`` that gaps are held below (docs/accuracy.md): of the null model's objective for
#: a smooth model, more of it beyond a number of entries, and not below what rounding leaves; of the
#: objective itself for the hinges; and of both for a squared hinge on more features than samples,
#: which is solved by coordinate descent on the dual, whose last digits take few passes. The last
#: two are for tolerances up to the default, and grow with the square of looser ones. With an L1
#: part a fit is judged by ``tol`` and goes on below it, by Newton's last steps on a pool.
SMOOTH_SHARE, LARGE_SHARE, LARGE, LEAST_SHARE = 1e-4, 1e-2, 1_000_000, 1e-12
OBJECTIVE_SHARE = 0.1
WIDE_SHARE = 1e-4
SPARSE_SHARE, POOL_SHARE, TUBE_SHARE, EXACT_SHARE = 1e-10, 1e-9, 1e-4, 1e-14
DEFAULT_TOL = 1e-4


class LogisticBackend(SessionBackend):
    """L1 and elastic-net penalties, and bounds; by columns."""

    _session: LogisticSession
    _settings: BinarySettings

    def __init__(self, data: BinaryData, settings: BinarySettings, like: Any = None) -> None:
        self._data, self._settings = data, settings
        self._polish = settings.polish and data.X.size <= SMALL
        if isinstance(like, LogisticBackend):
            self._session = like._session.with_labels(data.target, data.weight)
            return
        self._session = LogisticSession(
            data.X,
            data.target,
            fit_intercept=settings.intercept == "free",
            sample_weight=data.weight,
            penalty_weights=data.columns.penalty_weights,
            lower=data.columns.lower,
            upper=data.columns.upper,
            pool_bytes=settings.pool_bytes,
            n_threads=settings.n_threads,
        )

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        self._session.start_at(self._data.columns.clip(coef), intercept)
        self._least = self._settings.least

    def largest_penalty(self) -> float:
        """Return the smallest ``l1`` beside the mean loss at which no coefficient is non-zero."""
        return self._session.largest_penalty()

    def _run_of(self, strength: float) -> tuple[Run, float]:
        if not self._polish:
            self._aim = pool_aim(self._settings.tol, self._data.X.size, strength)
        alpha, unit = objective_units(strength, self._data.target.size)
        return partial(self._session.solve, *self._settings.penalties(alpha)), unit


def smooth_tolerance(tol: float, entries: int) -> float:
    """Return the share of the null model's objective that the gap of a smooth model may be.

    A gap is of the order of the squared errors of the model: a small share of ``tol`` makes
    coefficients at least as accurate as scikit-learn's, whose ``tol`` is for the gradient. Below
    1e-12 rounding has the word, and ``tol`` itself is meant. Somebody who asks for less than the
    default means it: the share grows with the square of ``tol``.
    """
    share = SMOOTH_SHARE if entries <= LARGE else LARGE_SHARE
    share *= max(1.0, tol / DEFAULT_TOL) ** 2
    return min(tol, max(share * tol, LEAST_SHARE))


class L2LogisticBackend(SessionBackend):
    """An L2 penalty; by rows."""

    _shows_start = True
    _settings: BinarySettings

    @property
    def _tolerance(self) -> float:
        return smooth_tolerance(self._settings.tol, self._data.X.size)

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        self._data, self._settings, self._polish = data, settings, data.is_polished(settings)
        self._session = L2LogisticSession(
            data.X,
            data.target,
            fit_intercept=settings.intercept == "free",
            sample_weight=data.weight,
            penalty_weights=data.columns.penalty_weights,
            n_threads=settings.n_threads,
        )
        if settings.regime is not None:
            self._session.force_regime(settings.regime)

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        self._session.start_at(self._data.columns.clip(coef), intercept)
        self._least = self._settings.least

    def _run_of(self, strength: float) -> tuple[Run, float]:
        alpha, unit = objective_units(strength, self._data.target.size)
        return partial(self._session.solve, alpha), unit


def _finer(tol: float, share: float, entries: int) -> float:
    """Return a small share of ``tol``, of which LIBLINEAR's default leaves as little.

    The share is for tolerances up to the default; it grows with the square of looser ones, and with
    the number of entries.
    """
    share *= max(1.0, tol / DEFAULT_TOL) ** 2 * max(1.0, entries / LARGE)
    return min(tol, max(share * tol, EXACT_SHARE))


def pool_aim(tol: float, entries: int, strength: float) -> float | None:
    """Return where a logistic fit with an L1 part ends its work; None without a penalty."""
    return None if math.isinf(strength) else _finer(tol, POOL_SHARE, entries)


class L1SvmBackend(SessionBackend):
    r"""Squared hinge with an L1 penalty; by columns.

    A penalized intercept is the coefficient of a constant column :math:`\gamma`, as in LIBLINEAR.
    """

    _session: L1SvmSession

    def __init__(self, data: BinaryData, settings: BinarySettings, like: Any = None) -> None:
        self._settings, self._polish = settings, data.is_polished(settings)
        if not self._polish:
            self._aim = _finer(settings.tol, SPARSE_SHARE, data.X.size)
        self._rows = data.target.size
        self._gamma = settings.intercept_scaling if settings.intercept == "penalized" else None
        if isinstance(like, L1SvmBackend):
            self._session = like._session.with_labels(data.target, data.weight)
            return
        X = data.X if self._gamma is None else with_constant(data.X, self._gamma)
        free = settings.intercept == "free"
        self._session = L1SvmSession(
            X,
            data.target,
            fit_intercept=free,
            sample_weight=data.weight,
            pool_bytes=settings.pool_bytes,
            n_threads=settings.n_threads,
        )

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        if self._gamma is not None:
            coef, intercept = np.append(coef, intercept / self._gamma), 0.0
        self._session.start_at(coef, intercept)

    def _run_of(self, strength: float) -> tuple[Run, float]:
        alpha, unit = objective_units(strength, self._rows)
        return partial(self._solve, alpha), unit

    def _solve(self, alpha: float, *, tol: float, max_iter: int) -> Result:
        result = self._session.solve(alpha, tol=tol, max_iter=max_iter)
        if self._gamma is None:
            return result
        intercept = self._gamma * float(result.coef[-1])
        return replace(result, coef=result.coef[:-1], intercept=intercept)


class _RowBackend(SessionBackend):
    """A support vector machine with an L2 penalty; by rows."""

    _in_passes = True
    _exact = 1e-26
    _first = 4
    _growth = 2


class SvmBackend(_RowBackend):
    """Hinge and squared hinge.

    A default fit has to be as exact as LIBLINEAR's, and gets there by small shares of ``tol``.
    Somebody who asks for less than the default means ``tol`` itself: the shares are multiplied by
    (tol / 1e-4)^2, without a jump between the two.
    """

    def __init__(self, data: BinaryData, settings: BinarySettings) -> None:
        self._settings, self._polish = settings, data.is_polished(settings)
        self._looser = max(1.0, settings.tol / DEFAULT_TOL) ** 2
        is_wide = data.X.shape[0] < data.X.shape[1] and data.X.size <= LARGE
        if settings.loss != "hinge" and is_wide and not self._polish:  # which goes farther still
            share = self._looser * WIDE_SHARE
            self._aim = min(settings.tol, max(share * settings.tol, LEAST_SHARE))
        self._session = SvmSession(
            data.X,
            data.target,
            loss="hinge" if settings.loss == "hinge" else "squared_hinge",
            sample_weight=data.weight,
            intercept=None if settings.intercept == "none" else settings.intercept,
            intercept_scaling=settings.intercept_scaling,
            pool_bytes=settings.pool_bytes,
            n_threads=settings.n_threads,
        )
        if settings.regime is not None:
            self._session.force_regime(settings.regime)

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Do nothing: the dual variables of the last solve are a better start than a model."""

    def _run_of(self, strength: float) -> tuple[Run, float]:
        share = self._looser * OBJECTIVE_SHARE * self._goal
        return partial(self._session.solve, strength, of_objective=share), 1.0


class SvrBackend(_RowBackend):
    """Losses of residuals beyond epsilon."""

    def __init__(self, data: BinaryData, settings: SvrSettings) -> None:
        self._settings, self._polish = settings, data.is_polished(settings)
        if not self._polish:
            self._aim = _finer(settings.tol, TUBE_SHARE, data.X.size)
        self._session = svr_session(data, settings)

    def _run_of(self, strength: float) -> tuple[Run, float]:
        return partial(self._session.solve, strength), 1.0


def svr_session(data: BinaryData, settings: SvrSettings) -> SvrSession:
    """Return the native session of a regression."""
    loss: Any = settings.loss
    return SvrSession(
        data.X,
        data.target,
        epsilon=settings.epsilon,
        loss=loss,
        sample_weight=data.weight,
        intercept=None if settings.intercept == "none" else settings.intercept,
        intercept_scaling=settings.intercept_scaling,
        pool_bytes=settings.pool_bytes,
        n_threads=settings.n_threads,
    )
