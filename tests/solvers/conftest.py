"""Oracles for the fast solver: an independent duality gap, and a list of problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from scipy import optimize, sparse


@dataclass
class Instance:
    """One problem of the documented, mean-scaled form, in dense float64 for the oracle."""

    X: Any
    y: np.ndarray
    l1: float
    l2: float = 0.0
    fit_intercept: bool = False
    sample_weight: np.ndarray | None = None
    penalty_weights: np.ndarray | None = None
    lower: np.ndarray | None = None
    upper: np.ndarray | None = None
    extra: dict = field(default_factory=dict)

    def options(self) -> dict:
        names = ("fit_intercept", "sample_weight", "penalty_weights", "lower", "upper")
        return {name: getattr(self, name) for name in names} | self.extra

    def dense(self) -> np.ndarray:
        X = self.X.toarray() if sparse.issparse(self.X) else self.X
        return np.asarray(X, dtype=np.float64)

    def parts(self):
        X = self.dense()
        n, d = X.shape
        s = np.ones(n) if self.sample_weight is None else self.sample_weight
        s = s * (n / s.sum())
        p = np.ones(d) if self.penalty_weights is None else self.penalty_weights
        lower = np.full(d, -np.inf) if self.lower is None else self.lower
        upper = np.full(d, np.inf) if self.upper is None else self.upper
        return X, s, p, lower, upper

    def null_objective(self) -> float:
        _, s, *_ = self.parts()
        center = np.average(self.y, weights=s) if self.fit_intercept else 0.0
        return 0.5 * float(np.mean(s * (self.y - center) ** 2))

    def primal(self, coef: np.ndarray, intercept: float) -> float:
        X, s, p, lower, upper = self.parts()
        assert np.all(coef >= lower)
        assert np.all(coef <= upper)
        assert np.all(coef[np.isinf(p)] == 0.0)
        p = np.where(np.isinf(p), 0.0, p)
        loss = 0.5 * np.mean(s * (self.y - intercept - X @ coef) ** 2)
        return float(loss + np.sum(p * (self.l1 * np.abs(coef) + 0.5 * self.l2 * coef**2)))

    def gap(self, coef: np.ndarray, intercept: float) -> float:
        """P(w, b) minus the best dual value on the ray of the projected residual."""
        X, s, p, lower, upper = self.parts()
        root = np.sqrt(s)
        keep = ~np.isinf(p)
        A, b = root[:, None] * X[:, keep], root * self.y
        p, lower, upper = p[keep], lower[keep], upper[keep]
        l, m = p * self.l1, p * self.l2  # noqa: E741
        R = root * (self.y - intercept - X @ coef)
        w = coef[keep]
        free = (l == 0) & (m == 0) & (np.isinf(lower) | np.isinf(upper))
        free &= (w > lower) & (w < upper)  # at a bound the conjugate of that side is finite
        basis = A[:, free]
        if self.fit_intercept:
            basis = np.column_stack([basis, root])
        if basis.shape[1]:
            R = R - basis @ np.linalg.lstsq(basis, R, rcond=None)[0]
        u = A.T @ R
        u[free] = 0.0
        return self.primal(coef, intercept) - self.best_dual(R, b, u, l, m, lower, upper)

    def best_dual(self, R, b, u, l, m, lower, upper) -> float:  # noqa: E741
        n = len(b)

        def conjugate(v):
            v = v / n
            up = np.where(v > 0, np.maximum(v - l, 0.0), 0.0)
            down = np.where(v < 0, np.maximum(-v - l, 0.0), 0.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                wu = np.where(up > 0, np.minimum(np.where(m > 0, up / m, np.inf), upper), 0.0)
                wd = np.where(down > 0, np.minimum(np.where(m > 0, down / m, np.inf), -lower), 0.0)
                value = up * wu - 0.5 * m * wu**2 + down * wd - 0.5 * m * wd**2
            return np.where((up > 0) | (down > 0), value, 0.0)

        hard = (m == 0) & np.where(u > 0, np.isinf(upper), np.isinf(lower)) & (l > 0)
        limit = min([2.0, *(n * l[hard] / np.maximum(np.abs(u[hard]), 1e-300))])
        tiny = (l == 0) & (m == 0) & np.where(u > 0, np.isinf(upper), np.isinf(lower))
        assert np.all(np.abs(u[tiny]) <= 1e-9 * (1 + np.abs(b).sum() * np.abs(u).max(initial=0)))
        limit *= 1 - 1e-15

        def dual(t):
            soft = conjugate(t * np.where(hard | tiny, 0.0, u)).sum()
            return (t * (R @ b) - 0.5 * t * t * (R @ R)) / n - soft

        if np.all(hard | tiny | (u == 0.0)):  # a parabola in t
            return max(dual(min(max(R @ b, 0.0) / max(R @ R, 1e-300), limit)), dual(0.0))
        best = optimize.minimize_scalar(
            lambda t: -dual(t), bounds=(0.0, limit), method="bounded", options={"xatol": 1e-14}
        )
        return max(dual(best.x), dual(limit), dual(min(1.0, limit)), dual(0.0))


@pytest.fixture
def make_instance():
    return Instance


def random_design(rng: np.random.Generator, n: int, d: int, storage: str) -> Any:
    X = rng.standard_normal((n, d)) + 0.7 * rng.standard_normal((n, 1))
    if storage.startswith("csc"):
        X *= rng.random((n, d)) < 0.3
        matrix = sparse.csc_matrix(X)
        return matrix.astype(np.float32) if storage.endswith("32") else matrix
    if storage == "c":
        return np.ascontiguousarray(X)
    return np.asfortranarray(X.astype(np.float32) if storage.endswith("32") else X)


@pytest.fixture
def make_design():
    return random_design
