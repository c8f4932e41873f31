"""The instances that laws of the fast solvers run on: model x storage x options x regime.

A case fixes a model, its options and the regime that solves it; an instance is a case in one
storage. The numbers are exact in single precision, so that every storage holds the same problem.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from banditcd.solvers import Result
from tests.solvers import problems
from tests.solvers.covered import CLASSIFIERS, MODELS, REGIMES, STORAGES
from tests.solvers.group_cases import group_weights, one_free, threes


@dataclass(frozen=True)
class Case:
    """A problem but for its storage; ``options`` may hold functions of (rng, n, d)."""

    model: str
    regime: str
    shape: tuple[int, int]
    penalties: tuple[float, ...]
    options: dict[str, Any] = field(default_factory=dict)
    forced: bool = False
    one_hot: bool = False
    filled: float = 0.6  # share of the entries that are not zero
    label: str = ""

    @property
    def name(self) -> str:
        shape = "{}x{}".format(*self.shape)
        return "-".join((self.model, self.regime, shape, *self.options, self.label)).rstrip("-")

    def build(self, storage: str) -> Instance:
        """Return the case in a storage; equal numbers for every storage."""
        rng = np.random.default_rng(sum(self.shape))
        n, d = self.shape
        X = np.round(64.0 * rng.standard_normal((n, d)) + 16.0) / 64.0
        X *= rng.random((n, d)) < self.filled
        if self.one_hot:
            X = (rng.random((n, d)) < np.minimum(0.5, 4.0 / np.arange(1, d + 1))).astype(float)
        y = self._response(rng, X)
        given = self.options.items()
        options = {key: value(rng, n, d) if callable(value) else value for key, value in given}
        if MODELS[self.model].session_class in ("SvmSession", "SvrSession"):
            options["loss"] = self.model
        if self.model == "group_logistic":
            options["logistic"] = True
        forced = self.regime if self.forced else None
        stored = STORAGES[storage](X)
        problem = MODELS[self.model](stored, y, self.penalties, options, forced)
        return Instance(storage, X, problem, self.regime)

    def _response(self, rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
        n, d = X.shape
        signal = X @ (rng.standard_normal(d) * (rng.random(d) < 0.3)) / np.sqrt(0.2 * d)
        signal += rng.standard_normal(n)
        if self.model in ("multinomial", "l2_multinomial"):
            return np.r_[0.0, 1.0, 2.0, np.digitize(signal[3:], [-0.4, 0.6])]
        if self.model == "multi_task":
            mixed = signal[:, None] * np.array([1.0, -0.5, 0.2]) + rng.standard_normal((n, 3))
            return np.asarray(mixed + np.array([2.0, 0.0, -1.0]))
        if self.model not in CLASSIFIERS:
            return np.asarray(signal + 2.0)
        y = np.where(signal > 0.1, 1.0, -1.0)
        y[:2] = 1.0, -1.0
        return np.ones(n) if self.label == "one_class" else y


@dataclass(frozen=True)
class Instance:
    """A case in one storage, and the regime it must be solved in."""

    storage: str
    dense: np.ndarray
    problem: problems.Problem
    regime: str


def weights(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return row weights, some of them zero."""
    out = np.where(rng.random(n) < 0.2, 0.0, rng.random(n) + 0.5)
    out[:2] = 1.0
    return out


def priced(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return penalty weights with an unpenalized and an excluded column."""
    out = rng.random(d) + 0.5
    out[:3] = 0.0, np.inf, 2.0
    return out


def positive(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return penalty weights with an excluded column."""
    out = rng.random(d) + 0.5
    out[1] = np.inf
    return out


def floor(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return lower bounds, some of them zero."""
    return np.where(rng.random(d) < 0.5, 0.0, -0.05)


def ceiling(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return upper bounds, some of them infinite."""
    return np.where(rng.random(d) < 0.5, np.inf, 0.08)


_INTERCEPT: dict[str, Any] = {"fit_intercept": True}
_WEIGHTS: dict[str, Any] = _INTERCEPT | {"sample_weight": weights}
_PRICES: dict[str, Any] = _INTERCEPT | {"penalty_weights": priced}
_BOUNDS: dict[str, Any] = _WEIGHTS | {"lower": floor, "upper": ceiling}
_TALL, _WIDE = (80, 9), (30, 60)


def _on_columns(model: str, few: str, l1: float, l2: float) -> list[Case]:
    cases = []
    for options in ({}, _INTERCEPT, _WEIGHTS, _PRICES, _BOUNDS):
        # Residual space has no certificate beside columns without penalty.
        priced_here = {"penalty_weights": positive} if "penalty_weights" in options else {}
        capped = options | priced_here | {"pool_bytes": 8}
        cases += [
            Case(model, "pool", (50, 90), (l1, l2), options),
            Case(model, few, (70, 12), (l1, l2), options, label="few"),
            Case(model, "residual", (40, 80), (l1 / 4, l2 / 4), capped),
        ]
    return [
        *cases,
        Case(model, "null", (40, 70), (50.0, l2)),
        Case(model, few, (200, 40), (l1 / 4, l2), _INTERCEPT, one_hot=True, label="one_hot"),
    ]


def _crowded(model: str, l1: float, l2: float) -> list[Case]:
    return [
        Case(model, "crowd", (250, 300), (l1, l2), options, filled=0.02)
        for options in ({}, _WEIGHTS, _BOUNDS)
    ]


def _l2_logistic() -> list[Case]:
    model, cases = "l2_logistic", []
    for l2 in (1.0, 1e-2):
        label = f"l2={l2:g}"
        for options in ({}, _INTERCEPT, _WEIGHTS):
            cases += [
                Case(model, "newton", _TALL, (l2,), options, forced=True, label=label),
                Case(model, "newton_cg", _TALL, (l2,), options, forced=True, label=label),
                Case(model, "row_space", _WIDE, (l2,), options, forced=True, label=label),
                Case(model, "dual_descent", _WIDE, (l2,), options, forced=True, label=label),
            ]
    excluded = _INTERCEPT | {"penalty_weights": positive}
    return [
        *cases,
        Case(model, "newton", _TALL, (0.1,), _PRICES, forced=True),
        Case(model, "newton_cg", _TALL, (0.1,), _PRICES, forced=True),
        Case(model, "row_space", _WIDE, (0.1,), excluded, forced=True),
        Case(model, "newton", (200, 40), (0.1,), _INTERCEPT, one_hot=True, label="one_hot"),
    ]


def _multinomial() -> list[Case]:
    three = {"classes": 3}
    capped = _BOUNDS | three | {"pool_bytes": 8}
    cases = [
        Case("l2_multinomial", regime, _TALL, (0.05,), three | options, forced=True)
        for regime in sorted(REGIMES["l2_multinomial"])
        for options in ({}, _WEIGHTS)
    ]
    return [
        *cases,
        Case("l2_multinomial", "newton_blocks", _TALL, (0.1,), three | _PRICES, forced=True),
        Case(
            "l2_multinomial", "newton_blocks", (200, 9), (0.1,), three | _INTERCEPT, label="chosen"
        ),
        Case("l2_multinomial", "newton_coupled", _TALL, (0.1,), three | _PRICES, forced=True),
        Case(
            "l2_multinomial", "newton_coupled", (1600, 9), (0.1,), three | _WEIGHTS, label="chosen"
        ),
        Case("multinomial", "pool", (50, 60), (0.02, 0.0), three | _WEIGHTS),
        Case("multinomial", "pool", (70, 12), (0.02, 0.01), three | _PRICES),
        Case("multinomial", "pool", (70, 12), (0.02, 0.0), three | _BOUNDS),
        Case("multinomial", "residual", (40, 50), (0.01, 0.0), capped),
        Case("multinomial", "residual", (70, 12), (0.01, 0.01), three, forced=True),
        Case("multinomial", "null", (40, 70), (50.0, 0.0), three),
    ]


def _ridge() -> list[Case]:
    plain = ((_TALL, {}), (_WIDE, _INTERCEPT), (_TALL, _WEIGHTS))
    return [
        Case("ridge", regime, shape, (0.1,), options, forced=True)
        for regime in sorted(REGIMES["ridge"])
        for shape, options in plain
    ]


def _on_rows(model: str) -> list[Case]:
    linear = model in ("hinge", "epsilon_insensitive")
    tube = {"epsilon": 0.3} if model not in CLASSIFIERS else {}
    appended = tube | {"intercept": "penalized", "intercept_scaling": 2.0}
    free = tube | {"intercept": "free", "sample_weight": weights}
    newton = "proximal_newton" if linear else "newton"
    handed, C = ((300, 40), 1.0) if linear else ((400, 100), 0.01)
    nothing = {"intercept": "free"} if model in CLASSIFIERS else {"epsilon": 1e3}
    cases = [Case(model, newton, (60, 8), (1.0,), options) for options in (tube, appended, free)]
    if not linear:  # more features than a matrix is made for
        cases += [
            Case(model, newton, (30, 2010), (0.01,), options, forced=True, label="products")
            for options in (tube, appended, free)
        ]
    cases += [
        Case(model, regime, shape, (cost,), options)
        for options in (tube, appended)
        for regime, shape, cost in (
            ("descent", (20, 60), 1e-4),
            ("descent_then_newton", handed, C),
        )
    ]
    return [
        *cases,
        Case(model, "gram", (20, 60), (0.01,), free),
        Case(model, "null", (40, 6), (1.0,), nothing, label="one_class"),
    ]


def _on_blocks(model: str, l1: float, l2: float) -> list[Case]:
    cases = []
    grouped: dict[str, Any] = {} if model == "multi_task" else {"groups": threes}
    weighted = grouped | ({} if model == "multi_task" else {"weights": group_weights})
    for options in (grouped, _INTERCEPT | grouped, _WEIGHTS | weighted):
        cases += [
            Case(model, "pool", (50, 90), (l1, l2), options),
            Case(model, "pool", (70, 12), (l1 / 4, l2), options, label="few"),
            Case(model, "residual", (40, 80), (l1 / 2, l2), options | {"pool_bytes": 8}),
        ]
    cases.append(Case(model, "pool", (200, 40), (l1, 0.01), _INTERCEPT | grouped, one_hot=True))
    for regime, capped in (("pool", {}), ("residual", {"pool_bytes": 8})) if weighted else ():
        free = _WEIGHTS | grouped | {"weights": one_free} | capped
        # The second penalty is so strong that nothing but the free group is in use.
        cases += [
            Case(model, regime, (70, 30), (penalty, l2), free, label=f"{penalty:g}")
            for penalty in (l1, 1e4)
        ]
    return [*cases, Case(model, "null", (40, 70), (50.0, l2), grouped)]


CASES = [
    *_on_columns("lasso", "whole_gram", 0.05, 0.0),
    *_on_columns("elastic_net", "whole_gram", 0.05, 0.02),
    *_crowded("lasso", 1e-3, 0.0),
    *_crowded("elastic_net", 1e-3, 1e-4),
    *_on_columns("logistic", "pool", 0.02, 0.0),
    *_on_columns("l1_svm", "pool", 0.05, 0.0),
    *_l2_logistic(),
    *_multinomial(),
    *_ridge(),
    *(case for model in REGIMES if MODELS[model].session_class in ("SvmSession", "SvrSession")
      for case in _on_rows(model)),
    *_on_blocks("multi_task", 0.1, 0.0),
    *_on_blocks("group_lasso", 0.08, 0.0),
    *_on_blocks("group_logistic", 0.04, 0.0),
]  # fmt: skip
_DENSE, _SPARSE = list(STORAGES)[:4], list(STORAGES)[4:]
#: Each case in a dense and in a sparse storage, in turn; those with few entries in the latter.
NAMES = [
    f"{case.name}-{storages[at % 4]}"
    for at, case in enumerate(CASES)
    for storages in ((_DENSE, _SPARSE) if case.filled > 0.5 else (_SPARSE,))
]
_CASES = {case.name: case for case in CASES}


@cache
def instance(name: str) -> Instance:
    """Return an instance by its name: that of its case and its storage."""
    case, storage = name.rsplit("-", 1)
    return _CASES[case].build(storage)


@cache
def solved(name: str, tol: float) -> Result:
    """Return the result of an instance in a session of its own."""
    return instance(name).problem.solve(tol)


@cache
def judged(name: str) -> tuple[float, float]:
    """Return bounds of the optimum by an independent judge, for the regime that is chosen."""
    problem = replace(instance(name).problem, forced=None)
    return problem.dual(result := problem.solve(1e-11)), problem.primal(result)
