"""``banditcd paper`` killed at random moments and run again: the rows of a run without kills."""

from __future__ import annotations

import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from banditcd.cli.main import main
from banditcd.experiments.paper.penalty import PenaltyRow
from banditcd.experiments.paper.posing import ProblemRow
from banditcd.experiments.paper.store import FILES, Missing, Record, RunRow, Store
from tests.experiments.paper.conftest import TINY

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork"),
]


def killed(arguments: list[str], seconds: float) -> bool:
    """Run the command in a child and kill it after some time; whether it had ended before."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os._exit(main(arguments))
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFEXITED(os.waitpid(child, 0)[1])


def fixed_part(directory: Path) -> Any:
    """Return the rows that no clock decides; how far a run got in its seconds is left out."""
    store = Store(directory)
    problems = sorted(store.read(ProblemRow), key=lambda row: row.problem)
    penalties = sorted(store.read(PenaltyRow), key=repr)
    return problems, penalties, sorted(run.id for run in store.read(RunRow)), store.read(Missing)


def steps(directory: Path) -> dict[tuple[str, int], str]:
    """Return what every run had reached at each of its steps; seconds are left out."""
    store = Store(directory)
    names = {run.run: run.id for run in store.read(RunRow)}
    rows = store.read(Record)
    return {(names[row.run], row.step): repr(replace(row, run=0, seconds=0.0)) for row in rows}


def check_resumed(tmp_path: Path, kills: int, which: list[str]) -> None:
    ordered = ["paper", *which, "--out"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    started = time.perf_counter()
    assert main([*ordered, str(whole)]) == 0
    seconds = time.perf_counter() - started
    rng = random.Random(0)
    for _ in range(kills):
        if killed([*ordered, str(broken)], rng.uniform(0.0, 2.0 * seconds / kills)):
            break
    assert main([*ordered, str(broken)]) == 0
    assert fixed_part(broken) == fixed_part(whole)
    mended, plain = steps(broken), steps(whole)
    common = mended.keys() & plain.keys()  # a clock decides how far a run goes, not its way
    assert len(common) > len(plain) // 4
    assert {key: mended[key] for key in common} == {key: plain[key] for key in common}
    store = Store(broken)
    records = [record.run for record in store.read(Record)]
    runs = store.read(RunRow)
    assert [run.run for run in runs] == list(range(1, len(runs) + 1))
    assert all(records.count(run.run) == run.records for run in runs)
    assert set(records) == {run.run for run in runs}


@pytest.fixture(autouse=True)
def _no_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BANDITCD_DATA", raising=False)
    monkeypatch.setenv("BANDITCD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def tiny(tmp_path: Path) -> list[str]:
    (tmp_path / "tiny.toml").write_text(TINY)
    return ["--config", str(tmp_path / "tiny.toml")]


def test_a_killed_run_goes_on(tmp_path: Path, tiny: list[str]) -> None:
    check_resumed(tmp_path, 5, tiny)


@pytest.mark.full
def test_a_run_killed_fifty_times_goes_on(tmp_path: Path, tiny: list[str]) -> None:
    check_resumed(tmp_path, 50, tiny)


@pytest.mark.full
def test_the_quick_paper_killed_fifty_times_goes_on(tmp_path: Path) -> None:
    check_resumed(tmp_path, 50, ["--quick"])


def test_a_file_that_was_made_and_not_written_gets_its_header(tmp_path: Path) -> None:
    store = Store(tmp_path)
    (tmp_path / FILES[Missing]).touch()
    store.append([Missing("a", "not there")])
    assert store.read(Missing) == [Missing("a", "not there")]


def test_penalties_without_their_problem_are_tried_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.append([PenaltyRow("lasso", 0.1, 1.0, 0.5, 0.5, True)])
    store.mend()
    assert store.read(PenaltyRow) == []
    store.append([PenaltyRow("lasso", 0.1, 1.0, 0.5, 0.5, True)])
    assert len(store.read(PenaltyRow)) == 1
