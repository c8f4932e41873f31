"""scikit-learn estimators and path functions on certified solvers.

Same words, scaling and predictions as scikit-learn's; every fit carries its certificate. Names
are imported on first use: fitting a Lasso needs neither the searches nor the pictures.
"""

from typing import TYPE_CHECKING

from banditcd._first_use import on_first_use

if TYPE_CHECKING:
    from banditcd.estimators.backends.certificate import FitCertificate
    from banditcd.estimators.bases.fitted_path import FittedPath
    from banditcd.estimators.bases.path_table import PathTable
    from banditcd.estimators.block_paths import group_lasso_path
    from banditcd.estimators.displays.cv_display import CVDisplay
    from banditcd.estimators.displays.path_display import PathDisplay
    from banditcd.estimators.elastic_net import ElasticNet
    from banditcd.estimators.elastic_net_cv import ElasticNetCV
    from banditcd.estimators.group_lasso import GroupLasso
    from banditcd.estimators.group_lasso_cv import GroupLassoCV
    from banditcd.estimators.group_logistic import GroupLogisticRegression
    from banditcd.estimators.group_logistic_cv import GroupLogisticRegressionCV
    from banditcd.estimators.group_logistic_paths import group_logistic_path
    from banditcd.estimators.lasso import Lasso
    from banditcd.estimators.lasso_cv import LassoCV
    from banditcd.estimators.linear_svc import LinearSVC
    from banditcd.estimators.linear_svr import LinearSVR
    from banditcd.estimators.logistic import LogisticRegression
    from banditcd.estimators.logistic_cv import LogisticRegressionCV
    from banditcd.estimators.logistic_paths import logistic_path
    from banditcd.estimators.multi_task_elastic_net import MultiTaskElasticNet
    from banditcd.estimators.multi_task_elastic_net_cv import MultiTaskElasticNetCV
    from banditcd.estimators.multi_task_lasso import MultiTaskLasso
    from banditcd.estimators.multi_task_lasso_cv import MultiTaskLassoCV
    from banditcd.estimators.paths import enet_path, lasso_path
    from banditcd.estimators.ridge import Ridge
    from banditcd.estimators.ridge_classifier import RidgeClassifier
    from banditcd.estimators.ridge_classifier_cv import RidgeClassifierCV
    from banditcd.estimators.ridge_cv import RidgeCV

_HOMES = {
    "group_lasso_path": "block_paths",
    "group_logistic_path": "group_logistic_paths",
    "MultiTaskLassoCV": "multi_task_lasso_cv",
    "MultiTaskLasso": "multi_task_lasso",
    "MultiTaskElasticNetCV": "multi_task_elastic_net_cv",
    "MultiTaskElasticNet": "multi_task_elastic_net",
    "GroupLogisticRegression": "group_logistic",
    "GroupLogisticRegressionCV": "group_logistic_cv",
    "GroupLassoCV": "group_lasso_cv",
    "GroupLasso": "group_lasso",
    "CVDisplay": "displays.cv_display",
    "ElasticNet": "elastic_net",
    "ElasticNetCV": "elastic_net_cv",
    "FitCertificate": "backends.certificate",
    "FittedPath": "bases.fitted_path",
    "Lasso": "lasso",
    "LassoCV": "lasso_cv",
    "LinearSVC": "linear_svc",
    "LinearSVR": "linear_svr",
    "LogisticRegression": "logistic",
    "LogisticRegressionCV": "logistic_cv",
    "PathDisplay": "displays.path_display",
    "PathTable": "bases.path_table",
    "Ridge": "ridge",
    "RidgeCV": "ridge_cv",
    "RidgeClassifier": "ridge_classifier",
    "RidgeClassifierCV": "ridge_classifier_cv",
    "enet_path": "paths",
    "lasso_path": "paths",
    "logistic_path": "logistic_paths",
}

__all__ = [
    "CVDisplay",
    "ElasticNet",
    "ElasticNetCV",
    "FitCertificate",
    "FittedPath",
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
    "PathTable",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "enet_path",
    "group_lasso_path",
    "group_logistic_path",
    "lasso_path",
    "logistic_path",
]


__getattr__ = on_first_use(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
