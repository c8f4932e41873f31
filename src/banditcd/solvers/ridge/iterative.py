"""Conjugate gradients for one target after another, certified from the data."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.ridge.heavy import heavy_rows
from banditcd.solvers.ridge.models import Models
from banditcd.solvers.ridge.regimes import Plan

#: Improvements of one point before the solve is called stalled.
REFINEMENTS = 12
#: Steps aim at this share of the gap, of the gradient and of the residual that would do: what they
#: update by recursion drifts from the data, and coefficients should be no farther from the optimum
#: than those of conjugate gradients that stop at that residual in the space of the rows.
GAP_SHARE, GRADIENT_SHARE, RESIDUAL_SHARE = 0.9, 0.5, 0.2
#: Below this share of its first |gradient| the recursion is rounding.
RECURSION = 1e-14
#: Products that scaled steps are expected to need where plain ones are tried before them.
SCALED_PRODUCTS = 150.0
#: Shares of the residual for which products may read X in single precision: beyond the first that
#: is too rough, beyond the second the products are too few for a copy.
ROUNDED_REDUCTION = 1e-7, 6e-3
#: Columns that hold at most this share of the squares beyond the mean eigenvalue need no scaling.
HEAD_SHARE = 0.25


@dataclass(slots=True)
class Effort:
    """Limits of conjugate gradients for one target.

    ``reduction`` is the share of the first gradient, or of the first residual of the system that
    plain steps solve, at which they may stop. ``plan`` has the arms if they are not alone.
    """

    max_iter: int
    max_seconds: float
    reduction: float
    plan: Plan | None = None


class ConjugateGradients:
    """In the space of the coefficients: plain with a dual point, or preconditioned.

    Plain steps from zero are combinations of the rows, which are a dual point too, and one that is
    much closer than the residual if the penalty is small. They are taken where rows are fewer than
    columns and no few columns dominate; else, and if they turn out to be slow, columns are scaled
    and heavy rows taken out.
    Without a penalty there is no gap to aim at: the gradient goes down to its rounding.
    """

    name = "cg"

    def __init__(self, models: Models, effort: Effort) -> None:
        self.models, self.effort = models, effort
        self.rows, self.lam = models.rows, models.lam

    @cached_property
    def _heavy(self) -> _core.RidgeData | None:
        return heavy_rows(self.rows, self.lam)

    @np.errstate(over="ignore")  # infinite is right for what overflows
    def improve(self, k: int) -> None:
        """Refine one target until it is certified, the limits are reached or nothing helps."""
        at, effort = self.models, self.effort
        if at.n_iter[k] == 0:
            at.start(k)
        first = self._square(k)
        for count in range(REFINEMENTS):
            enough = self._square(k) <= effort.reduction**2 * first
            if (at.gap[k] <= at.target[k] and enough) or not first > 0.0:
                break
            left = effort.max_seconds - (time.perf_counter() - at.started)
            if left <= 0.0 or at.passes[k] > effort.max_iter:
                at.status[k] = "max_seconds" if left <= 0.0 else "max_iter"
                return
            coef, gap, primal = at.coef[k].copy(), float(at.gap[k]), float(at.primal[k])
            try:
                step, dual = self._step(k, first, left)
            except TimeoutError:
                at.status[k] = "max_seconds"
                return
            at.n_iter[k] += 1
            if dual is not None and self._certify(k, coef + step, dual):
                break
            at.move_one(k, coef + step)
            if not at.gap[k] < gap and not at.primal[k] < primal:
                at.move_one(k, coef)
                break
            if effort.plan is not None and count == 0:
                break
        at.status[k] = "stalled"

    def _square(self, k: int) -> float:
        gradient = self.models.gradient[k]
        return float(gradient @ gradient)

    def _step(self, k: int, first: float, left: float) -> tuple[Floats, Floats | None]:
        """Plain steps from zero where they suit, scaled ones otherwise."""
        n, d = self.rows.shape
        zero = not self.models.coef[k].any()
        arms = None if self.effort.plan is None else self.effort.plan.arms()
        suits = n < d and self.lam > 0.0 and zero
        if suits and (arms is not None or self.rows.head_share(self.lam) <= HEAD_SHARE):
            return self._carried(k, left, self._against_scaled() if arms is None else arms)
        return self._scaled(k, first, left, arms), None

    def _against_scaled(self) -> _core.Arms:
        """Plain steps, and scaled ones of about as many products."""
        arms, expected = _core.Arms(1.0), SCALED_PRODUCTS * self.rows.native.costs[2]
        arms.add(expected, _core.ArmKind.steady)
        arms.add(expected, _core.ArmKind.steady)
        return arms

    def _most(self, k: int) -> int:
        return max(1, self.effort.max_iter - int(self.models.passes[k]))

    def _carried(self, k: int, left: float, arms: _core.Arms) -> tuple[Floats, Floats | None]:
        """From zero, with the dual point that belongs to the step."""
        at, rows = self.models, self.rows
        # In units of the gradient: its products with X^T X stay in the range of float64.
        unit = 2.0 ** math.frexp(float(np.abs(at.gradient[k]).max(initial=0.0)))[1]
        step, recursive = np.zeros(rows.shape[1]), at.gradient[k] / unit
        rho, dual = rows.weighted(at.residual[k]) / unit, np.zeros(rows.shape[0])
        gap, reduction = GAP_SHARE * float(at.target[k]), RESIDUAL_SHARE * self.effort.reduction
        rounded = rows.copy_pays and ROUNDED_REDUCTION[0] <= reduction <= ROUNDED_REDUCTION[1]
        stop = self.lam, gap / unit / unit, reduction, self._most(k), arms, rounded
        at.passes[k] += rows.data.race(stop, (recursive, step), rho, dual, left)
        return unit * step, unit * dual

    def _scaled(self, k: int, first: float, left: float, arms: _core.Arms | None) -> Floats:
        """With the diagonal and the heavy rows as preconditioner if that helps, from anywhere."""
        at = self.models
        step, recursive = np.zeros(self.rows.shape[1]), at.gradient[k].copy()
        goal = min(
            GAP_SHARE * 2.0 * self.lam * float(at.target[k]),
            (GRADIENT_SHARE * self.effort.reduction) ** 2 * first,
        )
        goal = max(goal, RECURSION**2 * float(recursive @ recursive))
        plan = self.effort.plan
        plain = plan is not None and plan.even
        heavy = None if plain else self._heavy
        stop = self.lam, goal, np.inf, self._most(k), plain
        iterate = self.rows.data.conjugate_gradients
        at.passes[k] += iterate(stop, heavy, recursive, step, left, arms)
        return step

    def _certify(self, k: int, coef: Floats, dual: Floats) -> bool:
        r"""Try a dual point a that is not the residual, and take the point if that is enough.

        :math:`P - D = \sum_i (s_i r_i - a_i)^2 / (2 s_i) + \|\lambda w - X_c^\top a\|^2 /
        (2\lambda)`, for a that sums to zero if there is an intercept; both parts are computed
        from the data in one pass.
        """
        at, rows = self.models, self.rows
        if rows.mean is not None:
            dual = dual - rows.weighted(np.full_like(dual, dual.sum() / rows.total))
        intercept = float(at.average[k]) - rows.center(coef)
        residual, v = np.empty_like(dual), np.empty_like(coef)
        loss, excess = rows.data.residual(at.targets[k], (coef, intercept), dual, residual, v)
        at.passes[k] += 1.0
        if rows.mean is not None:
            shift = excess / rows.total
            intercept += shift
            residual -= shift
            v -= dual.sum() * rows.mean
            loss -= 0.5 * excess * shift
        apart = rows.weighted(residual) - dual
        off = (self.lam * coef - v) / math.sqrt(2.0 * self.lam)
        if rows.root is not None:
            apart = np.divide(apart, rows.root, out=np.zeros_like(apart), where=rows.root > 0.0)
        gap = 0.5 * float(apart @ apart) + float(off @ off)
        if not gap <= at.target[k]:
            return False
        at.coef[k], at.intercept[k], at.residual[k] = coef, intercept, residual
        at.loss[k], at.gap[k] = loss, gap
        at.primal[k] = loss + 0.5 * float((self.lam * coef) @ coef)
        return True
