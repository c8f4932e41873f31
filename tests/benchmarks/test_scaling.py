"""The scaling study: points that cannot be judged are left out, the others are kept and drawn."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from benchmarks import scaling
from benchmarks.benchmark import Family
from benchmarks.peers.client import Fit, TimeLimitError
from benchmarks.peers.references import NoReferenceError
from benchmarks.picture import draw_scaling
from benchmarks.ridge import BENCHMARK

SIZES = (20, 30, 40, 50)


class HonestPeer:
    """Solves ridge problems in this process; one size is too much for it."""

    def __init__(self, *_):
        self.X = self.y = None

    def load(self, folder):
        self.X, self.y = np.load(folder / "X.npy"), np.load(folder / "y.npy")

    def fit(self, kind, arguments, tol, limit):
        if self.X.shape[1] == SIZES[1]:
            raise TimeLimitError("late")
        model = Ridge(alpha=arguments["penalty"], fit_intercept=False).fit(self.X, self.y)
        cpu = 1e-3 * self.X.shape[1]
        return Fit(coef=model.coef_, wall=cpu, cpu=cpu, peak_mb=0.0, added_mb=0.0, note={})

    def close(self):
        self.X = self.y = None


def without_reference(size):
    """Return the tasks of ridge, of which one size has no reference."""

    def refuse():
        raise NoReferenceError("the best dual point is poor")

    def tasks(problem, book):
        found = BENCHMARK.tasks(problem, book)
        return [replace(t, ready=refuse) if problem.X.shape[1] == size else t for t in found]

    return tasks


def test_points_without_a_reference_or_in_time_are_left_out_with_a_note(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(scaling, "Peer", HonestPeer)
    family = Family("columns", "synthetic:wide(rows=15, columns={})", SIZES)
    study = replace(BENCHMARK, families=(family,), tasks=without_reference(SIZES[2]))
    scaling.measure_scaling(study, tmp_path)
    rows = scaling.read_scaling(tmp_path, "ridge")
    assert [row["size"] for row in rows] == [SIZES[0], SIZES[3]]
    assert all(abs(row["gap"]) < 1e-10 for row in rows)
    notes = capsys.readouterr().err.splitlines()
    assert [note.split(",")[0] for note in notes] == [
        f"Left out: columns {SIZES[1]}",
        f"Left out: columns {SIZES[2]}",
    ]
    (sizes, seconds), *others = scaling.curves(rows).values()
    assert not others
    assert scaling.exponent(sizes, seconds) == pytest.approx(1.0)
    draw_scaling(rows, tmp_path / "scaling.png")
    assert (tmp_path / "scaling.png").stat().st_size > 0
