"""An independent judge of problems with groups: objective, null model and a dual value in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, sparse


def threes(rng: np.random.Generator, n: int, d: int) -> list[np.ndarray]:
    """Return groups of three columns here and there; the last one may be smaller."""
    return np.array_split(rng.permutation(d), -(-d // 3))


def group_weights(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return weights of these groups, one of them excluded."""
    out = rng.random(-(-d // 3)) + 0.5
    out[1] = np.inf
    return out


def one_free(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return weights of these groups, the third one without penalty."""
    out = group_weights(rng, n, d)
    out[2] = 0.0
    return out


@dataclass
class GroupOracle:
    """One problem of the documented form, in dense float64."""

    X: Any
    y: np.ndarray
    l1: float
    l2: float = 0.0
    groups: Any = None
    weights: Any = None
    logistic: bool = False
    fit_intercept: bool = False
    sample_weight: Any = None

    def __post_init__(self) -> None:
        X = self.X.toarray() if sparse.issparse(self.X) else self.X
        self.A = np.asarray(X, dtype=np.float64)
        n, d = self.A.shape
        self.Y = self.y.reshape(n, -1)
        s = np.ones(n) if self.sample_weight is None else self.sample_weight
        self.s = s if self.logistic else s * (n / s.sum())
        self.parts = [np.array([j]) for j in range(d)] if self.groups is None else self.groups
        self.p = np.ones(len(self.parts)) if self.weights is None else np.asarray(self.weights)

    def loss(self, Z: np.ndarray) -> float:
        n = len(Z)
        if self.logistic:
            return float(self.s @ np.logaddexp(0.0, -self.Y[:, 0] * Z[:, 0]) / n)
        return float(0.5 * np.sum(self.s[:, None] * (self.Y - Z) ** 2) / n)

    def null(self) -> float:
        """Return the objective of the best constant, or of zero."""
        n, k = self.Y.shape
        if not self.fit_intercept:
            return self.loss(np.zeros((n, k)))
        mean = np.average(self.Y, axis=0, weights=self.s)
        if self.logistic:
            share = 0.5 * (1.0 + mean)
            mean = np.log(share / (1.0 - share))
        return self.loss(np.broadcast_to(mean, (n, k)))

    def primal(self, coef: np.ndarray, intercepts: np.ndarray) -> float:
        """Return the objective at a point."""
        W = np.atleast_2d(coef).T
        norms = np.array([np.linalg.norm(W[part]) for part in self.parts])
        assert not norms[np.isinf(self.p)].any()
        p = np.where(np.isinf(self.p), 0.0, self.p)
        penalty = np.sum(p * (self.l1 * norms + 0.5 * self.l2 * norms**2))
        return self.loss(self.A @ W + intercepts) + float(penalty)

    def dual(self, coef: np.ndarray, intercepts: np.ndarray) -> float:
        """Return the best dual value on the ray of the projected pull."""
        n = len(self.A)
        Z = self.A @ np.atleast_2d(coef).T + intercepts
        if self.logistic:
            pull = self.s * self.Y[:, 0] / (1.0 + np.exp(self.Y[:, 0] * Z[:, 0]))
            theta = pull[:, None]
        else:
            theta = self.s[:, None] * (self.Y - Z)
        free = np.concatenate(
            [part for part, p in zip(self.parts, self.p, strict=True) if p == 0.0]
            or [np.empty(0, int)]
        ).astype(int)
        basis = self.A[:, free]
        if self.fit_intercept:
            basis = np.column_stack([basis, np.ones(n)])
        if basis.shape[1] and not self.logistic:  # in the geometry of the weights
            R = self.Y - Z
            root = np.sqrt(self.s)[:, None]
            R = R - basis @ np.linalg.lstsq(root * basis, root * R, rcond=None)[0]
            theta = self.s[:, None] * R
        elif basis.shape[1]:
            theta = theta - basis @ np.linalg.lstsq(basis, theta, rcond=None)[0]
        norms = np.array([np.linalg.norm(self.A[:, part].T @ theta) / n for part in self.parts])
        return self._best(theta, norms)

    def _best(self, theta: np.ndarray, norms: np.ndarray) -> float:
        used = np.isfinite(self.p) & (self.p > 0.0)
        l, m, u = self.l1 * self.p[used], self.l2 * self.p[used], norms[used]  # noqa: E741
        limit = 2.0 if self.l2 > 0.0 else min([2.0, *(l / np.maximum(u, 1e-300))])
        if self.logistic:
            limit = min(limit, 1.0)

        def dual(t: float) -> float:
            over = np.maximum(t * u - l, 0.0)
            soft = float(np.sum(over**2 / (2.0 * m))) if self.l2 > 0.0 else 0.0
            return self._conjugate(t * theta) - soft

        found = optimize.minimize_scalar(
            lambda t: -dual(t), bounds=(0.0, limit), method="bounded", options={"xatol": 1e-14}
        )
        return max(dual(found.x), dual(limit * (1 - 1e-15)), dual(min(1.0, limit)), dual(0.0))

    def _conjugate(self, theta: np.ndarray) -> float:
        """Return minus the conjugate of the loss at minus theta."""
        n = len(theta)
        kept = self.s > 0.0
        if not self.logistic:
            R = theta[kept] / self.s[kept, None]
            Y = self.Y[kept]
            return float(np.sum(self.s[kept, None] * (R * Y - 0.5 * R**2)) / n)
        q = np.clip(self.Y[kept, 0] * theta[kept, 0] / self.s[kept], 0.0, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            entropy = -np.where(q > 0, q * np.log(q), 0) - np.where(
                q < 1, (1 - q) * np.log1p(-q), 0
            )
        return float(self.s[kept] @ entropy / n)
