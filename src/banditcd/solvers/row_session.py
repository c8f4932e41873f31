"""Sessions on rows: one C after another, warm-started."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from banditcd import _core
from banditcd._typing import Floats
from banditcd.solvers.arrays import is_sparse, rows_of, vector
from banditcd.solvers.result import Result, result_of
from banditcd.solvers.session import POOL_BYTES

FAR = 0.99  # share of a column's mean square that is its mean: ten standard deviations from zero
NO_EPSILON = -1.0  # labels instead of responses: a row for each sample, not two

Intercept = Literal["penalized", "free"] | None


class RowSession:
    """A native support vector solver, and the units of its responses.

    Each solve starts from the dual variables of the last one. The arrays are borrowed, never
    changed, and must not change while the session lives. The caller has validated the input
    (finite, matching shapes, weights not negative); shapes are checked again natively.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        float64 or float32. C order and CSR with ascending column indices are used as they are;
        anything else is converted once.
    y : ndarray of shape (n,)
        Labels, -1 or +1; or responses, of which ``shift`` was subtracted and which were divided by
        ``scale``.
    loss : _core.SvmLoss
        The loss of a margin, or of a residual on either side.
    sample_weight : ndarray of shape (n,), optional
        Multiplies C row by row; rows of weight zero are left out.
    intercept : {None, "penalized", "free"}
        No intercept, an appended constant feature, or an unpenalized one; with that, dense columns
        ten standard deviations from zero are centered in a copy.
    intercept_scaling : float
        The value of the appended feature; only for a penalized intercept.
    epsilon : float
        Of responses: residuals up to here cost nothing, in units of ``scale``.
    pool_bytes : int
        Memory for a copy of X in single precision, or of the places of equal entries, and for the
        Gram matrix of the rows: each is done without where it is larger.
    n_threads : int, optional
        Upper limit on threads of passes and outer products; None: as many as are allowed, where
        that pays.
    """

    _shift = 0.0
    _scale = 1.0  # a power of two: dividing by it rounds nothing

    def __init__(
        self,
        X: Any,
        y: Floats,
        *,
        loss: _core.SvmLoss,
        sample_weight: Floats | None,
        intercept: Intercept,
        intercept_scaling: float,
        epsilon: float = NO_EPSILON,
        pool_bytes: int = POOL_BYTES,
        n_threads: int | None = None,
    ) -> None:
        self.shape: tuple[int, int] = X.shape
        self._linear = loss is _core.SvmLoss.hinge
        self._sides = 1 if epsilon == NO_EPSILON else 2
        self._constant = _constant_feature(intercept, intercept_scaling)
        self._center: Floats | None = None
        free = intercept == "free"
        if free and not is_sparse(X):
            X, self._center = _centered_if_far(X)
        data = _core.FitData(y, vector(sample_weight), None, None, None, True)
        intercepts, rows = (self._constant, free), rows_of(X, n_threads)
        self._native = _core.Svm(rows, data, loss, intercepts, epsilon, pool_bytes)

    def solve(
        self,
        C: float,
        *,
        tol: float = 1e-4,
        max_iter: float = 1000,
        max_seconds: float = math.inf,
        of_objective: float = math.inf,
    ) -> Result:
        """Minimize for one C, warm-started.

        Parameters
        ----------
        C : float
            The weight of the loss; positive.
        tol : float
            Stop when the duality gap is at most ``tol`` times the null model's objective: that of
            zero weights and the best intercept, with its penalty if it has one.
        max_iter : float
            Limit on passes over the data.
        max_seconds : float
            Limit on wall-clock time.
        of_objective : float
            The gap is also at most this share of the objective at the point.

        Returns
        -------
        Result
            The points, their certificate and their cost; ``dual_coef`` has one value per sample.

        Raises
        ------
        ValueError
            If C is not a positive number, or if the squares of C times a weight, or of responses,
            overflow or underflow: then no certificate could be computed.
        KeyboardInterrupt
            Within about a twentieth of a second of Ctrl-C; the session stays usable.
        """
        n, d = self.shape
        weights: Floats = np.empty(d + (self._constant != 0.0))
        limits = (tol, max_iter, max_seconds, of_objective)
        report = self._native.solve(self._cost(C), limits, weights)
        coef = weights[:d]
        if self._scale != 1.0:
            coef *= self._scale
        result = result_of(report, coef, self._scale**2)
        result.intercept = self._shift + result.intercept * self._scale
        if self._center is not None:
            result.intercept -= float(self._center @ coef)
        dual: Floats = np.empty(n * self._sides)
        self._native.duals(dual)
        result.dual_coef = dual if self._sides == 1 else (dual[0::2] - dual[1::2]) * self._scale
        return result

    def null_model(self, C: float) -> tuple[float, float]:
        """Return the best intercept beside no weights, not a free one, and its objective."""
        value, objective = self._native.null_model(self._cost(C))
        return value * self._scale, objective * self._scale**2

    def force_regime(self, name: str) -> None:
        """Use one method of ``descent``, ``newton``, ``proximal_newton``, ``gram`` only."""
        self._native.force_regime(name)

    def _cost(self, C: float) -> float:
        """Return C for responses divided by their scale, which must be a number in float64."""
        cost = C / self._scale if self._linear else C
        if not (C > 0.0 and 0.0 < cost < math.inf):
            where = "" if self._scale == 1.0 else " on the scale of y"
            raise ValueError(f"C must be a positive number{where}, not {C}")
        return cost


def _centered_if_far(X: Any) -> tuple[Any, Floats | None]:
    """Return X and None, or, if a column lies far from zero, a centered copy and the means.

    A free intercept takes up any shift of the columns, but not in float64: beside x ~ 1000 the
    dual constraint and the Gram matrix lose six digits.
    """
    means = X.mean(axis=0, dtype=np.float64)
    squares = np.einsum("ij,ij->j", X, X, dtype=np.float64) / len(X)
    if not np.any((means**2 > FAR * squares) & (squares > 0.0)):
        return X, None
    return np.subtract(X, means, out=np.empty(X.shape)), means  # by rows, as it is wanted


def _constant_feature(intercept: str | None, scaling: float) -> float:
    """Return the value of the intercept's feature, 0 for none."""
    if intercept not in (None, "penalized", "free"):
        raise ValueError(f"intercept must be None, 'penalized' or 'free', not {intercept!r}")
    if intercept is None:
        return 0.0
    if intercept == "free":
        return 1.0
    if not (scaling > 0.0 and math.isfinite(scaling)):
        raise ValueError(f"intercept_scaling must be a positive number, not {scaling}")
    return float(scaling)
