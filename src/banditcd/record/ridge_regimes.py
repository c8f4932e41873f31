"""How a ridge problem is solved: factored Gram matrices, conjugate gradients, least squares.

Every regime answers one question: given the residual and the gradient at a point, which step leads
to the minimizer? From zero that is the solution, later it is iterative refinement, which is why a
squared condition number in a Gram matrix costs steps and not accuracy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg

from banditcd import _core
from banditcd.record.arrays import Floats
from banditcd.record.ridge_rows import RidgeRows
from banditcd.record.threads import one_thread

#: So many penalties are worth an eigendecomposition instead of one factorization each.
EIGEN_SOLVES = 24
#: Entries of a matrix that may be made dense for a least-squares solve.
DENSE_ENTRIES = 20_000_000
#: A race of conjugate gradients with a direct way: its share, least passes, least tolerance, and
#: the largest ratio of the mean eigenvalue to the penalty, or of the largest eigenvalue of some
#: rows to their mean one.
RACE_SHARE, RACE_LEAST, RACE_TOLERANCE, RACE_CONDITION = 0.6, 8, 1e-3, 100.0
RACE_DOMINANCE = 6.0
#: A race whose speed is judged may take this share of the direct way.
RACE_STRETCH = 1.4
#: Products before a race is judged; the same, and a limit, where no direct way waits.
RACE_PATIENCE, CARRIED_PATIENCE, CARRIED_PRODUCTS = 3, 12, 300
#: Columns that hold at most this share of the squares beyond the mean eigenvalue need no scaling.
HEAD_SHARE = 0.25
#: A pivot below this share of its diagonal entry is not trusted.
PIVOT = 1e-13


@dataclass(slots=True)
class Point:
    """Where a target stands at penalty ``lam``: all that a regime may use to find a step."""

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
        """What has a Gram matrix that other penalties can use, if anything."""
        return None

    @staticmethod
    def named(name: str, rows: RidgeRows, solves: int) -> Regime:
        """Build a regime by its name."""
        return _REGIMES[name](rows, solves)

    def step(self, at: Point) -> tuple[Floats, float]:
        """The step, and how often X was read; TimeoutError if the time is over before."""
        raise NotImplementedError


class _Factored(Regime):
    """Solves with (H + lam) by a factor per lam, or by one eigendecomposition for many."""

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        super().__init__(rows, solves)
        self.solves = solves
        self._gram: Floats | None = None
        self._factor: tuple[float, _core.SmoothFactor] | None = None

    def settled(self) -> Regime | None:
        return None if self._gram is None else self

    def build(self, max_seconds: float) -> Floats:
        """The Gram matrix."""
        raise NotImplementedError

    def inverse_times(self, b: Floats, at: Point) -> Floats | None:
        """(H + lam)^-1 b; None if H + lam is singular to working precision."""
        if self._gram is None:
            self._gram = self.build(at.max_seconds)
        if self.solves >= EIGEN_SOLVES:
            return self._by_eigen(b, at.lam)
        if self._factor is None or self._factor[0] != at.lam:
            self._factor = at.lam, _core.SmoothFactor(self._gram, at.lam, PIVOT)
        if not self._factor[1].good:
            return None
        out = np.array(b)
        self._factor[1].solve(out)
        return out

    @cached_property
    def _eigen(self) -> tuple[Floats, Floats]:
        assert self._gram is not None
        return symmetric_eigen(self._gram)

    def _by_eigen(self, b: Floats, lam: float) -> Floats | None:
        values, vectors = self._eigen
        if not values.min(initial=math.inf) + lam > PIVOT * values.max(initial=0.0):
            return None
        with one_thread():
            out: Floats = vectors @ ((vectors.T @ b) / (values + lam))
        return out


class _NormalEquations(_Factored):
    name = "normal_equations"

    def build(self, max_seconds: float) -> Floats:
        return self.rows.normal_matrix(max_seconds)

    def step(self, at: Point) -> tuple[Floats, float]:
        step = self.inverse_times(at.gradient, at)
        return _fallback(self.rows, at) if step is None else (step, 1.0)


class _DualGram(_Factored):
    """From zero, w = A^T (K + lam)^-1 S^½ r with A = S^½ Xc and K = A A^T; later Woodbury."""

    name = "dual_gram"

    def build(self, max_seconds: float) -> Floats:
        return self.rows.outer_matrix(max_seconds)

    def step(self, at: Point) -> tuple[Floats, float]:
        root, first = self.rows.root, not at.coef.any()
        b = at.residual
        if not first:  # (H + lam)^-1 g = (g - A^T (K + lam)^-1 A g) / lam
            b = np.empty(self.rows.shape[0])
            self.rows.native.times(at.gradient, b)
            b -= self.rows.center(at.gradient)
        e = self.inverse_times(b if root is None else root * b, at)
        if e is None:
            return _fallback(self.rows, at)
        step = self.rows.centered_transposed_times(e if root is None else root * e)
        return (step, 1.0) if first else ((at.gradient - step) / at.lam, 2.0)


class _ConjugateGradients(Regime):
    """In the space of the coefficients: plain with a dual point, or Jacobi-preconditioned.

    Plain steps from zero are combinations of the rows, which are a dual point too, and one that is
    much closer than the residual if the penalty is small. They are taken where rows are fewer than
    columns and no few columns dominate; else, and if they turn out to be slow, columns are scaled.
    Without a penalty there is no gap to aim at: the gradient goes down to its rounding.
    """

    name = "cg"

    def step(self, at: Point) -> tuple[Floats, float]:
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
        stop = at.lam, 0.9 * at.gap, max(1, at.max_passes), patience
        passes = self.rows.native.ridge_race(
            self.rows.weight, self.rows.mean, stop, recursive, step, rho, dual, at.max_seconds
        )
        at.dual = dual
        return step, float(passes)

    def scaled_step(self, at: Point) -> tuple[Floats, float]:
        """With the diagonal as preconditioner, from anywhere."""
        step, recursive = np.zeros_like(at.coef), at.gradient.copy()
        with np.errstate(over="ignore"):
            goal = max(0.8 * at.goal, 1e-28 * float(recursive @ recursive))
        stop = at.lam, goal, at.excess, max(1, at.max_passes)
        passes = self.rows.native.ridge_cg(
            self.rows.weight, self.rows.mean, stop, recursive, step, at.max_seconds
        )
        return step, float(passes)


class _Race(_ConjugateGradients):
    """Conjugate gradients while they cost less than the direct way, which takes over then.

    Well-conditioned data is solved by a few passes, but what is known before says little about
    the conditioning. The race costs at most ``RACE_SHARE`` more than the direct way; or, if it
    is ``judged``, it is given up in its first half as soon as its speed is seen to be too low.
    """

    def __init__(
        self, rows: RidgeRows, solves: int, *, direct: str, passes: int, judged: bool
    ) -> None:
        super().__init__(rows, solves)
        self.name = "cg"
        self._direct = Regime.named(direct, rows, solves)
        self._judged = judged
        self._passes = passes

    def settled(self) -> Regime | None:
        return self._direct.settled()

    def step(self, at: Point) -> tuple[Floats, float]:
        if self.name == "cg" and not at.coef.any():
            at.max_passes = min(at.max_passes, self._passes)
            judged = self._judged
            return self.carried_step(at, RACE_PATIENCE) if judged else self.scaled_step(at)
        self.name = self._direct.name
        return self._direct.step(at)


class _LeastSquares(Regime):
    """Least squares of smallest norm on [S^½ Xc; sqrt(lam) I], by LAPACK's singular values."""

    name = "least_squares"

    def step(self, at: Point) -> tuple[Floats, float]:
        A = self.rows.dense()
        root = self.rows.root
        b = at.residual if root is None else root * at.residual
        if at.lam > 0.0:
            A = np.vstack([A, math.sqrt(at.lam) * np.eye(A.shape[1])])
            b = np.concatenate([b, -math.sqrt(at.lam) * at.coef])
        with one_thread():
            step: Floats = scipy.linalg.lstsq(A, b, overwrite_a=True, check_finite=False)[0]
        return step, 2.0


def _fallback(rows: RidgeRows, at: Point) -> tuple[Floats, float]:
    """A singular Gram matrix: least squares if X may be made dense, else conjugate gradients."""
    n, d = rows.shape
    small = (n + d) * d <= DENSE_ENTRIES
    regime: Regime = (_LeastSquares if small else _ConjugateGradients)(rows, 1)
    return regime.step(at)


def symmetric_eigen(gram: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues (not below zero) and -vectors of a lower triangle with padded rows."""
    with one_thread():
        # The upper triangle is not initialized, hence no check of the whole.
        values, vectors = scipy.linalg.eigh(
            gram[:, : len(gram)], lower=True, driver="evd", check_finite=False
        )
    return np.maximum(values, 0.0), vectors


_REGIMES: dict[str, type[Regime]] = {
    kind.name: kind for kind in (_NormalEquations, _DualGram, _ConjugateGradients, _LeastSquares)
}


def choose_regime(rows: RidgeRows, l2: float, *, tol: float, targets: int, solves: int) -> Regime:
    """Build the cheapest regime by the native cost model.

    A factored Gram matrix costs its products and n³/6 or d³/6 multiplications once, whatever the
    targets; conjugate gradients cost about ``10 + 8 log10(1/tol)`` passes for each of them. For one
    target and one penalty the two race if the direct way is worth enough passes and there is hope:
    wide dense rows with no dominant direction, or a strong penalty and a loose tolerance.
    Without a penalty the answer is least squares as long as X may be made dense.
    """
    n, d = rows.shape
    if l2 == 0.0:
        small = (n + d) * d <= DENSE_ENTRIES
        return Regime.named("least_squares" if small else "cg", rows, solves)
    normal, outer, one_pass = rows.native.costs
    passes = 10.0 + 8.0 * max(0.0, -math.log10(max(tol, 1e-16)))
    costs = {"cg": passes * one_pass * targets * solves}
    if rows.fits(d):
        costs["normal_equations"] = normal
    if rows.fits(n):
        costs["dual_gram"] = outer
    name = min(costs, key=lambda name: costs[name])
    worth = costs[name] / max(one_pass, 1.0)
    race = int(RACE_SHARE * worth)
    if name == "cg" or targets * solves > 1 or race < RACE_LEAST:
        return Regime.named(name, rows, solves)
    if name == "dual_gram" and not rows.is_sparse and rows.dominance() <= RACE_DOMINANCE:
        return _Race(rows, solves, direct=name, passes=int(RACE_STRETCH * worth), judged=True)
    if tol >= RACE_TOLERANCE and rows.mean_eigenvalue() <= RACE_CONDITION * n * l2:
        return _Race(rows, solves, direct=name, passes=race, judged=False)
    return Regime.named(name, rows, solves)
