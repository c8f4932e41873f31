"""A numerical test of membership in the class H of update rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.updates.base import Coordinate, UpdateRule
from banditcd.updates.reference import Reference

TOLERANCE = 1e-12  # of max(|F|, 1)


@dataclass(frozen=True)
class Violation:
    """A point where neither criterion of the class H holds.

    ``cost_excess`` = F(h(x)) - F(h-hat(x)) and ``model_excess`` = the same for the quadratic
    model; both are positive here.

    Attributes
    ----------
    i : int
        The coordinate.
    x : ndarray
        The point.
    target, reference_target : float
        Where the rule, and the reference rule, move x_i.
    cost_excess, model_excess : float
        See above.
    """

    i: int
    x: Floats
    target: float
    reference_target: float
    cost_excess: float
    model_excess: float

    def __str__(self) -> str:
        return (
            f"coordinate {self.i} moved from {self.x[self.i]:.6g} to {self.target:.6g} where the "
            f"reference rule goes to {self.reference_target:.6g}: the cost is "
            f"{self.cost_excess:.3g} higher and the model {self.model_excess:.3g} higher"
        )


@dataclass(frozen=True)
class RuleReport:
    """Result of ``check_update_rule``; true if no violation was found.

    Attributes
    ----------
    rule, cost : str
        Names of what was checked.
    checked : int
        Number of points.
    by_cost, by_model : int
        At how many of them F, or only its quadratic model, shows that the rule is in H.
    violation : Violation or None
        The first point where neither does.
    """

    rule: str
    cost: str
    checked: int
    by_cost: int
    by_model: int
    violation: Violation | None

    def __bool__(self) -> bool:
        return self.violation is None

    def __str__(self) -> str:
        head = f"{self.rule} on {self.cost}, {self.checked} points"
        if self.violation is not None:
            return f"{head}: not in H; {self.violation}"
        return f"{head}: in H ({self.by_cost} by cost, {self.by_model} only by model)"


def check_update_rule(
    rule: UpdateRule, problem: Problem, *, runs: int = 3, epochs: int = 3, random_state: int = 0
) -> RuleReport:
    """Test whether an update rule belongs to the class H on a cost.

    At each sampled (x, i) the rule must decrease the cost at least as much as the reference rule
    (criterion H1), or the quadratic model of the cost at least as much (criterion H2); either is
    enough for Lemma 1. Points are sampled along descent runs and at the edges of the domain. The
    first violation ends the test.

    Parameters
    ----------
    rule : UpdateRule
        Built-in or your own: an object with ``target(coordinate) -> float``.
    problem : Problem
        The cost, small enough to evaluate F at every step.
    runs, epochs : int
        Starting points, and epochs of random coordinates from each.
    random_state : int
        Seed of the sampled points.
    """
    if not callable(getattr(rule, "target", None)):
        raise TypeError(f"rule is {rule!r}; pass an object with target(coordinate).")
    rng = np.random.default_rng(random_state)
    problem = problem.bounded_by(problem.start())
    name = getattr(rule, "name", type(rule).__name__)
    checked, counts = 0, {1: 0, 2: 0}
    for x in _starts(problem, runs, rng):
        # F must not exceed F(start) or the Lipschitzing box is not valid.
        for _ in range(epochs * problem.d):
            i = int(rng.integers(problem.d))
            target, violation, kind = _judge(rule, problem, x, i)
            checked += 1
            if violation is not None:
                return RuleReport(name, problem.name, checked, counts[1], counts[2], violation)
            counts[kind] += 1
            x[i] = target
    return RuleReport(name, problem.name, checked, counts[1], counts[2], None)


def coordinate_at(problem: Problem, x: Floats, i: int) -> Coordinate:
    """Return coordinate i of x as an update rule sees it, computed from scratch."""
    v = problem.A.matvec(x)
    rows, values = problem.A.column(i)
    part = problem.loss.part(rows)

    def line(t: float) -> tuple[float, float]:
        moved = v[rows] + t * values
        slope = float(values @ part.gradient(moved))
        return slope, float(values**2 @ part.second(moved))

    u = -line(0.0)[0]
    return Coordinate(problem, i, float(x[i]), u, float(problem.h[i]), float(problem.mu[i]), line)


def _judge(
    rule: UpdateRule, problem: Problem, x: Floats, i: int
) -> tuple[float, Violation | None, int]:
    at = coordinate_at(problem, x, i)
    if at.h == 0.0:
        return at.x, None, 1
    target, baseline = float(rule.target(at)), Reference().target(at)
    cost = _cost(problem, x, i, target) - _cost(problem, x, i, baseline)
    model = _model(at, target) - _model(at, baseline)
    slack = TOLERANCE * max(abs(problem.objective(x)), 1.0)
    if cost <= slack:
        return target, None, 1
    if model <= slack:
        return target, None, 2
    return target, Violation(i, x.copy(), target, baseline, cost, model), 0


def _cost(problem: Problem, x: Floats, i: int, target: float) -> float:
    moved = x.copy()
    moved[i] = target
    return problem.objective(moved)


def _model(at: Coordinate, target: float) -> float:
    """Return the quadratic upper model of F along i, less F(x)."""
    move = target - at.x
    penalty = at.problem.penalty
    change = penalty.value(target, at.i) - penalty.value(at.x, at.i)
    return float(-at.u * move + 0.5 * at.h * move**2 + change)


def _starts(problem: Problem, runs: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield the default start, points at the edges of the domain, and random points inside."""
    origin = problem.start()
    yield origin.copy()
    ceiling = problem.objective(origin)
    low = np.maximum(problem.penalty.lower, -1.0)
    high = np.minimum(problem.penalty.upper, 1.0)
    for k in range(max(runs - 1, 1)):
        edge = np.where(rng.random(problem.d) < 0.5, low, high)
        inside = low + (high - low) * rng.random(problem.d)
        x = edge if k % 2 == 0 else inside
        while problem.objective(x) > ceiling and np.any(x != origin):
            x = origin + 0.5 * (x - origin)
            if np.max(np.abs(x - origin)) < 1e-6:
                x = origin.copy()
        yield x
