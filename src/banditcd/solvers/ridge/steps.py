"""One step of ridge regression at a time: conjugate gradients and least squares."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from banditcd._typing import Floats
from banditcd.solvers.lapack import one_thread
from banditcd.solvers.ridge.independent import independent_least_squares
from banditcd.solvers.ridge.rows import RidgeRows

#: Entries of a matrix that may be made dense for a least-squares solve.
DENSE_ENTRIES = 20_000_000
#: Steps aim at this share of the gap, of |gradient|² and of the objective that would do, because
#: what they update by recursion drifts from the data.
GAP_SHARE, GRADIENT_SHARE = 0.9, 0.8
#: Below this share of its first |gradient|² the recursion is rounding.
RECURSION = 1e-28
#: From this many products on, least squares try a factor before LAPACK's singular values.
LAPACK_PRODUCTS = 1e8
#: Plain products before their speed is judged, and a limit.
CARRIED_PATIENCE, CARRIED_PRODUCTS = 12, 300
#: Columns that hold at most this share of the squares beyond the mean eigenvalue need no scaling.
HEAD_SHARE = 0.25


@dataclass(slots=True)
class Point:
    """The point of a target at penalty ``lam``: all that a regime may use to find a step."""

    residual: Floats
    coef: Floats
    gradient: Floats  #: Xc^T S residual - lam coef
    lam: float
    gap: float  #: the gap that is wanted
    goal: float  #: the |gradient|² that belongs to it
    excess: float  #: or by how much the objective must go down to be small enough itself
    max_passes: int
    max_seconds: float
    dual: Floats | None = None  #: a regime's dual point, if it has one for its step


class Regime:
    """One way to find the step to the minimizer."""

    name = ""

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        self.rows = rows

    def settled(self) -> Regime | None:
        """The regime whose Gram matrix other penalties can use, if there is one."""
        return None

    def step(self, at: Point) -> tuple[Floats, float]:
        """The step, and how often X was read; TimeoutError if the time is over before."""
        raise NotImplementedError


class ConjugateGradients(Regime):
    """In the space of the coefficients: plain with a dual point, or Jacobi-preconditioned.

    Plain steps from zero are combinations of the rows, which are a dual point too, and one that is
    much closer than the residual if the penalty is small. They are taken where rows are fewer than
    columns and no few columns dominate; else, and if they turn out to be slow, columns are scaled.
    Without a penalty there is no gap to aim at: the gradient goes down to its rounding.
    """

    name = "cg"

    def step(self, at: Point) -> tuple[Floats, float]:
        """Plain steps from zero where they suit, scaled ones otherwise."""
        n, d = self.rows.shape
        if n < d and at.lam > 0.0 and not at.coef.any():
            with np.errstate(over="ignore"):
                plain = self.rows.head_share(at.lam) <= HEAD_SHARE
            if plain:
                at.max_passes = min(at.max_passes, CARRIED_PRODUCTS)
                return self.carried_step(at, CARRIED_PATIENCE)
        return self.scaled_step(at)

    def carried_step(self, at: Point, patience: int) -> tuple[Floats, float]:
        """From zero, with the dual point that belongs to the step."""
        step, recursive = np.zeros_like(at.coef), at.gradient.copy()
        rho, dual = np.array(self.rows.weighted(at.residual)), np.zeros_like(at.residual)
        stop = at.lam, GAP_SHARE * at.gap, max(1, at.max_passes), patience
        passes = self.rows.data.race(stop, (recursive, step), rho, dual, at.max_seconds)
        at.dual = dual
        return step, float(passes)

    def scaled_step(self, at: Point) -> tuple[Floats, float]:
        """With the diagonal as preconditioner, from anywhere."""
        step, recursive = np.zeros_like(at.coef), at.gradient.copy()
        with np.errstate(over="ignore"):
            goal = max(GRADIENT_SHARE * at.goal, RECURSION * float(recursive @ recursive))
        stop = at.lam, goal, at.excess, max(1, at.max_passes)
        passes = self.rows.data.conjugate_gradients(stop, recursive, step, at.max_seconds)
        return step, float(passes)


class LeastSquares(Regime):
    """Least squares of smallest norm on [S^½ Xc; sqrt(lam) I].

    Without a penalty, and where columns (or rows) are safely independent, by one Cholesky factor
    and refinement; small or dependent ones by LAPACK's singular values. Directions whose singular
    value is below ``eps max(n, d)`` of the largest count as absent there. That is one call which no
    signal interrupts: on one core 0.03 s at the size from which the factor is tried first, 1.6 s
    for dependent columns of 4000 x 1500, and 11 s for 3160 x 3160, about the largest.
    """

    name = "least_squares"

    def step(self, at: Point) -> tuple[Floats, float]:
        """All the way to the minimizer."""
        n, d = self.rows.shape
        if at.lam == 0.0 and n * d * min(n, d) >= LAPACK_PRODUCTS:
            found = independent_least_squares(self.rows, at.residual, at.max_seconds)
            if found is not None:
                return found
        A = self.rows.dense()
        root = self.rows.root
        b = at.residual if root is None else root * at.residual
        if at.lam > 0.0:
            A = np.vstack([A, math.sqrt(at.lam) * np.eye(d)])
            b = np.concatenate([b, -math.sqrt(at.lam) * at.coef])
        cond = np.finfo(np.float64).eps * max(A.shape)
        with one_thread():
            step: Floats = scipy.linalg.lstsq(
                A, b, cond=cond, overwrite_a=True, check_finite=False
            )[0]
        return step, 2.0


def fallback(rows: RidgeRows, at: Point) -> tuple[Floats, float]:
    """A singular Gram matrix: least squares if X may be made dense, else conjugate gradients."""
    n, d = rows.shape
    small = (n + d) * d <= DENSE_ENTRIES
    regime: Regime = (LeastSquares if small else ConjugateGradients)(rows, 1)
    return regime.step(at)
