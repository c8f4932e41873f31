"""Ctrl-C during fits, paths and searches: KeyboardInterrupt, and the estimator is not fitted."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from banditcd import (
    ElasticNet,
    ElasticNetCV,
    GroupLasso,
    GroupLassoCV,
    GroupLogisticRegression,
    GroupLogisticRegressionCV,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskElasticNet,
    MultiTaskElasticNetCV,
    MultiTaskLasso,
    MultiTaskLassoCV,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    RidgeCV,
    enet_path,
    group_lasso_path,
    group_logistic_path,
    lasso_path,
    logistic_path,
)
from tests.interrupting import MOMENTS, assert_interrupted, sends_signals


@cache
def data(n: int, d: int, classes: int = 0, density: float = 1.0):
    """Correlated columns and a response, or that many classes."""
    rng = np.random.default_rng(n + d)
    X = rng.standard_normal((n, d)) + rng.standard_normal((n, 1))
    signal = X @ rng.standard_normal(d) / np.sqrt(d) + rng.standard_normal(n)
    y = signal if classes == 0 else np.floor(classes * np.argsort(np.argsort(signal)) / n)
    X = np.asfortranarray(X)
    if density < 1.0:
        X = sparse.csc_matrix(np.where(rng.random((n, d)) < density, X, 0.0))
    return X, y


#: Name: an estimator, and the shape, classes and density of its data.
FITS = {
    "Lasso": (Lasso(1e-4, tol=1e-12), (400, 2000)),
    "Lasso, sparse": (Lasso(1e-4, tol=1e-12), (500, 2000, 0, 0.05)),
    "Lasso, selector": (Lasso(1e-6, selector="uniform", tol=1e-14, max_iter=10**7), (400, 400)),
    "Lasso, several targets": (Lasso(1e-4, tol=1e-12), (300, 1000)),
    "ElasticNet, standardized": (ElasticNet(1e-4, tol=1e-12, standardize=True), (400, 2000)),
    "LassoCV, one Gram matrix": (LassoCV(cv=5, tol=1e-8), (3000, 300)),
    "LassoCV, wide": (LassoCV(cv=3, tol=1e-8), (200, 1500)),
    "ElasticNetCV": (ElasticNetCV(l1_ratio=[0.5, 0.9], cv=3, tol=1e-8), (1500, 300)),
    "Ridge": (Ridge(1e-3, tol=1e-12), (2500, 900)),
    "Ridge, no penalty": (Ridge(0.0), (1200, 500)),
    "RidgeCV, leave one out": (RidgeCV(), (1500, 500)),
    "RidgeCV, folds": (RidgeCV(cv=4), (2500, 500)),
    "RidgeClassifier": (RidgeClassifier(1e-3), (2500, 900, 5)),
    "RidgeClassifierCV": (RidgeClassifierCV(cv=4), (2500, 500, 3)),
    "LogisticRegression, l1": (LogisticRegression(C=1.0, l1_ratio=1, tol=1e-12), (800, 1200, 2)),
    "LogisticRegression, tall": (LogisticRegression(tol=1e-10), (30_000, 100, 2)),
    "LogisticRegression, wide": (LogisticRegression(tol=1e-10), (600, 2000, 2)),
    "LogisticRegression, classes": (LogisticRegression(l1_ratio=1, tol=1e-10), (800, 300, 5)),
    "LogisticRegressionCV": (LogisticRegressionCV(cv=3, tol=1e-8), (3000, 100, 2)),
    "LogisticRegressionCV, l1": (
        LogisticRegressionCV(cv=3, l1_ratios=[1.0], tol=1e-8),
        (600, 200, 2),
    ),
    "LinearSVC": (LinearSVC(C=1.0, tol=1e-12), (2500, 600, 2)),
    "LinearSVC, hinge": (LinearSVC(C=1.0, loss="hinge", tol=1e-12), (1500, 300, 2)),
    "LinearSVC, selector": (
        LinearSVC(C=1e3, loss="hinge", selector="uniform", tol=1e-12, max_iter=10**7),
        (800, 200, 2),
    ),
    "LinearSVR": (LinearSVR(C=1.0, tol=1e-12), (1500, 300)),
    "MultiTaskLasso, several targets": (MultiTaskLasso(1e-3, tol=1e-12), (300, 1000)),
    "MultiTaskElasticNet, several targets": (MultiTaskElasticNet(1e-3, tol=1e-12), (300, 1000)),
    "MultiTaskLassoCV, several targets": (MultiTaskLassoCV(cv=3, tol=1e-8), (200, 500)),
    "MultiTaskElasticNetCV, several targets": (MultiTaskElasticNetCV(cv=3, tol=1e-8), (200, 500)),
    "GroupLasso": (GroupLasso(4, 1e-4, tol=1e-12), (400, 2000)),
    "GroupLassoCV": (GroupLassoCV(4, cv=3, tol=1e-8), (300, 800)),
    "GroupLogisticRegression": (GroupLogisticRegression(4, 10.0, tol=1e-12), (600, 1000, 2)),
    "GroupLogisticRegressionCV": (GroupLogisticRegressionCV(4, cv=3, tol=1e-8), (400, 400, 2)),
}
PATHS = {
    "lasso_path": (lasso_path, {"alphas": 200, "eps": 1e-4, "tol": 1e-10}, (1500, 300)),
    "enet_path": (enet_path, {"l1_ratio": 0.5, "eps": 1e-4, "tol": 1e-10}, (200, 1500)),
    "group_lasso_path": (group_lasso_path, {"groups": 4, "tol": 1e-10}, (300, 1000)),
    "group_logistic_path": (group_logistic_path, {"groups": 4, "tol": 1e-8}, (400, 400, 2)),
    "logistic_path": (logistic_path, {"l1_ratio": 1, "tol": 1e-10}, (400, 300, 2)),
}


@sends_signals
@pytest.mark.parametrize("name", FITS)
def test_an_interrupted_fit_leaves_no_model(name) -> None:
    estimator, shape = FITS[name]
    X, y = data(*shape)
    few, some = data(40, 8, *shape[2:3])
    if "targets" in name:
        y, some = (np.column_stack([t, t**2, np.abs(t)]) for t in (y, some))
    clone(estimator).fit(few, some)  # what is imported on first use is there
    models = []

    def prepare():
        models.append(clone(estimator))
        return lambda: models[-1].fit(X, y)

    for moment in MOMENTS:
        assert_interrupted(prepare, moment)
        # The signal may come while the data is checked, when only n_features_in_ is known.
        kept = {key for key in vars(models[-1]) if key.endswith("_")}
        assert kept <= {"n_features_in_"}


@sends_signals
@pytest.mark.parametrize("name", PATHS)
def test_an_interrupted_path_ends(name) -> None:
    path, options, shape = PATHS[name]
    X, y = data(*shape)
    for moment in MOMENTS:
        assert_interrupted(lambda: partial(path, X, y, **options), moment)
