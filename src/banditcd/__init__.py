"""Coordinate descent with bandit sampling.

>>> from banditcd import minimize, problems
>>> problem = problems.Lasso(X, y, alpha=0.1)                          # doctest: +SKIP
>>> result = minimize(problem, selector="b_max_r", tol=1e-6)           # doctest: +SKIP

Names are imported on first use, so that importing the library is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from banditcd._first_use import on_first_use

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
        PathDisplay,
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
    from banditcd.verification import Verification, verify

__version__ = "0.1.0"

__all__ = [
    "CVDisplay",
    "ElasticNet",
    "ElasticNetCV",
    "GroupLasso",
    "GroupLassoCV",
    "GroupLogisticRegression",
    "GroupLogisticRegressionCV",
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
    "group_logistic_path",
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


_ROOMS = ("problems", "selectors", "theory", "updates")
_HOMES = dict.fromkeys(set(__all__) - {"__version__", *_ROOMS}, "estimators") | {
    "Verification": "verification",
    "minimize": "engine",
    "show_versions": "_versions",
    "verify": "verification",
}
_named = on_first_use(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    return import_module(f"banditcd.{name}") if name in _ROOMS else _named(name)


def __dir__() -> list[str]:
    return sorted(__all__)
