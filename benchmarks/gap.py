"""The judge: duality gaps and objectives from coefficients, in plain NumPy, the same for all.

Nothing of banditcd is used here, and nothing a solver says about itself is believed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Loss:
    """A loss of the margin, summed; see ``LOSSES``."""

    total: Callable[[Floats], float]
    negative_slope: Callable[[Floats], Floats]
    negative_conjugate: Callable[[Floats], float]
    at_zero: float


@dataclass(frozen=True)
class SvrCost:
    """A loss of residuals, "svr_linear" or "svr_squared", with its weight and its width."""

    kind: str
    C: float
    epsilon: float

    def at_zero(self, y: Floats) -> float:
        """Return P(0)."""
        return self.C * float(np.sum(svr_losses(y, self.epsilon, self.kind)))


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


def largest_logistic_penalty(X: Any, y: Floats) -> float:
    """Return max_j |x_j' y| / 2: from here on the L1-logistic solution is zero."""
    return 0.5 * largest_penalty(X, y)


def logistic_l1_gap(X: Any, y: Floats, coef: Floats, penalty: float) -> float:
    r"""Return the relative duality gap of an L1-logistic model.

    .. math::

        P(w) = \sum_i \log(1 + e^{-y_i x_i^\top w}) + \lambda\|w\|_1, \qquad
        D(\theta) = \sum_i H(\theta_i)
        \quad\text{with } \|X^\top (y \theta)\|_\infty \le \lambda,\ 0 \le \theta_i \le 1,

    where H is the binary entropy. The dual point is :math:`\sigma(-y_i x_i^\top w)`, scaled down
    until it is feasible. Relative means divided by :math:`P(0) = n \log 2`.
    """
    if not np.all(np.isfinite(coef)):
        return float("inf")
    margins = y * np.asarray(X @ coef)
    theta = special.expit(-margins)
    steepest = float(np.max(np.abs(np.asarray(X.T @ (y * theta)))))
    theta *= min(1.0, penalty / steepest) if steepest > 0.0 else 1.0
    primal = _log_loss(margins) + penalty * float(np.sum(np.abs(coef)))
    return (primal - _entropy(theta)) / (len(y) * math.log(2.0))


def largest_svm_l1_penalty(X: Any, y: Floats) -> float:
    """Return 2 max_j |x_j' y|: from here on the solution of ``svm_l1_gap`` is zero."""
    return 2.0 * largest_penalty(X, y)


def svm_l1_gap(X: Any, y: Floats, coef: Floats, penalty: float) -> float:
    r"""Return the relative duality gap of an L1 model of the squared hinge loss.

    .. math::

        P(w) = \sum_i \max(1 - y_i x_i^\top w, 0)^2 + \lambda\|w\|_1, \qquad
        D(\theta) = \sum_i (\theta_i - \theta_i^2 / 4)
        \quad\text{with } \|X^\top (y \theta)\|_\infty \le \lambda,\ \theta_i \ge 0 .

    The dual point is :math:`2 \max(1 - y_i x_i^\top w, 0)` times the scale, among all that are
    feasible, at which D is largest. Relative means divided by :math:`P(0) = n`.
    """
    if not np.all(np.isfinite(coef)):
        return float("inf")
    theta = 2.0 * np.maximum(1.0 - y * np.asarray(X @ coef), 0.0)
    steepest = float(np.max(np.abs(np.asarray(X.T @ (y * theta)))))
    total, square = float(np.sum(theta)), float(theta @ theta)
    primal = 0.25 * square + penalty * float(np.sum(np.abs(coef)))
    scale = 2.0 * total / square if square > 0.0 else 0.0
    scale = min(scale, penalty / steepest) if steepest > 0.0 else scale
    return (primal - scale * total + 0.25 * scale**2 * square) / len(y)


def _log_loss(margins: Floats) -> float:
    return float(np.sum(np.logaddexp(0.0, -margins)))


def _entropy(theta: Floats) -> float:
    return float(-np.sum(special.xlogy(theta, theta) + special.xlog1py(1.0 - theta, -theta)))


#: Losses of y_i x_i' w with their slopes, negative, and their value at 0. With C and ||w||²/2 they
#: make the problems of ``l2_objective``.
LOSSES: dict[str, Loss] = {
    "svm_hinge": Loss(
        lambda m: float(np.sum(np.maximum(1.0 - m, 0.0))),
        lambda m: (m < 1.0).astype(np.float64),
        lambda a: float(np.sum(a)),
        1.0,
    ),
    "svm_squared_hinge": Loss(
        lambda m: float(np.sum(np.maximum(1.0 - m, 0.0) ** 2)),
        lambda m: 2.0 * np.maximum(1.0 - m, 0.0),
        lambda a: float(np.sum(a - 0.25 * a**2)),
        1.0,
    ),
    "logistic_l2": Loss(
        _log_loss, lambda m: np.asarray(special.expit(-m)), _entropy, math.log(2.0)
    ),
}


def l2_objective(X: Any, y: Floats, coef: Floats, C: float, kind: str) -> float:
    """Return (C sum_i loss(y_i x_i' w) + ||w||²/2) / P(0), inf where w is not finite."""
    if not np.all(np.isfinite(coef)):
        return float("inf")
    loss = LOSSES[kind]
    value = C * loss.total(y * np.asarray(X @ coef)) + 0.5 * float(coef @ coef)
    return value / (C * len(y) * loss.at_zero)


def l2_dual(X: Any, y: Floats, dual: Floats, C: float, kind: str) -> float:
    r"""Return D(a) / P(0), a lower bound on ``l2_objective`` for every feasible a.

    .. math::  D(a) = -C \sum_i \ell^*(-a_i / C) - \tfrac12 \|\sum_i a_i y_i x_i\|^2,

    with conjugates that are finite for a in [0, C] (hinge, logistic) or a ≥ 0 (squared hinge);
    points outside are moved to the edge.
    """
    loss = LOSSES[kind]
    share = np.maximum(dual / C, 0.0)
    if kind != "svm_squared_hinge":
        share = np.minimum(share, 1.0)
    v = np.asarray(X.T @ (y * share)) * C
    return (C * loss.negative_conjugate(share) - 0.5 * float(v @ v)) / (C * len(y) * loss.at_zero)


def dual_of(X: Any, y: Floats, coef: Floats, C: float, kind: str) -> Floats:
    """Return a_i = -C loss'(y_i x_i' w), the dual point of a model under a smooth loss."""
    return C * LOSSES[kind].negative_slope(y * np.asarray(X @ coef))


def ridge_objective(X: Any, y: Floats, coef: Floats, penalty: float) -> float:
    """Return (||y - X w||² + penalty ||w||²) / ||y||², inf where w is not finite."""
    if not np.all(np.isfinite(coef)):
        return float("inf")
    residual = y - np.asarray(X @ coef)
    return float(residual @ residual + penalty * (coef @ coef)) / float(y @ y)


def ridge_dual(X: Any, y: Floats, theta: Floats, penalty: float) -> float:
    """Return D(θ) / P(0) = (2 θ'y - ||θ||² - ||X'θ||²/penalty) / ||y||², a bound for every θ."""
    v = np.asarray(X.T @ theta)
    value = 2.0 * float(theta @ y) - float(theta @ theta) - float(v @ v) / penalty
    return value / float(y @ y)


def svr_losses(residual: Floats, epsilon: float, kind: str) -> Floats:
    """Return (|r| - epsilon)+ for each residual, or its square ("svr_squared")."""
    beyond = np.maximum(np.abs(residual) - epsilon, 0.0)
    return beyond**2 if kind == "svr_squared" else beyond


def svr_objective(X: Any, y: Floats, coef: Floats, cost: SvrCost) -> float:
    """Return (C sum_i loss(y_i - x_i' w) + ||w||²/2) / P(0), inf where w is not finite."""
    if not np.all(np.isfinite(coef)):
        return float("inf")
    loss = float(np.sum(svr_losses(y - np.asarray(X @ coef), cost.epsilon, cost.kind)))
    return (cost.C * loss + 0.5 * float(coef @ coef)) / cost.at_zero(y)


def svr_dual(X: Any, y: Floats, dual: Floats, cost: SvrCost) -> float:
    r"""Return D(β) / P(0), a lower bound on ``svr_objective`` for every feasible β.

    .. math::

        D(β) = \sum_i (y_i β_i - ε|β_i|) - \tfrac12 \|\sum_i β_i x_i\|^2
        \ [- \sum_i β_i^2 / (4 C)],

    with :math:`|β_i| \le C` for the loss that is not squared, to which points outside are moved,
    and the bracket for the other one.
    """
    squared = cost.kind == "svr_squared"
    beta = dual if squared else np.clip(dual, -cost.C, cost.C)
    v = np.asarray(X.T @ beta)
    value = float(beta @ y) - cost.epsilon * float(np.sum(np.abs(beta))) - 0.5 * float(v @ v)
    if squared:
        value -= float(beta @ beta) / (4.0 * cost.C)
    return value / cost.at_zero(y)
