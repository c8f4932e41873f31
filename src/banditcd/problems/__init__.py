"""Costs of the paper and relatives, each with dual, gaps, marginal decreases and certificate.

Every cost takes ``alpha`` with the *mean* loss: (1/n) sum loss + alpha penalty.
"""

from typing import Any

from banditcd.data import unknown_name
from banditcd.problems.base import Problem
from banditcd.problems.composite import Composite
from banditcd.problems.elastic_net import ElasticNet
from banditcd.problems.elastic_net_dual import ElasticNetDual
from banditcd.problems.hinge_dual import HingeDual
from banditcd.problems.insensitive_dual import InsensitiveDual, SquaredInsensitiveDual
from banditcd.problems.lasso import Lasso
from banditcd.problems.lasso_dual import LassoDual
from banditcd.problems.logistic_dual import LogisticDual
from banditcd.problems.logistic_elastic_net import LogisticElasticNet
from banditcd.problems.logistic_l1 import LogisticL1
from banditcd.problems.penalized import (
    ClassTargets,
    ElasticNetProblem,
    LassoProblem,
    NumericTargets,
)
from banditcd.problems.primal import Options
from banditcd.problems.ridge import Ridge
from banditcd.problems.ridge_dual import RidgeDual
from banditcd.problems.squared_hinge_dual import SquaredHingeDual

REGISTRY: dict[str, type[Problem]] = {
    cost.name: cost
    for cost in (
        Lasso,
        ElasticNet,
        LogisticL1,
        LogisticElasticNet,
        Ridge,
        RidgeDual,
        HingeDual,
        SquaredHingeDual,
        LogisticDual,
        ElasticNetDual,
        InsensitiveDual,
        SquaredInsensitiveDual,
    )
}
"""Every cost by name. A new cost is one file and one line here."""


def make(cost: str, *args: Any, **options: Any) -> Problem:
    """Build a cost by name: ``make("Lasso", X, y, alpha=0.1)``."""
    if cost == "LassoDual":
        LassoDual()
    if cost not in REGISTRY:
        raise unknown_name("cost", cost, REGISTRY)
    return REGISTRY[cost](*args, **options)


__all__ = [
    "REGISTRY",
    "ClassTargets",
    "Composite",
    "ElasticNet",
    "ElasticNetDual",
    "ElasticNetProblem",
    "HingeDual",
    "InsensitiveDual",
    "Lasso",
    "LassoDual",
    "LassoProblem",
    "LogisticDual",
    "LogisticElasticNet",
    "LogisticL1",
    "NumericTargets",
    "Options",
    "Problem",
    "Ridge",
    "RidgeDual",
    "SquaredHingeDual",
    "SquaredInsensitiveDual",
    "make",
]
