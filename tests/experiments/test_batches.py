"""Batches chosen by marginal decrease: the rules, their work, and the numbers of the study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banditcd import minimize, problems
from banditcd.cli.main import main
from banditcd.data import ColumnMatrix
from banditcd.experiments.batches.freshness import (
    FreshRow,
    medians,
    read_freshness,
    write_freshness,
)
from banditcd.experiments.batches.looking import LookingBandit, ratios
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
from banditcd.selectors import BMaxR, Pool, make
from banditcd.theory import record
from tests.instances import INSTANCES


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
        in study_summary([race], [])
    )
    page = study_page([race], [], "banditcd batches")
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
    assert main(["batches", "--jobs", "0"]) == 2
    rows = (tmp_path / "study" / "rows.csv").read_text().splitlines()
    few = [line for line in rows if ",pool," not in line]
    assert len(few) < len(rows)
    (tmp_path / "study" / "rows.csv").write_text("\n".join(few) + "\n")
    assert main([*command, str(tmp_path / "study")]) == 0  # only the missing ones run
    again = (tmp_path / "study" / "rows.csv").read_text().splitlines()
    assert [line for line in again if ",pool," not in line] == few
    assert any(",pool," in line for line in again)
    page = (tmp_path / "study" / "batches.html").read_text("utf-8")
    (tmp_path / "study" / "batches.html").unlink()
    assert main(["batches", "--redraw", str(tmp_path / "study")]) == 0
    assert (tmp_path / "study" / "batches.html").read_text("utf-8") == page
    assert main(["batches", "--seconds", "-1"]) == 2


# -- the pool that chooses its k, and the bandit that looks ----------------------------------------


@pytest.mark.parametrize("k", ["auto", 1, 4, 25])
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_the_pool_reaches_the_optimum(problem: Any, k: Any, engine: str) -> None:
    result = minimize(problem, Pool(k), tol=1e-9, max_epochs=3000, engine=engine)
    assert result.converged
    assert result.selector == "pool"
    exact = minimize(problem, "cyclic", tol=1e-12, max_epochs=3000)
    assert result.objective - exact.objective <= 1e-9 * problem.null_objective()


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_the_pool_works_on_every_cost(instance: Any) -> None:
    result = minimize(instance.problem, "pool", tol=1e-6, max_epochs=3000, trace=None)
    assert result.converged, result
    slack = 1.01e-6 * instance.problem.null_objective()
    assert result.objective - instance.optimum <= slack


def test_the_pool_has_a_name_and_says_what_is_wrong() -> None:
    assert isinstance(make("pool"), Pool)
    assert make("pool", k=3).k == 3
    for k in (0, True, 1.5, "many"):
        with pytest.raises(ValueError, match="a whole number from 1 on, or 'auto'"):
            Pool(k)  # type: ignore[arg-type]


def test_who_enters_promises_most_per_entry(problem: Any) -> None:
    pool = Pool()
    pool.start(problem, None)  # type: ignore[arg-type]
    d, nnz, column = 25, 1000.0, 40.0
    lone = np.zeros(d)
    lone[7] = 1.0
    assert pool.entering(lone).tolist() == [7]
    equal = pool.entering(np.ones(d))
    assert len(equal) == d  # the refresh is paid once: all of them share it
    steep = 10.0 ** -np.arange(d, dtype=float)
    rates = [steep[: k + 1].sum() / (nnz + 2.0 * column * (k + 1)) for k in range(d)]
    assert pool.entering(steep).tolist() == list(range(int(np.argmax(rates)) + 1))
    fixed = Pool(3)
    fixed.start(problem, None)  # type: ignore[arg-type]
    assert fixed.entering(steep).tolist() == [0, 1, 2]
    assert len(fixed.entering(np.zeros(d))) == 1


def test_a_look_costs_a_column_and_tells_the_truth(problem: Any) -> None:
    told: list[Any] = []

    class Curious:
        def start(self, problem: Any, rng: Any) -> None:
            self.problem = problem

        def next(self, state: Any) -> int:
            before = state.entries_touched
            some = state.look([3, 1, 20])
            cost = state.entries_touched - before
            told.append((some, state.marginal_decreases()[[3, 1, 20]], cost))
            return int(state.step % 5)

    for engine in ("compiled", "reference"):
        minimize(problem, Curious(), max_epochs=1, tol=1e-15, engine=engine)
    assert len(told) == 50
    for some, truth, cost in told:
        np.testing.assert_allclose(some, truth, rtol=1e-9, atol=1e-15)
        assert cost == 3 * 40


@pytest.mark.parametrize("which", ["oldest", "largest"])
@pytest.mark.parametrize("k", [0, 2, 40])
def test_a_bandit_that_looks(problem: Any, k: int, which: str) -> None:
    result = minimize(
        problem, LookingBandit(k, which), tol=1e-6, max_epochs=3000, random_state=0, trace=None
    )
    assert result.converged
    with pytest.raises(ValueError, match="oldest"):
        LookingBandit(k, "newest")


def test_looking_at_everybody_is_full_information(problem: Any) -> None:
    bandit = LookingBandit(25, "oldest", epsilon=0.0)
    run = record(problem, bandit, steps=40)
    assert np.all(ratios(bandit.best, run.r, run.scale) == 1.0)
    blind = LookingBandit(0, epsilon=0.0)
    stale = record(problem, blind, steps=40)
    assert np.median(ratios(blind.best, stale.r, stale.scale)) > 1.5


def test_b_max_r_is_the_bandit_that_does_not_look(problem: Any) -> None:
    ours = record(problem, LookingBandit(0, refresh=0.5, epsilon=0.0), steps=60)
    theirs = record(problem, BMaxR(epsilon=0.0, refresh=0.5), steps=60)
    np.testing.assert_array_equal(ours.indices[:20], theirs.indices[:20])


def test_freshness_comes_back_from_its_file(tmp_path: Any) -> None:
    rows = [
        FreshRow("toy", "Lasso", np.inf, 0.5, 2, "oldest", seed, 20, 1.5 + seed, 0.25)
        for seed in range(3)
    ]
    write_freshness(rows, tmp_path)
    assert read_freshness(tmp_path) == rows
    assert medians(rows) == {(np.inf, 0.5, 2, "oldest"): (2.5, 0.25)}
    assert read_freshness(tmp_path / "nowhere") == []
    summary = study_summary([], rows)
    assert "| first only | 0.5 | 2 oldest | 2.5, 25.0% lost |" in summary


def test_the_automatic_pool_stands_next_to_the_best_k(race: RaceResult) -> None:
    runs = [*race.runs, _run("pool", 5.0), _run("look 2 largest", 16.0)]
    summary = study_summary([RaceResult(race.info, runs)], [])
    assert "| toy · Lasso | 1e-06 | 5 | 4 | 0.8 | 2.4 | 1.6 | 8 |" in summary
    assert "The automatic pool against b_max_r: less work on 1 of 1 problems" in summary
    assert "16 (0.5)" in summary
