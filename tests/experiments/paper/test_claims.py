"""Verdicts are computed from rows: made-up rows give the verdict that they mean."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banditcd.experiments.paper.claims import (
    EPOCHS_ONLY,
    FAILED,
    HELD,
    NOT_TESTABLE,
    Claim,
    duel,
)
from banditcd.experiments.paper.claims_curves import lasso_claims
from banditcd.experiments.paper.configuration import Configuration
from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.ledger import Ledger, form, runs_text
from banditcd.experiments.paper.measure import Evidence, Number, ratio
from banditcd.experiments.paper.readings import MEDIANS, OWN, PAPER, RANGES, UNIT, Reading
from banditcd.experiments.paper.store import Store

Spending = dict[str, dict[str, tuple[float, float, float]]]
MakeUp = Callable[[Spending], Store]
HEAD = ("id", "where", "says")
READING = Reading(PAPER, UNIT, OWN, MEDIANS)


@pytest.fixture
def judge(made_up: MakeUp, tiny_configuration: Configuration) -> Callable[[Spending], Claim]:
    def build(spending: Spending) -> Claim:
        court = Court(tiny_configuration, Evidence(made_up(spending)), Ledger(), READING)
        return duel(court, HEAD, list(spending), "b_max_r", "uniform", "approx")

    return build


def test_better_in_everything_is_held(judge: Callable[[Spending], Claim]) -> None:
    claim = judge({"a": {"b_max_r": (1.0, 2.0, 3.0), "uniform": (2.0, 4.0, 6.0)}})
    assert claim.verdict == HELD
    assert claim.measured == "holds in epochs 1 of 1 (2×), work 1 of 1 (2×), seconds 1 of 1 (2×)"


def test_better_in_epochs_alone_is_said_so(judge: Callable[[Spending], Claim]) -> None:
    claim = judge({"a": {"b_max_r": (1.0, 4.0, 3.0), "uniform": (2.0, 2.0, 6.0)}})
    assert claim.verdict == EPOCHS_ONLY


def test_one_problem_lost_in_epochs_fails_the_claim(judge: Callable[[Spending], Claim]) -> None:
    good = {"b_max_r": (1.0, 1.0, 1.0), "uniform": (2.0, 2.0, 2.0)}
    bad = {"b_max_r": (3.0, 1.0, 1.0), "uniform": (2.0, 2.0, 2.0)}
    claim = judge({"a": good, "b": bad})
    assert claim.verdict == FAILED
    assert claim.count("epoch") == (1, 2)


def test_the_hardest_rival_decides(judge: Callable[[Spending], Claim]) -> None:
    runs = {
        "b_max_r": (2.0, 2.0, 2.0), "uniform": (9.0, 9.0, 9.0), "approx": (1.0, 1.0, 1.0),
    }  # fmt: skip
    claim = judge({"a": runs})
    assert claim.verdict == FAILED
    assert claim.cases[0].cells[0].note == "approx"
    assert claim.cases[0].cells[0].cited.text == "0.5×"


def test_a_rival_that_never_arrives_loses(judge: Callable[[Spending], Claim]) -> None:
    claim = judge({"a": {"b_max_r": (1.0, 1.0, 1.0), "uniform": (-5.0, -5.0, -5.0)}})
    assert claim.verdict == HELD
    assert claim.cases[0].cells[0].cited.text == ">5×"


def test_what_the_rows_cannot_tell_is_not_decided(judge: Callable[[Spending], Claim]) -> None:
    # Stopped by its time after one epoch, where the rival needed two: nobody knows.
    claim = judge({"a": {"b_max_r": (-1.0, -1.0, -1.0), "uniform": (2.0, 2.0, 2.0)}})
    assert claim.verdict == NOT_TESTABLE
    both = judge({"b": {"b_max_r": (-1.0, -1.0, -1.0), "uniform": (-1.0, -1.0, -1.0)}})
    assert both.verdict == NOT_TESTABLE
    assert judge({"c": {"uniform": (1.0, 1.0, 1.0)}}).verdict == NOT_TESTABLE


def test_a_claim_about_time_looks_at_time_alone(judge: Callable[[Spending], Claim]) -> None:
    claim = judge({"a": {"b_max_r": (9.0, 9.0, 1.0), "uniform": (2.0, 2.0, 2.0)}})
    assert claim.verdict == FAILED
    assert claim.only("seconds").verdict == HELD


def test_undecided_cases_are_counted_and_say_why(judge: Callable[[Spending], Claim]) -> None:
    good = {"b_max_r": (1.0, 1.0, 1.0), "uniform": (2.0, 2.0, 2.0)}
    open_ = {"b_max_r": (-1.0, -1.0, -1.0), "uniform": (2.0, 2.0, 2.0)}
    claim = judge({"a": good, "b": open_})
    assert claim.verdict == HELD
    assert claim.measured.startswith("holds in epochs 1 of 1 (2×) and 1 undecided, work")
    ((title, cell),) = claim.undecided("seconds")
    assert title == "b in place of usps · Lasso"
    assert cell.why == "it did not get there within 1 s, too little to tell"


def test_where_ranges_count_a_difference_within_them_decides_nothing(
    rows: Any, tiny_configuration: Configuration
) -> None:
    rows.problem("a")
    for method, seeds in (("b_max_r", (1.0, 2.0, 3.0)), ("uniform", (2.5, 3.0, 4.0))):
        rows.runs("a", method, *[(s, s, s) for s in seeds])
    rows.runs("a", "approx", *[(s, s, s) for s in (1.2, 1.5, 9.0)])  # median below, ranges overlap
    evidence = Evidence(rows.store)
    for rival, noise, verdict in (
        ("uniform", MEDIANS, HELD), ("uniform", RANGES, NOT_TESTABLE),
        ("approx", MEDIANS, FAILED), ("approx", RANGES, NOT_TESTABLE),
    ):  # fmt: skip
        court = Court(tiny_configuration, evidence, Ledger(), replace(READING, noise=noise))
        claim = duel(court, HEAD, ["a"], "b_max_r", rival)
        assert claim.verdict == verdict, (rival, noise)
        whys = {cell.why for _, cell in claim.undecided("epoch")}
        assert whys == ({"the ranges over the seeds overlap"} if noise == RANGES else set())


def test_ranges_apart_decide_in_both_directions(
    rows: Any, tiny_configuration: Configuration
) -> None:
    rows.problem("a")
    rows.runs("a", "b_max_r", *[(s, s, s) for s in (1.0, 2.0, 3.0)])
    rows.runs("a", "uniform", *[(s, s, s) for s in (4.0, 5.0, 6.0)])
    rows.runs("a", "approx", *[(s, s, s) for s in (0.1, 0.2, 0.3)])
    reading = replace(READING, noise=RANGES)
    court = Court(tiny_configuration, Evidence(rows.store), Ledger(), reading)
    assert duel(court, HEAD, ["a"], "b_max_r", "uniform").verdict == HELD
    assert duel(court, HEAD, ["a"], "b_max_r", "approx").verdict == FAILED


def test_level_is_what_the_rule_says(rows: Any, tiny_configuration: Configuration) -> None:
    rows.problem("a")
    rows.runs("a", "b_max_r", (1.0, 1.0, 1.0))
    rows.runs("a", "uniform", (0.95, 0.95, 0.95))
    court = Court(tiny_configuration, Evidence(rows.store), Ledger(), READING)
    assert duel(court, HEAD, ["a"], "b_max_r", "uniform").verdict == FAILED
    assert duel(court, HEAD, ["a"], "b_max_r", "uniform", level=0.9).verdict == HELD


def test_figure_two_has_its_claims(made_up: MakeUp, tiny_configuration: Configuration) -> None:
    spending = {
        "uniform": (10.0, 10.0, 10.0), "ada_gap": (8.0, 80.0, 80.0), "max_r": (1.0, 10.0, 9.0),
        "gap_per_epoch": (9.0, 20.0, 20.0), "approx": (8.0, 16.0, 16.0),
        "b_max_r": (5.0, 10.5, 10.0),
    }  # fmt: skip
    store = made_up({"lasso": spending})
    court = Court(tiny_configuration, Evidence(store), Ledger(), READING)
    verdicts = {claim.id: claim.verdict for claim in lasso_claims(court)}
    assert verdicts == {
        "lasso-full": HELD, "lasso-bandit": EPOCHS_ONLY, "lasso-behind": HELD,
    }  # fmt: skip
    known = {f"n{k + 1}" for k in range(len(court.ledger.entries))}
    assert {entry.id for entry in court.ledger.entries} == known
    assert all("runs" in entry.source for entry in court.ledger.entries)


def test_ratios_know_their_bounds() -> None:
    def number(value: float, budget: float) -> Number:
        return Number(value, value, value, (1,), budget)

    assert ratio(number(2.0, 9.0), number(3.0, 9.0)).better
    assert ratio(number(2.0, 9.0), number(np.inf, 1.0)).better is None
    assert ratio(number(np.inf, 4.0), number(2.0, 9.0)).better is False
    assert ratio(number(np.inf, 1.0), number(2.0, 9.0)).better is None
    assert ratio(number(np.nan, 1.0), number(2.0, 9.0)).bound == "-"


def test_numbers_read_well(tmp_path: Path) -> None:
    assert form(0.01234, "s") == "12.3 ms"
    assert form(1234.5) == "1 234"
    assert form(np.inf) == "–"
    assert runs_text((3, 1, 2, 9)) == "runs 1-3, 9"
    cited = Ledger().number(Number(np.inf, 0.5, np.inf, (1,), 2.0), "x", "s")
    assert cited.text == "not within 2 s"
    assert not list(tmp_path.iterdir())
