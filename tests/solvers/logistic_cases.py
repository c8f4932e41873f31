"""An independent duality gap for logistic regression, and a list of problems over all options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, sparse
from scipy.special import expit, xlogy


@dataclass
class LogisticCase:
    """One problem of the documented, mean-scaled form."""

    X: Any
    y: np.ndarray
    l1: float
    l2: float = 0.0
    fit_intercept: bool = False
    sample_weight: np.ndarray | None = None
    penalty_weights: np.ndarray | None = None
    lower: np.ndarray | None = None
    upper: np.ndarray | None = None

    @staticmethod
    def losses(m):
        return np.logaddexp(0.0, -m)

    @staticmethod
    def slopes(m):
        """Minus the derivatives at margins."""
        return expit(-m)

    @staticmethod
    def curvatures(q):
        """Second derivatives, where the slopes are q."""
        return q * (1 - q)

    @staticmethod
    def dual_values(p):
        """Minus the conjugate of the loss at -p."""
        assert np.all(p >= -1e-12)
        assert np.all(p <= 1 + 1e-12)
        p = np.clip(p, 0.0, 1.0)
        return -(xlogy(p, p) + xlogy(1 - p, 1 - p))

    def options(self) -> dict:
        names = ("fit_intercept", "sample_weight", "penalty_weights", "lower", "upper")
        return {name: getattr(self, name) for name in names}

    def parts(self):
        X = self.X.toarray() if sparse.issparse(self.X) else self.X
        X = np.asarray(X, dtype=np.float64)
        n, d = X.shape
        s = np.ones(n) if self.sample_weight is None else self.sample_weight
        p = np.ones(d) if self.penalty_weights is None else self.penalty_weights
        lower = np.full(d, -np.inf) if self.lower is None else self.lower
        upper = np.full(d, np.inf) if self.upper is None else self.upper
        return X, s, p, lower, upper

    def null_objective(self) -> float:
        _, s, *_ = self.parts()
        share = float(np.average(self.y > 0, weights=s)) if self.fit_intercept else 0.5
        return -float((xlogy(share, share) + xlogy(1 - share, 1 - share)) * s.sum() / len(s))

    def primal(self, coef: np.ndarray, intercept: float) -> float:
        X, s, p, lower, upper = self.parts()
        assert np.all(coef >= lower)
        assert np.all(coef <= upper)
        assert np.all(coef[np.isinf(p)] == 0.0)
        p = np.where(np.isinf(p), 0.0, p)
        loss = np.mean(s * self.losses(self.y * (X @ coef + intercept)))
        return float(loss + np.sum(p * (self.l1 * np.abs(coef) + 0.5 * self.l2 * coef**2)))

    def gap(self, coef: np.ndarray, intercept: float) -> float:
        """P(w, b) minus the best dual value on the ray of the projected pull, mean-scaled."""
        X, s, p, lower, upper = self.parts()
        keep = ~np.isinf(p)
        A, w, l, m = X[:, keep], coef[keep], p[keep] * self.l1, p[keep] * self.l2  # noqa: E741
        lower, upper = lower[keep], upper[keep]
        q = self.slopes(self.y * (X @ coef + intercept))
        pull = s * self.y * q
        free = (l == 0) & (m == 0) & (np.isinf(lower) | np.isinf(upper))
        free &= (w > lower) & (w < upper)
        basis = A[:, free]
        if self.fit_intercept:
            basis = np.column_stack([basis, np.ones(len(s))])
        if basis.shape[1]:  # project in the metric of the curvature, which keeps q in [0, 1]
            h = s * self.curvatures(q)
            normal = basis.T @ (h[:, None] * basis)
            pull = pull - h * (basis @ np.linalg.lstsq(normal, basis.T @ pull, rcond=None)[0])
        u = A.T @ pull / len(s)
        u[free] = 0.0
        hard = (m == 0) & np.where(u > 0, np.isinf(upper), np.isinf(lower))
        assert np.all(np.abs(u[hard & (l == 0)]) <= 1e-9 * (1 + np.abs(u).max(initial=0.0)))
        over = hard & (l > 0) & (np.abs(u) > l)
        limit = min([1.0, *(l[over] / np.abs(u[over]))])
        soft = np.where(hard, 0.0, u)
        best = optimize.minimize_scalar(
            lambda t: -self.dual(pull, soft, t, (l, m, lower, upper)),
            bounds=(0.0, limit), method="bounded", options={"xatol": 1e-14},
        )  # fmt: skip
        kinks = [t for t in l[soft != 0] / np.abs(soft[soft != 0]) if 0 < t < limit]
        values = [self.dual(pull, soft, t, (l, m, lower, upper)) for t in (limit, *kinks)]
        return self.primal(coef, intercept) - max(-best.fun, *values)

    def dual(self, pull, soft, t, terms) -> float:
        _, s, *_ = self.parts()
        l, m, lower, upper = terms  # noqa: E741
        on = s > 0
        p = t * self.y[on] * pull[on] / s[on]
        rows = np.sum(s[on] * self.dual_values(p)) / len(s)
        v = t * soft
        over = np.maximum(np.abs(v) - l, 0.0)
        limit = np.where(v > 0, upper, -lower)
        with np.errstate(divide="ignore", invalid="ignore"):
            best = np.where(over > 0, np.minimum(np.where(m > 0, over / m, np.inf), limit), 0.0)
        return float(rows - np.sum(over * best - 0.5 * m * best**2))


class SquaredHingeCase(LogisticCase):
    """The same with the squared hinge."""

    @staticmethod
    def losses(m):
        return np.maximum(0.0, 1.0 - m) ** 2

    @staticmethod
    def slopes(m):
        return 2.0 * np.maximum(0.0, 1.0 - m)

    @staticmethod
    def curvatures(q):
        return 2.0 * (q > 0.0)

    @staticmethod
    def dual_values(p):
        assert np.all(p >= -1e-9)
        p = np.maximum(p, 0.0)
        return p - 0.25 * p**2

    def null_objective(self) -> float:
        _, s, *_ = self.parts()
        share = float(np.average(self.y > 0, weights=s)) if self.fit_intercept else 0.5
        return 4.0 * share * (1.0 - share) * float(s.mean())


def random_labels(rng: np.random.Generator, X: Any, noise: float = 1.0) -> np.ndarray:
    """Labels from a sparse model, both classes present."""
    w = np.where(rng.random(X.shape[1]) < 0.4, rng.standard_normal(X.shape[1]), 0.0)
    z = np.asarray(X @ w).ravel() + noise * rng.standard_normal(X.shape[0]) + 0.3
    y = np.where(z > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return y


def random_case(seed: int, storage: str = "f", **options: Any) -> LogisticCase:
    """A problem whose options are drawn from the seed."""
    rng = np.random.default_rng(seed)
    n, d = [(60, 12), (25, 60), (200, 30), (40, 40), (12, 3)][seed % 5]
    X: Any = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((n, 1))
    if storage.startswith("csc"):
        X = sparse.csc_matrix(X * (rng.random((n, d)) < 0.3))
    X = X.astype(np.float32 if storage.endswith("32") else np.float64)
    X = X if sparse.issparse(X) else np.asarray(X, order="C" if storage == "c" else "F")
    y = random_labels(rng, X)
    on = {name: rng.random() < 0.5 for name in ("s", "p", "box", "l2", "b")}
    case = LogisticCase(X, y, l1=0.0, fit_intercept=on["b"])
    if on["s"]:
        case.sample_weight = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.5)
        case.sample_weight[:2] = 1.0
    if on["p"]:
        case.penalty_weights = rng.choice([0.5, 1.0, 2.0, np.inf], d)
    if on["box"]:
        case.lower = -rng.choice([0.0, 0.1, 1.0, np.inf], d)
        case.upper = rng.choice([0.0, 0.1, 1.0, np.inf], d)
    dense, s, *_ = case.parts()
    steepest = np.abs(dense.T @ (s * y)).max() / (2 * n)
    case.l1 = float(steepest * 10 ** -rng.uniform(0.0, 2.5))
    case.l2 = float(case.l1 * rng.random()) if on["l2"] else 0.0
    for name, value in options.items():
        setattr(case, name, value)
    return case
