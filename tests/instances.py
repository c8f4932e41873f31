"""Small problems of every cost, with optima from an independent solver: every law runs over them.

A new cost is one line in ``INSTANCES`` (and one in ``EXACT`` if its arithmetic can be exact).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse

from banditcd import problems, selectors, updates
from banditcd.engine.applicability import why_not_selector, why_not_update
from tests.oracle import primal_optimum

CLASSIFIERS = {
    "LogisticL1",
    "LogisticElasticNet",
    "HingeDual",
    "SquaredHingeDual",
    "LogisticDual",
}


@dataclass(frozen=True)
class Instance:
    """A cost on seeded data."""

    name: str
    cost: str
    shape: tuple[int, int]
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)
    data: str = "uneven"  # which of DATA makes X and y
    seed: int = 0

    def __str__(self) -> str:
        return self.name

    @property
    def arrays(self) -> tuple[Any, np.ndarray]:
        return make_data(self.data, self.shape, self.cost in CLASSIFIERS, self.seed)

    @property
    def problem(self) -> problems.Problem:
        return _problem(self)

    @property
    def optimum(self) -> float:
        """The smallest F, from an independent solver."""
        value = _optimum(self)
        return value if self.problem.kind == "primal" else -value


@cache
def _problem(instance: Instance) -> problems.Problem:
    return problems.make(instance.cost, *instance.arrays, **instance.parameters)


@cache
def _optimum(instance: Instance) -> float:
    return primal_optimum(instance.cost, *instance.arrays, **instance.parameters)


# -- data ------------------------------------------------------------------------------------------


@cache
def make_data(kind: str, shape: tuple[int, int], labels: bool, seed: int) -> tuple[Any, np.ndarray]:
    X, y = DATA[kind](np.random.default_rng(seed), shape)
    if labels:
        y = np.where(y > np.median(y), 1.0, -1.0)
    return X, y


def _uneven(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Unequal column norms, one zero column and one zero row."""
    n, p = shape
    X = rng.normal(size=shape) * np.geomspace(0.5, 2.0, p)
    y = X[:, : p // 2].sum(axis=1) + 0.3 * rng.normal(size=n)
    X[:, p // 2] = 0.0
    X[n // 3] = 0.0
    return X, y


def _unit(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Unit columns."""
    X = rng.normal(size=shape)
    X /= np.linalg.norm(X, axis=0)
    return X, 3.0 * X[:, : shape[1] // 2].sum(axis=1) + 0.1 * rng.normal(size=shape[0])


def _unit_rows(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Unit rows: the coordinates of a dual."""
    X = rng.normal(size=shape)
    X /= np.linalg.norm(X, axis=1)[:, None]
    return X, X.sum(axis=1) + 0.1 * rng.normal(size=shape[0])


def _sparse(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Any, np.ndarray]:
    """CSC with an empty column and an empty row."""
    X, y = _uneven(rng, shape)
    X[rng.random(shape) < 0.5] = 0.0
    return sparse.csc_matrix(X), y


def _integers(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Four entries +-1 in every column and about as many in every row, small integer y."""
    n, p = shape
    X = np.zeros(shape)
    for i in range(p):
        rows = (4 * i + np.arange(4) * (2 + i // 4)) % n
        X[rows, i] = rng.choice([-1.0, 1.0], size=4)
    return X, rng.integers(-8, 9, size=n).astype(float)


def _integer_rows(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Any, np.ndarray]:
    """Four entries +-1 in every row."""
    X, _ = _integers(rng, shape[::-1])
    return np.ascontiguousarray(X.T), rng.integers(-8, 9, size=shape[0]).astype(float)


DATA: dict[str, Any] = {
    "uneven": _uneven,
    "unit": _unit,
    "unit_rows": _unit_rows,
    "sparse": _sparse,
    "integers": _integers,
    "integer_rows": _integer_rows,
}

# -- the lists -------------------------------------------------------------------------------------

TALL, WIDE = (24, 8), (12, 6)
_WEIGHTS = np.linspace(0.5, 2.0, 8)
_ROWS = np.r_[0.0, np.linspace(0.5, 2.0, 23)]  # sample weights, one of them 0
_DUAL_ROWS = np.linspace(0.2, 2.0, 12)
_SOME_FREE = np.r_[0.0, _WEIGHTS[1:]]
_SOME_OUT = np.r_[_WEIGHTS[:7], np.inf]
_OPTIONS = {
    "penalty_weights": _SOME_OUT,
    "sample_weight": _ROWS,
    "lower": np.r_[-0.2, np.zeros(3), np.full(4, -np.inf)],
    "upper": np.r_[np.full(6, np.inf), 0.1, 0.1],
}

PRIMAL = [
    Instance("lasso", "Lasso", TALL, {"alpha": 0.1}),
    Instance("lasso-unit", "Lasso", TALL, {"alpha": 0.01}, "unit"),
    Instance("lasso-sparse", "Lasso", TALL, {"alpha": 0.1}, "sparse"),
    Instance("lasso-options", "Lasso", TALL, {"alpha": 0.1, **_OPTIONS}),
    Instance("elastic-net", "ElasticNet", TALL, {"alpha": 0.3, "l1_ratio": 0.4}),
    Instance("elastic-net-options", "ElasticNet", TALL, {"alpha": 0.3, **_OPTIONS}, "sparse"),
    Instance("elastic-net-no-l1", "ElasticNet", TALL, {"alpha": 0.3, "l1_ratio": 0.0}),
    Instance("logistic-l1", "LogisticL1", TALL, {"alpha": 0.02}),
    Instance("logistic-l1-options", "LogisticL1", TALL, {"alpha": 0.02, **_OPTIONS}, "sparse"),
    Instance("logistic-elastic-net", "LogisticElasticNet", TALL, {"alpha": 0.05, **_OPTIONS}),
    Instance("logistic-l2", "LogisticElasticNet", TALL, {"alpha": 0.05, "l1_ratio": 0.0}),
    Instance("ridge", "Ridge", TALL, {"alpha": 0.3}),
    Instance("ridge-paper", "Ridge", TALL, {"alpha": 0.3, "scaling": "paper"}, "sparse"),
    Instance("ridge-options", "Ridge", TALL, {"alpha": 0.3, **_OPTIONS}),
]
UNPENALIZED = [
    Instance("lasso-weight-0", "Lasso", TALL, {"alpha": 0.1, "penalty_weights": _SOME_FREE}),
    Instance(
        "elastic-net-weight-0",
        "ElasticNet",
        TALL,
        {"alpha": 0.2, **_OPTIONS, "lower": None, "upper": None, "penalty_weights": _SOME_FREE},
    ),
    Instance(
        "logistic-l1-weight-0", "LogisticL1", TALL, {"alpha": 0.05, "penalty_weights": _SOME_FREE}
    ),
    Instance("ridge-weight-0", "Ridge", TALL, {"alpha": 0.2, "penalty_weights": _SOME_FREE}),
    Instance("lasso-alpha-0", "Lasso", TALL, {"alpha": 0.0}),
    Instance("ridge-alpha-0", "Ridge", TALL, {"alpha": 0.0}, "unit"),
    Instance("nonnegative", "Lasso", TALL, {"alpha": 0.0, "lower": 0.0}),
    Instance(
        "half-line", "Ridge", TALL, {"alpha": 0.1, "penalty_weights": _SOME_FREE, "lower": -0.05}
    ),
]
DUAL = [
    Instance("ridge-dual", "RidgeDual", WIDE, {"alpha": 0.3}),
    Instance("ridge-dual-paper", "RidgeDual", WIDE, {"alpha": 0.3, "scaling": "paper"}, "sparse"),
    Instance("hinge-dual", "HingeDual", WIDE, {"alpha": 0.3}),
    Instance("hinge-dual-sparse", "HingeDual", WIDE, {"alpha": 0.1}, "sparse"),
    Instance("squared-hinge-dual", "SquaredHingeDual", WIDE, {"alpha": 0.3}, "sparse"),
    Instance("squared-hinge-dual-unit", "SquaredHingeDual", WIDE, {"alpha": 0.3}, "unit_rows"),
    Instance("logistic-dual", "LogisticDual", WIDE, {"alpha": 0.1}),
    Instance("logistic-dual-sparse", "LogisticDual", WIDE, {"alpha": 0.3}, "sparse"),
    *(
        Instance(f"{cost}-weights", cost, WIDE, {"alpha": 0.3, "sample_weight": _DUAL_ROWS})
        for cost in ("RidgeDual", "HingeDual", "SquaredHingeDual", "LogisticDual")
    ),
    Instance("elastic-net-dual", "ElasticNetDual", WIDE, {"alpha": 0.3, "l1_ratio": 0.4}),
    Instance("elastic-net-dual-sparse", "ElasticNetDual", WIDE, {"alpha": 0.5}, "sparse"),
    Instance("insensitive-dual", "InsensitiveDual", WIDE, {"alpha": 0.1, "epsilon": 0.4}),
    Instance("insensitive-dual-median", "InsensitiveDual", WIDE, {"alpha": 0.3, "epsilon": 0.0}),
    Instance("insensitive-dual-sparse", "InsensitiveDual", WIDE, {"alpha": 0.1}, "sparse"),
    Instance("squared-insensitive-dual", "SquaredInsensitiveDual", WIDE, {"alpha": 0.3}, "sparse"),
    *(
        Instance(f"{cost}-weights", cost, WIDE, {"alpha": 0.3, "sample_weight": _DUAL_ROWS})
        for cost in ("InsensitiveDual", "SquaredInsensitiveDual")
    ),
]
INSTANCES = [*PRIMAL, *UNPENALIZED, *DUAL]

# Powers of two everywhere: every sum, product and quotient of a minimizing step is exact.
EXACT = [
    Instance("lasso", "Lasso", (16, 8), {"alpha": 0.25}, "integers"),
    Instance("elastic-net", "ElasticNet", (16, 8), {"alpha": 0.5, "l1_ratio": 0.5}, "integers"),
    Instance("ridge", "Ridge", (16, 8), {"alpha": 0.25}, "integers"),
    Instance("ridge-dual", "RidgeDual", (16, 16), {"alpha": 0.25}, "integer_rows"),
    Instance("hinge-dual", "HingeDual", (16, 16), {"alpha": 0.25}, "integer_rows"),
    Instance("squared-hinge-dual", "SquaredHingeDual", (16, 16), {"alpha": 0.5}, "integer_rows"),
    Instance("elastic-net-dual", "ElasticNetDual", (16, 16), {"alpha": 0.5}, "integer_rows"),
    Instance(
        "insensitive-dual",
        "InsensitiveDual",
        (16, 16),
        {"alpha": 0.25, "epsilon": 0.5},
        "integer_rows",
    ),
]

# The same product at a size where vector kernels, several bins and long columns matter.
AT_SIZE = [
    Instance(
        f"{cost}-at-size",
        cost,
        (150, 60) if k % 2 else (60, 150),
        {"alpha": 0.1},
        "sparse" if k % 3 == 0 else "uneven",
    )
    for k, cost in enumerate(problems.REGISTRY)
]

RULES: dict[str, Any] = {name: rule() for name, rule in updates.REGISTRY.items()}
RULES["exact-skip"] = updates.Exact(skip=True)

SELECTORS: dict[str, Any] = {name: kind() for name, kind in selectors.REGISTRY.items()}
SELECTORS |= {
    f"gauss_southwell-{rule}{'-lipschitz' * wide}": selectors.GaussSouthwell(rule, lipschitz=wide)
    for rule in "srq"
    for wide in (False, True)
}
del SELECTORS["gauss_southwell"]
ACCELERATED: dict[str, Any] = {
    "approx": selectors.Approx(),
    "approx-restart": selectors.Approx(restart=5.0),
    "nuacdm": selectors.Nuacdm(),
}


def below_start(problem: problems.Problem, x: np.ndarray) -> np.ndarray:
    """Move x towards the start until F(x) <= F(start): where the Lipschitzing box is valid."""
    start = problem.start()
    ceiling = problem.objective(start)
    for _ in range(25):
        for candidate in (x, np.clip(2 * start - x, problem.penalty.lower, problem.penalty.upper)):
            if problem.objective(candidate) <= ceiling:
                return candidate
        x = start + 0.5 * (x - start)
    return start


def rules_for(instance: Instance) -> list[str]:
    """The rules that the applicability table allows."""
    return [r for r, rule in RULES.items() if why_not_update(rule, instance.problem) is None]


def selectors_for(instance: Instance, accelerated: bool = False) -> list[str]:
    """The selectors (or accelerated methods) that the applicability table allows."""
    known = ACCELERATED if accelerated else SELECTORS
    return [s for s, part in known.items() if why_not_selector(part, instance.problem) is None]
