"""The seconds of a run: of the wall, or of the CPU."""

import time

import numpy as np

from banditcd import minimize, problems
from banditcd.engine.clock import cpu_time


class Sleeper:
    """Takes the coordinates in turn and sleeps a little before each."""

    def start(self, problem: problems.Problem, rng: object) -> None:
        self.d, self.t = problem.d, 0

    def next(self, state: object) -> int:
        time.sleep(0.005)
        self.t += 1
        return self.t % self.d


def test_sleep_counts_on_the_wall_and_not_on_the_cpu() -> None:
    rng = np.random.default_rng(0)
    problem = problems.Lasso(rng.standard_normal((20, 5)), rng.standard_normal(20), alpha=0.01)
    options = {"tol": 1e-300, "max_epochs": 4.0, "random_state": 0}
    wall = minimize(problem, Sleeper(), **options)
    with cpu_time():
        cpu = minimize(problem, Sleeper(), **options)
    after = minimize(problem, Sleeper(), **options)
    assert np.array_equal(wall.x, cpu.x)
    assert min(wall.seconds, after.seconds) >= 20 * 0.005
    assert 0.0 < cpu.seconds < 0.5 * min(wall.seconds, after.seconds)
