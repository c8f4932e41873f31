r"""Ridge regression with a certificate: several targets, a path, leave-one-out errors.

.. math::

    P(w, b) = \frac{1}{2n}\sum_i s_i (y_i - b - x_i^\top w)^2 + \frac{\lambda}{2}\|w\|^2 .

With the residual :math:`r` at the best intercept for :math:`w`, the dual point :math:`s_i r_i`
satisfies the intercept's constraint :math:`\sum_i s_i r_i = 0`, and

.. math::

    P - D = \frac{\|\nabla_w P\|^2}{2\lambda}

exactly: the losses meet Fenchel-Young with equality, and the rest is
:math:`\tfrac\lambda2\|w\|^2 + \tfrac1{2\lambda}\|v\|^2 - w^\top v` with
:math:`v = \tfrac1n X^\top (s r)`. Residual and gradient are recomputed from the data for the
certificate, whatever found :math:`w`.

Regimes: "normal_equations" and "dual_gram" (factored Gram matrices of the columns and of the rows),
"singular_values" (of X, where a Gram matrix is singular to working precision), "cg" (conjugate
gradients), and "least_squares" (LAPACK, without a penalty).
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.solvers.result import Result
from banditcd.solvers.ridge.direct import solve_direct
from banditcd.solvers.ridge.iterative import ConjugateGradients, Effort
from banditcd.solvers.ridge.leave_one_out import leave_one_out
from banditcd.solvers.ridge.models import Models
from banditcd.solvers.ridge.regimes import Plan, choose_regime, direct_price, exact_regime
from banditcd.solvers.ridge.rows import RidgeRows
from banditcd.solvers.ridge.units import in_units
from banditcd.solvers.ridge.ways import WAYS, Way

#: Passes, beside two for each row or column, for conjugate gradients after a direct way stalled.
RESCUE = 50
#: The share of the first gradient that conjugate gradients leave where exact coefficients are
#: asked for and no Gram matrix fits into memory.
EXACT_REDUCTION = 1e-11
#: Columns and entries of X up to which one native call solves a target.
SMALL_COLUMNS, SMALL_ENTRIES = 120, 300_000


class RidgeSession:
    """A matrix and one or more targets, ready to be solved for one penalty after another.

    The Gram matrix, its factors and the means are shared by all targets and penalties. The arrays
    are borrowed and must not change while the session lives. The caller has validated the input.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. C order and CSR are used as they are; anything else is converted once.
    Y : ndarray of shape (n,) or (n, t)
        The targets.
    fit_intercept : bool
        Whether there is an unpenalized intercept. A sparse X is never centered.
    sample_weight : ndarray of shape (n,), optional
        Row weights, used as they are; zeros are allowed.
    solves : int
        How many penalties will be asked for: many are worth one eigendecomposition.
    exact : bool
        Whether coefficients are to be as exact as a direct method makes them, whatever ``tol``
        says; else the cheapest regime that reaches ``tol`` is taken.
    single : bool
        Whether coefficients and intercepts are rounded to single precision, before they are
        certified.
    n_threads : int, optional
        As in :class:`banditcd.solvers.ElasticNetSession`; sums over rows are added in an order
        that depends on it.
    """

    def __init__(
        self,
        X: Any,
        Y: Floats,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        solves: int = 1,
        exact: bool = False,
        single: bool = False,
        n_threads: int | None = None,
    ) -> None:
        options: dict[str, Any] = {"sample_weight": sample_weight, "n_threads": n_threads}
        self.rows = RidgeRows(X, fit_intercept=fit_intercept, **options)
        self.shape = self.rows.shape
        targets = np.asarray(Y, dtype=np.float64)
        columns = targets[None] if targets.ndim == 1 else targets.T
        self.targets, self._units = in_units(np.ascontiguousarray(columns))
        self._solves, self._exact, self._single = solves, exact, single
        self._way: Way | None = None
        self._forced: str | None = None

    def force_regime(self, name: str) -> None:
        """Use one regime of those that the module documents only."""
        self._forced, self._way = name, None

    def solve(
        self,
        l2: float,
        *,
        tol: float = 1e-4,
        max_iter: int = 10_000,
        max_seconds: float = math.inf,
    ) -> list[Result]:
        """Minimize for one penalty.

        Parameters
        ----------
        l2 : float
            Weight of ``w²/2`` beside half the mean squared error. Zero asks for the least-squares
            solution of smallest norm; its certificate needs residuals that are orthogonal to all
            columns up to rounding, else the status is "uncertified".
        tol : float
            Stop when the duality gap is at most ``tol`` times the null model's objective;
            conjugate gradients also go on until the residual of the linear system that they solve
            is at most ``tol`` of its first.
        max_iter : int
            Limit on products with X in the iterative regime, for each target.
        max_seconds : float
            Limit on wall-clock time, for each target.

        Returns
        -------
        list of Result
            One per target; ``n_iter`` counts steps and refinements of the point. The time is
            divided among the targets.
        """
        if self._small:
            found = self._solve_small(l2, tol)
            if found is not None:
                return [found]
        lam, plan = self.shape[0] * l2, self._plan(l2, tol)
        models = Models(self.rows, self.targets, lam, tol, self._units)
        reduction = min(tol, EXACT_REDUCTION) if self._exact and plan.name == "cg" else tol
        alone = plan.name == "cg"
        effort = Effort(max_iter, max_seconds, reduction, None if alone else plan)
        names = ["cg"] * len(self.targets)
        begins = alone or plan.arms() is not None
        if begins:
            self._iterate(models, effort)
        if not alone and not (begins and models.converged):
            passes = models.passes
            del models  # its residuals, before there are others
            models = Models(self.rows, self.targets, lam, tol, self._units)
            models.passes += passes
            names = self._direct(models, plan.name, effort)
        if self._single and not models.rounded:
            models.round(models.coef)
        return models.results(names)

    @property
    def _small(self) -> bool:
        """Whether one native call is all that is needed, as a rule."""
        return (
            not self._single
            and self._forced is None
            and self._units is None
            and len(self.targets) == 1
            and self.shape[1] <= SMALL_COLUMNS
            and self.shape[0] * self.shape[1] <= SMALL_ENTRIES
        )

    def _solve_small(self, l2: float, tol: float) -> Result | None:
        """Solve few columns; None if there is no penalty or no proof that this is enough."""
        if not l2 > 0.0:
            return None
        started, n, coef = time.perf_counter(), self.shape[0], np.empty(self.shape[1])
        enough = 0.0 if self._exact else tol
        found = self.rows.data.small(self.targets[0], n * l2, enough, coef)
        if found is None:
            return None
        intercept, primal, gap, null, steps = found
        if not gap <= tol * null:
            return None
        name, seconds = "normal_equations", time.perf_counter() - started
        return Result(
            coef=coef,
            intercept=intercept,
            primal=primal / n,
            gap=gap / n,
            target=tol * null / n,
            status="converged",
            regime=name,
            passes=2.0 + steps,
            n_iter=steps,
            seconds=seconds,
            pool_size=len(coef),
            support=int(np.count_nonzero(coef)),
        )

    def _iterate(self, models: Models, effort: Effort) -> None:
        solver = ConjugateGradients(models, effort)
        for k in range(len(self.targets)):
            solver.improve(k)

    def _direct(self, models: Models, name: str, effort: Effort) -> list[str]:
        """Solve all targets by one way; return the regimes that they ended with."""
        way = self._way
        if way is None or way.name != name:
            way = WAYS[name](self.rows, self._solves)
            models.price = direct_price(self.rows, name, self._solves)
        options = {"exact": self._exact, "single": self._single}
        found = solve_direct(models, way, effort.max_seconds, **options)
        if models.lam > 0.0:
            self._way = found
        names = [found.name] * len(self.targets)
        if models.lam > 0.0 and self._forced is None and not models.converged:
            # Columns of very different size spoil sums over them, but not a method that scales
            # each: at most for what the factorization took, once more.
            limit = int(models.passes.max()) + RESCUE + 2 * min(self.shape)
            limit = min(effort.max_iter, limit)
            rescue = ConjugateGradients(models, Effort(limit, effort.max_seconds, 1.0))
            for k in np.flatnonzero(~(models.gap <= models.target)):
                rescue.improve(int(k))
                names[k] = rescue.name
        return names

    def leave_one_out(self, l2s: Floats) -> Floats:
        r"""Return what each row's residual would be had the model not seen it.

        :math:`r_i / (1 - h_{ii})` with the hat matrix's diagonal, whose entries come for every
        penalty from one eigendecomposition of the smaller Gram matrix (Golub, Heath and Wahba
        1979).

        Returns
        -------
        ndarray of shape (len(l2s), n, t)

        Raises
        ------
        ValueError
            If both Gram matrices are too large for memory; use k-fold cross-validation then.
        """
        errors = leave_one_out(self.rows, self.targets, np.asarray(l2s, dtype=np.float64))
        return errors if self._units is None else errors * self._units

    def _plan(self, l2: float, tol: float) -> Plan:
        """The regime of this penalty; a Gram matrix that is there is used again."""
        if self._forced is not None:
            return Plan(self._forced)
        if self._way is not None and self._way.shared and l2 > 0.0:
            return Plan(self._way.name)
        if self._exact:
            return Plan(exact_regime(self.rows, l2))
        options: dict[str, Any] = {"targets": len(self.targets), "solves": self._solves}
        return choose_regime(self.rows, l2, tol=tol, **options)
