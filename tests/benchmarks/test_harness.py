"""A peer that draws at random is given a tighter tolerance, not dropped."""

import numpy as np
import pytest

from benchmarks.peers import harness
from benchmarks.peers.client import Fit
from benchmarks.peers.rows import Row, Table, TrialRow
from benchmarks.peers.scan import step_of
from benchmarks.peers.tasks import Limits, Problem, Task


class Fake:
    """Its gap is its tolerance times a factor that is 1 when it is tried, then changes."""

    def __init__(self, name, factors, ours=False):
        self.name, self.factors, self.calls, self.is_ours = name, factors, 0, ours
        self.threads = 1
        self.about = {
            "kinds": ["lasso"], "refused": {"lasso": ""}, "version": "1", "loosest": 1e-1,
            "tightest": 1e-12, "exact": False, "target_is_tolerance": ours,
        }  # fmt: skip

    def warm_up_with(self, *_):
        pass

    def load(self, _):
        pass

    def fit(self, kind, arguments, tol, limit):
        self.calls += 1
        gap = tol * self.factors[self.calls % len(self.factors)]
        return Fit(np.array([gap]), wall=0.3, cpu=0.3, peak_mb=1.0, added_mb=0.0, note={})

    def try_out(self, *arguments):
        return self.fit(*arguments)


class Fickle(Fake):
    """It reaches everything when it is tried and nothing when it is timed, with more patience."""

    def fit(self, kind, arguments, tol, limit):
        gap = 1.0 if limit > Limits().fit else 1e-5
        return Fit(np.array([gap]), wall=0.3, cpu=0.3, peak_mb=1.0, added_mb=0.0, note={})


def run(tmp_path, *fakes):
    problem = Problem("a", "real", np.eye(3, order="F"), np.array([1.0, 2.0, 3.0]))
    rows = Table(tmp_path / "rows.csv", Row)
    store = harness.Store(rows, Table(tmp_path / "trials.csv", TrialRow), "", "")
    task = Task("lasso", "1/10", {}, lambda fit: float(fit.coef[0]), (1e-4,), lambda *_: {})
    with harness.Arena(problem, fakes, Limits(), store) as arena:
        arena.run(task)
    return {row.solver: row for row in rows.rows.values()}


def test_who_misses_at_times_is_timed_tighter(tmp_path):
    rows = run(tmp_path, Fake("steady", [1.0]), Fake("random", [0.9, 0.5, 2.5]))
    assert rows["steady"].tol == pytest.approx(1e-4)
    assert rows["steady"].status == rows["random"].status == "ok"
    assert rows["random"].gap <= 1e-4
    assert step_of(rows["random"].tol) > step_of(1e-4)


def test_who_misses_always_and_who_promised_are_not_helped(tmp_path):
    ours = Fake("ours", [1.1, 0.9], ours=True)
    rows = run(tmp_path, ours, Fickle("fickle", [1.0]))
    assert rows["ours"].status == harness.UNSTEADY
    assert rows["ours"].tol == pytest.approx(1e-4)
    assert rows["fickle"].status == harness.UNSTEADY
    assert step_of(rows["fickle"].tol) == 2 + harness.RETRIES


class Proving(Fake):
    """Ours with a searched tolerance: it ends far below the gap that it promises."""

    def __init__(self):
        super().__init__("ours, loosest", [1.0])
        self.is_ours = True
        self.about["loosest"] = 1.0

    def fit(self, kind, arguments, tol, limit):
        return super().fit(kind, arguments, 9e-4 * tol * tol, limit)


def test_our_tolerance_is_searched_from_the_loosest_on_like_a_peers(tmp_path):
    rows = run(tmp_path, Proving(), Fake("steady", [1.0]))
    assert rows["ours, loosest"].status == "ok"
    assert rows["ours, loosest"].tol == pytest.approx(10.0**-0.5)
    assert rows["ours, loosest"].gap <= 1e-4
