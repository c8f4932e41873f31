"""The solvers behind LinearSVR; objectives are in the units of the estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from banditcd.estimators.backends.binary import BinaryData, BinarySettings
from banditcd.estimators.backends.native_binary import SessionBackend
from banditcd.estimators.backends.solution import Solution, Watch
from banditcd.solvers.svr import SvrSession


@dataclass(frozen=True, slots=True)
class SvrModel(BinarySettings):
    """Checked hyperparameters, without C."""

    epsilon: float = 0.0


class Solver(Protocol):
    """A problem, ready to be solved for one C after another."""

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""


def svr_backend(data: BinaryData, model: SvrModel) -> Solver:
    """Return the solver that the hyperparameters ask for; ``data.sign`` holds the responses."""
    if model.selector is None:
        return SvrBackend(data, model)
    from banditcd.estimators.backends.engine_svr import SvrDual

    return SvrDual(data, model)


class SvrBackend(SessionBackend):
    """The native solver, by rows."""

    _exact = 1e-26
    _step = 4
    _growth = 2

    def __init__(self, data: BinaryData, model: SvrModel) -> None:
        super().__init__(data, model)
        self._session = make_session(data, model)

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        return self._solve(
            lambda passes, tol: self._session.solve(C, tol=tol, max_iter=passes), 1.0, watch
        )


def make_session(data: BinaryData, model: SvrModel) -> SvrSession:
    """Return the native session of a problem."""
    intercept: Any = None if model.intercept == "none" else model.intercept
    loss: Any = model.loss
    return SvrSession(
        data.X,
        data.sign,
        epsilon=model.epsilon,
        loss=loss,
        sample_weight=data.weight,
        intercept=intercept,
        intercept_scaling=model.intercept_scaling,
    )
