"""A tiny configuration, its run, and made-up rows with known numbers."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from banditcd.cli.main import main
from banditcd.experiments.paper.configuration import Configuration, parse
from banditcd.experiments.paper.posing import ProblemRow
from banditcd.experiments.paper.store import Record, RunRow, Store

TINY = """
name = "tiny"
seeds = 2
tol = 1e-6
epochs = 200
growth = 1.5
added = ["shuffled"]

[penalty]
comparable = 1.2
slack = 1.01
steps_per_decade = 1
decades = 2
split_seed = 0

[methods.Lasso]
full = ["uniform", "ada_gap", "max_r"]
partial = ["uniform", "gap_per_epoch", "approx", "b_max_r"]

[methods.LogisticL1]
full = ["uniform", "max_r"]
partial = ["uniform", "b_max_r"]

[methods.RidgeDual]
full = ["uniform", "max_r"]
partial = ["uniform", "nuacdm", "b_max_r"]

[[problem]]
id = "lasso"
figure = 2
paper_set = "usps"
data = "diabetes"
cost = "Lasso"
steps = ["unit_columns"]
seconds = 0.02
full_seconds = 0.02

[[problem]]
id = "logistic"
figure = 3
paper_set = "a9a"
data = "breast_cancer"
cost = "LogisticL1"
steps = ["binary_labels", "unit_columns"]
seconds = 0.02
full_seconds = 0.02

[[problem]]
id = "ridge"
figure = 3
paper_set = "usps"
data = "diabetes"
cost = "RidgeDual"
steps = ["sample_rows(rows=60)"]
seconds = 0.02
full_seconds = 0.02

[[problem]]
id = "nowhere"
figure = 3
paper_set = "protein"
data = "protein.val"
cost = "RidgeDual"
steps = []
seconds = 0.02
full_seconds = 0.02

[readings]
shares = [20.0]
seeds = 1
seconds = 0.02
full_seconds = 0.02

[heat_map]
problem = "logistic"
epsilons = [0.5, 1.0]
bins = [0.5, 1.0]
seconds = 0.05
clock_epsilons = [0.5]
clock_epochs = 2.0
stale_epochs = 1.0

[table1]
columns = ["lasso", "logistic", "ridge"]
gram = "max_r(gram='auto')"
"""


@pytest.fixture(autouse=True)
def no_real_sets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every test runs as on a machine without the paper's sets."""
    monkeypatch.delenv("BANDITCD_DATA", raising=False)
    monkeypatch.setenv("BANDITCD_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def tiny() -> str:
    return TINY


@pytest.fixture(scope="session")
def tiny_configuration() -> Configuration:
    return parse(TINY, "tiny.toml")


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a whole run of the tiny configuration, on a machine without real sets."""
    out = tmp_path_factory.mktemp("paper")
    config = out / "tiny.toml"
    config.write_text(TINY)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("BANDITCD_DATA", raising=False)
        patch.setenv("BANDITCD_CACHE", str(out / "cache"))
        assert main(["paper", "--config", str(config), "--out", str(out / "rows")]) == 0
    return out / "rows"


PROBLEM = ProblemRow(
    problem="lasso", figure=2, paper_set="usps", data="usps", cost="Lasso", kind="real", steps="",
    n=20, d=10, nonzeros=200, alpha=0.1, reference=1.0, reading="made up", alpha_how="given",
    null_objective=2.0, start=2.0, optimum=1.0, optimum_gap=1e-14, optimum_how="made up",
    source="made up",
)  # fmt: skip

Spent = tuple[float, float, float]
MakeUp = Callable[[dict[str, dict[str, Spent]]], Store]


class RowMaker:
    """Writes made-up rows: what methods spend (epochs, work, seconds) until beyond all targets.

    Negative spending is a run that ended after as much without getting there.
    """

    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self._number = 0

    def problem(self, key: str, **changes: Any) -> None:
        """Add a problem."""
        self.store.append([replace(PROBLEM, problem=key, **{"data": key, **changes})])

    def runs(self, problem: str, method: str, *seeds: Spent, kind: str = "curve") -> None:
        """Add a run per spending; a single one is that of three seeds."""
        for seed, spent in enumerate(seeds if len(seeds) > 1 else seeds * 3):
            self._number += 1
            self.store.append(_records(self._number, spent))
            self._row(problem, method, seed, kind)

    def runs_through(self, problem: str, method: str, levels: dict[float, float]) -> None:
        """Add runs of three seeds with a suboptimality at each of some epochs, 1 until then."""
        for seed in range(3):
            self._number += 1
            records, last = [Record(self._number, 0, 0.0, 0.0, 0.0, 1.0, 1.0, 0)], 1.0
            for epoch, level in levels.items():  # a sudden fall: nothing is met between the two
                records += [
                    Record(self._number, 1, epoch, epoch, epoch, value, value, 5)
                    for value in (last, level)
                ]
                last = level
            self.store.append(records)
            self._row(problem, method, seed, "curve")

    def _row(self, problem: str, method: str, seed: int, kind: str) -> None:
        name = f"{kind}:{problem}/{method}/{seed}"
        self.store.append(
            [RunRow(self._number, name, kind, problem, method, seed, "exact", "converged", 3, "")]
        )


@pytest.fixture
def rows(tmp_path: Path) -> RowMaker:
    return RowMaker(tmp_path)


@pytest.fixture
def made_up(rows: RowMaker) -> MakeUp:
    """Build rows: what each method spends until e^-5 on each problem, with three seeds."""

    def build(spending: dict[str, dict[str, Spent]]) -> Store:
        for problem, methods in spending.items():
            rows.problem(problem)
            for method, spent in methods.items():
                rows.runs(problem, method, spent)
        return rows.store

    return build


def _records(number: int, spent: Spent) -> list[Record]:
    """A start, and a sudden fall to beyond both accuracies; negative spending never arrives."""
    missed = spent[0] < 0.0
    epoch, work, seconds = (abs(value) for value in spent)
    level = 1.0 if missed else 1e-8
    return [
        Record(number, 0, 0.0, 0.0, 0.0, 1.0, 1.0, 0),
        Record(number, 1, epoch, work, seconds, 1.0, 1.0, 5),
        Record(number, 1, epoch, work, seconds, level, level, 5),
    ]
