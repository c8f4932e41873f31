r"""Losses of one sample, their slopes and their part of the dual.

The loss of sample i is :math:`c_i \phi(z_i; y_i)` at the prediction :math:`z_i`; the dual variable
is :math:`\theta_i = -c_i \phi'(z_i; y_i)` and contributes :math:`-(c_i\phi)^*(-\theta_i)`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, xlogy

from banditcd._typing import Floats
from banditcd.verification.exact import Pair, product

SMOOTH = ("squared", "logistic", "squared_hinge", "squared_insensitive")


def excess(loss: str, z: Floats, y: Floats, epsilon: float) -> Floats:
    """Return by how much a prediction misses the region without loss."""
    if loss in ("hinge", "squared_hinge"):
        return np.maximum(0.0, 1.0 - y * z)
    return np.maximum(0.0, np.abs(z - y) - epsilon)


def values(loss: str, z: Floats, y: Floats, epsilon: float) -> Floats:
    """Return the losses for weight 1."""
    if loss == "squared":
        return 0.5 * (z - y) ** 2
    if loss == "logistic":
        return np.logaddexp(0.0, -y * z)
    over = excess(loss, z, y, epsilon)
    return over**2 if loss in SMOOTH else over


def slopes(loss: str, z: Floats, y: Floats, epsilon: float) -> Floats:
    """Return the derivatives of the losses for weight 1; at a kink 0."""
    if loss == "squared":
        return z - y
    if loss == "logistic":
        return -y * expit(-y * z)
    over = excess(loss, z, y, epsilon)
    side = -y if loss in ("hinge", "squared_hinge") else np.sign(z - y)
    return np.asarray(side * (2.0 * over if loss in SMOOTH else np.sign(over)))


def curvatures(loss: str, z: Floats, y: Floats, epsilon: float) -> Floats:
    """Return the second derivatives of the smooth losses for weight 1."""
    if loss == "squared":
        return np.ones_like(z)
    if loss == "logistic":
        return expit(z) * expit(-z)
    return 2.0 * np.sign(excess(loss, z, y, epsilon))


def of_excess(loss: str, over: Floats) -> Floats:
    """Return the losses for weight 1 of residuals, excesses or negative margins."""
    if loss == "squared":
        return 0.5 * over**2
    if loss == "logistic":
        return np.logaddexp(0.0, over)
    return over**2 if loss in SMOOTH else over


def steepness(loss: str, over: Floats, miss: Floats) -> Floats:
    """Return bounds of the derivatives of ``of_excess`` within ``miss`` of a point."""
    if loss == "logistic":
        return np.asarray(expit(over + miss))
    if loss not in SMOOTH:
        return np.ones_like(over)
    return (1.0 if loss == "squared" else 2.0) * (np.abs(over) + miss)


def linear_parts(loss: str, theta: Floats, y: Floats) -> Pair:
    """Return the parts of the dual that are linear in theta: theta y, as high and low parts."""
    if loss == "logistic":
        return np.zeros_like(theta), np.zeros_like(theta)
    return product(theta, y)


def curved_parts(loss: str, theta: Floats, c: Floats, epsilon: float) -> Floats:
    """Return what is subtracted from the linear parts; theta is inside the domain of the dual."""
    safe = np.where(c > 0.0, c, 1.0)
    if loss == "squared":
        return 0.5 * theta * (theta / safe)
    if loss == "logistic":
        share, rest = np.abs(theta) / safe, (c - np.abs(theta)) / safe  # theta has the sign of y
        return c * (_share_log(share, rest) + _share_log(rest, share))
    width = epsilon * np.abs(theta)
    return width + 0.25 * theta * (theta / safe) if loss in SMOOTH else width


def _share_log(share: Floats, rest: Floats) -> Floats:
    """Return share log(share) without cancellation; ``rest`` is 1 - share."""
    near = np.where(share > 0.5, rest, 0.0)
    return np.where(share > 0.5, share * np.log1p(-near), xlogy(share, share))


def into_domain(loss: str, theta: Floats, y: Floats, c: Floats) -> Floats:
    """Return the nearest point of the domain of the dual."""
    theta = np.where(c > 0.0, theta, 0.0)
    if loss in ("logistic", "hinge"):
        return y * np.clip(y * theta, 0.0, c)
    if loss == "squared_hinge":
        return y * np.maximum(y * theta, 0.0)
    return np.clip(theta, -c, c) if loss == "insensitive" else theta
