"""Ridge problems, their objective and its gap, as the documentation has them."""

from __future__ import annotations

import numpy as np
from scipy import sparse


class Oracle:
    """The documented objective and its gap in dense NumPy, for one target."""

    def __init__(self, X, y, l2, fit_intercept=False, sample_weight=None):
        self.X = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
        self.y, self.l2, self.fit_intercept = y, l2, fit_intercept
        self.s = np.ones(len(y)) if sample_weight is None else sample_weight

    def null(self):
        center = np.average(self.y, weights=self.s) if self.fit_intercept else 0.0
        return 0.5 * np.mean(self.s * (self.y - center) ** 2)

    def primal(self, coef, intercept):
        r = self.y - intercept - self.X @ coef
        return 0.5 * np.mean(self.s * r**2) + 0.5 * self.l2 * coef @ coef

    def dual(self, coef, intercept):
        """D(a) = <a, y> - n |a|²_{1/s} / 2 - |X^T a|² / (2 l2) at a = s r / n, made feasible."""
        r = self.y - intercept - self.X @ coef
        if self.fit_intercept:
            r = r - np.average(r, weights=self.s)
        a, n = self.s * r / len(r), len(r)
        v = self.X.T @ a
        return a @ self.y - 0.5 * np.sum(self.s * r**2) / n - v @ v / (2 * self.l2)


def design(rng, n, d, storage):
    X = rng.standard_normal((n, d)) + 0.7 * rng.standard_normal((n, 1)) + 0.5
    if storage.startswith("cs"):
        X *= rng.random((n, d)) < 0.3
        return sparse.csc_matrix(X) if storage.startswith("csc") else sparse.csr_matrix(X)
    X = X.astype(np.float32) if storage == "f32" else X
    return np.asfortranarray(X) if storage == "f64" else X


def options(rng, n):
    out = {"fit_intercept": bool(rng.integers(2))}
    if rng.integers(2):
        out["sample_weight"] = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.1)
    return out
