"""Small instances of every cost, and their certified optima."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from banditcd import problems, theory

ENGINE = "compiled"


def _regression(n: int, d: int, seed: int, unit: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * (1.0 if unit else rng.uniform(0.3, 3.0, d))
    if unit:
        X /= np.linalg.norm(X, axis=0)
    y = X @ (rng.standard_normal(d) * (rng.random(d) < 0.4)) + 0.3 * rng.standard_normal(n)
    return X, y


def _samples(n: int, p: int, seed: int, unit: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X *= 1.0 if unit else rng.uniform(0.5, 3.0, (n, 1))
    return X, X @ rng.standard_normal(p) + 0.3 * rng.standard_normal(n)


def _build(name: str, unit: bool) -> problems.Problem:
    X, y = _regression(18, 10, 1, unit)
    Z, t = _samples(14, 5, 2, unit)
    signs = np.where(t > 0.0, 1, -1)
    made = {
        "Lasso": lambda: problems.Lasso(X, y, alpha=0.01),
        "ElasticNet": lambda: problems.ElasticNet(X, y, alpha=0.03, l1_ratio=0.5),
        "LogisticL1": lambda: problems.LogisticL1(X, np.sign(y), alpha=0.01 if unit else 0.05),
        "LogisticElasticNet": lambda: problems.LogisticElasticNet(
            X, np.sign(y), alpha=0.01 if unit else 0.05, l1_ratio=0.5
        ),
        "Ridge": lambda: problems.Ridge(X, y, alpha=0.05),
        "RidgeDual": lambda: problems.RidgeDual(Z, t, alpha=0.05, scaling="paper"),
        "HingeDual": lambda: problems.HingeDual(Z, signs, alpha=0.05),
        "SquaredHingeDual": lambda: problems.SquaredHingeDual(Z, signs, alpha=0.05),
        "InsensitiveDual": lambda: problems.InsensitiveDual(Z, t, alpha=0.05),
        "SquaredInsensitiveDual": lambda: problems.SquaredInsensitiveDual(Z, t, alpha=0.05),
        "LogisticDual": lambda: problems.LogisticDual(Z, signs, alpha=0.05),
        "ElasticNetDual": lambda: problems.ElasticNetDual(Z, t, alpha=0.1, l1_ratio=0.5),
    }
    return made[name]()


COSTS = tuple(problems.REGISTRY)
INSTANCES = tuple((name, unit) for name in COSTS for unit in (True, False))


@cache
def cached_problem(name: str, unit: bool) -> problems.Problem:
    return _build(name, unit)


@cache
def cached_optimum(name: str, unit: bool) -> theory.Optimum:
    return theory.certified_optimum(cached_problem(name, unit), engine=ENGINE, max_epochs=3000)


@pytest.fixture(params=INSTANCES, ids=lambda case: f"{case[0]}-{'unit' if case[1] else 'unequal'}")
def case(request: pytest.FixtureRequest) -> tuple[str, bool]:
    """A cost, and whether its columns have norm 1."""
    return request.param


@pytest.fixture
def problem(case: tuple[str, bool]) -> problems.Problem:
    """One small instance of every cost, with unit and with unequal columns."""
    return cached_problem(*case)


@pytest.fixture
def optimum(case: tuple[str, bool]) -> theory.Optimum:
    """The certified optimum of ``problem``."""
    return cached_optimum(*case)


@pytest.fixture
def cost() -> Callable[..., problems.Problem]:
    """Return a small instance by name: ``cost("Lasso", unit=True)``."""
    return lambda name, unit=True: cached_problem(name, unit)


@pytest.fixture
def best() -> Callable[..., theory.Optimum]:
    """Return the certified optimum of ``cost(name, unit)``."""
    return lambda name, unit=True: cached_optimum(name, unit)


@pytest.fixture
def solve() -> Callable[..., theory.Optimum]:
    """Certify the optimum of any problem."""
    return lambda problem, **options: theory.certified_optimum(problem, engine=ENGINE, **options)


@pytest.fixture
def orthogonal_hinge() -> Callable[..., problems.Problem]:
    """HingeDual with N orthogonal samples of curvature h_i = h each: everything is known.

    At x = 0, G_i = 1/N, |kappa_i| = 1 = L and, for h >= 1/N, one step per coordinate solves it
    and gains 1 / (2 h N^2).
    """

    def build(n: int, h: float) -> problems.Problem:
        return problems.HingeDual(np.eye(n), [1, -1] * (n // 2), alpha=1.0 / (h * n**2))

    return build
