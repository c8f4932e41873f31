"""The fast solver behind LinearSVR; objectives are in the units of the estimator."""

from __future__ import annotations

from functools import partial
from typing import Any

from banditcd.estimators.backends.binary import BinaryData
from banditcd.estimators.backends.stepping import Run, SessionBackend
from banditcd.estimators.checks.binary_settings import SvrSettings
from banditcd.solvers import SvrSession


class SvrBackend(SessionBackend):
    """The support vector solver, by rows."""

    _in_passes = True
    _exact = 1e-26
    _first = 4
    _growth = 2

    def __init__(self, data: BinaryData, settings: SvrSettings) -> None:
        self._settings, self._polish = settings, data.is_polished(settings)
        self._session = svr_session(data, settings)

    def _run_of(self, strength: float) -> tuple[Run, float]:
        return partial(self._session.solve, strength), 1.0


def svr_session(data: BinaryData, settings: SvrSettings) -> SvrSession:
    """Return the native session of a problem."""
    loss: Any = settings.loss
    return SvrSession(
        data.X,
        data.target,
        epsilon=settings.epsilon,
        loss=loss,
        sample_weight=data.weight,
        intercept=None if settings.intercept == "none" else settings.intercept,
        intercept_scaling=settings.intercept_scaling,
    )
