"""Verdicts are computed from rows: made-up rows give the verdict that they mean."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from banditcd.experiments.paper.claims import (
    EPOCHS_ONLY,
    FAILED,
    HELD,
    NOT_TESTABLE,
    Claim,
    Court,
    duel,
)
from banditcd.experiments.paper.claims_curves import lasso_claims
from banditcd.experiments.paper.configuration import Configuration
from banditcd.experiments.paper.ledger import Ledger, form, runs_text
from banditcd.experiments.paper.measure import Evidence, Number, ratio
from banditcd.experiments.paper.store import Store

Spending = dict[str, dict[str, tuple[float, float, float]]]
MakeUp = Callable[[Spending], Store]
HEAD = ("id", "where", "says")


@pytest.fixture
def judge(made_up: MakeUp, tiny_configuration: Configuration) -> Callable[[Spending], Claim]:
    def build(spending: Spending) -> Claim:
        court = Court(tiny_configuration, Evidence(made_up(spending)), Ledger())
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


def test_figure_two_has_its_claims(made_up: MakeUp, tiny_configuration: Configuration) -> None:
    spending = {
        "uniform": (10.0, 10.0, 10.0), "ada_gap": (8.0, 80.0, 80.0), "max_r": (1.0, 10.0, 9.0),
        "gap_per_epoch": (9.0, 20.0, 20.0), "approx": (8.0, 16.0, 16.0),
        "b_max_r": (5.0, 10.5, 10.0),
    }  # fmt: skip
    store = made_up({"lasso": spending})
    court = Court(tiny_configuration, Evidence(store), Ledger())
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
    assert not list(tmp_path.iterdir())
