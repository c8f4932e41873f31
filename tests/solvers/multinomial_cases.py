"""The multinomial judge of ``verify`` behind the face of the other judges: plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from banditcd.verification.multinomial import MultinomialProblem
from banditcd.verification.problem import Problem


class MultinomialCase:
    """The documented objective (mean loss) and a lower bound of it."""

    def __init__(self, X: Any, y: np.ndarray, l1: float, l2: float, **options: Any) -> None:
        X = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
        n, d = X.shape
        self.y, self.classes = y.astype(int), options["classes"]
        self.s = options.get("sample_weight", np.ones(n))
        self.intercept = options.get("fit_intercept", False)
        prices = options.get("penalty_weights", np.ones(d))
        self.out = np.isinf(prices)
        prices = np.where(self.out, 1.0, prices)
        lower = np.where(self.out, 0.0, options.get("lower", np.full(d, -np.inf)))
        upper = np.where(self.out, 0.0, options.get("upper", np.full(d, np.inf)))
        parts = [X, l1 * prices, l2 * prices, lower, upper]
        if self.intercept:
            ends = (np.ones((n, 1)), [0.0], [0.0], [-np.inf], [np.inf])
            parts = [np.hstack([part, end]) for part, end in zip(parts, ends, strict=True)]
        X, l1s, l2s, lower, upper = parts
        self.at = Problem(
            *(X, np.zeros(n), self.s / n, "", 0.0, l1s, l2s, lower, upper, l1s, self.intercept),
            unit=np.ones_like(l1s),
        )

    def null(self) -> float:
        """Return the objective of the best constant model, or of zero."""
        if not self.intercept:
            return float(np.mean(self.s) * np.log(self.classes))
        share = np.bincount(self.y, weights=self.s) / self.s.sum()
        share = share[share > 0.0]
        return float(-np.mean(self.s) * share @ np.log(share))

    def ruling(self, coef: np.ndarray, intercept: np.ndarray) -> tuple[float, float]:
        """Return the objective at a point and a lower bound of the optimum."""
        assert not coef[:, self.out].any()
        W = np.column_stack([coef, intercept]) if self.intercept else coef
        objective, bound, *_ = MultinomialProblem(self.at, self.y, W).ruling()
        return objective, bound
