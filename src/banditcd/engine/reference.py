"""Plain NumPy: the specification of the engine and the oracle of the compiled one."""

from __future__ import annotations

import numpy as np

from banditcd._typing import Floats
from banditcd.problems import Problem
from banditcd.problems.marginal import reference_step
from banditcd.updates import BuiltinRule, Coordinate, UpdateRule, checked_target

REBUILD_EPOCHS = 50  # of moves, until v and w are computed afresh: rounding does not pile up


class ReferenceDescent:
    """The state of a run (x, v = Ax, w = grad f(v)) and what one step does to it."""

    def __init__(self, problem: Problem, rule: UpdateRule, x0: Floats) -> None:
        self.problem, self.rule = problem, rule
        self.entries = 0
        self.moves = 0
        self.last_move = 0.0
        self.last_correlation = np.nan
        skips = isinstance(rule, BuiltinRule) and getattr(rule, "skip", False)
        self.skipper = Skipper(self) if skips else None
        self.x = np.zeros(problem.d)
        self.set_state(x0)

    def set_state(self, x: Floats) -> None:
        """Go to x, with v and w computed from scratch."""
        self.x[:] = x
        self.v = self.problem.A.matvec(self.x)
        self.w = self.problem.loss.gradient(self.v)

    def correlation(self, i: int) -> float:
        """u_i = -a_i . w, one dot."""
        self.entries += self.problem.A.entries(i)
        return -self.problem.A.dot(i, self.w)

    def correlations(self) -> Floats:
        """All u_i, one pass."""
        self.entries += self.problem.A.nnz
        return -self.problem.A.rmatvec(self.w)

    def partial_correlation(self, i: int, first: int, count: int) -> float:
        """Return -sum of a_ji w_j over ``count`` stored entries from ``first``, wrapping around."""
        self.entries += count
        rows, values = self.problem.A.column(i)
        take = (first + np.arange(count)) % len(values)
        return -float(values[take] @ self.w[rows][take])

    def step(self, i: int) -> tuple[float, float]:
        """Update coordinate i; return (guaranteed decrease, marginal decrease left)."""
        if self.skipper is not None and self.skipper.is_zero(i):
            self.last_move, self.last_correlation = 0.0, np.nan
            return 0.0, 0.0
        at = self.coordinate(i, self.correlation(i))
        builtin = isinstance(self.rule, BuiltinRule)
        target = float(self.rule.target(at)) if builtin else checked_target(self.rule, at)
        decrease = self._decrease(at, target)
        self.move(i, target, at.u)
        return decrease, self._decrease_left(i)

    def coordinate(self, i: int, u: float) -> Coordinate:
        """Return coordinate i as an update rule sees it."""
        problem = self.problem
        h, mu = float(problem.h[i]), float(problem.mu[i])
        return Coordinate(problem, i, float(self.x[i]), u, h, mu, lambda t: self.line(i, t))

    def line(self, i: int, t: float) -> tuple[float, float]:
        """First and second derivative of f(v + t a_i) in t."""
        rows, values = self.problem.A.column(i)
        self.entries += len(values)
        part, moved = self.problem.loss.part(rows), self.v[rows] + t * values
        slope = float(values @ part.gradient(moved))
        return slope, float(values**2 @ part.second(moved))

    def move(self, i: int, target: float, u: float) -> None:
        """Set x_i, keep v and w in step, and note u_i after the move."""
        delta = target - self.x[i]
        self.last_move, self.last_correlation = float(delta), u
        if delta == 0.0:
            return
        self.moves += 1
        self.entries += self.problem.A.entries(i)
        rows, values = self.problem.A.column(i)
        self.x[i] = target
        self.v[rows] += delta * values
        self.w[rows] = self.problem.loss.part(rows).gradient(self.v[rows])
        self.last_correlation = -float(values @ self.w[rows])
        if self.moves % (REBUILD_EPOCHS * self.problem.d) == 0:
            self.set_state(self.x)
            self.entries += self.problem.A.nnz

    def _decrease(self, at: Coordinate, target: float) -> float:
        """Return the decrease the quadratic model guarantees (the true one for quadratic f).

        A rule that searches along the line may go further than the model; it is then at least as
        good as the model's own minimizer.
        """
        penalty = at.problem.penalty
        if getattr(self.rule, "name", "") == "exact" and not at.problem.loss.is_quadratic:
            target = float(penalty.prox(at.x, at.u, at.h, at.i))
        move = target - at.x
        change = penalty.value(at.x, at.i) - penalty.value(target, at.i)
        return float(at.u * move - 0.5 * at.h * move * move + change)

    def _decrease_left(self, i: int) -> float:
        """Return r_i after the update of i."""
        if isinstance(self.rule, BuiltinRule) and self.rule.minimizes(self.problem):
            return 0.0  # in theory; computed, it would be rounding noise that looks like promise
        return self.marginal_decrease(i, self.last_correlation)

    def marginal_decrease(self, i: int, u: float) -> float:
        """r_i at the current x_i and the given u_i."""
        problem, x = self.problem, float(self.x[i])
        if problem.penalty.free[i]:
            return float(problem.penalty.free_decrease(x, u, problem.h[i], i))
        gap, kappa = problem.penalty.gap(x, u, i), problem.penalty.kappa(x, u, i)
        return float(reference_step(gap, kappa, problem.mu[i], problem.h[i])[1])


class Skipper:
    """StingyCD's test for updates that are provably zero (see ``updates.Exact``)."""

    SLACK = 1e-9  # relative, for the rounding of the distance

    def __init__(self, descent: ReferenceDescent) -> None:
        self.descent = descent
        self.spent = 0  # entries read since the last renewal because a test failed
        self.reference: Floats | None = None

    def is_zero(self, i: int) -> bool:
        """Whether the update of i would surely leave it at 0."""
        descent, problem = self.descent, self.descent.problem
        if self.spent >= problem.A.nnz:
            self.reference, self.u = descent.w.copy(), descent.correlations()
            self.spent = 0
        low, high = problem.penalty.subdifferential(descent.x[i], i)
        if descent.x[i] != 0.0 or np.isinf(low) or np.isinf(high):
            return False
        if self.reference is not None:
            room = float(high) * (1.0 - self.SLACK) - abs(self.u[i])
            reach = np.sqrt(problem.h[i]) * self._distance(self.reference)
            if reach * (1.0 + self.SLACK) < room:
                return True
        self.spent += problem.A.entries(i)
        return False

    def _distance(self, reference: Floats) -> float:
        weight = np.asarray(self.descent.problem.loss.bound)
        change = np.where(weight > 0.0, self.descent.w - reference, 0.0)
        return float(np.sqrt(np.sum(change**2 / np.where(weight > 0.0, weight, 1.0))))
