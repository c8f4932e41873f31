"""scikit-learn estimators and path functions on certified solvers.

Same words, scaling and predictions as scikit-learn's; every fit carries its certificate.
"""

from banditcd.estimators.certificate import FitCertificate
from banditcd.estimators.elastic_net import ElasticNet
from banditcd.estimators.lasso import Lasso
from banditcd.estimators.paths import enet_path, lasso_path

__all__ = ["ElasticNet", "FitCertificate", "Lasso", "enet_path", "lasso_path"]
