"""A run written down step by step: what the statements of the paper speak about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banditcd import selectors
from banditcd._typing import Floats
from banditcd.data import check_vector
from banditcd.engine.prepare import Plan, prepare
from banditcd.problems import Problem
from banditcd.selectors import Accelerated


@dataclass(frozen=True)
class Trajectory:
    """The iterates of a run of T steps and the paper's quantities at each of them.

    Attributes
    ----------
    problem : Problem
        The cost as the run sees it: without empty columns, and with the L1 terms on the
        Lipschitzing box of x^0, so that G_i, kappa_i and r_i are those of the paper.
    selector : object
        Who chose.
    update : str
        Name of the update rule.
    x : array of shape (T + 1, d)
        x^0, ..., x^T.
    indices : array of shape (T,)
        i_t, the coordinate updated between x^t and x^{t+1}.
    objective : array of shape (T + 1,)
        F(x^t), each computed from scratch.
    gaps, r : arrays of shape (T + 1, d)
        G_i(x^t) and r_i^t, each computed from scratch.
    entries : array of shape (T + 1,)
        Matrix entries touched until x^t, those of the selector included.
    levels : array of shape (T,)
        How deep each step was, for a selector that says so (``level``, as ``focus`` does).
    """

    problem: Problem
    selector: Any
    update: str
    x: Floats
    indices: npt.NDArray[np.intp]
    objective: Floats
    gaps: Floats
    r: Floats
    entries: npt.NDArray[np.int64]
    levels: npt.NDArray[np.intp]

    @property
    def steps(self) -> int:
        """T."""
        return len(self.indices)

    @property
    def gap(self) -> Floats:
        """G(x^t) = sum_i G_i(x^t)."""
        return np.asarray(self.gaps.sum(axis=1))

    @property
    def scale(self) -> Floats:
        """max(|F(x^t)|, 1), what rounding is measured against."""
        return np.maximum(np.abs(self.objective), 1.0)

    def suboptimality(self, f_star: float) -> Floats:
        """Return eps(x^t) = F(x^t) - F*."""
        return self.objective - f_star


def record(
    problem: Problem,
    selector: Any = "max_r",
    update: Any = "auto",
    *,
    steps: int,
    x0: Any = None,
    random_state: Any = 0,
) -> Trajectory:
    """Run the reference engine and write down every step.

    Memory is O(T d) and each step costs a product with A and one with A^T: for small problems.

    Parameters
    ----------
    problem, selector, update, x0, random_state
        As for :func:`banditcd.minimize`. Accelerated methods are refused: they are not descent
        methods, and none of the paper's statements is about them.
    steps : int
        T, the number of coordinate updates.
    """
    chosen = selectors.make(selector) if isinstance(selector, str) else selector
    if isinstance(chosen, Accelerated):
        raise ValueError(
            f"{chosen.name} is an accelerated method: Lemma 1 and what follows from it do not "
            "apply."
        )
    if steps < 1:
        raise ValueError(f"steps is {steps}; a trajectory needs at least 1.")
    if x0 is not None:
        x0 = check_vector(x0, problem.d, "x0", of="coordinates")
    scribe = _Scribe(chosen)
    plan = prepare(problem, scribe, update, x0, random_state, "reference")
    x, entries = _iterates(plan, steps)
    return _measured(plan, scribe, x, entries)


class _Scribe:
    """A selector that passes everything on to another one and notes its choices."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.indices: list[int] = []
        self.levels: list[int] = []
        self._waiting: list[int] = []
        self.start = getattr(inner, "start", None)
        for optional in ("name", "observe", "observe_batch"):
            if hasattr(inner, optional):
                setattr(self, optional, getattr(inner, optional))

    def next(self, state: Any) -> int:
        """Return the next choice; an array of choices is handed out one by one."""
        if not self._waiting:
            self._waiting = [int(i) for i in np.atleast_1d(self.inner.next(state))]
        self.indices.append(self._waiting.pop(0))
        self.levels.append(int(getattr(self.inner, "level", 0)))
        return self.indices[-1]


def _iterates(plan: Plan, steps: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    x, entries = np.empty((steps + 1, plan.problem.d)), np.zeros(steps + 1, dtype=np.int64)
    x[0] = plan.run.x
    for t in range(steps):
        plan.run.advance(1, np.inf)
        x[t + 1], entries[t + 1] = plan.run.x, plan.run.entries
    return x, entries


def _measured(plan: Plan, scribe: _Scribe, x: Floats, entries: npt.NDArray[np.int64]) -> Trajectory:
    problem = plan.problem
    gaps, r = np.empty_like(x), np.empty_like(x)
    objective = np.empty(len(x))
    for t, point in enumerate(x):
        u = problem.correlations(point)
        objective[t] = problem.objective(point)
        gaps[t], r[t] = problem.gaps(point, u), problem.marginal_decreases(point, u)
    return Trajectory(
        problem,
        scribe.inner,
        plan.update_name,
        x,
        np.array(scribe.indices, dtype=np.intp),
        objective,
        gaps,
        r,
        entries,
        np.array(scribe.levels, dtype=np.intp),
    )
