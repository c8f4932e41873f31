r"""The multinomial model: its objective, and a lower bound from distributions over the classes.

With weights :math:`c_i`, predictors :math:`z_i = W x_i + b` and penalties g the objective is
:math:`\sum_i c_i (\log\sum_k e^{z_{ik}} - z_{i y_i}) + \sum_{jk} g_j(w_{kj})`. Any distributions
:math:`q_i` bound it from below by :math:`\sum_i c_i H(q_i) - \sum_{jk} g_j^*(u_{jk})`, with H the
entropy, :math:`\theta_{ik} = c_i ([y_i = k] - q_{ik})` and :math:`u = X^\top\theta`, where columns
without penalty have :math:`u_{jk} = 0`. The distributions tried are :math:`(1 - t) y + t\pi`, with
:math:`\pi` the softmax of the predictors after the intercepts were balanced and, where that leaves
a gap, after Newton steps on the columns without penalty and on the coefficients in use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, logsumexp, xlogy

from banditcd._typing import Floats
from banditcd.verification.problem import Problem, dense

EPS = float(np.finfo(np.float64).eps)
SETTLED = 1e-11  # of the objective: a gap below it needs no better dual point
NEWTON_STEPS = 10
MOST_MOVED = 1000  # coefficients of Newton steps
FAR = 10.0  # an optimum has no free coefficient above this many times the largest of the fit


@dataclass(frozen=True)
class MultinomialProblem:
    """Data, penalties and a point; ``columns`` has X (a last column of ones for intercepts)."""

    columns: Problem
    codes: NDArray[np.intp]
    W: Floats  # (classes, columns), intercepts last

    @property
    def free(self) -> NDArray[np.bool_]:
        """Columns without penalty, the intercept among them."""
        at = self.columns
        open_end = np.isinf(at.lower) | np.isinf(at.upper)
        return np.asarray((at.l1 == 0.0) & (at.l2 == 0.0) & open_end)

    def ruling(self) -> tuple[float, float, float, float, str]:
        """Return objective, lower bound, rounding, largest violation and its coordinate."""
        scores = np.asarray(self.columns.X @ self.W.T)
        objective, error = self._objective(scores)
        best = (0.0, 0.0)  # q = y: all entropies and all products are zero
        for W in self._centers():
            best = max(best, self._best_share(W, objective), key=lambda found: found[0] - found[1])
            if objective - best[0] <= max(SETTLED * objective, best[1]):
                break
        violation, where = self._violation(scores)
        return objective, best[0], error + best[1], violation, where

    def _centers(self) -> Iterator[Floats]:
        """Yield the point, then points where its gradient is closer to a dual point."""
        at, W = self.columns, self.W
        yield W
        free = np.broadcast_to(self.free, W.shape)
        yield self._newton(W, free)
        ends, used = at.support(W)
        yield self._newton(ends, free | used)

    def _best_share(self, W: Floats, level: float) -> tuple[float, float]:
        """Return the best bound of the distributions of a point, and its rounding error."""
        logs, best = self._balanced(np.asarray(self.columns.X @ W.T)), (0.0, 0.0)
        for share in (self._largest_share(logs), 1.0):
            if share <= 0.0:
                continue
            found = minimize_scalar(
                partial(self._negative_bound, logs, level), bounds=(0.0, share), method="bounded"
            )
            for t in (share, float(found.x)):
                value, slack = self._bound(logs, t, level)
                if value - slack > best[0] - best[1]:
                    best = (value, slack)
        return best

    def _negative_bound(self, logs: Floats, level: float, t: float) -> float:
        return -self._bound(logs, t, level)[0]

    def _newton(self, W: Floats, moving: NDArray[np.bool_]) -> Floats:
        """Return a point after Newton steps on some coefficients, while their signs are kept."""
        at = self.columns
        k, j = np.nonzero(moving)
        if not 0 < k.size <= MOST_MOVED:
            return W
        A, sign = dense(at.X[:, j]) * np.sqrt(at.c)[:, None], np.sign(W[k, j])

        def slopes(point: Floats) -> tuple[Floats, Floats]:
            logs = np.asarray(log_softmax(np.asarray(at.X @ point.T), axis=1))
            pull = self._pulls(logs, 1.0)[k, j] - at.l2[j] * point[k, j] - at.l1[j] * sign
            return logs[:, k], np.asarray(pull)

        for _ in range(NEWTON_STEPS):
            logs, pull = slopes(W)
            # Shares times their rests, not shares minus squares: what cancels where one share is
            # nearly 1 would leave a diagonal of zeros beside large entries.
            own, both = A * np.sqrt(-np.exp(logs) * np.expm1(logs)), A * np.exp(logs)
            bends = np.where(k[:, None] == k, own.T @ own, -(both.T @ both))
            bends[np.diag_indices(k.size)] += at.l2[j]
            norms = np.sqrt(np.diag(bends))
            norms[norms == 0.0] = 1.0
            step = np.linalg.lstsq(bends / norms / norms[:, None], pull / norms, rcond=1e-14)[0]
            moved = W.copy()
            moved[k, j] += step / norms
            kept = (at.l1[j] == 0.0) | (np.sign(moved[k, j]) == sign)
            inside = (at.lower <= moved) & (moved <= at.upper)
            if not (np.isfinite(moved).all() and kept.all() and inside.all()):
                break
            if np.linalg.norm(slopes(moved)[1] / norms) >= np.linalg.norm(pull / norms):
                break
            W = moved
        return W

    def _objective(self, scores: Floats) -> tuple[float, float]:
        at = self.columns
        own = scores[np.arange(len(self.codes)), self.codes]
        losses = at.c * (logsumexp(scores, axis=1) - own)
        size = at.c @ (np.abs(scores).max(axis=1) + 1.0)
        inside = (at.lower - 1e-300 <= self.W) & (at.upper + 1e-300 >= self.W)
        if not (np.isfinite(self.W).all() and inside.all()):
            return math.inf, 0.0
        penalty = math.fsum((at.l1 * np.abs(self.W) + 0.5 * at.l2 * self.W**2).ravel())
        terms = np.sqrt(len(losses)) + at.X.shape[1]
        return math.fsum(losses) + penalty, float(EPS * (terms * size + 4.0 * penalty))

    def _balanced(self, scores: Floats) -> Floats:
        """Return log probabilities whose classes weigh what the labels do, by Newton's method."""
        logs = log_softmax(scores, axis=1)
        if not self.columns.intercept:
            return np.asarray(logs)
        c, classes = self.columns.c, scores.shape[1]
        wanted = np.bincount(self.codes, weights=c, minlength=classes)
        for _ in range(50):
            shares = np.exp(logs)
            off = c @ shares - wanted
            if np.abs(off).max() <= 4.0 * EPS * c.sum():
                break
            curvature = np.diag(c @ shares) - (shares * c[:, None]).T @ shares
            step = np.linalg.lstsq(curvature, off, rcond=1e-14)[0]
            logs = log_softmax(logs - np.clip(step, -1.0, 1.0), axis=1)
        return np.asarray(logs)

    def _pulls(self, logs: Floats, t: float) -> Floats:
        theta = -t * np.exp(logs)
        theta[np.arange(len(self.codes)), self.codes] += t
        return np.asarray(self.columns.X.T @ (theta * self.columns.c[:, None])).T

    def _largest_share(self, logs: Floats) -> float:
        """Return the largest t whose pulls keep to the L1 box where there is nothing else."""
        at = self.columns
        pulls = np.abs(self._pulls(logs, 1.0)).max(axis=0)
        hard = (at.l2 == 0.0) & (at.l1 > 0.0) & (pulls > 0.0)
        return float(np.min(at.l1[hard] / pulls[hard], initial=1.0))

    def _bound(self, logs: Floats, t: float, level: float) -> tuple[float, float]:
        """Return a dual value and what rounding and assumptions may add to it."""
        at, rows = self.columns, np.arange(len(self.codes))
        q = t * np.exp(logs)
        q[rows, self.codes] += 1.0 - t
        entropy = -np.sum(xlogy(q, q), axis=1)
        pulls = self._pulls(logs, t)
        value = math.fsum(at.c * entropy) - math.fsum(self._conjugates(pulls, level).ravel())
        slack = EPS * (np.sqrt(len(rows)) + 4.0) * float(at.c @ (entropy + 1.0))
        return value, slack

    def _conjugates(self, u: Floats, level: float) -> Floats:
        """Return sup of u w - g(w) over the w that an optimum below ``level`` may have."""
        at = self.columns
        far = FAR * max(1.0, float(np.abs(self.W).max(initial=0.0)))
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.minimum(level / at.l1, np.sqrt(2.0 * level / at.l2))
            reach = np.where(self.free, far, reach)
            over = np.sign(u) * np.maximum(np.abs(u) - at.l1, 0.0)
            best = np.where(over == 0.0, 0.0, over / at.l2)
            best = np.clip(best, np.maximum(at.lower, -reach), np.minimum(at.upper, reach))
            return np.asarray(over * best - 0.5 * at.l2 * best**2)

    def _violation(self, scores: Floats) -> tuple[float, str]:
        at, W = self.columns, self.W
        slope = self._pulls(log_softmax(scores, axis=1), 1.0) - at.l2 * W
        off = np.where(
            W == 0.0, np.maximum(np.abs(slope) - at.l1, 0.0), np.abs(slope - at.l1 * np.sign(W))
        )
        off = np.where((at.upper <= W) & (slope > 0.0), 0.0, off)
        off = np.where((at.lower >= W) & (slope < 0.0), 0.0, off) * at.unit
        k, j = np.unravel_index(int(np.argmax(off)), off.shape)
        last = at.intercept and j == W.shape[1] - 1
        return float(
            off.max(initial=0.0)
        ), f"{'intercept' if last else f'feature {j}'} of class {k}"


def class_factors(given: Any, codes: NDArray[np.intp], classes: Any, weight: Floats) -> Floats:
    """Return what the class weights multiply the samples by: each class its own."""
    if given is None:
        return np.ones(len(codes))
    if isinstance(given, str):
        sizes = np.bincount(codes, weights=weight, minlength=len(classes))
        return np.asarray(
            (weight.sum() / (len(classes) * np.where(sizes > 0.0, sizes, 1.0)))[codes]
        )
    return np.array([float(given.get(label, 1.0)) for label in classes.tolist()])[codes]
