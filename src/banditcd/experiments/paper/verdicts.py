"""All claims of the paper's experiments, judged."""

from __future__ import annotations

from banditcd.experiments.paper.claims import Claim, Court
from banditcd.experiments.paper.claims_curves import lasso_claims, logistic_claims, ridge_claims
from banditcd.experiments.paper.claims_parameters import parameter_claims
from banditcd.experiments.paper.claims_tables import data_claims, time_claims
from banditcd.experiments.paper.posing import StatisticsRow


def judge_all(court: Court, statistics: list[StatisticsRow]) -> list[Claim]:
    """Return every claim with its verdict, in the order of the paper."""
    return [
        *lasso_claims(court),
        *logistic_claims(court),
        *ridge_claims(court),
        *time_claims(court),
        *parameter_claims(court),
        *data_claims(court, statistics),
    ]
