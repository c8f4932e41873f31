r"""The judge of models that penalize norms of blocks: multi-task and group Lasso.

.. math::
    P(W, b) = \sum_i c_i \phi(x_i^\top W + b; y_i) + \sum_g l_g \|W_g\| + \tfrac12 q_g \|W_g\|^2,

a block being the coefficients of a group of columns for all responses. The dual point is minus the
gradient of the losses, made orthogonal to the intercept and to blocks without penalty, and scaled
until :math:`\|X_g^\top \theta\| \le l_g` wherever :math:`q_g = 0`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from banditcd._typing import Floats
from banditcd.verification.exact import UNIT
from banditcd.verification.models import chosen, class_factors, codes_of
from banditcd.verification.problem import dense
from banditcd.verification.reading import Reading

NEWTON_STEPS = 50
Group = NDArray[np.intp]


@dataclass(frozen=True)
class BlockProblem:
    """A problem and the point to be judged; ``W`` has a row per column and a column per response.

    ``intercept`` is None without one.
    """

    X: Any
    Y: Floats
    c: Floats
    loss: str
    groups: list[Group]
    l1: Floats
    l2: Floats
    W: Floats
    intercept: Floats | None

    def predictor(self) -> Floats:
        """Return X W + b."""
        shift = 0.0 if self.intercept is None else self.intercept
        return np.asarray(self.X @ self.W + shift)

    def objective(self) -> float:
        """Return the objective of the point."""
        Z = self.predictor()
        if self.loss == "squared":
            losses = 0.5 * self.c[:, None] * (self.Y - Z) ** 2
        else:
            losses = self.c[:, None] * np.logaddexp(0.0, -self.Y * Z)
        norms = np.array([np.linalg.norm(self.W[group]) for group in self.groups])
        if norms[np.isinf(self.l1)].any():
            return math.inf
        l1, l2 = (np.where(np.isinf(self.l1), 0.0, part) for part in (self.l1, self.l2))
        return math.fsum(losses.ravel()) + math.fsum(l1 * norms + 0.5 * l2 * norms**2)

    def pull(self) -> Floats:
        """Return minus the gradient of the losses with respect to the predictors."""
        Z = self.predictor()
        if self.loss == "squared":
            return np.asarray(self.c[:, None] * (self.Y - Z))
        with np.errstate(over="ignore"):
            return np.asarray(self.c[:, None] * self.Y / (1.0 + np.exp(self.Y * Z)))

    def dual_point(self) -> Floats:
        """Return the pull at the best intercept, orthogonal to the blocks without penalty."""
        free = [self.groups[g] for g in np.flatnonzero((self.l1 == 0.0) & (self.l2 == 0.0))]
        columns = [dense(self.X[:, np.concatenate(free)])] if free else []
        if self.intercept is not None:
            columns.append(np.ones((self.X.shape[0], 1)))
        if not columns:
            return self.pull()
        basis = np.hstack(columns)
        if self.loss == "squared":
            root = np.sqrt(self.c)[:, None]
            rest = self.Y - self.X @ self.W
            return np.asarray(
                self.c[:, None]
                * (rest - basis @ np.linalg.lstsq(root * basis, root * rest, rcond=None)[0])
            )
        return self._balanced(basis)

    def _balanced(self, basis: Floats) -> Floats:
        """Return the pull after Newton steps along the columns without penalty."""
        Z, y, step = self.predictor()[:, 0], self.Y[:, 0], np.zeros(basis.shape[1])
        for _ in range(NEWTON_STEPS):
            with np.errstate(over="ignore"):
                q = 1.0 / (1.0 + np.exp(y * (Z + basis @ step)))
            slope = basis.T @ (self.c * y * q)
            curvature = (basis * (self.c * q * (1.0 - q))[:, None]).T @ basis
            step = step + np.linalg.lstsq(curvature, slope, rcond=None)[0]
        with np.errstate(over="ignore"):
            q = 1.0 / (1.0 + np.exp(y * (Z + basis @ step)))
        return np.asarray((self.c * y * q)[:, None])

    def dual_value(self, theta: Floats) -> float:
        """Return the lower bound of a dual point that is feasible."""
        kept = self.c > 0.0
        theta, Y, c = theta[kept], self.Y[kept], self.c[kept, None]
        if self.loss == "squared":
            return math.fsum((theta * Y - 0.5 * theta**2 / c).ravel())
        q = np.clip(Y * theta / c, 0.0, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            entropy = np.where(q > 0.0, q * np.log(q), 0.0)
            entropy = entropy + np.where(q < 1.0, (1.0 - q) * np.log1p(-q), 0.0)
        return -math.fsum((c * entropy).ravel())

    def correlations(self, theta: Floats) -> Floats:
        """Return the norm of X_g' theta of every group."""
        U = np.asarray(self.X.T @ theta)
        return np.array([np.linalg.norm(U[group]) for group in self.groups])

    def bound(self) -> float:
        """Return the best lower bound on the ray of the dual point."""
        theta = self.dual_point()
        norms = self.correlations(theta)
        hard = (self.l2 == 0.0) & (self.l1 > 0.0) & np.isfinite(self.l1)
        soft = (self.l2 > 0.0) & np.isfinite(self.l1)
        most = 2.0 if self.loss == "squared" else 1.0
        limit = min([most, *(self.l1[hard] / np.maximum(norms[hard], 1e-300))])

        def value(t: float) -> float:
            over = np.maximum(t * norms[soft] - self.l1[soft], 0.0)
            return self.dual_value(t * theta) - math.fsum(over**2 / (2.0 * self.l2[soft]))

        best = minimize_scalar(lambda t: -value(t), bounds=(0.0, limit), method="bounded")
        return float(max(value(t) for t in (0.0, float(best.x), min(1.0, limit), limit)))

    def rounding(self, objective: float) -> float:
        """Return a bound of the rounding error of objective and bound."""
        size = int(sum(self.X.shape)) + self.Y.shape[1] + 16
        terms = float(np.abs(self.pull() * self.predictor()).sum() + np.abs(self.Y).max())
        return float(8.0 * size * UNIT * (objective + terms))

    def worst(self) -> tuple[float, int]:
        """Return the largest distance from a subdifferential, and its group."""
        U = np.asarray(self.X.T @ self.pull())
        away = []
        for group, l1, l2 in zip(self.groups, self.l1, self.l2, strict=True):
            W, u = self.W[group], U[group]
            norm = float(np.linalg.norm(W))
            if norm > 0.0:
                away.append(float(np.linalg.norm(u - l2 * W - l1 * W / norm)))
            else:
                away.append(max(float(np.linalg.norm(u)) - l1, 0.0))
        place = int(np.argmax(away))
        return away[place], place


def _multi_task(reading: Reading) -> list[BlockProblem]:
    model = reading.model
    ratio = float(chosen(model, "l1_ratio")) if "Elastic" in type(model).__name__ else 1.0
    alpha = float(chosen(model, "alpha"))
    columns = reading.X.shape[1]
    given = getattr(model, "penalty_weights", None)
    weights = np.ones(columns) if given is None else np.asarray(given, dtype=np.float64)
    groups = [np.array([j]) for j in range(columns)]
    l2 = alpha * (1.0 - ratio) * np.where(np.isinf(weights), 0.0, weights)
    return [_regression(reading, groups, (alpha * ratio * weights, l2))]


def _groups(model: Any, columns: int) -> list[Group]:
    given = model.groups
    if not np.iterable(given):
        return list(np.arange(columns).reshape(-1, int(given)))
    listed = list(given)
    if np.ndim(listed[0]) == 1:
        return [np.asarray(part, dtype=np.intp) for part in listed]
    labels = np.asarray(listed)
    if type(model).__module__.startswith("banditcd"):
        return [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return np.split(np.arange(columns), np.cumsum(labels)[:-1])  # celer, skglm: sizes


def _group_terms(reading: Reading) -> tuple[list[Group], Floats]:
    groups = _groups(reading.model, reading.X.shape[1])
    given = reading.model.weights
    if given is not None:
        return groups, np.asarray(given, dtype=np.float64)
    sizes = np.array([len(group) for group in groups], dtype=np.float64)
    return groups, np.sqrt(sizes) if reading.package == "banditcd" else np.ones(len(groups))


def _group_lasso(reading: Reading) -> list[BlockProblem]:
    groups, weights = _group_terms(reading)
    alpha = float(chosen(reading.model, "alpha"))
    return [_regression(reading, groups, (alpha * weights, np.zeros(len(groups))))]


def _regression(
    reading: Reading, groups: list[Group], strength: tuple[Floats, Floats]
) -> BlockProblem:
    model = reading.model
    Y = np.asarray(reading.y, dtype=np.float64).reshape(reading.X.shape[0], -1)
    coef, intercept = reading.point(Y.shape[1])
    c = reading.weight / reading.weight.sum()
    fitted = np.array(intercept) if model.fit_intercept else None
    return BlockProblem(reading.X, Y, c, "squared", groups, *strength, coef.T, fitted)


def _group_logistic(reading: Reading) -> list[BlockProblem]:
    model, classes = reading.model, reading.classes
    groups, weights = _group_terms(reading)
    codes = codes_of(reading)
    positives = [1] if len(classes) == 2 else list(range(len(classes)))
    coef, intercept = reading.point(len(positives))
    C = float(chosen(model, "C"))
    unit, share = (1.0, 0.0) if np.isinf(C) else (C, 1.0)
    out = []
    for k, positive in enumerate(positives):
        c = unit * reading.weight * class_factors(reading, codes, positive, alone=False)
        y = np.where(codes == positive, 1.0, -1.0)[:, None]
        fitted = np.array([intercept[k]]) if model.fit_intercept else None
        point, none = coef[k][:, None], np.zeros(len(groups))
        l1 = weights if share else none
        out.append(BlockProblem(reading.X, y, c, "logistic", groups, l1, none, point, fitted))
    return out


BlockReader = Callable[[Reading], list[BlockProblem]]
BLOCK_READERS: dict[tuple[str, str], BlockReader] = {
    **{(package, "MultiTaskLasso"): _multi_task for package in ("banditcd", "sklearn", "celer")},
    **{
        (package, name): _multi_task
        for package in ("banditcd", "sklearn")
        for name in ("MultiTaskElasticNet", "MultiTaskLassoCV", "MultiTaskElasticNetCV")
    },
    **{(package, "GroupLasso"): _group_lasso for package in ("banditcd", "celer", "skglm")},
    ("skglm", "MultiTaskLasso"): _multi_task,
    ("banditcd", "GroupLassoCV"): _group_lasso,
    **{("banditcd", f"GroupLogisticRegression{cv}"): _group_logistic for cv in ("", "CV")},
}
