"""scikit-learn estimators and path functions on certified solvers.

Same words, scaling and predictions as scikit-learn's; every fit carries its certificate.
"""

from banditcd.estimators.certificate import FitCertificate
from banditcd.estimators.cv_display import CVDisplay
from banditcd.estimators.elastic_net import ElasticNet
from banditcd.estimators.elastic_net_cv import ElasticNetCV
from banditcd.estimators.lasso import Lasso
from banditcd.estimators.lasso_cv import LassoCV
from banditcd.estimators.path_display import PathDisplay
from banditcd.estimators.paths import enet_path, lasso_path

__all__ = [
    "CVDisplay",
    "ElasticNet",
    "ElasticNetCV",
    "FitCertificate",
    "Lasso",
    "LassoCV",
    "PathDisplay",
    "enet_path",
    "lasso_path",
]
