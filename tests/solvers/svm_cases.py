"""Independent primal and dual values of support vector machines and of their regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, sparse

HINGES = ("hinge", "squared_hinge")
TUBES = ("epsilon_insensitive", "squared_epsilon_insensitive")
INTERCEPTS = (None, "penalized", "free")


def _dense(X: Any) -> np.ndarray:
    return np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)


def _values(X, result, duals, intercept, scaling):
    """Return the primal and the dual quadratic form, and the violation of the constraint."""
    v = X.T @ duals
    primal, dual, balance = result.coef @ result.coef, v @ v, 0.0
    if intercept == "penalized":
        primal += (result.intercept / scaling) ** 2
        dual += (scaling * duals.sum()) ** 2
    if intercept == "free":
        balance = abs(duals.sum()) / max(np.abs(duals).sum(), 1e-300)
    return 0.5 * primal, 0.5 * dual, balance


def svm_values(X, y, result, C, *, loss, sample_weight=None, intercept=None, scaling=1.0):
    """Return P, D and the violation of sum y a = 0, from the returned points alone."""
    X, a = _dense(X), result.dual_coef
    cost = C * (np.ones(len(y)) if sample_weight is None else sample_weight)
    primal, half, balance = _values(X, result, a * y, intercept, scaling)
    u = np.maximum(1.0 - y * (X @ result.coef + result.intercept), 0.0)
    assert np.all(a >= 0.0)
    assert np.all(a[cost == 0.0] == 0.0)
    dual = a.sum() - half
    if loss == "hinge":
        assert np.all(a <= cost)
        return primal + cost @ u, dual, balance
    return primal + cost @ (u * u), dual - np.sum(a[cost > 0] ** 2 / (4 * cost[cost > 0])), balance


def svm_null(y, C, *, loss, sample_weight=None, intercept=None, scaling=1.0):
    """Return the objective of no weights, with the best intercept if it is free."""
    del scaling
    cost = C * (np.ones(len(y)) if sample_weight is None else sample_weight)
    if intercept != "free":
        return cost.sum()
    up, down = cost[y > 0].sum(), cost[y < 0].sum()
    return 2 * min(up, down) if loss == "hinge" else 4 * up * down / max(up + down, 1e-300)


def svr_values(X, y, result, C, *, epsilon, loss, sample_weight=None, intercept=None, scaling=1.0):
    """Return P, D and the violation of sum beta = 0, from the returned points alone."""
    X, beta = _dense(X), result.dual_coef
    cost = C * (np.ones(len(y)) if sample_weight is None else sample_weight)
    primal, half, balance = _values(X, result, beta, intercept, scaling)
    u = np.maximum(np.abs(y - X @ result.coef - result.intercept) - epsilon, 0.0)
    assert np.all(beta[cost == 0.0] == 0.0)
    dual = y @ beta - epsilon * np.abs(beta).sum() - half
    if loss == TUBES[0]:
        assert np.all(np.abs(beta) <= cost * (1.0 + 1e-15))
        return primal + cost @ u, dual, balance
    dual -= np.sum(beta[cost > 0] ** 2 / (4 * cost[cost > 0]))
    return primal + cost @ (u * u), dual, balance


def svr_null(y, C, *, epsilon, loss, sample_weight=None, intercept=None, scaling=1.0):
    """Return the objective of the best constant, by a search over where it can be."""
    cost = C * (np.ones(len(y)) if sample_weight is None else sample_weight)
    ridge = scaling**-2 if intercept == "penalized" else 0.0

    def objective(b):
        u = np.maximum(np.abs(y - b) - epsilon, 0.0)
        return 0.5 * ridge * b * b + cost @ (u if loss == TUBES[0] else u * u)

    if intercept is None:
        return objective(0.0)
    ends = min(0.0, y.min()) - 1e-9, max(0.0, y.max()) + 1e-9
    best = optimize.minimize_scalar(
        objective, bounds=ends, method="bounded", options={"xatol": 1e-13 * (ends[1] - ends[0])}
    )
    kinks = [objective(b) for b in np.concatenate([y - epsilon, y + epsilon, [0.0]])]
    return min(best.fun, *kinks)
