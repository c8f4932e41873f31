"""Drive the reference engine and the compiled one side by side, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd.engine.prepare import prepare
from banditcd.engine.reference import ReferenceDescent
from banditcd.engine.state import SelectorState
from banditcd.problems import Problem
from banditcd.selectors import Rng
from banditcd.selectors.ascd import active_set


def agree(found: Any, expected: Any, rtol: float, atol: float) -> None:
    """NumPy's assertion, which takes ten times as long as the steps that laws compare.

    It is asked where a plain comparison does not hold: for its words, and about infinite values.
    """
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.subtract(found, expected))
        close = bool((apart <= atol + rtol * np.abs(expected)).all())
    if not close or np.shape(found) != np.shape(expected):
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)


@dataclass
class Step:
    """What both engines did in one step."""

    reference: int
    compiled: int
    report: tuple[float, float]
    compiled_report: tuple[float, float]


class Lockstep:
    """The same run twice: plain NumPy and native, choosing, moving and learning in turn."""

    def __init__(self, problem: Problem, selector: Any, rule: Any, seed: int) -> None:
        self.plan = prepare(problem, selector, rule, None, seed, "reference")
        self.reference = self.plan.run
        self.compiled = prepare(problem, selector, rule, None, seed, "compiled").run
        self.problem = self.plan.problem

    def choose(self) -> tuple[int, int]:
        i = self.reference.selector.next(self.reference.state)
        return int(i), int(self.compiled.selector.next(self.compiled.descent))

    def move(self, i: int, j: int) -> tuple[tuple[float, float], tuple[float, float]]:
        run = self.reference
        report = run.descent.step(i)
        run.state.step += 1
        run.state.last_move = run.descent.last_move
        run.state.last_correlation = run.descent.last_correlation
        if hasattr(run.selector, "observe"):
            run.selector.observe(i, *report)
        compiled_report = self.compiled.descent.step(j)
        self.compiled.selector.observe(self.compiled.descent, j, *compiled_report)
        return report, compiled_report

    def step(self) -> Step:
        i, j = self.choose()
        return Step(i, j, *self.move(i, j))


class Twins:
    """One compiled run under two minds: the Python selector and its native twin.

    Both see the same state to the last bit, so that they may differ by a tie only. Every move is
    repeated by the reference engine from the same point.
    """

    def __init__(self, problem: Problem, selector: Any, rule: Any, seed: int) -> None:
        plan = prepare(problem, selector, rule, None, seed, "compiled")
        self.problem, self.run = plan.problem, plan.run
        self.descent, self.native = self.run.descent, self.run.selector
        self.state, self.python = SelectorState(self.problem, self.descent), selector
        self.python.start(self.problem, Rng(seed))
        self.reference = ReferenceDescent(self.problem, rule, np.array(self.descent.x))

    def choose(self) -> tuple[int, int]:
        return int(self.python.next(self.state)), int(self.native.next(self.descent))

    def move(self, i: int) -> tuple[tuple[float, float], tuple[float, float]]:
        self.reference.set_state(np.array(self.descent.x))
        report = self.reference.step(i)
        compiled = self.descent.step(i)
        self.state.step += 1
        self.state.last_move = self.descent.last_move
        self.state.last_correlation = self.descent.last_correlation
        if hasattr(self.python, "observe"):
            self.python.observe(i, *compiled)
        self.native.observe(self.descent, i, *compiled)
        return report, compiled

    def scores(self) -> np.ndarray | None:
        """What a greedy selector compares, or None if it is not greedy."""
        problem, x, name = self.problem, np.array(self.descent.x), self.python.name
        if name == "b_max_r":
            return np.array(self.python._estimate)
        if name == "ascd":  # 1 for all that belong to the active set but for rounding
            low, high = (bound**2 for bound in self.python._bounds(x))
            active = active_set(low, high)
            return np.where(high >= low[active].mean() - 1e-24, 1.0, 0.0)
        u = np.array(self.descent.correlations())
        if name == "max_r":
            return problem.marginal_decreases(x, u)
        if name == "max_gap":
            return problem.gaps(x, u)
        if name == "gauss_southwell":
            return np.array(self.python.scores(x, u))
        return None
