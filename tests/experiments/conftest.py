"""Small races, run once, and made-up ones with known numbers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from banditcd.data import Dataset
from banditcd.experiments import (
    Choices,
    Contest,
    RaceInfo,
    RaceResult,
    RaceRun,
    Rules,
    make_contest,
    parse_entrants,
    run_race,
)
from banditcd.results import Trace, TraceRow


@pytest.fixture(scope="session")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV file with 60 samples of 12 correlated features and a target."""
    rng = np.random.default_rng(7)
    X = rng.standard_normal((60, 12)) + rng.standard_normal((60, 1))
    y = X[:, :3] @ [2.0, -1.0, 0.5] + 0.1 * rng.standard_normal(60)
    path = tmp_path_factory.mktemp("data") / "table.csv"
    np.savetxt(path, np.column_stack([X, y]), delimiter=",")
    return path


@pytest.fixture(scope="session")
def contest(table_file: Path) -> Contest:
    return make_contest(str(table_file), Choices(cost="Lasso"))


@pytest.fixture(scope="session")
def race(contest: Contest) -> RaceResult:
    entrants = parse_entrants("uniform,shuffled,b_max_r,max_r,approx")
    result, interrupted = run_race(contest, entrants, Rules(epochs=300, seeds=3))
    assert not interrupted
    return result


def _trace(gaps: list[float]) -> Trace:
    """Records at 1, 2, 4, ... epochs, each costing twice its epochs in work."""
    trace = Trace()
    for k, gap in enumerate(gaps):
        epoch = 0.0 if k == 0 else 2.0 ** (k - 1)
        trace.record(
            TraceRow(
                step=int(10 * epoch),
                epoch=epoch,
                work=2.0 * epoch,
                seconds=1e-3 * epoch,
                objective=1.0 + 0.5 * gap,
                gap=gap,
                support=k,
                certificate_work=float(k),
            )
        )
    return trace


@pytest.fixture
def made_up() -> Callable[[dict[str, list[list[float]]]], RaceResult]:
    """Build a race from the gaps of each selector and seed; P0 = 2, F* = 1."""

    def build(gaps: dict[str, list[list[float]]]) -> RaceResult:
        info = RaceInfo("made up", "Lasso", 20, 10, 0.1, "given", 2.0, 1e-4, 1.0, 1e-14)
        runs = [
            RaceRun(name, seed, "exact", "compiled", _status(own), _trace(own))
            for name, seeds in gaps.items()
            for seed, own in enumerate(seeds)
        ]
        return RaceResult(info, runs)

    return build


def _status(gaps: list[float]) -> str:
    return "converged" if gaps[-1] <= 2e-4 else "max_epochs"


@pytest.fixture
def dataset() -> Callable[[str], Dataset]:
    """A dense data set with labels of a kind."""

    def build(task: str) -> Dataset:
        rng = np.random.default_rng(3)
        labels = {
            "binary": np.arange(30.0) % 2,
            "multiclass": np.arange(30.0) % 5,
            "regression": rng.standard_normal(30),
        }
        X = rng.standard_normal((30, 4))
        return Dataset("toy", X, labels[task], task)  # type: ignore[arg-type]

    return build
