"""An update rule: an object that answers "where does this coordinate go?"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from banditcd.problems import Problem


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of a run, as an update rule sees it.

    Attributes
    ----------
    problem : Problem
        The cost; ``problem.penalty`` answers questions about g_i.
    i : int
        Which coordinate.
    x, u, h, mu : float
        Its value, its u_i = -a_i . grad f(Ax), its curvature bound and strong convexity.
    line : callable
        ``line(t)`` returns the first and second derivative of f(A(x + t e_i)) in t.
    """

    problem: Problem
    i: int
    x: float
    u: float
    h: float
    mu: float
    line: Callable[[float], tuple[float, float]]


class UpdateRule(Protocol):
    """Anything with a name and a ``target``."""

    @property
    def name(self) -> str:
        """The name in results and messages."""

    def target(self, at: Coordinate) -> float:
        """Return the new value of the coordinate."""


def checked_target(rule: UpdateRule, at: Coordinate) -> float:
    """Return where a user's rule goes; raise if that is not a number inside the domain.

    Parameters
    ----------
    rule : UpdateRule
        A rule, built in or a user's.
    at : Coordinate
        What it may know of the coordinate.
    """
    target = float(rule.target(at))
    low, high = at.problem.penalty.lower[at.i], at.problem.penalty.upper[at.i]
    if not low <= target <= high:
        raise ValueError(
            f"{type(rule).__name__}.target returned {target!r} for coordinate {at.i}; it must be a "
            f"number in [{low:g}, {high:g}], which no step that decreases the cost leaves."
        )
    return target


class BuiltinRule:
    """Base of the built-in rules, which have a native twin."""

    name: ClassVar[str]
    in_class_h: ClassVar[bool] = True
    """Whether Lemma 1 guarantees the marginal decrease for it on every cost it applies to."""

    def target(self, at: Coordinate) -> float:
        """Return the new value of the coordinate."""
        raise NotImplementedError

    def minimizes(self, problem: Problem) -> bool:
        """Whether the rule ends at the minimum of F along i, so that r_i is 0 afterwards."""
        return problem.loss.is_quadratic

    def native(self, problem: Problem) -> str:
        """Return the name of the native rule that does the same on this cost."""
        raise NotImplementedError

    def __repr__(self) -> str:
        inner = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"{type(self).__name__}({inner})"
