"""The rows a run leaves behind."""

import csv
import json
import sys

import numpy as np
import pytest

from banditcd import minimize
from banditcd.results import Trace, TraceRow
from tests.instances import INSTANCES

BY_NAME = {instance.name: instance for instance in INSTANCES}
LASSO = BY_NAME["lasso"].problem
D = 7  # coordinates of LASSO that are not empty
COLUMNS = ["step", "epoch", "work", "seconds", "objective", "gap", "support", "certificate_work"]


def run(trace, epochs=3, **options):
    return minimize(
        LASSO, "b_max_r", tol=1e-15, max_epochs=epochs, random_state=0, trace=trace, **options
    )


@pytest.mark.parametrize(
    ("trace", "steps"),
    [
        ("epoch", [0, 7, 14, 21]),
        ("step", list(range(22))),
        (1, list(range(22))),
        (5, [0, 5, 10, 15, 20, 21]),
        (np.int64(10), [0, 10, 20, 21]),
        (100, [0, 21]),
        ([2, 9, 10], [0, 2, 9, 10, 21]),
        (np.array([0, 4, 500]), [0, 4, 21]),
    ],
)
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_when_rows_are_recorded(trace, steps, engine):
    rows = run(trace, engine=engine).trace
    assert rows.step.tolist() == steps
    np.testing.assert_array_equal(rows.epoch, np.array(steps) / D)


def test_without_a_trace_looks_become_rarer():
    looks, slow = [], BY_NAME["logistic-l1"].problem
    result = minimize(
        slow,
        "cyclic",
        tol=1e-15,
        max_epochs=200,
        trace=None,
        callback=lambda progress: looks.append(progress.row.step),
    )
    assert len(result.trace) == 0
    assert result.trace.gap.shape == (0,)
    gaps = np.diff(looks)
    assert gaps[0] == D
    assert gaps.max() > 20 * D
    assert len(looks) < 40
    loose = minimize(LASSO, "b_max_r", tol=1e-6, random_state=0, trace=None)
    assert loose.converged
    assert loose.epochs <= 1.2 * minimize(LASSO, "b_max_r", tol=1e-6, random_state=0).epochs + 1


@pytest.mark.parametrize("trace", ["Epoch", "", 0, -1, 2.5, True, "steps"])
def test_other_traces_are_refused(trace):
    with pytest.raises(ValueError, match="use 'epoch', 'step', a number of steps >= 1, an asc"):
        run(trace)


@pytest.mark.parametrize(
    "trace", [[], [3, 3], [5, 3], np.array([5, 3], dtype=np.uint64), [0.5, 1.0], [[1, 2]]]
)
def test_listed_steps_must_ascend(trace):
    with pytest.raises(ValueError, match="whole numbers of steps in ascending order"):
        run(trace)


def test_columns_are_arrays_of_equal_length():
    trace = run("step").trace
    for name in COLUMNS:
        column = getattr(trace, name)
        assert isinstance(column, np.ndarray)
        assert column.shape == (22,)
        assert column.dtype == (np.int64 if name in ("step", "support") else np.float64)
    assert np.all(np.diff(trace.work) > 0.0)
    assert np.all(np.diff(trace.seconds) >= 0.0)
    assert np.all(np.diff(trace.objective) <= 1e-15)
    assert trace.seconds[0] < 1.0
    assert trace.support[0] == 0
    assert trace.objective[0] == LASSO.null_objective()
    np.testing.assert_allclose(trace.certificate_work, np.arange(1, 23) * 8 / D)


def test_rows_are_true_of_their_points():
    points = []
    trace = run("epoch", callback=lambda p: points.append(p.x)).trace
    for x, row in zip(points, trace.rows, strict=True):
        assert row.objective == pytest.approx(LASSO.objective(x), rel=1e-15)
        assert row.gap == LASSO.certificate(x).gap
        assert row.support == np.count_nonzero(x)


def test_to_numpy_and_pandas():
    pandas = pytest.importorskip("pandas")
    trace = run("epoch").trace
    table = trace.to_numpy()
    assert list(table.dtype.names) == COLUMNS
    frame = trace.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == COLUMNS
    for name in COLUMNS:
        np.testing.assert_array_equal(table[name], getattr(trace, name))
        np.testing.assert_array_equal(frame[name], getattr(trace, name))


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install banditcd\[pandas\]"):
        run("epoch").trace.to_pandas()


def test_csv_and_json_keep_every_digit(tmp_path):
    trace = run("step").trace
    trace.to_csv(tmp_path / "trace.csv")
    with (tmp_path / "trace.csv").open(newline="") as file:
        header, *rows = list(csv.reader(file))
    assert header == COLUMNS
    values = np.array(rows, dtype=float)
    text = trace.to_json(tmp_path / "trace.json")
    assert (tmp_path / "trace.json").read_text("utf-8") == text == trace.to_json()
    columns = json.loads(text)
    for k, name in enumerate(COLUMNS):
        np.testing.assert_array_equal(values[:, k], getattr(trace, name))
        np.testing.assert_array_equal(columns[name], getattr(trace, name))


def test_infinite_values_survive_every_format(tmp_path):
    trace = Trace()
    trace.record(TraceRow(0, 0.0, 0.0, 0.0, 1.0, float("inf"), 0, 0.0))
    assert json.loads(trace.to_json())["gap"] == [None]
    trace.to_csv(tmp_path / "trace.csv")
    assert "inf" in (tmp_path / "trace.csv").read_text("utf-8")
    assert trace.gap[0] == np.inf
    assert Trace().to_numpy().shape == (0,)


def test_seconds_are_those_of_the_method_alone():
    import time

    def own_seconds() -> float:
        return run("step", callback=lambda _: time.sleep(0.01)).seconds

    # 22 looks take 0.22 s, each time; what a busy machine adds to the method is less at some time.
    assert any(own_seconds() < 0.1 for _ in range(20))
