"""All claims of the paper's experiments, judged under every reading and put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from banditcd.experiments.paper.claims import Claim
from banditcd.experiments.paper.claims_curves import lasso_claims, logistic_claims, ridge_claims
from banditcd.experiments.paper.claims_parameters import parameter_claims, staleness_claims
from banditcd.experiments.paper.claims_tables import data_claims, time_claims
from banditcd.experiments.paper.configuration import Configuration
from banditcd.experiments.paper.court import Court, configured
from banditcd.experiments.paper.judgement import Finding, Judgement
from banditcd.experiments.paper.ledger import Ledger
from banditcd.experiments.paper.measure import Evidence
from banditcd.experiments.paper.posing import StatisticsRow
from banditcd.experiments.paper.readings import MEDIANS, RANGES, Reading, readings
from banditcd.experiments.paper.staleness import StaleRow
from banditcd.experiments.paper.tasks import EVERYTHING, Wanted


@dataclass(frozen=True)
class Rows:
    """The rows that claims are judged from."""

    evidence: Evidence
    statistics: list[StatisticsRow]
    stale: list[StaleRow]


Judge = Callable[[Court], list[Claim]]


def judge_all(
    configuration: Configuration, rows: Rows, ledger: Ledger, wanted: Wanted = EVERYTHING
) -> list[Judgement]:
    """Return every claim about what is wanted with its verdicts, in the order of the paper."""
    families: list[tuple[str, Judge, list[Reading]]] = [
        ("figure2", lasso_claims, readings(configuration, "Lasso")),
        ("figure3", logistic_claims, readings(configuration, "LogisticL1")),
        ("figure3", ridge_claims, readings(configuration, "RidgeDual")),
        ("table1", time_claims, readings(configuration)),
        ("figure4", parameter_claims, readings(configuration, "LogisticL1")),
        (
            "figure4",
            lambda c: staleness_claims(c, rows.stale),
            readings(configuration, "LogisticL1"),
        ),
        ("table2", lambda c: data_claims(c, rows.statistics), [configured(configuration)]),
    ]
    return [
        judgement
        for part, judge, chosen in families
        if wanted.has(part)
        for judgement in _judged(judge, chosen, (configuration, rows.evidence, ledger))
    ]


def _judged(
    judge: Judge, chosen: list[Reading], parts: tuple[Configuration, Evidence, Ledger]
) -> list[Judgement]:
    """Judge a family of claims under every reading, real data and stand-ins apart."""
    found: dict[str, dict[bool, list[Finding]]] = {}
    claims: dict[str, Claim] = {}
    for real in (True, False):
        for noise in (MEDIANS, RANGES):
            for reading in chosen:
                read = replace(reading, noise=noise)
                for claim in judge(Court(*parts, read, real)):
                    claims.setdefault(claim.id, claim)
                    sides = found.setdefault(claim.id, {True: [], False: []})
                    sides[real].append(Finding(read, claim))
    return [
        Judgement(
            c.id, c.where, c.says, c.judged, tuple(found[c.id][True]), tuple(found[c.id][False])
        )
        for c in claims.values()
    ]
