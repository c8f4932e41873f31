"""The accelerated methods in plain NumPy, as their papers write them."""

from __future__ import annotations

import math

import numpy as np

from banditcd._typing import Floats
from banditcd.engine.clock import now
from banditcd.problems import Problem
from banditcd.selectors import Accelerated, Approx, Rng
from banditcd.selectors.base import draw


class _AcceleratedRun:
    """Counts and the slicing loop; a subclass says what one step does."""

    def __init__(self, problem: Problem, rng: Rng) -> None:
        self.problem, self.rng = problem, rng
        self.steps = self.entries = self.moves = 0
        self.seconds = 0.0

    def rebuild(self) -> None:
        """Nothing: these methods move at every step, so they never look still."""

    def advance(self, steps: int, seconds: float) -> None:
        """Take up to ``steps`` steps, or fewer when the time is up."""
        began = now()
        for _ in range(steps):
            self._step()
            self.steps += 1
            self.moves += 1
            if now() - began >= seconds:
                break
        self.seconds += now() - began

    def _step(self) -> None:
        raise NotImplementedError

    def _correlation(self, i: int, point: Floats) -> float:
        """u_i at a point, from scratch: this engine is for reading, not for speed."""
        w = self.problem.loss.gradient(self.problem.A.matvec(point))
        return -self.problem.A.dot(i, w)


class ApproxRun(_AcceleratedRun):
    """APPROX: see ``selectors.Approx``."""

    def __init__(self, problem: Problem, method: Approx, x0: Floats, rng: Rng) -> None:
        super().__init__(problem, rng)
        self.period = round(method.restart * problem.d)
        self._restart(x0.copy())

    def _restart(self, x: Floats) -> None:
        self.z, self.p = x, np.zeros_like(x)
        self.theta = self.previous = 1.0 / self.problem.d
        self.age = 0

    @property
    def x(self) -> Floats:
        """The current point, theta^2 p + z.

        In exact arithmetic it lies in the domain; rounding may put it just outside.
        """
        penalty = self.problem.penalty
        return np.clip(self.previous**2 * self.p + self.z, penalty.lower, penalty.upper)

    def _step(self) -> None:
        problem, d, theta = self.problem, self.problem.d, self.theta
        if self.period and self.age == self.period:
            self._restart(self.x)
            theta = self.theta
        i = self.rng.integer(d)
        u = self._correlation(i, theta**2 * self.p + self.z)
        target = float(problem.penalty.prox(self.z[i], u, theta * d * problem.h[i], i))
        t = target - self.z[i]
        self.z[i] = target
        self.p[i] -= (1.0 - d * theta) / theta**2 * t
        self.previous = theta
        self.theta = 0.5 * (math.sqrt(theta**4 + 4.0 * theta**2) - theta**2)
        self.age += 1
        # One dot with two vectors, one axpy on each.
        self.entries += problem.A.entries(i) * (4 if t != 0.0 else 2)


class NuacdmRun(_AcceleratedRun):
    """NUACDM: see ``selectors.Nuacdm``."""

    def __init__(self, problem: Problem, x0: Floats, rng: Rng) -> None:
        super().__init__(problem, rng)
        self.lipschitz = problem.h + problem.mu
        self.sigma = float(problem.mu.min())
        self.roots = np.sqrt(self.lipschitz)
        total = float(self.roots.sum())
        self.tau = 2.0 / (1.0 + math.sqrt(4.0 * total**2 / self.sigma + 1.0))
        self.eta = 1.0 / (self.tau * total**2)
        self.total = total
        self.y, self.z = x0.copy(), x0.copy()

    @property
    def x(self) -> Floats:
        """The current point y."""
        return self.y

    def _step(self) -> None:
        problem = self.problem
        x = self.tau * self.z + (1.0 - self.tau) * self.y
        i = draw(self.roots, self.rng)
        low, _ = problem.penalty.subdifferential(x[i], i)
        gradient = float(low) - self._correlation(i, x)
        self.y = x.copy()
        self.y[i] -= gradient / self.lipschitz[i]
        shrink = 1.0 + self.eta * self.sigma
        self.z = (self.z + self.eta * self.sigma * x) / shrink
        self.z[i] -= self.eta * self.total / self.roots[i] * gradient / shrink
        self.entries += problem.A.entries(i) * 4


def reference_accelerated(
    problem: Problem, method: Accelerated, x0: Floats, rng: Rng
) -> ApproxRun | NuacdmRun:
    """Set up an accelerated run."""
    if isinstance(method, Approx):
        return ApproxRun(problem, method, x0, rng)
    return NuacdmRun(problem, x0, rng)
