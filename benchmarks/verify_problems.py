"""Random problems for the judge: kinds of fit, storages, options, conditioning and scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

import banditcd

KINDS = (
    "Lasso",
    "ElasticNet",
    "Ridge",
    "logistic L1",
    "logistic elastic net",
    "logistic L2",
    "hinge",
    "squared hinge",
    "insensitive",
    "squared insensitive",
    "Lasso targets",
    "Ridge targets",
    "LassoCV",
    "ElasticNetCV",
    "RidgeCV",
    "LogisticRegressionCV",
)
STORAGES = (
    *("C", "F", "strided", "float32", "float32 F"),
    *("csr", "csc", "csr float32", "csc float32", "csr duplicates", "csc int64", "coo"),
)
SHAPES = ("normal", "low rank", "correlated", "heavy tails", "twins")
LOGISTIC = ("logistic L1", "logistic elastic net", "logistic L2", "LogisticRegressionCV")
CLASSIFIERS = (*LOGISTIC, "hinge", "squared hinge")
SELECTORS = ("b_max_r", "uniform", "max_r")


@dataclass
class Drawn:
    """A model to fit, its data, and the words that describe them."""

    kind: str
    words: str
    model: Any
    X: Any
    y: Any
    weight: Any

    def fit(self, model: Any) -> None:
        """Fit a model to the data."""
        model.fit(self.X, self.y, sample_weight=self.weight)


def draw(seed: int, index: int) -> Drawn:
    """Return problem ``index`` of a seed."""
    rng = np.random.default_rng([seed, index])
    kind = KINDS[index % len(KINDS)]
    storage, shape = str(rng.choice(STORAGES)), str(rng.choice(SHAPES))
    n, p = int(rng.integers(4, 70)), int(rng.integers(1, 70))
    power = float(rng.choice([0.0, rng.uniform(-3, 3), rng.uniform(-100, 100)]))
    if "float32" in storage:
        power = float(np.clip(power, -15.0, 15.0))
    X = 10.0**power * _columns(rng, shape, n, p)
    if storage.startswith("c"):
        X = X * (rng.random((n, p)) < rng.choice([0.1, 0.5]))
    y, levels = _responses(rng, kind, X)
    X = _stored(X, storage)
    weight = rng.uniform(0.0, 2.0, n) if rng.random() < 0.3 else None
    model = _model(rng, kind, np.asarray(X.toarray() if sparse.issparse(X) else X, float), y)
    words = f"{kind}, {shape}, {storage}, 1e{power:.0f}, {levels}"
    return Drawn(kind, words, model, X, y, weight)


def _columns(rng: np.random.Generator, shape: str, n: int, p: int) -> Any:
    X = rng.normal(size=(n, p))
    if shape == "low rank":
        rank = max(1, min(n, p) // 4)
        X = X[:, :rank] @ rng.normal(size=(min(rank, p), p))
    elif shape == "correlated":
        X = 0.1 * X + rng.normal(size=(n, 1))
    elif shape == "heavy tails":
        X = rng.standard_t(1.2, size=(n, p))
    elif shape == "twins":
        X[:, p // 2 :] = X[:, : p - p // 2]
    if rng.random() < 0.2:
        X = X * 10.0 ** rng.uniform(-4, 4, p)
    return X + (rng.choice([0.0, 0.0, 3.0, 1e3]) if rng.random() < 0.3 else 0.0)


def _responses(rng: np.random.Generator, kind: str, X: Any) -> tuple[Any, str]:
    n, p = X.shape
    size = np.abs(X).max(initial=0.0)
    signal = (X / size if size > 0.0 else X) @ (rng.normal(size=p) * (rng.random(p) < 0.3))
    noisy = signal + rng.choice([1e-3, 0.3]) * rng.normal(size=n)
    if kind not in CLASSIFIERS:
        power = float(rng.choice([0.0, rng.uniform(-100, 100)]))
        y = 10.0**power * (noisy + rng.choice([0.0, 5.0]))
        if kind.endswith("targets"):
            y = np.column_stack([y, y * rng.uniform(-1.0, 1.0, n)])
        return y, f"y 1e{power:.0f}"
    count = 3 if rng.random() < 0.3 else 2
    y = np.digitize(noisy, np.quantile(noisy, np.arange(1, count) / count))
    y[:count] = np.arange(count)
    return y, f"{count} classes"


def _stored(X: Any, storage: str) -> Any:
    kind = np.float32 if "float32" in storage else np.float64
    if storage == "strided":
        wide = np.zeros((2 * X.shape[0], 3 * X.shape[1]))
        wide[::2, ::3] = X
        return wide[::2, ::3]
    if not storage.startswith("c"):
        return np.asarray(X, dtype=kind, order="F" if storage.endswith("F") else "C")
    if storage == "coo":
        return sparse.coo_array(X)
    made = sparse.csc_array(X, dtype=kind) if "csc" in storage else sparse.csr_array(X, dtype=kind)
    if storage == "csr duplicates":  # every entry twice, at half its value
        parts = (np.repeat(made.data / 2.0, 2), np.repeat(made.indices, 2), 2 * made.indptr)
        return sparse.csr_array(parts, shape=made.shape)
    if storage == "csc int64":
        made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
    return made


def _model(rng: np.random.Generator, kind: str, X: Any, y: Any) -> Any:
    options: dict[str, Any] = {"tol": float(rng.choice([1e-2, 1e-4, 1e-7, 1e-10]))}
    options["fit_intercept"] = bool(rng.random() < 0.7)
    engine = rng.random() < 0.1 and not kind.endswith(("targets", "CV"))
    if engine:
        options |= {"selector": str(rng.choice(SELECTORS)), "random_state": 0}
    strength = 10.0 ** rng.uniform(-4, 0.3)
    squared = float(np.einsum("ij,ij->i", X, X).mean()) or 1.0
    if kind.endswith("CV"):
        return _search(rng, kind, options, squared)
    if not kind.endswith(("hinge", "insensitive")):
        options |= _column_options(rng, kind, X.shape[1], engine)
    if kind.startswith(("Lasso", "ElasticNet")):
        largest = float(np.abs(X.T @ (y - y.mean(axis=0))).max()) / len(y) or 1.0
        if kind == "ElasticNet":
            options["l1_ratio"] = float(rng.choice([0.1, 0.5, 0.9]))
        return getattr(banditcd, kind.split()[0])(alpha=strength * largest, **options)
    if kind.startswith("Ridge"):
        return banditcd.Ridge(alpha=strength * squared * len(y), **options)
    if kind in LOGISTIC:
        ratio = {"logistic L1": 1.0, "logistic L2": 0.0}.get(kind, 0.5)
        unit = squared if ratio == 0.0 else float(np.abs(X).sum(axis=0).max()) or 1.0
        if engine or rng.random() < 0.3:
            options["multi_class"] = "ovr"
        return banditcd.LogisticRegression(C=1.0 / strength / unit, l1_ratio=ratio, **options)
    if options["fit_intercept"] and not engine:
        options["penalize_intercept"] = bool(rng.random() < 0.6)
    return _machine(rng, kind, y, {**options, "C": 0.1 / strength / squared})


def _machine(rng: np.random.Generator, kind: str, y: Any, options: dict[str, Any]) -> Any:
    if kind.endswith("hinge"):
        options["class_weight"] = "balanced" if rng.random() < 0.3 else None
        return banditcd.LinearSVC(loss=kind.replace(" ", "_"), **options)
    loss = "epsilon_insensitive" if kind == "insensitive" else "squared_epsilon_insensitive"
    epsilon = float(rng.choice([0.0, 0.1])) * float(np.abs(y).max())
    return banditcd.LinearSVR(loss=loss, epsilon=epsilon, **options)


def _search(rng: np.random.Generator, kind: str, options: dict[str, Any], squared: float) -> Any:
    """A search over three folds and a short grid; its refit carries a certificate."""
    if kind == "RidgeCV":
        alphas = squared * 10.0 ** rng.uniform(-4, 3, 3)
        folds = 3 if rng.random() < 0.5 else None
        return banditcd.RidgeCV(alphas=np.sort(alphas), cv=folds, **options)
    if kind == "LogisticRegressionCV":
        Cs = np.sort(10.0 ** rng.uniform(-3, 3, 3) / squared)
        ratios = [float(rng.choice([0.0, 0.5, 1.0]))]
        return banditcd.LogisticRegressionCV(Cs=Cs, l1_ratios=ratios, cv=3, **options)
    return getattr(banditcd, kind)(cv=3, alphas=6, eps=float(rng.choice([1e-1, 1e-3])), **options)


def _column_options(rng: np.random.Generator, kind: str, p: int, engine: bool) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.15:
        options["penalty_weights"] = rng.choice([0.5, 1.0, 2.0, np.inf], size=p)
    if rng.random() < 0.15 and not engine:
        options["lower"] = 0.0
    if rng.random() < 0.15 and not kind.startswith("Ridge") and not engine:
        options["standardize"] = True
    return options
