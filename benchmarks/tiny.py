"""Tiny fits of shapes that once took seconds: ``python -m benchmarks.tiny``.

Every shape is drawn with several seeds, which differ in the noise of the response and in whether
some columns are unpenalized. A line says what processor time the slowest took.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

import banditcd

SEEDS = range(6)
LIMIT = 2.0  # seconds of processor time of one fit
NOISES = (0.3, 1e-3, 0.0)


@dataclass(frozen=True)
class Draw:
    """The random numbers of one fit."""

    rng: np.random.Generator
    noise: float
    with_free: bool

    def normal(self, n: int, p: int) -> Any:
        """Independent columns."""
        return self.rng.normal(size=(n, p))

    def heavy(self, n: int, p: int) -> Any:
        """Columns whose variance is infinite."""
        return self.rng.standard_t(1.2, size=(n, p))

    def low_rank(self, n: int, p: int) -> Any:
        """Columns whose rank is a quarter of the most."""
        rank = min(n, p) // 4
        return self.normal(n, rank) @ self.normal(rank, p)

    def response(self, X: Any) -> Any:
        """A sparse model of X, of standard deviation 1, and noise."""
        signal = X @ (self.rng.normal(size=X.shape[1]) * (self.rng.random(X.shape[1]) < 0.3))
        return signal / np.std(signal) + self.noise * self.rng.normal(size=X.shape[0])

    def labels(self, X: Any) -> Any:
        """Two classes of equal size."""
        y = self.response(X)
        return (y > np.median(y)).astype(int)

    def columns(self, X: Any) -> dict[str, Any]:
        """Penalty weights; every fourth column is unpenalized, or none."""
        given = np.where(np.arange(X.shape[1]) % 4 == 0, 0.0, 1.0)
        return {"penalty_weights": given} if self.with_free else {}


def _lasso_search(draw: Draw, X: Any, **options: Any) -> None:
    banditcd.LassoCV(cv=5, **draw.columns(X), **options).fit(X, draw.response(X))


def _lasso_path(draw: Draw, X: Any) -> None:
    banditcd.lasso_path(X, draw.response(X), tol=1e-12, **draw.columns(X))


def _interpolating(draw: Draw, X: Any) -> None:
    Y = np.column_stack([draw.response(X), draw.response(X)])
    banditcd.Lasso(alpha=5e-10, tol=1e-12, **draw.columns(X)).fit(X, Y)


def _logistic_search(draw: Draw, X: Any) -> None:
    model = banditcd.LogisticRegressionCV(Cs=[1e-2, 1.0, 1e4, 1e10], l1_ratios=[1.0], cv=3)
    model.fit(X, draw.labels(X))


def _extreme_logistic(draw: Draw, X: Any) -> None:
    model = banditcd.LogisticRegression(C=1e69, l1_ratio=1.0, **draw.columns(X))
    model.fit(X, draw.labels(X))


def _logistic_path(draw: Draw, X: Any, tol: float) -> None:
    banditcd.logistic_path(X, draw.labels(X), tol=tol, eps=1e-6, **draw.columns(X))


def _ridge_targets(draw: Draw, X: Any) -> None:
    Y = np.column_stack([draw.response(X) for _ in range(3)])
    banditcd.Ridge(alpha=1e-4, tol=1e-10, **draw.columns(X)).fit(X, Y)


def _sparse(draw: Draw, n: int, p: int) -> Any:
    return sparse.csr_array(draw.normal(n, p) * (draw.rng.random((n, p)) < 0.1))


SHAPES: dict[str, Callable[[Draw], None]] = {
    "LassoCV 60 x 68, low rank, tol=0.01": lambda d: _lasso_search(d, d.low_rank(60, 68), tol=1e-2),
    "LassoCV 66 x 281, eps=1e-9": lambda d: _lasso_search(d, d.normal(66, 281), eps=1e-9),
    "lasso_path 77 x 458, heavy tails, tol=1e-12": lambda d: _lasso_path(d, d.heavy(77, 458)),
    "Lasso, 2 targets, 134 x 439, tol=1e-12": lambda d: _interpolating(d, d.normal(134, 439)),
    "LogisticRegressionCV 26 x 55": lambda d: _logistic_search(d, d.normal(26, 55)),
    "LogisticRegressionCV 1172 x 60, heavy tails": lambda d: _logistic_search(d, d.heavy(1172, 60)),
    "LogisticRegression 15 x 97, C=1e69": lambda d: _extreme_logistic(d, d.normal(15, 97)),
    "logistic_path 175 x 391": lambda d: _logistic_path(d, d.normal(175, 391), 1e-4),
    "logistic_path 1100 x 63, sparse": lambda d: _logistic_path(d, _sparse(d, 1100, 63), 1e-2),
    "Ridge, 3 targets, 100 x 283, low rank": lambda d: _ridge_targets(d, d.low_rank(100, 283)),
}


def seconds_of(name: str, seed: int) -> float:
    """Return the processor time of one fit, its warnings unheard."""
    draw = Draw(np.random.default_rng(seed), NOISES[seed % 3], seed % 2 == 1)
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        SHAPES[name](draw)
    return time.process_time() - started


def main() -> int:
    """Print the slowest fit of every shape; the exit status says whether all keep to the limit."""
    slow = 0
    for name in SHAPES:
        worst = max((seconds_of(name, seed), seed) for seed in SEEDS)
        slow += worst[0] > LIMIT
        print(f"{name}: {worst[0]:.2f} s (seed {worst[1]})", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
