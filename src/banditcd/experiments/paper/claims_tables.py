"""Claims about time and cost (table 1) and the data (table 2)."""

from __future__ import annotations

from banditcd.experiments.paper.claims import Case, Cell, Claim, duel, verdict_of
from banditcd.experiments.paper.configuration import reported
from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.measure import ratio
from banditcd.experiments.paper.posing import StatisticsRow

_PRIMAL = {"Lasso": "the Lasso (aloi)", "LogisticL1": "logistic regression (a9a)"}
"""Costs of table 1 on which the paper's max_r is faster than uniform, with their sets."""


def time_claims(court: Court) -> list[Claim]:
    """Table 1, in seconds only."""
    columns = court.columns()
    fast = (
        "In time as well, B_max_r is the fastest method with partial information, or level with "
        "uniform."
    )
    claims = [
        duel(
            court, ("time-bandit", "Table 1", fast), columns, "b_max_r",
            "uniform", "gap_per_epoch", "approx", "nuacdm", level=court.rules["level"],
        ),
        *(_dear_but_fast(court, columns, cost, name) for cost, name in _PRIMAL.items()),
        duel(
            court,
            ("time-ada-gap", "Table 1", "ada_gap takes more time than uniform everywhere."),
            columns, "uniform", "ada_gap",
        ),
    ]  # fmt: skip
    return [*(claim.only("seconds") for claim in claims), _same_cost(court)]


def _dear_but_fast(court: Court, columns: list[str], cost: str, name: str) -> Claim:
    """Max_r takes less time than uniform, judged for each cost by itself."""
    says = f"max_r, despite its d times dearer epochs, takes less time than uniform on {name}."
    own = [p for p in columns if court.evidence.problems[p].cost == cost]
    return duel(court, (f"time-max-r-{cost.lower()}", "Table 1", says), own, "max_r", "uniform")


def _same_cost(court: Court) -> Claim:
    """An epoch of B_max_r costs O(z + d log d), an epoch of uniform O(z)."""
    cases = []
    for problem in [*court.problems(2), *court.problems(3)]:
        cells = []
        for measure in ("work", "seconds"):
            cost = ratio(
                court.evidence.per_epoch(problem, "uniform", measure),
                court.evidence.per_epoch(problem, "b_max_r", measure),
            )
            what = f"{court.title(problem)}: {measure} of an epoch, b_max_r / uniform"
            holds = None if cost.bound else cost.value <= court.rules["same_order"]
            cells.append(Cell(measure, court.ledger.ratio(cost, what), holds, size=cost.value))
        cases.append(Case(court.title(problem), tuple(cells)))
    return Claim(
        "cost-per-epoch", "Table 1 and section 2.3",
        "With E = d/2 an epoch of B_max_r costs of the order of an epoch of uniform.",
        f"cost of an epoch, b_max_r / uniform: at most {court.rules['same_order']:g}",
        tuple(cases), verdict_of(cases),
    )  # fmt: skip


def data_claims(court: Court, rows: list[StatisticsRow]) -> list[Claim]:
    """Table 2: the counts of the files are those of the paper."""
    cases = []
    for row in rows:
        if row.kind != ("real" if court.real else "stand-in"):
            continue
        classes, points, features, percent = reported()["table2"][row.paper_set]
        same = (row.classes, row.rows, row.columns) == (classes, points, features)
        holds = same and abs(row.percent - percent) <= court.rules["percent"]
        text = f"{row.classes} / {row.rows} / {row.columns} / {row.percent:.1f} %"
        what = f"{row.data}: classes / data points / features / nonzero"
        cited = court.ledger.plain(text, what, f"statistics.csv, {row.data}")
        cases.append(Case(row.data, (Cell("work", cited, holds, row.kind),)))
    return [
        Claim(
            "statistics", "Table 2", "The statistics of the data sets.",
            f"counts of the files equal the paper's, percentages within {court.rules['percent']:g}",
            tuple(cases), verdict_of(cases),
        )
    ]  # fmt: skip
