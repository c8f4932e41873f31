"""The compiled engine: the same run with native steps, and native selectors where they exist."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.engine.clock import now
from banditcd.engine.state import DescentRun, PythonRun
from banditcd.problems import Problem
from banditcd.selectors import REGISTRY, Accelerated
from banditcd.updates import BuiltinRule, Coordinate, UpdateRule, checked_target


def problem_arrays(problem: Problem) -> _core.ProblemArrays:
    """Return views of a problem's arrays for native code; nothing is copied."""
    A, arrays = problem.A, _core.ProblemArrays()
    stored = (A.storage.data, A.rows, A.starts, A.m) if A.is_sparse else (A.storage.T,)
    arrays.set_columns(_core.Columns(*stored))
    if A.signs is not None:
        arrays.set_signs(A.signs)
    arrays.set_loss(problem.loss.name, *(np.ascontiguousarray(a) for a in problem.loss.native()))
    parameters = (np.ascontiguousarray(a) for a in problem.penalty.native())
    arrays.set_penalty(problem.penalty.name, *parameters)
    arrays.set_curvature(problem.h)
    return arrays


def compiled_descent(problem: Problem, rule: UpdateRule, x0: Floats) -> _core.Descent:
    """Return the native state of a run; a user's rule gets proximal steps it will not use."""
    native, minimizes, skip = "proximal", False, False
    if isinstance(rule, BuiltinRule):
        native, minimizes = rule.native(problem), rule.minimizes(problem)
        skip = bool(getattr(rule, "skip", False))
    return _core.Descent(problem_arrays(problem), native, minimizes, skip, x0)


def compiled_run(
    problem: Problem, selector: Any, rule: UpdateRule, x0: Floats, seed: int
) -> NativeRun | AcceleratedRun | PythonRun:
    """Set up a run: all native for the built-in parts, native steps under Python ones."""
    if isinstance(selector, Accelerated):
        return AcceleratedRun(problem, selector, x0, seed)
    descent = compiled_descent(problem, rule, x0)
    builtin = REGISTRY.get(getattr(selector, "name", ""))
    if isinstance(rule, BuiltinRule):
        if builtin is not None and type(selector) is builtin:
            return NativeRun(descent, selector, seed)
        return PythonRun(problem, descent, selector, _core.Rng(seed))
    return PythonRun(problem, RuleDescent(problem, descent, rule), selector, _core.Rng(seed))


class NativeRun(DescentRun):
    """A run that is native from the choice to the update."""

    descent: _core.Descent

    def __init__(self, descent: _core.Descent, selector: Any, seed: int) -> None:
        self.descent = descent
        self.steps = 0
        began = now()
        self.selector = _core.Selector(descent, selector.name, selector.native(), seed)
        self.seconds = now() - began

    def advance(self, steps: int, seconds: float) -> None:
        """Take up to ``steps`` steps, or fewer when the time is up."""
        began = now()
        self.steps += self.selector.run(self.descent, steps, seconds)
        self.seconds += now() - began


class AcceleratedRun:
    """A native accelerated method."""

    def __init__(self, problem: Problem, method: Accelerated, x0: Floats, seed: int) -> None:
        self.steps, self.seconds = 0, 0.0
        arrays = problem_arrays(problem)
        self.method = _core.Accelerated(arrays, method.name, method.native(), x0, seed)

    @property
    def x(self) -> Floats:
        """The current point."""
        return self.method.point()

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""
        return self.method.entries

    @property
    def moves(self) -> int:
        """Every step moves."""
        return self.steps

    def rebuild(self) -> None:
        """Nothing: these methods move at every step, so they never look still."""

    def advance(self, steps: int, seconds: float) -> None:
        """Take up to ``steps`` steps, or fewer when the time is up."""
        began = now()
        self.steps += self.method.run(steps, seconds)
        self.seconds += now() - began


class RuleDescent:
    """Native columns under an update rule written in Python."""

    def __init__(self, problem: Problem, descent: _core.Descent, rule: UpdateRule) -> None:
        self.problem, self.native, self.rule = problem, descent, rule
        self.x = descent.x
        self.correlations = descent.correlations
        self.partial_correlation = descent.partial_correlation
        self.correlation = descent.correlation
        self.marginal_decrease = descent.marginal_decrease
        self.set_state = descent.set_state

    @property
    def entries(self) -> int:
        """Matrix entries touched so far."""
        return self.native.entries

    @property
    def moves(self) -> int:
        """Updates that changed their coordinate."""
        return self.native.moves

    @property
    def last_move(self) -> float:
        """Change of the coordinate updated last."""
        return self.native.last_move

    @property
    def last_correlation(self) -> float:
        """u_i of that coordinate after its update."""
        return self.native.last_correlation

    def step(self, i: int) -> tuple[float, float]:
        """Ask the rule for the new value, then move natively."""
        problem, native = self.problem, self.native
        u = native.correlation(i)
        h, mu, x = float(problem.h[i]), float(problem.mu[i]), float(self.x[i])
        at = Coordinate(problem, i, x, u, h, mu, lambda t: native.line(i, t))
        target = checked_target(self.rule, at)
        move = target - x
        change = problem.penalty.value(x, i) - problem.penalty.value(target, i)
        native.move(i, target, u)
        left = native.marginal_decrease(i, native.last_correlation)
        return float(u * move - 0.5 * h * move * move + change), left
