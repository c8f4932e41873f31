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
"cg" (conjugate gradients), and "least_squares" (LAPACK, without a penalty).
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.solvers.result import Result
from banditcd.solvers.ridge.leave_one_out import leave_one_out
from banditcd.solvers.ridge.regimes import choose_regime, named_regime
from banditcd.solvers.ridge.rows import RidgeRows
from banditcd.solvers.ridge.steps import GAP_SHARE, Point, Regime

#: Improvements of one point before the solve is called stalled.
REFINEMENTS = 12
#: Passes, beside two for each row or column, for conjugate gradients after a direct way stalled.
RESCUE = 50
#: What may be left of a correlation with an unpenalized column, relative to its terms.
ORTHOGONAL = 1e-9


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
    """

    def __init__(
        self,
        X: Any,
        Y: Floats,
        *,
        fit_intercept: bool = False,
        sample_weight: Floats | None = None,
        solves: int = 1,
    ) -> None:
        self.rows = RidgeRows(X, fit_intercept=fit_intercept, sample_weight=sample_weight)
        self.shape = self.rows.shape
        targets = np.asarray(Y, dtype=np.float64)
        self.targets: Floats = np.ascontiguousarray(targets.reshape(len(targets), -1).T)
        self._solves = solves
        self._regime: Regime | None = None
        self._forced: str | None = None

    def force_regime(self, name: str) -> None:
        """Use one regime of ``normal_equations``, ``dual_gram``, ``cg``, ``least_squares`` only."""
        self._forced, self._regime = name, None

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
            Stop when the duality gap is at most ``tol`` times the null model's objective.
        max_iter : int
            Limit on products with X in the iterative regime, for each target.
        max_seconds : float
            Limit on wall-clock time, for each target.

        Returns
        -------
        list of Result
            One per target; ``n_iter`` counts refinements of the point. The time spent on what the
            targets share is in the first.
        """
        regime = self._choose(l2, tol)
        lam = self.shape[0] * l2
        results = []
        for y in self.targets:
            run = _Run(self.rows, y, lam, tol)
            run.improve(regime, max_iter, max_seconds)
            name = regime.name
            if run.status == "stalled" and lam > 0.0 and name != "cg" and self._forced is None:
                # Columns of very different size spoil sums over them, but not a method that
                # scales each: at most for what the factorization took, once more.
                name = "cg"
                limit = min(max_iter, int(run.passes) + RESCUE + 2 * min(self.shape))
                run.improve(named_regime(name, self.rows, 1), limit, max_seconds)
            results.append(run.result(name))
        return results

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
        return leave_one_out(self.rows, self.targets, np.asarray(l2s, dtype=np.float64))

    def _choose(self, l2: float, tol: float) -> Regime:
        """The regime of this penalty; a Gram matrix that is there is used again."""
        settled = self._regime.settled() if self._regime is not None and l2 > 0.0 else None
        if settled is not None:
            return settled
        options: dict[str, Any] = {"targets": len(self.targets), "solves": self._solves}
        regime = (
            choose_regime(self.rows, l2, tol=tol, **options)
            if self._forced is None
            else named_regime(self._forced, self.rows, self._solves)
        )
        if l2 > 0.0 or self._regime is None:
            self._regime = regime
        return regime


class _Run:
    """One target at one penalty: a point, its residual, gradient and gap."""

    def __init__(self, rows: RidgeRows, y: Floats, lam: float, tol: float) -> None:
        self.started = time.perf_counter()
        self.rows, self.y, self.lam = rows, y, lam
        self.coef = np.zeros(rows.shape[1])
        self.intercept = self.average = rows.average(y)
        self.residual = y - self.intercept
        dual = rows.weighted(self.residual)
        self.gradient = rows.transposed_times(dual)
        self.loss = 0.5 * float(self.residual @ dual)
        self.primal = self.loss
        self.target = tol * self.loss
        self.passes, self.n_iter = 1.0, 0
        self.status = "stalled"
        self.gap = self._gap()

    def improve(self, regime: Regime, max_iter: int, max_seconds: float) -> None:
        """Refine until the certificate holds, the limits are reached or nothing gets better."""
        last = self.n_iter + REFINEMENTS
        while not self.gap <= self.target and self.n_iter < last:
            left = max_seconds - (time.perf_counter() - self.started)
            if left <= 0.0 or self.passes > max_iter:
                self.status = "max_seconds" if left <= 0.0 else "max_iter"
                return
            coef, gap, primal = self.coef, self.gap, self.primal
            at = Point(
                residual=self.residual,
                coef=coef,
                gradient=self.gradient,
                lam=self.lam,
                gap=self.target,
                goal=2.0 * self.lam * self.target,
                excess=primal - GAP_SHARE * self.target,
                max_passes=max_iter - int(self.passes),
                max_seconds=left,
            )
            try:
                step, passes = regime.step(at)
            except TimeoutError:
                self.status = "max_seconds"
                return
            self.passes += passes + 1.0
            self.n_iter += 1
            if at.dual is not None and self._certify(coef + step, at.dual):
                break
            self._evaluate(coef + step)
            if not self.gap < gap and not self.primal < primal:
                self._evaluate(coef)
                break
        self.status = "converged" if self.gap <= self.target else "stalled"

    def _evaluate(self, coef: Floats) -> None:
        """Residual and gradient from the data, with the best intercept for these coefficients."""
        rows = self.rows
        self.coef = coef
        self.intercept = self.average - rows.center(coef)
        loss, excess = rows.data.residual(
            self.y, (coef, self.intercept), None, self.residual, self.gradient
        )
        if rows.mean is not None:
            shift = excess / rows.total
            self.intercept += shift
            self.residual -= shift
            self.gradient -= excess * rows.mean
            loss -= 0.5 * excess * shift
        self.gradient -= self.lam * coef
        self.loss = loss
        self.primal = loss + 0.5 * float((self.lam * coef) @ coef)
        self.gap = self._gap()

    def _certify(self, coef: Floats, dual: Floats) -> bool:
        r"""Try a dual point a that is not the residual, and take the point if that is enough.

        :math:`P - D = \sum_i (s_i r_i - a_i)^2 / (2 s_i) + \|\lambda w - X_c^\top a\|^2 /
        (2\lambda)`, for a that sums to zero if there is an intercept; both parts are computed
        from the data in one pass.
        """
        rows = self.rows
        if rows.mean is not None:
            dual = dual - rows.weighted(np.full_like(dual, dual.sum() / rows.total))
        intercept = self.average - rows.center(coef)
        residual, v = np.empty_like(self.residual), np.empty_like(coef)
        loss, excess = rows.data.residual(self.y, (coef, intercept), dual, residual, v)
        if rows.mean is not None:
            shift = excess / rows.total
            intercept += shift
            residual -= shift
            v -= dual.sum() * rows.mean
            loss -= 0.5 * excess * shift
        apart, off = rows.weighted(residual) - dual, self.lam * coef - v
        if rows.root is not None:
            apart = np.divide(apart, rows.root, out=np.zeros_like(apart), where=rows.root > 0.0)
        gap = 0.5 * float(apart @ apart) + float(off @ off) / (2.0 * self.lam)
        if not gap <= self.target:
            self.passes += 1.0
            return False
        self.coef, self.intercept, self.loss, self.gap = coef, intercept, loss, gap
        self.primal = loss + 0.5 * float((self.lam * coef) @ coef)
        return True

    def _gap(self) -> float:
        if self.lam > 0.0:
            with np.errstate(over="ignore"):  # infinite is right for what overflows
                gap = float(self.gradient @ self.gradient) / (2.0 * self.lam)
            return min(gap, self.primal)  # zero is a dual point too, of value zero
        terms = self.rows.scale * math.sqrt(2.0 * self.loss)
        if self.loss > 0.0 and np.any(np.abs(self.gradient) > ORTHOGONAL * terms):
            return self.primal
        return min(abs(float(self.coef @ self.gradient)), self.primal)

    def result(self, regime: str) -> Result:
        n = self.rows.shape[0]
        uncertified = self.status == "stalled" and self.lam == 0.0
        return Result(
            coef=self.coef,
            intercept=float(self.intercept),
            primal=self.primal / n,
            gap=self.gap / n,
            target=self.target / n,
            status="uncertified" if uncertified else self.status,
            regime=regime,
            passes=self.passes,
            n_iter=self.n_iter,
            seconds=time.perf_counter() - self.started,
            pool_size=self.rows.shape[1],
            support=int(np.count_nonzero(self.coef)),
        )
