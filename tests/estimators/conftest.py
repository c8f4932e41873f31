"""An independent duality gap of the documented objective, and random problems."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from scipy import optimize, sparse

from banditcd import ElasticNet
from tests.storage_and_gaps import STORES, conjugate, largest_scale


@dataclass
class Problem:
    """Data and options of one fit, in the estimators' words."""

    X: Any
    y: np.ndarray
    alpha: float
    l1_ratio: float = 1.0
    fit_intercept: bool = True
    sample_weight: np.ndarray | None = None
    options: dict = field(default_factory=dict)

    def arrays(self):
        X = self.X.toarray() if sparse.issparse(self.X) else np.asarray(self.X)
        X = X.astype(np.float64)
        n, d = X.shape
        s = np.ones(n) if self.sample_weight is None else np.asarray(self.sample_weight, float)
        p = np.broadcast_to(self.options.get("penalty_weights", 1.0), (d,)).astype(float)
        lower = self.options.get("lower")
        lower = np.broadcast_to(-np.inf if lower is None else lower, (d,))
        lower = np.zeros(d) if self.options.get("positive") else lower
        upper = self.options.get("upper")
        upper = np.broadcast_to(np.inf if upper is None else upper, (d,))
        return X, s / s.sum(), p, lower, upper

    def penalties(self):
        """Return the weights of |w| and of w^2 / 2, and which columns take part."""
        X, s, p, _, _ = self.arrays()
        keep = np.isfinite(p)
        p = np.where(keep, p, 0.0)
        spread = np.ones(X.shape[1])
        if self.options.get("standardize"):
            center = s @ X if self.fit_intercept else 0.0
            spread = np.sqrt(s @ (X - center) ** 2)
        l1 = self.alpha * self.l1_ratio * p * spread
        return l1, self.alpha * (1.0 - self.l1_ratio) * p * spread**2, keep

    def null(self) -> float:
        _, s, *_ = self.arrays()
        center = s @ self.y if self.fit_intercept else 0.0
        return 0.5 * float(s @ (self.y - center) ** 2)

    def primal(self, coef, intercept) -> float:
        X, s, _, lower, upper = self.arrays()
        l1, l2, keep = self.penalties()
        coef, intercept = np.asarray(coef, dtype=np.float64), float(intercept)
        slack = 1e-12 * (1.0 + np.abs(coef))
        assert np.all(coef >= lower - slack)
        assert np.all(coef <= upper + slack)
        assert not np.any(coef[~keep])
        residual = self.y - intercept - X @ coef
        return float(0.5 * s @ residual**2 + l1 @ np.abs(coef) + 0.5 * l2 @ coef**2)

    def gap(self, coef, intercept) -> float:
        """P minus the best dual value on the ray of the (projected) residual."""
        X, s, _, lower, upper = self.arrays()
        l1, l2, keep = self.penalties()
        coef, intercept = np.asarray(coef, dtype=np.float64), float(intercept)
        root = np.sqrt(s)
        free = keep & (l1 == 0) & (l2 == 0) & (coef > lower) & (coef < upper)
        residual = root * (self.y - intercept - X @ coef)
        basis = root[:, None] * X[:, free]
        if self.fit_intercept:
            basis = np.column_stack([basis, root])
        if basis.shape[1]:
            residual = residual - basis @ np.linalg.lstsq(basis, residual, rcond=None)[0]
        part = keep & ~free
        u = (root[:, None] * X[:, part]).T @ residual
        bounds = (l1[part], l2[part], lower[part], upper[part])
        limit = min(2.0, largest_scale(u, *bounds))

        def cost(t):
            value = t * residual @ (root * self.y) - 0.5 * t * t * residual @ residual
            return conjugate(t * u, *bounds).sum() - value

        best = optimize.minimize_scalar(
            cost, bounds=(0.0, limit), method="bounded", options={"xatol": 1e-14}
        )
        # The search knows its place to the root of the precision only, too little beside a kink.
        kinks = [t for t in l1[part] / np.maximum(np.abs(u), 1e-300) if 0.0 < t < limit]
        dual = -min(best.fun, *map(cost, (*kinks, limit, min(1.0, limit), 0.0)))
        return self.primal(coef, intercept) - dual


def confirmed(problem, coef, intercept, proof, slack):
    """The true gap is no larger than the one reported, up to ``slack``.

    A gap from the coefficients alone is not that small once they are rounded to float32: there the
    lower bound of the certificate is held against the model before rounding.
    """
    if np.asarray(coef).dtype == np.float64:
        return problem.gap(coef, intercept) <= proof.gap + slack
    exact = replace(problem, X=problem.arrays()[0])
    model = ElasticNet(
        exact.alpha,
        l1_ratio=exact.l1_ratio,
        fit_intercept=exact.fit_intercept,
        tol=1e-11,
        **exact.options,
    ).fit(exact.X, exact.y, sample_weight=exact.sample_weight)
    gap = exact.gap(model.coef_, model.intercept_)
    best = model.certificate_.primal
    return gap <= slack + model.certificate_.gap and proof.primal - proof.gap <= best + slack


@pytest.fixture(params=STORES)
def store(request):
    return STORES[request.param]


@pytest.fixture
def make_problem():
    return Problem


@pytest.fixture
def make_data():
    def build(n, d, seed=0):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.6) + 0.3
        w = rng.standard_normal(d) * (rng.random(d) < 0.3)
        # Values that float32 holds exactly: the same problem in every storage.
        X = X.astype(np.float32).astype(np.float64)
        return X, X @ w + 2.0 + 0.5 * rng.standard_normal(n)

    return build
