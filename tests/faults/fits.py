"""One small fit of every public estimator and path, for promises that hold for all of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

import banditcd
from banditcd import estimators

RNG = np.random.default_rng(11)
X = RNG.standard_normal((60, 20))
Y = X[:, :4] @ np.array([2.0, -1.0, 0.5, 3.0]) + RNG.standard_normal(60)
LABELS = np.digitize(Y, [-1.5, 1.5])
TASKS = np.column_stack([Y, X[:, 4] - Y])
SPARSE = sparse.csc_array(np.where(np.abs(X) > 0.7, X, 0.0))

MODELS: dict[str, Callable[[], Any]] = {
    "Lasso": lambda: banditcd.Lasso(0.05),
    "Lasso selector": lambda: banditcd.Lasso(0.05, selector="b_max_r", random_state=0),
    "ElasticNet": lambda: banditcd.ElasticNet(0.05),
    "LassoCV": lambda: banditcd.LassoCV(cv=3, alphas=8),
    "ElasticNetCV": lambda: banditcd.ElasticNetCV(cv=3, alphas=8),
    "Ridge": lambda: banditcd.Ridge(),
    "RidgeCV": lambda: banditcd.RidgeCV(),
    "LogisticRegression": lambda: banditcd.LogisticRegression(),
    "LogisticRegression l1": lambda: banditcd.LogisticRegression(l1_ratio=1.0),
    "LogisticRegressionCV": lambda: banditcd.LogisticRegressionCV(cv=3, Cs=3),
    "LinearSVC": lambda: banditcd.LinearSVC(loss="hinge"),
    "LinearSVR": lambda: banditcd.LinearSVR(),
    "RidgeClassifierCV": lambda: banditcd.RidgeClassifierCV(cv=3),
    "MultiTaskLassoCV": lambda: banditcd.MultiTaskLassoCV(cv=3, alphas=8),
    "MultiTaskElasticNetCV": lambda: banditcd.MultiTaskElasticNetCV(cv=3, alphas=8),
    "GroupLasso": lambda: banditcd.GroupLasso(4, 0.05),
    "GroupLassoCV": lambda: banditcd.GroupLassoCV(4, cv=3, alphas=8),
    "GroupLogisticRegression": lambda: banditcd.GroupLogisticRegression(4),
    "GroupLogisticRegressionCV": lambda: banditcd.GroupLogisticRegressionCV(4, cv=2, Cs=2),
}
# Every other public estimator, with the settings that it has by default.
for _name in estimators.__all__:
    _public = getattr(estimators, _name)
    if isinstance(_public, type) and issubclass(_public, BaseEstimator):
        MODELS.setdefault(_name, _public)


def target(model: Any) -> Any:
    """Return the labels, the responses or several of them, as the model needs them."""
    name = type(model).__name__
    if name.startswith("GroupLogistic"):
        return (LABELS > 1).astype(int)  # two classes
    if name.startswith("MultiTask"):
        return TASKS
    return LABELS if hasattr(model, "decision_function") else Y


def fitted(name: str, storage: str = "dense") -> Any:
    """Return a new model of a name, fitted to dense or sparse data."""
    model = MODELS[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits that end early
        return model.fit(SPARSE if storage == "sparse" else X, target(model))


def bits(model: Any) -> bytes:
    """Return the coefficients and intercepts to the last bit."""
    return np.asarray(model.coef_).tobytes() + np.asarray(model.intercept_).tobytes()


def all_bits(storage: str = "dense") -> dict[str, bytes]:
    """Return the bits of a fit of every model."""
    return {name: bits(fitted(name, storage)) for name in MODELS}
