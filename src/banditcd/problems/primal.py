"""Primal costs: coordinates are features, the certificate is a rescaled residual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats
from banditcd.data import ColumnMatrix, check_vector
from banditcd.problems.base import Problem
from banditcd.problems.losses import Loss, QuadraticLoss
from banditcd.problems.penalties import L1L2
from banditcd.problems.projection import excess, feasible_direction
from banditcd.problems.scale import best_scale
from banditcd.results import Certificate

#: Roundings of the objective's terms that a certificate allows for.
ROUNDING = 8.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Options:
    """Options of every primal cost beside X, y and the penalty strength.

    penalty_weights multiply the L1 and the L2 term of a feature (0: unpenalized, inf: excluded);
    lower <= 0 <= upper bound the coefficients; sample_weight is normalized to sum n.
    """

    penalty_weights: Any = None
    lower: Any = None
    upper: Any = None
    sample_weight: Any = None


class PrimalProblem(Problem):
    """F(x) = f(Xx) + sum_i lambda_i |x_i| + (rho_i / 2) x_i^2, coordinates = features.

    The certificate rescales the gradient: w' = s w with the s that keeps every conjugate finite
    and makes the dual value largest. Unpenalized columns must be orthogonal to w' (or have one sign
    of u_i, if they are bounded on one side), so w is first projected accordingly. With
    ``beside_intercept`` the certificate is that of the problem in which an unpenalized intercept is
    minimized as well: w' has to sum to zero, like for any other unpenalized column.
    """

    kind: ClassVar[Literal["primal", "dual"]] = "primal"
    penalty: L1L2
    beside_intercept: bool = False

    def certificate(self, x: Floats) -> Certificate:
        """Return the gap of the best rescaled dual point."""
        v = self.A.matvec(x)
        primal = self.objective(x, v)
        w = self._feasible_direction(self.loss.gradient(v))
        u = -self.A.rmatvec(w)
        # The values are sums whose terms cancel: what rounding may hide is no part of the proof.
        terms = abs(primal) + self.null_objective() + float(np.abs(x) @ np.abs(u))
        dual, scale = self._best_dual(w, u)
        slack = max(scale, 1.0) * (ROUNDING * terms + self._left_over(x, w, u, v))
        return Certificate(primal, dual - slack)

    def null_objective(self) -> float:
        """F(0)."""
        return self.loss.value(np.zeros(self.m))

    def coef(self, x: Floats) -> Floats:
        """Return x itself."""
        return x

    def bounded_by(self, x0: Floats) -> Problem:
        """Return the Lipschitzed problem, remembering the penalty the certificate is for."""
        boxed = super().bounded_by(x0)
        if boxed is not self:
            boxed.__dict__["_plain_penalty"] = self._certified_penalty
        return boxed

    def keep(self, columns: npt.NDArray[np.intp]) -> Problem:
        """Return the problem in the chosen coordinates."""
        part = super().keep(columns)
        part.__dict__.pop("_plain_penalty", None)
        return part

    @property
    def _certified_penalty(self) -> L1L2:
        """Return the penalty without the Lipschitzing box: its dual is the tighter one."""
        plain: L1L2 = self.__dict__.get("_plain_penalty", self.penalty)
        return plain

    def _feasible_direction(self, w: Floats) -> Floats:
        """Return w projected so that unpenalized columns allow it, or zeros."""
        penalty = self._certified_penalty
        free = np.flatnonzero(penalty.free)
        if not np.isfinite(w).all():  # a descent that left the numbers has no gradient
            return np.zeros_like(w)
        if free.size == 0 and not self.beside_intercept:
            return w
        columns, ends = self.A.keep(free).to_dense(), (penalty.lower[free], penalty.upper[free])
        weight = np.broadcast_to(np.asarray(self.loss.bound, dtype=np.float64), (self.m,))
        return feasible_direction(w, columns, ends, weight, self.beside_intercept)

    def _left_over(self, x: Floats, w: Floats, u: Floats, v: Floats) -> float:
        """Return what is left of unpenalized columns in w, times twice their coefficients."""
        penalty = self._certified_penalty
        free = penalty.free
        left = excess(u[free], penalty.lower[free], penalty.upper[free])
        shift = float(np.abs(v).max(initial=0.0)) if self.beside_intercept else 0.0
        return 2.0 * (float(np.abs(x[free]) @ left) + abs(float(w.sum())) * shift)

    def _best_dual(self, w: Floats, u: Floats) -> tuple[float, float]:
        """Return max over s of -F_D(s w), a concave function of s on [0, s_max], and its s."""
        penalty = self._certified_penalty
        limit = self._largest_scale(u)
        tied = np.flatnonzero(~penalty.free)
        part, u_tied, pull = penalty.keep(tied), u[tied], self._pull_of_free_bounds(u)

        def cost(s: float) -> float:
            separable = s * pull + float(np.sum(part.conjugate(s * u_tied)))
            return self.loss.conjugate(s * w) + separable

        top = min(limit, 1.0)
        best, chosen = min((cost(top), top), (cost(0.0), 0.0))
        if isinstance(self.loss, QuadraticLoss):  # the best s may be elsewhere, also beyond 1
            square, linear = self.loss.conjugate_along(w)
            scale = best_scale(part, u_tied, (square, linear + pull), limit)
            best, chosen = min((best, chosen), (cost(scale), scale))
        return -best, chosen

    def _pull_of_free_bounds(self, u: Floats) -> float:
        """Return the conjugates of unpenalized coordinates with one bound: u_i times the bound."""
        penalty = self._certified_penalty
        ends = np.where(np.isinf(penalty.lower), penalty.upper, penalty.lower)
        bounded = penalty.free & np.isfinite(ends)
        return float(np.sum(np.maximum(u[bounded] * ends[bounded], 0.0)))

    def _largest_scale(self, u: Floats) -> float:
        """Return the largest s with every g_i*(s u_i) finite."""
        penalty = self._certified_penalty
        curved = penalty.rho > 0.0
        open_up = ~curved & np.isinf(penalty.upper) & (u > 0.0) & ~penalty.free
        open_down = ~curved & np.isinf(penalty.lower) & (u < 0.0) & ~penalty.free
        tight = open_up | open_down
        if not tight.any():
            return np.inf
        # A few roundings below: s |u_i| must not come out above lambda_i.
        return float(np.min(penalty.lam[tight] / np.abs(u[tight]))) * (1.0 - 2.0**-50)


class L1Problem(PrimalProblem):
    """A primal cost with an L1 term: it has a largest useful penalty."""

    l1_ratio: float = 1.0
    """Share of alpha in the L1 term."""

    def __init__(self, A: ColumnMatrix, loss: Loss, penalty: L1L2, unit_weights: Floats) -> None:
        super().__init__(A, loss, penalty)
        self._unit_weights = unit_weights

    def keep(self, columns: npt.NDArray[np.intp]) -> Problem:
        """Return the problem in the chosen coordinates."""
        part = super().keep(columns)
        part.__dict__["_unit_weights"] = self._unit_weights[columns]
        return part

    @property
    def alpha_max(self) -> float:
        """The smallest alpha at which x = 0 is optimal: max_i |u_i(0)| / (l1_ratio weight_i).

        Unpenalized coordinates are left out: with them, 0 need not be optimal at any alpha.
        """
        u = self.correlations(np.zeros(self.d))
        penalty = self._certified_penalty
        can_move = np.where(u > 0.0, penalty.upper > 0.0, penalty.lower < 0.0) & (u != 0.0)
        counted = can_move & (self._unit_weights > 0.0)
        largest = float(np.max(np.abs(u[counted]) / self._unit_weights[counted], initial=0.0))
        if largest == 0.0 or self.l1_ratio > 0.0:
            return largest / (self.l1_ratio or 1.0)
        return np.inf  # no L1 term: no alpha is large enough


def l1_weights(d: int, options: Options) -> Floats:
    """Return the weight of each L1 term when alpha = 1 (0 for excluded and unpenalized)."""
    return build_penalty(1.0, 0.0, d, options).lam


def build_penalty(l1: float, l2: float, d: int, options: Options) -> L1L2:
    """Return the checked penalty of a primal cost."""
    weights = np.ones(d)
    if options.penalty_weights is not None:
        raw = np.asarray(options.penalty_weights, dtype=np.float64)
        weights = check_vector(
            np.where(np.isposinf(raw), 0.0, raw), d, "penalty_weights", "features"
        )
        if np.any(weights < 0.0):
            raise ValueError("penalty_weights must not be negative.")
    lower = _bound(options.lower, -np.inf, d, "lower")
    upper = _bound(options.upper, np.inf, d, "upper")
    if np.any(lower > 0.0) or np.any(upper < 0.0):
        raise ValueError("Bounds need lower <= 0 <= upper for every feature.")
    if options.penalty_weights is not None:
        excluded = np.isposinf(np.asarray(options.penalty_weights, dtype=np.float64))
        lower, upper = np.where(excluded, 0.0, lower), np.where(excluded, 0.0, upper)
    return L1L2(l1 * weights, l2 * weights, lower, upper)


def _bound(value: Any, default: float, d: int, name: str) -> Floats:
    if value is None:
        return np.full(d, default)
    bound = np.asarray(value, dtype=np.float64)
    bound = np.full(d, float(bound)) if bound.ndim == 0 else bound
    if bound.shape != (d,):
        raise ValueError(
            f"{name} has shape {bound.shape}; it needs one value, or one per feature ({d})."
        )
    if np.isnan(bound).any():
        raise ValueError(f"{name} has NaN values; use -inf and inf for no bound.")
    return bound


def row_weights(n: int, options: Options) -> Floats:
    """Return s_j / n with the sample weights s normalized to sum n."""
    if options.sample_weight is None:
        return np.full(n, 1.0 / n)
    weight = check_vector(options.sample_weight, n, "sample_weight")
    if np.any(weight < 0.0) or weight.sum() == 0.0:
        raise ValueError("sample_weight must not be negative and must not be all zero.")
    return np.asarray(weight / weight.sum())
