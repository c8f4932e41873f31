"""Every benchmark is complete: solvers, kinds, aims and options fit together; optima are kept."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from benchmarks.check import NAMES, first_of_each_kind
from benchmarks.peers.client import Fit
from benchmarks.peers.environments import ENVIRONMENTS
from benchmarks.peers.references import Book, NoReferenceError
from benchmarks.peers.rows import Row, Table
from benchmarks.peers.tasks import Problem, small_problem
from benchmarks.peers.worker import KINDS
from benchmarks.report import draw, page
from benchmarks.run import RESULTS, parse, stem

ADAPTERS = Path(__file__).parents[2] / "benchmarks" / "peers" / "adapters"


def benchmark(name):
    return import_module(f"benchmarks.{name}").BENCHMARK


def small(name, is_sparse=False):
    data = small_problem(is_sparse, benchmark(name).task == "binary")
    return Problem("small", "synthetic", *data)


@pytest.mark.parametrize("name", NAMES)
def test_everything_named_is_there(name, tmp_path):
    it = benchmark(name)
    assert it.name == name
    for environment, variant in it.solvers:
        assert environment in ENVIRONMENTS
        assert f'"{variant}"' in (ADAPTERS / f"{environment}.py").read_text("utf-8")
    assert set(it.ours) <= {variant for _, variant in it.solvers}
    tasks = it.tasks(small(name), Book(tmp_path / "optima.csv"))
    assert {task.kind for task in tasks} == {kind.method for kind in it.kinds} <= set(KINDS)
    pairs = [(task.kind, task.setting) for task in tasks]
    assert len(set(pairs)) == len(pairs)
    assert set(it.growing) <= set(pairs)
    assert set(it.quick_settings) <= {setting for _, setting in pairs}
    assert any(spec.quick for spec in it.data.values())
    assert any(set(it.quick_targets) <= set(task.targets) for task in tasks)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_the_judge_tells_bad_from_good(name, is_sparse, tmp_path):
    problem = small(name, is_sparse)
    book = Book(tmp_path / "optima.csv")
    zero = np.zeros(problem.X.shape[1])
    for task in first_of_each_kind(benchmark(name), problem, book):
        if task.kind in ("lasso_path", "lasso_cv"):
            continue
        task.ready()
        fit = Fit(coef=zero, wall=0.0, cpu=0.0, peak_mb=0.0, added_mb=0.0, note={})
        assert 1e-3 < task.judge(fit) <= 1.0
        bad = Fit(coef=zero + 1e3, wall=0.0, cpu=0.0, peak_mb=0.0, added_mb=0.0, note={})
        assert task.judge(bad) > 1.0


def test_optima_are_found_once_kept_exactly_and_refused_if_loose(tmp_path):
    problem = small("svm")
    calls = []

    def find(gap):
        calls.append(gap)
        return 1.0 / 3.0, gap

    with pytest.raises(NoReferenceError, match="gap of 1e-09"):
        Book(tmp_path / "o.csv").bound(problem, "k", "C=1", lambda: find(1e-9))
    assert Book(tmp_path / "o.csv").bound(problem, "k", "C=1", lambda: find(1e-11)) == 1.0 / 3.0
    assert Book(tmp_path / "o.csv").bound(problem, "k", "C=1", lambda: find(0.0)) == 1.0 / 3.0
    other = Problem("small", "synthetic", problem.X[:-1], problem.y[:-1])
    Book(tmp_path / "o.csv").bound(other, "k", "C=1", lambda: find(0.0))
    assert calls == [1e-9, 1e-11, 0.0]


def test_quick_is_small_and_threads_have_files_of_their_own():
    it = benchmark("svm")
    quick = parse(it, ["--quick"])
    assert quick.data == ["mushrooms", "easy"]
    assert quick.settings == ["C=1"]
    assert quick.clock == "cpu"
    assert parse(it, ["--threads", "2"]).clock == "wall"
    assert (stem(it, 1), stem(it, 2)) == ("svm", "svm-2threads")


def test_a_report_is_drawn_from_rows(tmp_path):
    pytest.importorskip("matplotlib", reason="the pictures need matplotlib")
    facts = {"group": "real", "n": 10, "d": 5, "nonzeros": 50, "date": "2026-01-01T00:00Z"}
    table = Table(tmp_path / "svm-rows.csv", Row)
    for kind in ("svm_hinge", "svm_squared_hinge"):
        for solver, cpu in (("banditcd", 0.1), ("liblinear dual", 0.3)):
            table.add(
                Row(
                    data="a",
                    kind=kind,
                    setting="C=1",
                    target=1e-4,
                    solver=solver,
                    status="ok",
                    tol=1e-4,
                    cpu=cpu,
                    wall=cpu,
                    rounds=5,
                    **facts,
                )
            )
    draw(benchmark("svm"), tmp_path, "cpu", "svm")
    text = (tmp_path / "svm.md").read_text("utf-8")
    assert "Hinge loss: worst 3.00 (aim 1.0), median 3.00 (aim 3.0)" in text
    assert "## Squared hinge loss" in text
    assert (tmp_path / "svm.png").stat().st_size > 1000


@pytest.mark.parametrize("name", NAMES)
def test_the_pages_are_those_of_the_committed_rows_and_notes(name):
    committed = RESULTS / f"{name}.md"
    assert committed.exists() == (RESULTS / f"{name}-rows.csv").exists()
    if not committed.exists():
        pytest.skip("no rows of this benchmark are kept yet")
    assert committed.read_text("utf-8") == page(benchmark(name), RESULTS, "cpu", name)
