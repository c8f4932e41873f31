"""Dual points: from the gradient where it fixes one, by a slow search where it does not.

Smooth losses: theta is minus the gradient at the point; with free columns the gradient is taken
after Newton steps on these columns alone, where it vanishes along them. L1 penalties: theta is
scaled into the feasible set. Where this leaves a gap, the gradient is taken after Newton steps on
the columns in use, and after a descent by SciPy's L-BFGS-B. Kinked losses: a box-constrained
quadratic program, by L-BFGS-B from the margins and by a linear system on the samples at the kink.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from banditcd._typing import Floats
from banditcd.verification import losses
from banditcd.verification.problem import Problem, dense

NEWTON_STEPS = 30
SEARCH_STEPS = 500
MOST_MOVED = 1000  # columns of Newton steps on the support
LIMITS: Any = {"maxiter": SEARCH_STEPS, "maxfun": 2 * SEARCH_STEPS, "ftol": 1e-16, "gtol": 1e-14}
KINKS = (1e-12, 1e-9, 1e-6, 1e-4, 1e-2)


def candidates(problem: Problem) -> Iterator[Floats]:
    """Yield dual points inside the domain of the losses."""
    smooth = problem.loss in losses.SMOOTH
    for theta in smooth_points(problem) if smooth else kinked(problem):
        inside = losses.into_domain(problem.loss, theta, problem.y, problem.c)
        free = problem.intercept and problem.free[-1]
        yield summed_to_zero(problem, inside) if free else inside
        if free and problem.loss != "squared":
            inside = balanced(inside)
            yield summed_to_zero(problem, inside)
        inside = feasible(problem, inside)
        yield summed_to_zero(problem, inside) if free else inside


def smooth_points(problem: Problem) -> Iterator[Floats]:
    """Yield the gradient at the point judged, then at points where it is closer to feasible."""
    yield gradient(problem, problem.w)
    yield gradient(problem, relieved(problem))
    yield gradient(problem, supported(problem))
    lower = replace(problem, w=descended(problem))
    yield gradient(problem, lower.w)
    yield gradient(problem, relieved(lower))
    yield gradient(problem, supported(lower))


def gradient(problem: Problem, w: Floats) -> Floats:
    """Return minus the weighted slopes of the losses at a point."""
    slopes = losses.slopes(problem.loss, problem.X @ w, problem.y, problem.epsilon)
    return np.asarray(-problem.c * slopes)


def relieved(problem: Problem) -> Floats:
    """Return the point after Newton steps on the free columns, the others held."""
    return newton(problem, np.flatnonzero(problem.free))


def supported(problem: Problem) -> Floats:
    """Return the point after Newton steps on the columns in use, their signs held.

    Rounded coefficients are off the optimum by a step that costs the objective its square, but the
    bound of their gradient the step itself: after these steps both are squares.
    """
    ends, used = problem.support(problem.w)
    moving = np.flatnonzero(used | problem.free)
    return newton(replace(problem, w=ends), moving) if moving.size <= MOST_MOVED else problem.w


def newton(problem: Problem, moving: NDArray[np.intp]) -> Floats:
    """Return the point after Newton steps on some columns, while signs and bounds are kept."""
    w = problem.w.copy()
    if moving.size == 0:
        return w
    A, sign, l2 = dense(problem.X[:, moving]), np.sign(w[moving]), problem.l2[moving]

    def slopes(at: Floats) -> Floats:
        u = A.T @ gradient(problem, at)
        return np.asarray(u - l2 * at[moving] - problem.l1[moving] * sign)

    for _ in range(NEWTON_STEPS):
        pull = slopes(w)
        curvature = losses.curvatures(problem.loss, problem.X @ w, problem.y, problem.epsilon)
        root = np.sqrt(problem.c * curvature)[:, None] * A
        norms = np.sqrt(np.einsum("ij,ij->j", root, root) + l2)
        norms[norms == 0.0] = 1.0
        bends = (root / norms).T @ (root / norms) + np.diag(l2 / norms**2)
        step = np.linalg.lstsq(bends, pull / norms, rcond=None)[0]
        moved = w.copy()
        moved[moving] += step / norms
        kept = (problem.l1[moving] == 0.0) | (np.sign(moved[moving]) == sign)
        inside = (problem.lower <= moved) & (moved <= problem.upper)
        if not (np.all(np.isfinite(moved)) and kept.all() and inside.all()):
            break
        if np.linalg.norm(slopes(moved) / norms) >= np.linalg.norm(pull / norms):
            break
        w = moved
    return w


def descended(problem: Problem) -> Floats:
    """Return a point of smaller objective by L-BFGS-B on the positive and negative parts."""
    curve = problem.c * (2.0 if problem.loss.startswith("squared_") else 1.0)
    bends = problem.l2 + (problem.X * problem.X).T @ curve
    unit = 1.0 / np.sqrt(np.where(bends > 0.0, bends, 1.0))
    start, count = problem.objective(problem.w)[0], problem.w.size
    root = np.sqrt(start) if 0.0 < start < np.inf else 1.0

    def scaled(parts: Floats) -> tuple[float, Floats]:
        w = root * unit * (parts[:count] - parts[count:])
        slope = problem.l2 * w - problem.X.T @ gradient(problem, w)
        z = losses.values(problem.loss, problem.X @ w, problem.y, problem.epsilon)
        size = float(root * unit * problem.l1 @ (parts[:count] + parts[count:]))
        value = float(problem.c @ z) + size + 0.5 * float(problem.l2 @ (w * w))
        both = np.append(slope + problem.l1, problem.l1 - slope) * np.tile(unit, 2)
        return value / root**2, both / root

    w = np.clip(problem.w, problem.lower, problem.upper) / unit / root
    tops = np.append(np.maximum(problem.upper, 0.0), np.maximum(-problem.lower, 0.0))
    box = [(0.0, float(top)) for top in tops / np.tile(unit, 2) / root]
    parts = np.append(np.maximum(w, 0.0), np.maximum(-w, 0.0))
    found = lowest(scaled, parts, box)
    return np.asarray(root * unit * (found[:count] - found[count:]))


def lowest(cost: Any, start: Floats, box: list[tuple[float, float]]) -> Floats:
    """Return where L-BFGS-B ends on a cost that returns its value and gradient."""
    found = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=box, options=LIMITS)
    return np.asarray(found.x)


def balanced(theta: Floats) -> Floats:
    """Return theta with sum zero: the larger of its two signs is scaled down."""
    up, down = float(theta[theta > 0.0].sum()), float(-theta[theta < 0.0].sum())
    if up == 0.0 or down == 0.0:
        return np.zeros_like(theta)
    factor = np.where(theta > 0.0, min(1.0, down / up), min(1.0, up / down))
    return np.asarray(theta * factor)


def summed_to_zero(problem: Problem, theta: Floats) -> Floats:
    """Return theta with its exact sum, where that is only rounding, moved into small entries.

    A free intercept makes the sum zero at the optimum, and charges any rest by its radius. Small
    entries have the finest float64 neighbors.
    """
    moved = theta.copy()
    order = np.flatnonzero(problem.c > 0.0)
    for place in order[np.argsort(np.abs(theta[order]))][:4]:
        moved[place] -= math.fsum(moved)
    rest = abs(math.fsum(theta))
    inside = losses.into_domain(problem.loss, moved, problem.y, problem.c)
    if rest > problem.scale * math.fsum(np.abs(theta)) or not np.array_equal(inside, moved):
        return theta
    return moved


def feasible(problem: Problem, theta: Floats) -> Floats:
    """Return theta scaled until no column without an L2 penalty exceeds its L1 penalty."""
    u = problem.X.T @ theta
    u = u + np.sign(u) * problem.scale * (abs(problem.X).T @ np.abs(theta))
    u = np.where((u > 0) & (problem.upper <= 0) | (u < 0) & (problem.lower >= 0), 0.0, u)
    bound = (problem.l1 > 0.0) & (problem.l2 == 0.0) & (np.abs(u) > problem.l1)
    factor = (problem.l1[bound] / np.abs(u[bound])).min(initial=1.0)
    return np.asarray(theta * factor)


def kinked(problem: Problem) -> Iterator[Floats]:
    """Yield dual points of a loss with kinks, by both searches."""
    base, at_kink = gradient(problem, problem.w), kink_distance(problem)
    for width in KINKS:
        yield settled(problem, base, at_kink <= width)
    theta = searched(problem, base)
    yield theta
    for share in (1e-9, 1e-6, 1e-3):
        inner = (np.abs(theta) > share * problem.c) & (np.abs(theta) < (1 - share) * problem.c)
        yield settled(problem, theta, inner)


def kink_distance(problem: Problem) -> Floats:
    """Return the relative distances of the predictions from the kink of the loss."""
    z, y = problem.X @ problem.w, problem.y
    if problem.loss == "hinge":
        return np.asarray(np.abs(1.0 - y * z))
    size = np.maximum(np.abs(y) + problem.epsilon, np.finfo(float).tiny)
    return np.asarray(np.abs(np.abs(z - y) - problem.epsilon) / size)


def targets(problem: Problem, theta: Floats) -> Floats:
    """Return the predictions at which the loss has its kink, on the side of the residual."""
    if problem.loss == "hinge":
        return problem.y
    side = np.sign(problem.y - problem.X @ problem.w)
    side = np.where(theta != 0.0, np.sign(theta), side)
    return np.asarray(problem.y - problem.epsilon * side)


def settled(problem: Problem, theta: Floats, inner: NDArray[np.bool_]) -> Floats:
    """Return theta with the inner entries solved for, so that they predict their kink."""
    rows = np.flatnonzero(inner)
    if rows.size == 0 or rows.size > 2000:
        return theta
    penalized = problem.l2 > 0.0
    outer = np.where(inner, 0.0, theta)
    scaled = np.where(penalized, 1.0 / np.where(penalized, problem.l2, 1.0), 0.0)
    A = dense(problem.X[rows])
    gram = (A * scaled) @ A.T
    right = targets(problem, theta)[rows] - A @ (scaled * (problem.X.T @ outer))
    unit = np.sqrt(np.maximum(np.diag(gram), np.finfo(float).tiny))
    gram, right = gram / unit / unit[:, None], right / unit
    if not penalized.all():
        ones = (1.0 / unit)[:, None]
        ones, size = ones / np.abs(ones).max(), np.abs(ones).max()
        gram = np.block([[gram, ones], [ones.T, np.zeros((1, 1))]])
        right = np.append(right, -outer.sum() / size)
    solution = np.linalg.lstsq(gram, right, rcond=1e-14)[0][: rows.size] / unit
    outer[rows] = solution
    return outer


def searched(problem: Problem, start: Floats) -> Floats:
    """Return a maximizer of the dual by L-BFGS-B, a free intercept held at its fitted value."""
    penalized, c = problem.l2 > 0.0, problem.c
    root = np.where(penalized, 1.0 / np.sqrt(np.where(penalized, problem.l2, 1.0)), 0.0)
    offset = problem.X[:, ~penalized] @ problem.w[~penalized]
    linear, n = problem.y - offset, c.size
    total = float(c.sum() * max(np.abs(linear).max(initial=0.0), problem.epsilon, 1e-300))
    side = problem.y if problem.loss == "hinge" else np.ones(n)

    def negative(shares: Floats) -> tuple[float, Floats]:
        theta = side * c * (shares[:n] - shares[n:] if shares.size > n else shares)
        v = root * (problem.X.T @ theta)
        slope = c * side * (problem.X @ (root * v) - linear)
        size = problem.epsilon * float(c @ np.abs(shares.reshape(-1, n)).sum(axis=0))
        value = 0.5 * float(v @ v) - float(linear @ theta) + size
        both = slope if shares.size == n else np.append(slope, -slope)
        return value / total, (both + problem.epsilon * np.tile(c, shares.size // n)) / total

    share = side * start / np.where(c > 0.0, c, 1.0)
    if problem.loss == "insensitive":
        share = np.append(np.maximum(share, 0.0), np.maximum(-share, 0.0))
    box = [(0.0, 1.0)] * share.size
    found = lowest(negative, share, box)
    return np.asarray(side * c * (found[:n] - found[n:] if found.size > n else found))
