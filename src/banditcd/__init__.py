"""Coordinate descent with bandit sampling.

>>> from banditcd import minimize, problems
>>> problem = problems.Lasso(X, y, alpha=0.1)                          # doctest: +SKIP
>>> result = minimize(problem, selector="b_max_r", tol=1e-6)           # doctest: +SKIP

Names are imported on first use, so that importing the library is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from banditcd import problems, selectors, theory, updates
    from banditcd._versions import show_versions
    from banditcd.engine.minimize import minimize
    from banditcd.estimators import (
        CVDisplay,
        ElasticNet,
        ElasticNetCV,
        GroupLasso,
        GroupLassoCV,
        GroupLogisticRegression,
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
        PathDisplay,
        Ridge,
        RidgeClassifier,
        RidgeClassifierCV,
        RidgeCV,
        enet_path,
        group_lasso_path,
        lasso_path,
        logistic_path,
    )
    from banditcd.verification import Verification, verify

__version__ = "0.1.0"

_ROOMS = ("problems", "selectors", "theory", "updates")
_HOMES = {
    "group_lasso_path": "estimators",
    "MultiTaskLassoCV": "estimators",
    "MultiTaskLasso": "estimators",
    "MultiTaskElasticNetCV": "estimators",
    "MultiTaskElasticNet": "estimators",
    "GroupLogisticRegression": "estimators",
    "GroupLassoCV": "estimators",
    "GroupLasso": "estimators",
    "minimize": "engine",
    "CVDisplay": "estimators",
    "ElasticNet": "estimators",
    "ElasticNetCV": "estimators",
    "Lasso": "estimators",
    "LassoCV": "estimators",
    "LinearSVC": "estimators",
    "LinearSVR": "estimators",
    "LogisticRegression": "estimators",
    "LogisticRegressionCV": "estimators",
    "PathDisplay": "estimators",
    "Ridge": "estimators",
    "RidgeCV": "estimators",
    "RidgeClassifier": "estimators",
    "RidgeClassifierCV": "estimators",
    "enet_path": "estimators",
    "lasso_path": "estimators",
    "logistic_path": "estimators",
    "Verification": "verification",
    "verify": "verification",
    "show_versions": "_versions",
}

__all__ = [
    "CVDisplay",
    "ElasticNet",
    "ElasticNetCV",
    "GroupLasso",
    "GroupLassoCV",
    "GroupLogisticRegression",
    "Lasso",
    "LassoCV",
    "LinearSVC",
    "LinearSVR",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MultiTaskElasticNet",
    "MultiTaskElasticNetCV",
    "MultiTaskLasso",
    "MultiTaskLassoCV",
    "PathDisplay",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "Verification",
    "__version__",
    "enet_path",
    "group_lasso_path",
    "lasso_path",
    "logistic_path",
    "minimize",
    "problems",
    "selectors",
    "show_versions",
    "theory",
    "updates",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name in _ROOMS:
        return import_module(f"banditcd.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'banditcd' has no attribute {name!r}")
    value = getattr(import_module(f"banditcd.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
