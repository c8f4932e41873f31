"""The judge: duality gaps from coefficients, in plain NumPy and SciPy, the same for everyone.

Nothing of banditcd is used here, and nothing a solver says about itself is believed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def largest_penalty(X: Any, y: Floats) -> float:
    """Return max_j |x_j' y|: from here on the Lasso's solution is zero."""
    return float(np.max(np.abs(X.T @ y)))


def lasso_gaps(X: Any, y: Floats, coefs: Floats, penalties: Floats) -> Floats:
    r"""Return the relative duality gap of each column of ``coefs``.

    .. math::

        P(w) = \tfrac12\|y - Xw\|^2 + \lambda\|w\|_1, \qquad
        D(\theta) = \theta^\top y - \tfrac12\|\theta\|^2
        \quad\text{with } \|X^\top\theta\|_\infty \le \lambda .

    The dual point is the residual times the scale, among all that are feasible, at which D is
    largest (Mairal, 2010). Relative means divided by :math:`P(0) = \|y\|^2 / 2`.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, d)
        The data.
    y : ndarray of shape (n,)
        The response, not zero.
    coefs : ndarray of shape (d, k)
        One model in each column.
    penalties : ndarray of shape (k,)
        Their λ.

    Returns
    -------
    ndarray of shape (k,)
        inf where a coefficient is not finite.
    """
    finite = np.all(np.isfinite(coefs), axis=0)
    coefs = np.where(finite, coefs, 0.0)
    residuals = y[:, None] - np.asarray(X @ coefs)
    steepest = np.max(np.abs(np.asarray(X.T @ residuals)), axis=0)
    squares = np.einsum("ik,ik->k", residuals, residuals)
    along = y @ residuals
    bound = np.divide(penalties, steepest, out=np.full_like(squares, np.inf), where=steepest > 0)
    best = np.divide(along, squares, out=np.zeros_like(squares), where=squares > 0)
    scale = np.clip(best, -bound, bound)
    primal = 0.5 * squares + penalties * np.sum(np.abs(coefs), axis=0)
    dual = scale * along - 0.5 * scale**2 * squares
    gaps: Floats = np.where(finite, primal - dual, np.inf) / (0.5 * float(y @ y))
    return gaps


def lasso_gap(X: Any, y: Floats, coef: Floats, penalty: float) -> float:
    """Return the relative duality gap of one model; see :func:`lasso_gaps`."""
    return float(lasso_gaps(X, y, coef.reshape(-1, 1), np.array([penalty]))[0])
