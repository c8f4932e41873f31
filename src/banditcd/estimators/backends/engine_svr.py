"""Any selector of the engine behind LinearSVR, on the dual cost; see engine_binary."""

from __future__ import annotations

from typing import Any

from banditcd import problems
from banditcd.estimators.backends.binary import BinaryData, objective_units
from banditcd.estimators.backends.engine_binary import DualCost
from banditcd.estimators.backends.solution import Solution, Watch, constant_solution
from banditcd.estimators.backends.svr import svr_session
from banditcd.estimators.checks.binary_settings import SvrSettings

DUALS: dict[str, Any] = {
    "epsilon_insensitive": problems.InsensitiveDual,
    "squared_epsilon_insensitive": problems.SquaredInsensitiveDual,
}


class SvrDual(DualCost):
    """A selector on the dual cost; coordinates are samples."""

    def __init__(self, data: BinaryData, settings: SvrSettings) -> None:
        super().__init__(data, settings)
        self._epsilon = settings.epsilon
        self._session = svr_session(data, settings)  # knows the null model

    def solve(self, C: float, watch: Watch | None = None) -> Solution:
        """Minimize for one C, warm-started."""
        if self._session.null_objective(C) == 0.0:  # epsilon covers all responses
            return constant_solution(self._data.X.shape[1], 0.0)
        return super().solve(C, watch)

    def _null(self, problem: problems.Problem, C: float) -> float:
        return self._session.null_objective(C) / objective_units(C, self._total)[1]

    def _problem(self, alpha: float) -> problems.Problem:
        problem: problems.Problem = DUALS[self._settings.loss](
            self._X, self._target, alpha, self._epsilon, sample_weight=self._weight
        )
        return problem
