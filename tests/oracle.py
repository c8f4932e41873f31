"""Optima from an independent convex solver: the models written out as their textbooks do."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

SQUARED = {"Lasso", "ElasticNet", "Ridge", "RidgeDual", "ElasticNetDual"}
INSENSITIVE = {"InsensitiveDual", "SquaredInsensitiveDual"}
ACCURATE = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12}


def primal_optimum(cost: str, X: Any, y: np.ndarray, alpha: float, **options: Any) -> float:
    """Return the smallest primal objective of a cost."""
    import cvxpy as cp

    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    n, p = X.shape
    theta = cp.Variable(p)
    excluded, weights = _penalty_weights(options.get("penalty_weights"), p)
    l1, l2 = _strengths(cost, alpha, options.get("l1_ratio", 0.5))
    row = _row_weights(options, n)
    if cost in INSENSITIVE:
        objective = _insensitive(cp, cost, cp.abs(X @ theta - y), options.get("epsilon", 0.1), row)
    else:
        objective = _loss(cp, cost, X @ theta, y, row)
    if l1 > 0.0:
        objective += l1 * (weights @ cp.abs(theta))
    if l2 > 0.0:
        objective += 0.5 * l2 * (weights @ cp.square(theta))
    bounds = [theta[excluded] == 0.0] if excluded.any() else []
    for end, side in (("lower", 1.0), ("upper", -1.0)):
        bound = np.broadcast_to(np.inf if options.get(end) is None else options[end], (p,))
        there = np.isfinite(bound)
        if there.any():
            bounds.append(side * theta[there] >= side * bound[there])
    task = cp.Problem(cp.Minimize(objective), bounds)
    task.solve(solver=cp.CLARABEL, **ACCURATE)
    assert task.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE)
    return float(task.value)


def _penalty_weights(weights: Any, p: int) -> tuple[np.ndarray, np.ndarray]:
    weights = np.ones(p) if weights is None else np.asarray(weights)
    excluded = np.isinf(weights)
    return excluded, np.where(excluded, 1.0, weights)


def _row_weights(options: dict[str, Any], n: int) -> np.ndarray:
    weight = options.get("sample_weight")
    weight = np.ones(n) if weight is None else np.asarray(weight)
    return weight / weight.sum() * (2.0 if options.get("scaling") == "paper" else 1.0)


def _strengths(cost: str, alpha: float, l1_ratio: float) -> tuple[float, float]:
    if cost in ("Lasso", "LogisticL1"):
        return alpha, 0.0
    if cost in ("ElasticNet", "ElasticNetDual", "LogisticElasticNet"):
        return alpha * l1_ratio, alpha * (1.0 - l1_ratio)
    return 0.0, alpha


def _loss(cp: Any, cost: str, z: Any, y: np.ndarray, row: np.ndarray) -> Any:
    if cost in SQUARED:
        return 0.5 * (row @ cp.square(z - y))
    margin = cp.multiply(y, z)
    if cost == "HingeDual":
        return row @ cp.pos(1.0 - margin)
    if cost == "SquaredHingeDual":
        return row @ cp.square(cp.pos(1.0 - margin))
    return row @ cp.logistic(-margin)


def _insensitive(cp: Any, cost: str, error: Any, epsilon: float, row: np.ndarray) -> Any:
    excess = cp.pos(error - epsilon)
    return row @ (excess if cost == "InsensitiveDual" else cp.square(excess))
