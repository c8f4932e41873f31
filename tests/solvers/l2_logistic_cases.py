"""L2-logistic problems, their objective and dual values, as the documentation has them."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.special import expit, xlogy


class Oracle:
    """The documented objective and a dual value at a projected point, in dense NumPy."""

    def __init__(self, X, y, l2, fit_intercept=False, sample_weight=None, penalty_weights=None):
        self.X = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
        self.y, self.l2, self.fit_intercept = y, l2, fit_intercept
        n, d = self.X.shape
        self.s = np.ones(n) if sample_weight is None else sample_weight
        self.p = np.ones(d) if penalty_weights is None else penalty_weights
        self.keep = ~np.isinf(self.p)

    def null(self):
        if not self.fit_intercept:
            return np.mean(self.s) * np.log(2.0)
        share = self.s @ (self.y > 0) / self.s.sum()
        return -np.mean(self.s) * (xlogy(share, share) + xlogy(1 - share, 1 - share))

    def primal(self, coef, intercept):
        assert np.all(coef[~self.keep] == 0.0)
        m = self.y * (self.X @ coef + intercept)
        w, p = coef[self.keep], self.p[self.keep]
        return np.mean(self.s * np.logaddexp(0.0, -m)) + 0.5 * self.l2 * p @ w**2

    def dual_value(self, q):
        """D at alpha = y s q / n, for any feasible q."""
        v = self.X.T @ (self.y * self.s * q) / len(q)
        free = self.keep & (self.p * self.l2 == 0.0)
        assert np.all(np.abs(v[free]) <= 1e-9)
        assert np.all((q >= 0.0) & (q <= 1.0))
        if self.fit_intercept:
            assert abs(np.mean(self.y * self.s * q)) <= 1e-9
        strength = self.l2 * self.p
        penalized = self.keep & (strength > 0)
        entropy = -np.mean(self.s * (xlogy(q, q) + xlogy(1 - q, 1 - q)))
        return max(0.0, entropy - np.sum(v[penalized] ** 2 / (2 * strength[penalized])))

    def dual(self, coef, intercept):
        m = self.y * (self.X @ coef + intercept)
        q = expit(-m)
        free = self.keep & (self.p * self.l2 == 0.0)
        F = self.X[:, free]
        if self.fit_intercept:
            F = np.column_stack([F, np.ones(len(m))])
        if F.shape[1]:
            curvature = self.s * q * (1 - q)
            moved = np.linalg.lstsq(
                np.sqrt(curvature)[:, None] * F,
                np.divide(
                    self.y * self.s * q,
                    np.sqrt(curvature),
                    out=np.zeros_like(q),
                    where=curvature > 0,
                ),
                rcond=None,
            )[0]
            q = q - q * (1 - q) * self.y * (F @ moved)
            if np.any(q < 0) or np.any(q > 1):
                return None  # the plain projection leaves the box
        return self.dual_value(q)


def design(rng, n, d, storage):
    X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((n, 1)) + 0.5
    if storage.startswith("cs"):
        X *= rng.random((n, d)) < 0.3
        return sparse.csc_matrix(X) if storage.startswith("csc") else sparse.csr_matrix(X)
    X = X.astype(np.float32) if storage == "f32" else X
    return np.asfortranarray(X) if storage == "f64" else X


def labels(rng, X):
    score = np.asarray(X @ rng.standard_normal(X.shape[1])).ravel()
    y = np.where(score + 2 * rng.standard_normal(X.shape[0]) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return y


def options(rng, n, d):
    out = {"fit_intercept": bool(rng.integers(2))}
    if rng.integers(2):
        out["sample_weight"] = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.1)
        out["sample_weight"][:2] = 1.0
    if rng.integers(2):
        p = rng.random(d) + 0.5
        p[rng.integers(d)] = np.inf
        p[rng.integers(d)] = 0.0
        out["penalty_weights"] = p
    return out
