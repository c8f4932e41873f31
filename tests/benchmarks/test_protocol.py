"""Pure parts of the benchmark protocol: search of a tolerance, rounds, rows, ratios."""

import math

import pytest

from benchmarks.peers.compare import cells, summarize
from benchmarks.peers.rows import Row, Table, TrialRow
from benchmarks.peers.scan import Trial, loosest_step, rounds_for, step_of, tolerance
from benchmarks.report import table
from benchmarks.scaling import exponent


class Solver:
    """Its gap is a function of the step; counts what it is asked for."""

    def __init__(self, gap, problems=None):
        self.gap, self.problems, self.asked = gap, problems or {}, []

    def __call__(self, step):
        self.asked.append(step)
        if step in self.problems:
            return Trial(math.inf, 1.0, self.problems[step])
        return Trial(self.gap(step), 0.1)


@pytest.mark.parametrize("step", range(2, 33))
def test_steps_and_tolerances_are_inverse(step):
    assert step_of(tolerance(step)) == step


@pytest.mark.parametrize("offset", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("target", [1e-4, 1e-6, 1e-10])
def test_the_loosest_half_decade_is_found_whatever_a_tolerance_means(offset, target):
    solver = Solver(lambda step: tolerance(step - offset))
    found = loosest_step(solver, target, 4, 32).step
    reaching = [step for step in range(4, 33) if tolerance(step - offset) <= target]
    assert found == reaching[0]


def test_a_first_step_that_reaches_is_taken_and_nothing_else_is_run():
    solver = Solver(lambda step: 1e-12)
    assert loosest_step(solver, 1e-6, 4, 32).step == 4
    assert solver.asked == [4]


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        (Solver(lambda step: 0.1 * tolerance(step // 4)), "tightest"),
        (Solver(lambda step: 1e-3), "stalls at gap 1e-03"),
        (Solver(lambda step: tolerance(step), {8: "over the limit"}), "over the limit; best gap"),
    ],
)
def test_what_is_not_reached_says_why(solver, words):
    found = loosest_step(solver, 1e-10, 4, 40)
    assert found.step is None
    assert words in found.reason


def test_equal_gaps_at_loose_tolerances_are_no_stall():
    found = loosest_step(Solver(lambda step: 1e-3 if step < 16 else 1e-7), 1e-6, 4, 32)
    assert found.step == 16


def test_slow_fits_are_timed_once_and_short_ones_often():
    assert rounds_for(6.0, 6.0, least=5, slow=5.0) == 1
    assert rounds_for(4.0, 3.0, least=5, slow=5.0) == 3
    assert rounds_for(4.0, 3.0, least=2, slow=5.0) == 2
    assert rounds_for(4.0, 1.9, least=5, slow=5.0) == 1
    assert rounds_for(0.3, 0.2, least=5, slow=5.0) == 5
    assert rounds_for(0.3, 0.14, least=5, slow=5.0) == 1
    assert rounds_for(0.02, 0.001, least=5, slow=5.0) == 8
    assert rounds_for(0.001, 0.001, least=5, slow=5.0) == 15


def row(solver, status="ok", cpu=None, data="a", target=1e-4, tol=1e-3):
    facts = {"group": "real", "n": 10, "d": 5, "nonzeros": 50, "kind": "lasso", "setting": "1/10"}
    return Row(
        data=data, target=target, solver=solver, status=status, cpu=cpu, wall=cpu, tol=tol, **facts
    )


def test_rows_come_back_as_written_and_the_last_one_counts(tmp_path):
    file = tmp_path / "deep" / "rows.csv"
    first = Table(file, Row)
    kept, old = row("x", cpu=0.25), row("y", 'not reached: no, "never"', tol=None)
    new = row("y", cpu=0.5)
    for one in (kept, old, new):
        first.add(one)
    assert list(Table(file, Row).rows.values()) == [kept, new]
    trials = Table(tmp_path / "trials.csv", TrialRow)
    trial = TrialRow("a", "lasso", "1/10", "x", "1.0", 7, math.inf, 2.0, "late")
    trials.add(trial)
    assert list(Table(tmp_path / "trials.csv", TrialRow).rows.values()) == [trial]


def test_the_best_peer_is_compared_with_our_first_solver_that_was_run():
    rows = [
        row("ours", "does not run here", tol=None),
        row("ours.inner", cpu=2.0),
        row("p", cpu=6.0),
        row("q", cpu=3.0),
        row("r", "not reached: stalls"),
        row("s", "not meant for this: sparse", tol=None),
        row("t", "does not build here: x", tol=None),
    ]
    (cell,) = cells(rows, ("ours", "ours.inner"), "cpu")
    assert cell.ratio == 1.5
    assert [peer.solver for peer in cell.peers] == ["q", "p"]
    assert [peer.solver for peer in cell.others] == ["r", "t"]


def test_a_cell_keeps_our_time_to_a_proof_beside_the_one_that_is_compared():
    rows = [row("ours, loosest", cpu=1.0), row("ours", cpu=2.0), row("p", cpu=3.0)]
    (cell,) = cells(rows, ("ours, loosest", "ours"), "cpu")
    assert (cell.ratio, cell.with_proof().ratio) == (3.0, 1.5)
    (alone,) = cells(rows[1:], ("ours, loosest", "ours"), "cpu")
    assert (alone.ratio, alone.with_proof().ratio) == (1.5, 1.5)


def test_unopposed_cells_are_won_and_left_out_of_the_median_and_misses_are_counted():
    rows = [row("ours", cpu=1.0, data=name) for name in "abc"]
    rows += [row("p", cpu=4.0, data="a"), row("p", cpu=0.5, data="b")]
    rows += [row("p", "not reached: x", data="c")]
    rows += [row("ours", "not reached: y", data="d"), row("p", cpu=1.0, data="d")]
    result = summarize(cells(rows, ("ours",), "cpu"))
    assert (result.cells, result.compared, result.won) == (4, 2, 2)
    assert (result.unopposed, result.missed) == (1, 1)
    assert (result.worst, result.median, result.best) == (0.5, 2.25, 4.0)


def test_a_power_law_has_its_exponent_and_a_table_its_rule():
    assert exponent([1, 2, 4, 8], [3.0, 6.0 * 2, 12.0 * 4, 24.0 * 8]) == pytest.approx(2.0)
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"
