r"""Direct ways to the minimizer: each answers which step leads there from any point.

With :math:`A = S^{1/2} X_c` and the residual and gradient of the data at that point, the step is
the solution from zero and iterative refinement later, which is why a squared condition number in a
Gram matrix, or single precision, costs steps and not accuracy.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from banditcd._typing import Floats
from banditcd.solvers.ridge.gram import Gram
from banditcd.solvers.ridge.independent import independent_least_squares
from banditcd.solvers.ridge.models import Models
from banditcd.solvers.ridge.rows import RidgeRows

#: Entries of a matrix that may be made dense for singular values.
DENSE_ENTRIES = 20_000_000
#: From this many products on, least squares try a factor before LAPACK's singular values.
LAPACK_PRODUCTS = 1e8


class Way:
    """One direct way for all targets."""

    name = ""
    #: Whether one step is as exact as float64 allows, however the data are conditioned.
    at_once = False

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        self.rows, self.solves = rows, solves

    @property
    def shared(self) -> bool:
        """Whether other penalties can use what was computed."""
        return False

    def finer(self) -> Way | None:
        """A way that is exact where this one is not."""
        return None

    def step(self, at: Models, max_seconds: float) -> Floats | None:
        """The steps; None if the matrix is singular to working precision.

        TimeoutError if the time is over before.
        """
        raise NotImplementedError


class _Factored(Way):
    """By the factor of a Gram matrix: in single precision first, in double if that is too rough."""

    wide = False

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        super().__init__(rows, solves)
        self.gram = Gram(rows, wide=self.wide, solves=solves)

    @property
    def shared(self) -> bool:
        return self.gram.there

    def finer(self) -> Way | None:
        if self.gram.single:
            self.gram.refine()
            return self
        n, d = self.rows.shape
        return SingularValues(self.rows, self.solves) if n * d <= DENSE_ENTRIES else None


class NormalEquations(_Factored):
    """(A^T A + lam)^-1 times the gradient."""

    name = "normal_equations"

    def step(self, at: Models, max_seconds: float) -> Floats | None:
        """Solve with the gradient."""
        if not at.n_iter.any():
            at.correlate()
        return self.gram.inverse_times(at.gradient, at.lam, max_seconds)


class DualGram(_Factored):
    """From zero w = A^T c, (A A^T + lam) c = S^½ y; c is refined by what is left of that."""

    name = "dual_gram"
    wide = True

    def __init__(self, rows: RidgeRows, solves: int) -> None:
        super().__init__(rows, solves)
        self._dual: tuple[Models, Floats] | None = None

    def step(self, at: Models, max_seconds: float) -> Floats | None:
        """Solve with what is left of the system of the rows."""
        root = self.rows.root
        left = at.residual if root is None else root * at.residual
        before = self._dual[1] if self._dual is not None and self._dual[0] is at else None
        if before is not None:
            left = left - at.lam * before
        found = self.gram.inverse_times(left, at.lam, max_seconds)
        if found is None:
            return None
        self._dual = at, (found if before is None else before + found)
        at.passes += 1.0
        spread = found if root is None else root * found
        step = self.rows.combinations(spread)
        if self.rows.mean is not None:
            step -= np.outer(spread.sum(axis=1), self.rows.mean)
        return step


class SingularValues(Way):
    r"""The solution itself, V \sigma (\sigma^2 + lam)^-1 U^T S^½ y, from the singular values of A.

    Directions whose singular value is below ``eps max(n, d)`` of the largest count as absent. The
    decomposition is one call of LAPACK, which no signal interrupts.
    """

    name = "singular_values"
    at_once = True
    _parts: tuple[Floats, Floats, Floats] | None = None

    @property
    def shared(self) -> bool:
        """Whether there are singular values."""
        return self._parts is not None

    def step(self, at: Models, max_seconds: float) -> Floats | None:
        """Go to the solution from anywhere."""
        if self._parts is None:
            self._parts = self._decompose()
        left, values, right = self._parts
        root, response = self.rows.root, at.targets - at.average[:, None]
        at.passes += 2.0
        with self.rows.limited_blas():
            along = (response if root is None else root * response) @ left
            found: Floats = (along * (values / (values**2 + at.lam))) @ right
        return found - at.coef

    def _decompose(self) -> tuple[Floats, Floats, Floats]:
        with self.rows.limited_blas():
            left, values, right = scipy.linalg.svd(
                self.rows.dense(), full_matrices=False, overwrite_a=True, check_finite=False
            )
        there = values > np.finfo(np.float64).eps * max(self.rows.shape) * values.max(initial=0.0)
        return left[:, there], values[there], right[there]


class LeastSquares(Way):
    """Least squares of smallest norm, on [A; sqrt(lam) I] if there is a penalty.

    Without one, and where columns (or rows) are safely independent, by one Cholesky factor
    and refinement; small or dependent ones by LAPACK's singular values. Directions whose singular
    value is below ``eps max(n, d)`` of the largest count as absent there. That is one call which no
    signal interrupts: on one core 0.03 s at the size from which the factor is tried first, 1.6 s
    for dependent columns of 4000 x 1500, and 11 s for 3160 x 3160, about the largest.
    """

    name = "least_squares"
    at_once = True

    def step(self, at: Models, max_seconds: float) -> Floats | None:
        """Solve for the residuals."""
        n, d = self.rows.shape
        at.passes += 2.0
        if at.lam == 0.0 and n * d * min(n, d) >= LAPACK_PRODUCTS:
            found = independent_least_squares(self.rows, at.residual, max_seconds)
            if found is not None:
                return found
        A, root = self.rows.dense(), self.rows.root
        b = at.residual if root is None else root * at.residual
        if at.lam > 0.0:
            A = np.vstack([A, np.sqrt(at.lam) * np.eye(d)])
            b = np.hstack([b, -np.sqrt(at.lam) * at.coef])
        cond = np.finfo(np.float64).eps * max(A.shape)
        with self.rows.limited_blas():
            step: Floats = scipy.linalg.lstsq(
                A, b.T, cond=cond, overwrite_a=True, check_finite=False
            )[0]
        return np.ascontiguousarray(step.T)


WAYS: dict[str, type[Way]] = {
    kind.name: kind for kind in (NormalEquations, DualGram, SingularValues, LeastSquares)
}
