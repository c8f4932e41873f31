"""Everything that is checked and set up before the first step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from banditcd import selectors, updates
from banditcd._typing import Floats
from banditcd.data import unknown_name
from banditcd.engine.applicability import check_compiled, check_fit
from banditcd.engine.reference import ReferenceDescent
from banditcd.engine.reference_accelerated import reference_accelerated
from banditcd.engine.state import Moving, PythonRun
from banditcd.problems import Problem
from banditcd.selectors import Accelerated, Rng, seed_from
from banditcd.updates import UpdateRule

STILL = 1e-14  # relative change of a coordinate that is rounding
ENGINES = ("compiled", "reference")


class Run(Moving, Protocol):
    """A run in progress."""

    @property
    def steps(self) -> int:
        """Coordinate updates so far."""

    @property
    def seconds(self) -> float:
        """Time of the method so far."""

    def rebuild(self) -> None:
        """Compute Ax and the gradient from scratch."""

    def advance(self, steps: int, seconds: float) -> None:
        """Take up to ``steps`` steps, or fewer when the time is up."""


@dataclass
class Plan:
    """A checked combination of parts, ready to run.

    ``whole`` is the user's problem; ``problem`` leaves out empty columns, whose coordinates are
    set once to the minimizer of g_i (``base``) and never selected, and carries the Lipschitzing
    box of the starting point.
    """

    whole: Problem
    problem: Problem
    kept: npt.NDArray[np.intp]
    base: Floats
    run: Run
    engine: str
    selector_name: str
    update_name: str
    certificate_entries: int = 0
    _still: tuple[int, int] = field(default=(0, -1))

    def full(self, x: Floats) -> Floats:
        """Return x in the coordinates of the user's problem."""
        out = self.base.copy()
        out[self.kept] = x
        return out

    def stalled(self, step: int) -> bool:
        """Whether nothing moved for an epoch and no coordinate would move if it were asked.

        A random selector may simply have missed the coordinates that would, so each one's own
        minimizer is computed from a freshly built gradient.
        """
        since, moves = self._still
        if self.run.moves != moves:
            self._still = (step, self.run.moves)
            return False
        if step - since < self.problem.d:
            return False
        self._still = (step, moves)  # look again after another epoch
        problem, x = self.problem, np.array(self.run.x)
        self.run.rebuild()
        target = problem.penalty.prox(x, problem.correlations(x), problem.h)
        self.certificate_entries += 3 * problem.A.nnz
        return bool(np.all(np.abs(target - x) <= STILL * np.abs(x)))


def prepare(
    problem: Problem,
    selector: Any,
    update: Any,
    x0: Floats | None,
    random_state: Any,
    engine: str,
) -> Plan:
    """Check the parts against each other and set up a run."""
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    chosen = selectors.make(selector) if isinstance(selector, str) else selector
    rule = _rule(update, problem, chosen)
    seed = seed_from(random_state)
    check_fit(chosen, rule, problem)
    if engine == "compiled":
        check_compiled(problem)
    _check_scale(problem)
    if not isinstance(chosen, Accelerated):
        _check_selector(chosen)
    start = problem.start() if x0 is None else _inside(problem, x0)
    base = np.where(problem.h > 0.0, start, problem.penalty.minimizer())
    kept = np.flatnonzero(problem.h > 0.0)
    # Without any column left one empty coordinate stays, so that there is something to iterate.
    kept = kept if kept.size else np.arange(1)
    part = problem if kept.size == problem.d else problem.keep(kept)
    if not isinstance(chosen, Accelerated):  # those are not monotone: F(x0) bounds nothing
        part = part.bounded_by(base[kept])
    run = _make_run(part, chosen, rule, base[kept], seed, engine)
    return Plan(
        problem,
        part,
        kept,
        base,
        run,
        engine,
        _name(chosen),
        "accelerated" if isinstance(chosen, Accelerated) else _name(rule),
    )


def _check_scale(problem: Problem) -> None:
    """Refuse data whose squares leave the range of float64: no certificate would mean anything."""
    scale = problem.null_objective()
    if not (np.isfinite(scale) and np.isfinite(problem.h).all()):
        raise ValueError("The squares of X or y overflow float64; scale the data down.")
    start = problem.start()
    if scale == 0.0 and np.any(problem.penalty.violation(start, problem.correlations(start)) > 0.0):
        raise ValueError("The squares of y underflow to 0 in float64; scale the data up.")


def _make_run(
    problem: Problem, selector: Any, rule: UpdateRule, x0: Floats, seed: int, engine: str
) -> Run:
    if engine == "compiled":
        from banditcd.engine.compiled import compiled_run

        return compiled_run(problem, selector, rule, x0, seed)
    if isinstance(selector, Accelerated):
        return reference_accelerated(problem, selector, x0, Rng(seed))
    return PythonRun(problem, ReferenceDescent(problem, rule, x0), selector, Rng(seed))


def _rule(update: Any, problem: Problem, selector: Any) -> UpdateRule:
    if isinstance(selector, Accelerated) and update != "auto":
        raise ValueError(f"{selector.name} has its own updates; leave update='auto'.")
    if isinstance(update, str):
        return updates.make(problem.default_update if update == "auto" else update)
    if isinstance(update, type):
        raise TypeError(
            f"update is the class {update.__name__}; pass an object: {update.__name__}()."
        )
    if not callable(getattr(update, "target", None)):
        raise TypeError(f"update is {update!r}; use a name or an object with target(coordinate).")
    rule: UpdateRule = update
    return rule


def _check_selector(selector: Any) -> None:
    if isinstance(selector, type):
        raise TypeError(
            f"selector is the class {selector.__name__}; pass an object: {selector.__name__}()."
        )
    missing = [m for m in ("start", "next") if not callable(getattr(selector, m, None))]
    if missing:
        raise TypeError(
            f"selector {selector!r} has no {' and no '.join(missing)}; a selector needs "
            "start(problem, rng) and next(state)."
        )


def _inside(problem: Problem, x0: Floats) -> Floats:
    if np.any(x0 < problem.penalty.lower) or np.any(x0 > problem.penalty.upper):
        raise ValueError("x0 lies outside the domain of the cost (bounds, or the dual's box).")
    return x0.astype(np.float64, copy=True)


def _name(part: Any) -> str:
    return str(getattr(part, "name", type(part).__name__))
