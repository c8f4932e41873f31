"""The Lasso and elastic-net solver behind the estimators."""

from __future__ import annotations

from functools import partial
from typing import Any

from banditcd._typing import Floats
from banditcd.estimators.backends.stepping import Run, SessionBackend
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.solvers import ElasticNetSession, Path


class ElasticNetBackend(SessionBackend):
    """Solves one response by the fast solver, alpha after alpha."""

    _settings: LinearSettings

    def __init__(
        self,
        X: Any,
        y: Floats,
        sample_weight: Floats | None,
        columns: ColumnOptions,
        settings: LinearSettings,
        solves: int,
        *,
        gram: Floats | None = None,
    ) -> None:
        self._settings, self._columns, self._polish = settings, columns, False
        self._aim = settings.aim
        self._session = ElasticNetSession(
            X,
            y,
            fit_intercept=settings.fit_intercept,
            sample_weight=sample_weight,
            penalty_weights=columns.penalty_weights,
            lower=columns.lower,
            upper=columns.upper,
            pool_bytes=settings.pool_bytes,
            solves=solves,
            n_threads=settings.n_threads,
            gram=gram,
        )

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""
        self._session.start_at(self._columns.clip(coef))
        self._least = 0

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        return self._session.largest_penalty() / self._settings.l1_ratio

    def path(self, alphas: Floats) -> Path:
        """Minimize for every alpha in the order given, warm-started, in one native call."""
        settings = self._settings
        l1, l2 = settings.penalties(alphas)
        return self._session.path(l1, l2, **settings.limits)

    def _run_of(self, strength: float) -> tuple[Run, float]:
        return partial(self._session.solve, *self._settings.penalties(strength)), 1.0
