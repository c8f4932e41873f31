"""One cost F(x) = f(Ax) + sum_i g_i(x_i), and everything the paper derives from it."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix
from banditcd.problems.losses import Loss
from banditcd.problems.marginal import reference_step
from banditcd.problems.penalties import L1L2, Penalty
from banditcd.results import Certificate


class Problem(ABC):
    """A cost to be minimized one coordinate at a time.

    Letters as in the paper: A is m x d with columns a_i, v = Ax, w = grad f(v), u_i = -a_i . w,
    f is (1/beta)-smooth, h_i bounds the curvature of f along i, g_i is mu_i-strongly convex,
    F_D(w) = f*(w) + sum_i g_i*(u_i) is the dual cost and G(x) = F(x) + F_D(w) the duality gap.

    A subclass says what A, f and g are and how x maps to the primal model. ``kind`` is
    ``"primal"`` if F is the objective of the model and ``"dual"`` if -F bounds it from below.

    Parameters
    ----------
    A : ColumnMatrix
        The matrix.
    loss : Loss
        f.
    penalty : Penalty
        All g_i.
    """

    name: ClassVar[str]
    kind: ClassVar[Literal["primal", "dual"]]
    default_update: ClassVar[str]

    def __init__(self, A: ColumnMatrix, loss: Loss, penalty: Penalty) -> None:
        self.A, self.loss, self.penalty = A, loss, penalty

    # -- sizes and constants ------------------------------------------------------------------

    @property
    def d(self) -> int:
        """Number of coordinates."""
        return self.A.d

    @property
    def m(self) -> int:
        """Number of rows of A."""
        return self.A.m

    @property
    def beta(self) -> float:
        """f is (1/beta)-smooth."""
        return self.loss.beta

    @property
    def mu(self) -> Floats:
        """Strong convexity of each g_i."""
        return self.penalty.mu

    @cached_property
    def h(self) -> Floats:
        """Curvature bound of f along each coordinate, ||a_i||^2 / beta for equal row bounds."""
        bound = np.broadcast_to(np.asarray(self.loss.bound, dtype=np.float64), (self.m,))
        return self.A.column_squares(bound)

    # -- values -------------------------------------------------------------------------------

    def objective(self, x: Floats, v: Floats | None = None) -> float:
        """F(x) = f(Ax) + sum_i g_i(x_i)."""
        v = self.A.matvec(x) if v is None else v
        return self.loss.value(v) + float(np.sum(self.penalty.value(x)))

    def dual_objective(self, w: Floats, u: Floats | None = None) -> float:
        """F_D(w) = f*(w) + sum_i g_i*(u_i), u = -A^T w (Lipschitzed where g is)."""
        u = -self.A.rmatvec(w) if u is None else u
        return self.loss.conjugate(w) + float(np.sum(self.penalty.conjugate(u)))

    def correlations(self, x: Floats) -> Floats:
        """u_i = -a_i . grad f(Ax) for all i: one product with A and one with A^T."""
        return -self.A.rmatvec(self.loss.gradient(self.A.matvec(x)))

    # -- the paper's coordinate-wise quantities, from x and u ----------------------------------

    def gaps(self, x: Floats, u: Floats) -> Floats:
        """Coordinate-wise duality gaps G_i; they sum to G(x)."""
        return np.asarray(self.penalty.gap(x, u))

    def kappas(self, x: Floats, u: Floats) -> Floats:
        """Dual residues kappa_i."""
        return np.asarray(self.penalty.kappa(x, u))

    def steps(self, x: Floats, u: Floats) -> Floats:
        """Reference step sizes s_i (0 for coordinates without a penalty)."""
        return self._reference(x, u)[0]

    def marginal_decreases(self, x: Floats, u: Floats) -> Floats:
        """Marginal decreases r_i; u_i^2 / (2 h_i) for coordinates without penalty and bounds."""
        return self._reference(x, u)[1]

    def _reference(self, x: Floats, u: Floats) -> tuple[Floats, Floats]:
        free = self.penalty.free
        if not free.any():
            return reference_step(self.gaps(x, u), self.kappas(x, u), self.mu, self.h)
        s, r = np.zeros(self.d), np.zeros(self.d)
        tied = np.flatnonzero(~free)
        part = self.penalty.keep(tied)
        gap, kappa = part.gap(x[tied], u[tied]), part.kappa(x[tied], u[tied])
        s[tied], r[tied] = reference_step(gap, kappa, self.mu[tied], self.h[tied])
        r[free] = self.penalty.free_decrease(x[free], u[free], self.h[free], free)
        return s, r

    # -- certificates ---------------------------------------------------------------------------

    @abstractmethod
    def certificate(self, x: Floats) -> Certificate:
        """Return the best duality gap at hand for x, from a freshly computed Ax."""

    @abstractmethod
    def null_objective(self) -> float:
        """Return the primal objective of the zero model, the scale of the stopping rule."""

    @abstractmethod
    def coef(self, x: Floats) -> Floats:
        """Return the primal model that x stands for."""

    # -- variants -------------------------------------------------------------------------------

    def start(self) -> Floats:
        """Return the default starting point: 0, moved into the domain of every g_i."""
        return np.clip(np.zeros(self.d), self.penalty.lower, self.penalty.upper)

    def bounded_by(self, x0: Floats) -> Problem:
        """Return the problem whose L1 terms carry the Lipschitzing box of a run from x0.

        F never increases and f >= 0, so lambda_i |x_i| + rho_i x_i^2 / 2 <= F(x0) along the run.
        Only coordinates with mu_i = 0 need the box.
        """
        if not isinstance(self.penalty, L1L2):
            return self
        bound = np.full(self.d, np.inf)
        needy = (self.penalty.lam > 0.0) & (self.penalty.rho == 0.0)
        if not needy.any():
            return self
        bound[needy] = self.objective(x0) / self.penalty.lam[needy]
        bound[needy] = np.maximum(bound[needy], np.abs(x0[needy]))  # rounding must not exclude x0
        boxed = copy.copy(self)
        boxed.penalty = self.penalty.boxed(bound)
        return boxed

    def keep(self, columns: npt.NDArray[np.intp]) -> Problem:
        """Return the problem in the chosen coordinates, the others fixed at 0."""
        part = copy.copy(self)
        part.A = self.A.keep(columns)
        part.penalty = self.penalty.keep(columns)
        part.__dict__.pop("h", None)
        return part

    def __repr__(self) -> str:
        return f"{type(self).__name__}(m={self.m}, d={self.d}, nnz={self.A.nnz})"
