"""Regimes of a ridge solve: factored Gram matrices, conjugate gradients, least squares.

Every regime answers one question: given the residual and the gradient at a point, which step leads
to the minimizer? From zero that is the solution, later it is iterative refinement, which is why a
squared condition number in a Gram matrix costs steps and not accuracy.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import scipy.linalg

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.lapack import one_thread
from banditcd.solvers.ridge.rows import RidgeRows
from banditcd.solvers.ridge.steps import (
    DENSE_ENTRIES,
    ConjugateGradients,
    LeastSquares,
    Point,
    Regime,
    fallback,
)

#: Penalties that are worth an eigendecomposition instead of one factorization each.
EIGEN_SOLVES = 24
#: A race of conjugate gradients with a direct way: its share, least passes, least tolerance, and
#: the largest ratio of the mean eigenvalue to the penalty, or of the largest eigenvalue of some
#: rows to their mean one.
RACE_SHARE, RACE_LEAST, RACE_TOLERANCE, RACE_CONDITION = 0.6, 8, 1e-3, 100.0
RACE_DOMINANCE = 6.0
#: Passes of conjugate gradients: some, more for each digit of the tolerance, and at least
#: HARSH_PASSES beyond that ratio.
FIRST_PASSES, DIGIT_PASSES, HARSH_PASSES = 10.0, 8.0, 60.0
#: The least tolerance that counts for it.
LEAST_TOLERANCE = 1e-16
#: A race whose speed is judged may take this share of the direct way.
RACE_STRETCH = 1.4
#: Products before a race is judged.
RACE_PATIENCE = 3
#: A pivot below this share of its diagonal entry is not trusted.
PIVOT = 1e-13
#: The same, and the steps, for products in single precision.
ROUGH_PIVOT, ROUGH_STEPS = 1e-5, 2


class _Factored(Regime):
    """Solves with (H + lam) by a factor per lam, or by one eigendecomposition for many."""

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        super().__init__(rows, solves)
        self.solves = solves
        self._gram: Floats | None = None
        self._factor: tuple[float, _core.Factor] | None = None

    def settled(self) -> Regime | None:
        return None if self._gram is None else self

    def build(self, max_seconds: float) -> Floats:
        """The Gram matrix."""
        raise NotImplementedError

    def pivot(self) -> float:
        """The share of its diagonal entry that a pivot must keep."""
        return PIVOT

    def inverse_times(self, b: Floats, at: Point) -> Floats | None:
        """(H + lam)^-1 b; None if H + lam is singular to working precision."""
        if self._gram is None:
            self._gram = self.build(at.max_seconds)
        if self.solves >= EIGEN_SOLVES:
            return self._by_eigen(b, at.lam)
        if self._factor is None or self._factor[0] != at.lam:
            self._factor = at.lam, _core.Factor(self._gram, at.lam, self.pivot())
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
    """Products of a single solve are in single precision: refinement makes up for it, while it can.

    A pivot that rounding may have made, or a third step, asks for the matrix in double precision.
    """

    name = "normal_equations"

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        super().__init__(rows, solves)
        self._rough = solves == 1 and rows.native.rough_pays(rows.mean is not None)
        self._steps = 0

    def settled(self) -> Regime | None:
        return None if self._rough else super().settled()

    def build(self, max_seconds: float) -> Floats:
        return self.rows.normal_matrix(max_seconds, rough=self._rough)

    def pivot(self) -> float:
        return ROUGH_PIVOT if self._rough else PIVOT

    def _refine(self) -> None:
        """From here on in double precision."""
        self._rough, self._gram, self._factor = False, None, None

    def step(self, at: Point) -> tuple[Floats, float]:
        self._steps = self._steps + 1 if at.coef.any() else 0
        if self._rough and self._steps >= ROUGH_STEPS:
            self._refine()
        step = self.inverse_times(at.gradient, at)
        if step is None and self._rough:
            self._refine()
            step = self.inverse_times(at.gradient, at)
        return fallback(self.rows, at) if step is None else (step, 1.0)


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
            return fallback(self.rows, at)
        step = self.rows.centered_transposed_times(e if root is None else root * e)
        return (step, 1.0) if first else ((at.gradient - step) / at.lam, 2.0)


class _Race(ConjugateGradients):
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
        self._direct = named_regime(direct, rows, solves)
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


def symmetric_eigen(gram: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues (not below zero) and -vectors of a lower triangle with padded rows."""
    with one_thread():
        # The upper triangle is not initialized, hence no check of the whole.
        values, vectors = scipy.linalg.eigh(
            gram[:, : len(gram)], lower=True, driver="evd", check_finite=False
        )
    return np.maximum(values, 0.0), vectors


_REGIMES: dict[str, type[Regime]] = {
    kind.name: kind for kind in (_NormalEquations, _DualGram, ConjugateGradients, LeastSquares)
}


def named_regime(name: str, rows: RidgeRows, solves: int) -> Regime:
    """Build a regime by its name."""
    return _REGIMES[name](rows, solves)


def choose_regime(rows: RidgeRows, l2: float, *, tol: float, targets: int, solves: int) -> Regime:
    """Build the cheapest regime by the native cost model.

    A factored Gram matrix costs its products and n³/6 or d³/6 multiplications once, whatever the
    targets; conjugate gradients cost about ``10 + 8 log10(1/tol)`` passes for each of them, and
    many more, whatever the tolerance, if the penalty is far below the eigenvalues of X'X. For one
    target and one penalty the two race if the direct way is worth enough passes and there is hope:
    wide dense rows with no dominant direction, or a strong penalty and a loose tolerance.
    Without a penalty the answer is least squares as long as X may be made dense.
    """
    n, d = rows.shape
    if l2 == 0.0:
        small = (n + d) * d <= DENSE_ENTRIES
        return named_regime("least_squares" if small else "cg", rows, solves)
    normal, outer, one_pass = rows.native.costs
    digits = max(0.0, -math.log10(max(tol, LEAST_TOLERANCE)))
    passes = FIRST_PASSES + DIGIT_PASSES * digits
    costs = {"cg": passes * one_pass * targets * solves}
    if rows.fits(d):
        costs["normal_equations"] = normal
    if rows.fits(n):
        costs["dual_gram"] = outer
    name = min(costs, key=costs.__getitem__)
    if name == "cg" and len(costs) > 1 and rows.mean_eigenvalue() > RACE_CONDITION * n * l2:
        costs["cg"] *= max(1.0, HARSH_PASSES / passes)
        name = min(costs, key=costs.__getitem__)
    worth = costs[name] / max(one_pass, 1.0)
    race = int(RACE_SHARE * worth)
    if name == "cg" or targets * solves > 1 or race < RACE_LEAST:
        return named_regime(name, rows, solves)
    if name == "dual_gram" and not rows.is_sparse and rows.dominance() <= RACE_DOMINANCE:
        return _Race(rows, solves, direct=name, passes=int(RACE_STRETCH * worth), judged=True)
    if tol >= RACE_TOLERANCE and rows.mean_eigenvalue() <= RACE_CONDITION * n * l2:
        return _Race(rows, solves, direct=name, passes=race, judged=False)
    return named_regime(name, rows, solves)
