"""Batches chosen by marginal decrease: the rules, their work, and the numbers of the study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banditcd import minimize, problems
from banditcd.cli.main import main
from banditcd.data import ColumnMatrix
from banditcd.experiments.batches.page import study_page, study_summary
from banditcd.experiments.batches.rules import (
    Cosines,
    PoolBatch,
    SpreadBatch,
    TopBatch,
    largest,
)
from banditcd.experiments.batches.study import (
    advantage,
    at_its_best,
    findings,
    judged_at,
    thinned,
)
from banditcd.experiments.reach import Ratio
from banditcd.experiments.rows import RaceInfo, RaceResult, RaceRun
from banditcd.results import Trace, TraceRow


@pytest.fixture
def problem() -> Any:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 25))
    return problems.Lasso(X, X[:, 0] - X[:, 3] + 0.1 * rng.standard_normal(40), alpha=1e-3)


def test_the_largest_come_first_and_zeros_stay_out() -> None:
    r = np.array([0.0, 3.0, 1.0, 0.0, 2.0])
    assert largest(r, 2).tolist() == [1, 4]
    assert largest(r, 5).tolist() == [1, 4, 2]
    assert largest(np.zeros(4), 3).size == 1


@pytest.mark.parametrize("rule", [TopBatch, PoolBatch, SpreadBatch])
@pytest.mark.parametrize("k", [1, 4, 25])
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_every_rule_reaches_the_optimum(problem: Any, rule: Any, k: int, engine: str) -> None:
    result = minimize(problem, rule(k), tol=1e-9, max_epochs=3000, engine=engine)
    assert result.converged
    exact = minimize(problem, "cyclic", tol=1e-12, max_epochs=3000)
    assert result.objective - exact.objective <= 1e-9 * problem.null_objective()


def test_a_batch_of_one_is_max_r(problem: Any) -> None:
    batch = minimize(problem, TopBatch(1), tol=1e-12, max_epochs=2, trace="step")
    single = minimize(problem, "max_r", tol=1e-12, max_epochs=2, trace="step")
    np.testing.assert_allclose(batch.trace.objective, single.trace.objective, rtol=1e-12)


def test_a_refresh_and_the_pairs_are_counted_as_work(problem: Any) -> None:
    top = minimize(problem, TopBatch(4), max_epochs=4 / 25, trace=None)
    nnz = problem.A.nnz
    assert top.work * 2 * nnz == pytest.approx(nnz + (4 + np.count_nonzero(top.x)) * 40)
    spread = minimize(problem, SpreadBatch(4), max_epochs=4 / 25, trace=None)
    pairs = 16 * 16 * 40 // 2  # at the start more than 16 coordinates have a decrease
    assert spread.work * 2 * nnz == pytest.approx(
        nnz + (4 + np.count_nonzero(spread.x)) * 40 + pairs
    )


def test_a_spread_batch_has_small_cosines() -> None:
    rng = np.random.default_rng(1)
    base = rng.standard_normal((60, 5))
    X = np.hstack([base + 0.01 * rng.standard_normal((60, 5)) for _ in range(4)])
    problem = problems.Lasso(X, X.sum(axis=1), alpha=1e-3)
    chosen: list[Any] = []

    class Spy(SpreadBatch):
        def next(self, state: Any) -> Any:
            chosen.append(super().next(state))
            return chosen[-1]

    minimize(problem, Spy(5, ceiling=0.5), max_epochs=0.2, trace=None)
    picked = X[:, chosen[0]]
    cosine = picked.T @ picked / np.outer(*2 * [np.linalg.norm(picked, axis=0)])
    off = np.abs(cosine[~np.eye(len(chosen[0]), dtype=bool)])
    assert off.size
    assert off.max() <= 0.5


@pytest.mark.parametrize("most", [4096, 3])
def test_known_pairs_are_free_while_they_are_kept(most: int) -> None:
    X = np.random.default_rng(2).standard_normal((10, 6))
    cosines = Cosines(ColumnMatrix.from_features(np.asfortranarray(X)), most=most)
    first, cost = cosines.among(np.array([0, 2, 4]))
    unit = X / np.linalg.norm(X, axis=0)
    np.testing.assert_allclose(first, (unit.T @ unit)[np.ix_([0, 2, 4], [0, 2, 4])], atol=1e-12)
    assert cost == 45
    assert cosines.among(np.array([0, 2]))[1] == (0 if most > 6 else 20)


def _run(name: str, work: float) -> RaceRun:
    rows = [
        TraceRow(0, 0.0, 0.0, 0.0, 1.0, 1.0, 0, 0.0),
        TraceRow(9, 1.0, work, 0.1, 0.5, 1e-7, 0, 0.0),
    ]
    trace = Trace()
    for row in rows:
        trace.record(row)
    return RaceRun(name, 0, "exact", "compiled", "converged", trace)


@pytest.fixture
def race() -> RaceResult:
    info = RaceInfo("toy", "Lasso", 10, 20, 0.1, "given", 1.0, 1e-6, 0.4, 1e-13)
    spent = {"shuffled": 12.0, "b_max_r": 8.0, "max_r": 40.0, "top 1": 40.0, "top 4": 10.0}
    spent |= {"pool 1": 6.0, "pool 4": 4.0, "spread 1": 50.0}
    return RaceResult(info, [_run(name, work) for name, work in spent.items()])


def test_the_best_size_and_the_advantage_come_from_the_rows(race: RaceResult) -> None:
    assert judged_at(race) == 1e-6
    assert [f.best for f in findings(race, 1e-6)] == [4, 4, 1]
    assert advantage(race, "pool", "b_max_r", 1e-6) == Ratio(2.0)
    assert advantage(race, "spread", "shuffled", 1e-6) == Ratio(0.24)
    assert "top 1" not in at_its_best(race, 1e-6).selectors
    assert (
        "| toy · Lasso | 1e-06 | 4 (10 passes) | 4 (4 passes) | 1 (50 passes) | 3 | 2 | 10 |"
        in (study_summary([race]))
    )
    page = study_page([race], "banditcd batches")
    assert page.count("<svg") > 3
    assert "pool k = 4: 4 passes" in page


def test_thinning_keeps_what_the_numbers_come_from(problem: Any) -> None:
    result = minimize(problem, TopBatch(4), tol=1e-7, max_epochs=500, trace="step")
    run = RaceRun("top 4", 0, "exact", "compiled", "converged", result.trace)
    scale = problem.null_objective()
    info = RaceInfo("toy", "Lasso", 40, 25, 0.1, "given", scale, 1e-6, 0.0, 1e-13)
    whole = RaceResult(info, [run])
    part = thinned(whole, most=5)
    assert len(part.runs[0].trace) < len(run.trace)
    for target in (1e-2, 1e-4, 1e-6):
        assert findings(part, target)[0].work == findings(whole, target)[0].work


def test_the_command_writes_rows_page_and_summary(tmp_path: Any) -> None:
    command = ["batches", "--quick", "--seeds", "1", "--seconds", "0.02", "--out"]
    assert main([*command, str(tmp_path / "study")]) == 0
    page = (tmp_path / "study" / "batches.html").read_text("utf-8")
    (tmp_path / "study" / "batches.html").unlink()
    assert main(["batches", "--redraw", str(tmp_path / "study")]) == 0
    assert (tmp_path / "study" / "batches.html").read_text("utf-8") == page
    assert main(["batches", "--seconds", "-1"]) == 2
