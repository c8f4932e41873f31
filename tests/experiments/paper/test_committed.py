"""The report in docs/paper: drawn from its rows, which are what the page says they are."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from banditcd.experiments.paper.configuration import built_in
from banditcd.experiments.paper.measure import Evidence
from banditcd.experiments.paper.report import make_report
from banditcd.experiments.paper.session import Session
from banditcd.experiments.paper.store import RunRow, Store
from banditcd.experiments.paper.summary import summary

HERE = Path(__file__).parents[3] / "docs" / "paper"


@pytest.fixture(scope="module")
def store() -> Store:
    return Store(HERE)


def test_the_page_is_drawn_from_its_rows(store: Store) -> None:
    page = (HERE / "README.md").read_text("utf-8")
    assert page == summary(make_report(store, built_in("full")), "banditcd paper")


def test_seconds_on_a_problem_are_of_one_machine(store: Store) -> None:
    sessions = sorted(store.read(Session), key=lambda session: session.first_run)
    machines: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in store.read(RunRow):
        last = [session for session in sessions if session.first_run <= run.run][-1]
        kind = "curve" if run.kind == "reading" else run.kind
        machines[kind, run.problem].add(last.machine)
    assert [problem for problem, names in machines.items() if len(names) > 1] == []


def test_full_information_reads_the_matrix_at_every_step(store: Store) -> None:
    """An epoch of max_r costs O(d z), half of d passes at least; by Gram columns it costs less."""
    evidence, gram = Evidence(store), built_in("full").gram
    judged = 0
    for problem, row in evidence.problems.items():
        for method in ("max_r", "ada_gap"):
            assert evidence.per_epoch(problem, method, "work").value >= 0.5 * row.d, problem
        if evidence.runs(problem, gram):
            judged += 1
            assert evidence.per_epoch(problem, gram, "work").value < 0.5 * row.d, problem
    assert judged >= 20
