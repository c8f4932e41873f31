"""The judging functions of the study of adaptive rules, on rows that are made up."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.adaptive import judge, page
from benchmarks.adaptive.__main__ import CHOOSING, PAGE, ROWS
from benchmarks.adaptive.cells import COSTS, SETS, Cell, cells, contest, shapes_from
from benchmarks.adaptive.measure import Budget, Row, crossing, measure, read_rows, run_cell

README = Path(__file__).parents[2] / "README.md"


def row(rule, spent, *, cost="Lasso", words="alpha_max/10", d=100, seconds=None, data="made up"):
    """A row with one number (or None) for each gap, the same for three seeds."""
    time = [None if s is None else s / 10.0 for s in spent] if seconds is None else seconds
    reached = [s for s in spent if s is not None]
    return Row(
        data=data,
        cost=cost,
        words=words,
        shape_seed="",
        title=data,
        n=50,
        d=d,
        rule=rule,
        work=[list(spent)] * 3,
        seconds=[list(time)] * 3,
        all_work=[(reached[-1] if len(reached) == 3 else 40.0)] * 3,
        all_seconds=[4.0] * 3,
        machine="a machine",
        commit="abc",
    )


def by_rule(found, rule):
    return {entry.target: entry for entry in found if entry.row.rule == rule}


def test_ratios_are_of_medians_and_say_when_they_are_bounds():
    base = row("shuffled", [1.0, 10.0, None])
    fast = row("focus", [0.5, 5.0, 20.0])
    slow = row("acf", [2.0, None, None])
    found = judge.entries([base, fast, slow])
    mine = by_rule(found, "focus")
    assert mine[1e-2].work.value == 2.0
    assert mine[1e-2].seconds.value == pytest.approx(2.0)
    assert (mine[1e-6].work.value, mine[1e-6].work.bound) == (2.0, ">")  # 40 spent in vain / 20
    theirs = by_rule(found, "acf")
    assert theirs[1e-2].work.value == 0.5
    assert (theirs[1e-4].work.value, theirs[1e-4].work.bound) == (0.25, "<")
    assert 1e-6 not in theirs  # neither reached it


def test_the_median_needs_most_of_the_seeds():
    one = replace(row("focus", [1.0, 1.0, 1.0]), work=[[1.0] * 3, [3.0] * 3, [None] * 3])
    assert judge.reach(one, 0, "work").spent == 3.0
    two = replace(one, work=[[1.0] * 3, [None] * 3, [None] * 3])
    assert judge.reach(two, 0, "work").spent == math.inf
    zero = replace(one, work=[[0.0] * 3] * 3)
    assert judge.reach(zero, 0, "work").spent == 0.0


def test_summary_counts_and_averages():
    ratios = [judge.Ratio(4.0), judge.Ratio(1.0), judge.Ratio(0.96), judge.Ratio(0.5)]
    found = judge.summary([*ratios, judge.Ratio(2.0, "<"), judge.Ratio(8.0, ">")])
    assert (found.cells, found.not_worse, found.ahead) == (6, 4, 3)
    assert found.worst == 0.5
    assert found.mean == pytest.approx((4.0 * 0.96 * 0.5 * 2.0 * 8.0) ** (1 / 6))
    assert judge.summary([]).cells == 0


def test_small_cells_and_short_times_are_left_out():
    rows = [row("shuffled", [1.0] * 3, d=29), row("focus", [2.0] * 3, d=29)]
    assert judge.large(judge.entries(rows)) == []
    quick = [
        row("shuffled", [1.0] * 3, seconds=[9e-4, 1e-3, 2e-3]),
        row("focus", [1.0] * 3, seconds=[9e-4, 1e-3, 1e-3]),
    ]
    found = judge.large(judge.entries(quick))
    assert len(judge.of_rule(found, "focus", "work")) == 3
    assert [r.value for r in judge.of_rule(found, "focus", "seconds")] == [1.0, 2.0]


def made_up():
    rows = []
    for cost, factor in (("Lasso", 2.0), ("RidgeDual", 0.5)):
        rows += [
            row("shuffled", [1.0, 2.0, 4.0], cost=cost),
            row("focus", [s / (factor + 0.5) for s in (1.0, 2.0, 4.0)], cost=cost),
            row("calendar", [s / (2.0 * factor) for s in (1.0, 2.0, 4.0)], cost=cost),
        ]
    return rows


def test_the_best_rule_of_a_cost_is_the_one_with_the_best_mean():
    best = judge.best_rules(judge.entries(made_up()))
    assert best["Lasso"] == ["calendar", "focus", "shuffled"]
    assert set(best["RidgeDual"]) == {"calendar", "focus", "shuffled"}
    losing = [row("shuffled", [1.0] * 3), row("focus", [2.0] * 3)]
    assert judge.best_rules(judge.entries(losing))["Lasso"] == ["shuffled", "focus"]


def test_the_conclusion_says_what_is_met():
    text = page.conclusion(judge.entries(made_up()))
    assert "6 of 6, worst 1.00" in text
    assert "behind calendar" in text
    assert "Lasso: calendar" in text
    assert text.count("| not met |") == 2  # the mean of 2.5, and calendar
    winning = [row("shuffled", [3.0] * 3), row("focus", [1.0] * 3), row("acf", [4.0] * 3)]
    text = page.conclusion(judge.entries(winning))
    assert "not met" not in text
    assert "All 5 aims are met." in text
    assert "It does not on" not in text
    losing = [row("shuffled", [1.0] * 3), row("focus", [1.25] * 3)]
    text = " ".join(page.conclusion(judge.entries(losing)).split())
    assert "made up Lasso alpha_max/10 at 0.01 (0.80)" in text
    assert "Choosing pays" not in text
    assert "It does not on Lasso (0.80, in seconds 0.80)." in text


def test_the_conclusion_tells_losses_from_bounds():
    rows = [row("shuffled", [1.0, 2.0, None]), row("focus", [2.0, None, 50.0])]
    text = " ".join(page.conclusion(judge.entries(rows)).split())
    assert "only, in 2 of 3 cells: made up Lasso alpha_max/10 at 0.0001 (<0.05)" in text
    assert "In 1 more it reached a gap that shuffled missed" in text
    assert "0 of 3, worst 0.05" in text


def test_no_table_holds_nan():
    lonely = [*made_up(), row("shuffled", [None] * 3, cost="Ridge"), row("focus", [None] * 3)]
    assert "nan" not in page.page(lonely)
    small = [row("shuffled", [1.0] * 3, d=8), row("focus", [1.0] * 3, d=8), *made_up()]
    text = page.page(small)
    assert "nan" not in text
    assert "Of 5 aims 2 are not met." in text.split("## Conclusion")[1]


def test_advice_goes_between_its_marks():
    text = f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n"
    new = page.with_advice(text, made_up())
    assert new.startswith(f"before\n{page.BEGIN}\n| cost")
    assert new.endswith(f"{page.END}\nafter\n")
    assert "| Lasso | `calendar`, then `focus` | 4.00 times less work" in new
    assert page.with_advice(new, made_up()) == new
    with pytest.raises(ValueError, match="best rules"):
        page.with_advice("nothing", made_up())


def test_crossing_interpolates_the_logarithm():
    gaps, spent = np.array([1.0, 1e-1, 1e-3, 1e-5]), np.array([0.0, 1.0, 2.0, 4.0])
    assert crossing(gaps, spent, 1e-2) == pytest.approx(1.5)
    assert crossing(gaps, spent, 1e-4) == pytest.approx(3.0)
    assert crossing(gaps, spent, 1e-6) is None
    assert crossing(gaps, spent, 2.0) == 0.0
    assert crossing(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.1) == pytest.approx(0.0, abs=0.01)


def test_shapes_follow_from_the_text():
    shapes = shapes_from("0123abc")
    assert len(set(shapes)) == 12
    assert shapes == shapes_from("0123abc")
    assert not set(shapes) & set(shapes_from("0123abd"))
    for design in ("tall", "wide", "gene", "text"):
        assert sum(f"synthetic:{design}(" in s for s in shapes) == 3


def test_every_cost_has_cells_and_regressions_are_not_classified():
    found = list(cells(["diabetes"], list(COSTS)))
    assert {cell.cost for cell in found} == {
        "Lasso",
        "ElasticNet",
        "Ridge",
        "RidgeDual",
        "ElasticNetDual",
    }
    assert Cell("x", "HingeDual", 100.0).words == "C = 100"
    assert contest(found[0]).problem.name == "Lasso"
    assert len(SETS) == len(set(SETS))


@pytest.mark.parametrize("jobs", [1])
def test_rows_are_written_as_cells_end_and_read_again(tmp_path: Path, jobs):
    budget = Budget(seeds=1, seconds=0.05, machine="here", commit="abc")
    cell = Cell("diabetes", "Lasso", 0.1)
    file = tmp_path / "rows.jsonl"
    written = [r for rows in measure([cell], budget, jobs, file) for r in rows]
    assert read_rows(file) == written
    assert [r.rule for r in written] == list(judge.RULES)
    assert all(r.key == cell.key for r in written)
    again = run_cell(cell, budget)
    assert [r.work for r in again] == [r.work for r in written]
    assert read_rows(tmp_path / "none.jsonl") == []


def test_the_pages_are_those_of_the_committed_rows():
    """Advice follows the tables: docs/choosing.md names the best rules by the rows."""
    rows = read_rows(ROWS)
    assert PAGE.read_text("utf-8") == page.page(rows)
    text = CHOOSING.read_text("utf-8")
    assert text == page.with_advice(text, rows)


def test_the_readme_quotes_the_study():
    study, readme = PAGE.read_text("utf-8"), " ".join(README.read_text("utf-8").split())
    (lasso,) = re.findall(r"^\| Lasso \| ([\d.]+) /", study, flags=re.MULTILINE)
    (mean,) = re.findall(r"the ratio of `focus` is ([\d.]+) in work", " ".join(study.split()))
    (cells,) = re.findall(r"(\d+) cells: \d+ real sets", study)
    assert f"needs {float(lasso):.1f} times less work than shuffled passes on the Lasso" in readme
    assert f"{float(mean):.1f} over [{cells} problems]" in readme
