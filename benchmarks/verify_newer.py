"""More random problems for the judge: groups, tasks, L1 machines, ridge classifiers, corners.

The judge of groups and tasks works in plain float64, so their scales go from 1e-6 to 1e6. All kinds
meet weights of zero, constant columns, responses without variance, pools of a few bytes and two
threads; some have no penalty at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import banditcd
from benchmarks.verify_problems import SHAPES, STORAGES, Drawn, _columns, _responses, _stored

KINDS = (
    *("GroupLasso", "GroupLassoCV", "GroupLogisticRegression", "GroupLogisticRegressionCV"),
    *("MultiTaskLasso", "MultiTaskElasticNet", "MultiTaskLassoCV", "MultiTaskElasticNetCV"),
    *("L1 squared hinge", "RidgeClassifier", "RidgeClassifierCV", "multinomial"),
    *("LinearSVC threads", "LinearSVR threads", "RidgeCV threads", "Ridge corners"),
)
BLOCKS = ("Group", "MultiTask")
CLASSES = ("GroupLog", "L1", "RidgeClass", "multinomial", "LinearSVC")
TINY_POOLS = (8, 4096, 1 << 30)


def draw_newer(seed: int, index: int) -> Drawn:
    """Return problem ``index`` of a seed."""
    rng = np.random.default_rng([seed, index])
    kind = KINDS[index % len(KINDS)]
    storage, shape = str(rng.choice(STORAGES)), str(rng.choice(SHAPES))
    least = 1 if kind == "Ridge corners" else 6
    n, p = int(rng.integers(least, 70)), int(rng.integers(1, 70))
    most = 6.0 if kind.startswith(BLOCKS) else 15.0 if "float32" in storage else 60.0
    power = float(rng.choice([0.0, rng.uniform(-3, 3), rng.uniform(-most, most)]))
    X = 10.0**power * _columns(rng, shape, n, p)
    if storage.startswith("c"):
        X = X * (rng.random((n, p)) < rng.choice([0.1, 0.5]))
    if rng.random() < 0.2:
        X[:, rng.integers(0, p)] = 10.0**power * float(rng.choice([0.0, 1.0, 100.0]))
    y, levels = _targets(rng, kind, X, most)
    X = _stored(X, storage)
    weight = rng.integers(0, 3, n).astype(float) if rng.random() < 0.3 else None
    if weight is not None:
        weight[: max(6, len(np.unique(y)))] = 1.0  # every class, and every fold, has samples
    model = _model(rng, kind, np.asarray(X.toarray() if hasattr(X, "toarray") else X, float), y)
    words = f"{kind}, {shape}, {storage}, 1e{power:.0f}, {levels}"
    return Drawn(kind, words, model, X, y, weight)


def _targets(rng: np.random.Generator, kind: str, X: Any, most: float) -> tuple[Any, str]:
    if kind.startswith(CLASSES):
        y, levels = _responses(rng, "hinge", X)
        if kind == "multinomial":
            y = np.arange(len(y)) % 3 if len(np.unique(y)) < 3 else y
        return y, levels
    y, _ = _responses(rng, "Lasso targets" if kind.startswith("MultiTask") else "Lasso", X)
    power = float(rng.choice([0.0, rng.uniform(-most, most)]))
    y = 10.0**power * (y / (np.abs(y).max() or 1.0))
    if rng.random() < 0.05:
        y = np.full_like(y, y.max())
    return y, f"y 1e{power:.0f}"


def _model(rng: np.random.Generator, kind: str, X: Any, y: Any) -> Any:
    squared = float(np.einsum("ij,ij->i", X, X).mean()) or 1.0
    options: dict[str, Any] = {
        "tol": float(rng.choice([1e-2, 1e-4, 1e-7, 1e-10])),
        "fit_intercept": bool(rng.random() < 0.7),
        "n_threads": 2 if kind.endswith("threads") or rng.random() < 0.1 else 1,
    }
    strength = 10.0 ** rng.uniform(-4, 0.3)
    if kind.startswith("Ridge"):
        return _ridge(rng, kind, options, strength * squared * len(y))
    options["pool_bytes"] = int(rng.choice(TINY_POOLS))
    if kind.startswith("Group"):
        return _grouped(rng, kind, X, y, options)
    if kind.startswith("MultiTask"):
        return _tasks(rng, kind, X, y, options)
    unit = float(np.abs(X).sum(axis=0).max()) or 1.0
    C = 1.0 / strength / unit
    if kind == "multinomial":
        ratio = float(rng.choice([0.5, 1.0]))
        given = "balanced" if rng.random() < 0.3 else None
        C = np.inf if rng.random() < 0.1 else C
        return banditcd.LogisticRegression(C=C, l1_ratio=ratio, class_weight=given, **options)
    if kind.startswith("L1"):
        return banditcd.LinearSVC(penalty="l1", C=C, **options)
    return _machine(rng, kind, y, {**options, "C": 0.1 / strength / squared})


def _machine(rng: np.random.Generator, kind: str, y: Any, options: dict[str, Any]) -> Any:
    if kind.startswith("LinearSVC"):
        return banditcd.LinearSVC(loss=str(rng.choice(["hinge", "squared_hinge"])), **options)
    loss = str(rng.choice(["epsilon_insensitive", "squared_epsilon_insensitive"]))
    epsilon = float(rng.choice([0.0, 0.1])) * float(np.abs(y).max())
    return banditcd.LinearSVR(loss=loss, epsilon=epsilon, **options)


def _ridge(rng: np.random.Generator, kind: str, options: dict[str, Any], alpha: float) -> Any:
    if kind == "Ridge corners":
        return banditcd.Ridge(alpha=alpha, **options)
    if kind == "RidgeClassifier":
        return banditcd.RidgeClassifier(alpha=alpha, **options)
    alphas = np.sort(alpha * 10.0 ** rng.uniform(-3, 3, 3))
    folds = 3 if rng.random() < 0.5 else None
    if kind == "RidgeClassifierCV":
        return banditcd.RidgeClassifierCV(alphas=alphas, cv=folds, **options)
    return banditcd.RidgeCV(alphas=alphas, cv=folds, **options)


def _grouped(rng: np.random.Generator, kind: str, X: Any, y: Any, options: dict[str, Any]) -> Any:
    p = X.shape[1]
    groups = rng.integers(0, max(1, p // int(rng.choice([1, 3, 7]))), p)
    strength = 10.0 ** rng.uniform(-4, 0.3)
    make = getattr(banditcd, kind)
    if kind == "GroupLasso":
        largest = float(np.linalg.norm(X.T @ (y - y.mean()))) / len(y) or 1.0
        return make(groups, alpha=strength * largest, **options)
    if kind == "GroupLassoCV":
        return make(groups, alphas=5, eps=float(rng.choice([1e-1, 1e-3])), cv=3, **options)
    if kind == "GroupLogisticRegressionCV":
        return make(groups, Cs=4, eps=float(rng.choice([1e-1, 1e-3])), cv=2, **options)
    size = float(np.sqrt(np.einsum("ij,ij->j", X, X).max())) or 1.0
    C = np.inf if rng.random() < 0.1 else 1.0 / strength / size / np.sqrt(len(y))
    return make(groups, C=C, **options)


def _tasks(rng: np.random.Generator, kind: str, X: Any, y: Any, options: dict[str, Any]) -> Any:
    make = getattr(banditcd, kind)
    if rng.random() < 0.2:
        options["penalty_weights"] = rng.choice([0.5, 1.0, 2.0, np.inf], size=X.shape[1])
    if "Elastic" in kind:
        options["l1_ratio"] = float(rng.choice([0.1, 0.5, 0.9]))
    if kind.endswith("CV"):
        return make(alphas=5, eps=float(rng.choice([1e-1, 1e-3])), cv=3, **options)
    largest = float(np.linalg.norm(X.T @ (y - y.mean(axis=0)), axis=1).max()) / len(y) or 1.0
    return make(alpha=10.0 ** rng.uniform(-4, 0.3) * largest, **options)
