"""A warning points to the line of the user that called fit or a path, however deep it is found."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import banditcd as ours

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 30)) @ rng.standard_normal((30, 30))
y = X[:, 0] - X[:, 1] + rng.standard_normal(60)
Y = np.column_stack([y, X[:, 2] + y])
LABELS = (y > 0.0).astype(int)
THREE = np.digitize(y, [-3.0, 3.0])
SHORT: dict[str, Any] = {"max_iter": 1, "tol": 1e-14}
CV: dict[str, Any] = {**SHORT, "cv": 2}
SLOW: dict[str, Any] = {**SHORT, "selector": "cyclic"}
L1: dict[str, Any] = {"l1_ratio": 1.0, "C": 10.0}
SEPARABLE = X[:, 0] > 0.0

CALLS: dict[str, Callable[[], Any]] = {
    "Lasso": lambda: ours.Lasso(1e-3, **SLOW).fit(X, y),
    "Lasso, two responses": lambda: ours.Lasso(1e-3, **SLOW).fit(X, Y),
    "ElasticNet": lambda: ours.ElasticNet(1e-3, **SLOW).fit(X, y),
    "LassoCV": lambda: ours.LassoCV(alphas=4, cv=2, **SLOW).fit(X, y),
    "MultiTaskLasso": lambda: ours.MultiTaskLasso(1e-3, **SHORT).fit(X, Y),
    "MultiTaskLassoCV": lambda: ours.MultiTaskLassoCV(alphas=4, **CV).fit(X, Y),
    "GroupLasso": lambda: ours.GroupLasso(2, 1e-3, **SHORT).fit(X, y),
    "GroupLassoCV": lambda: ours.GroupLassoCV(2, alphas=4, **CV).fit(X, y),
    "LogisticRegression": lambda: ours.LogisticRegression(**L1, **SHORT).fit(X, LABELS),
    "three classes": lambda: ours.LogisticRegression(**L1, **SHORT).fit(X, THREE),
    "LogisticRegression, separable": lambda: ours.LogisticRegression(C=np.inf).fit(X, SEPARABLE),
    "groups": lambda: ours.GroupLogisticRegression(2, 10.0, **SHORT).fit(X, LABELS),
    "its search": lambda: ours.GroupLogisticRegressionCV(2, Cs=[0.1, 10.0], **CV).fit(X, LABELS),
    "LinearSVC": lambda: ours.LinearSVC(**SLOW).fit(X, LABELS),
    "LinearSVR": lambda: ours.LinearSVR(**SLOW).fit(X, y),
    "Ridge": lambda: ours.Ridge(1e-6, **SLOW).fit(X, y),
    "RidgeClassifier": lambda: ours.RidgeClassifier(1e-6, **SLOW).fit(X, LABELS),
    "lasso_path": lambda: ours.lasso_path(X, y, alphas=[1e-3], **SLOW),
    "enet_path": lambda: ours.enet_path(X, y, alphas=[1e-3], **SLOW),
    "enet_path, two responses": lambda: ours.enet_path(X, Y, alphas=[1e-3], **SHORT),
    "group_lasso_path": lambda: ours.group_lasso_path(X, y, 2, alphas=[1e-3], **SHORT),
    "logistic_path": lambda: ours.logistic_path(X, LABELS, Cs=[10.0], **SHORT),
    "group_logistic_path": lambda: ours.group_logistic_path(X, LABELS, 2, Cs=[10.0], **SHORT),
    "Gram matrix": lambda: ours.lasso_path(X, y, precompute=X.T @ X, fit_intercept=True),
    "n_alphas": lambda: ours.lasso_path(X, y, n_alphas=3),
    "n_alphas of a search": lambda: ours.LassoCV(n_alphas=3).fit(X, y),
    "n_alphas of tasks": lambda: ours.MultiTaskLassoCV(n_alphas=3).fit(X, Y),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_warning_points_to_the_call(name: str) -> None:
    call = CALLS[name]
    lines, first = inspect.getsourcelines(call)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        call()
    assert heard, "the call warns of nothing, so that this shows nothing"
    for warning in heard:
        assert warning.filename == __file__, warning.message
        assert first <= warning.lineno < first + len(lines)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("labels", [SEPARABLE, np.digitize(X[:, 0], [-2.0, 2.0])])
def test_groups_without_a_penalty_warn_of_separable_classes(
    labels: np.ndarray, fit_intercept: bool
) -> None:
    model = ours.GroupLogisticRegression(3, C=np.inf, fit_intercept=fit_intercept)
    with pytest.warns(ConvergenceWarning, match="No optimum exists"):
        model.fit(X, labels)
    found = model.certificate_
    statuses = {c.status for c in (found if isinstance(found, list) else [found])}
    assert "separable" in statuses
    mixed = (X[:, 0] > 0.0)[np.random.default_rng(1).permutation(len(labels))]
    told = ours.GroupLogisticRegression(2, C=np.inf).fit(X[:, :2], mixed)
    assert told.certificate_.status == "converged"
