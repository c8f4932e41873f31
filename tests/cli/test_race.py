from pathlib import Path
from typing import Any

import pytest

from banditcd.cli import main, race
from banditcd.experiments import read_rows
from banditcd.experiments.race import Watcher
from tests.cli.terminals import interrupted

QUICK = ["--epochs", "40", "--seeds", "2"]
OWN = """
import time

class InOrder:
    def start(self, problem, rng):
        self.d = problem.d
    def next(self, state):
        return state.step % self.d

class Broken(InOrder):
    def next(self, state):
        return 1 / 0

class Sleepy(InOrder):
    def next(self, state):
        time.sleep(0.01)
        return super().next(state)
"""
COST = """
import numpy as np
from banditcd import problems
from banditcd.problems.losses import QuadraticLoss

class Doubled(QuadraticLoss):
    def part(self, rows):
        return Doubled(self.weight[rows], self.target[rows])

class MyLasso(problems.NumericTargets, problems.LassoProblem):
    name, default_update = "MyLasso", "proximal"

    def make_loss(self, weights, y):
        return Doubled(2.0 * weights, y)

class Plain(problems.Lasso):
    name = "Plain"

def no_problem(X, y, alpha):
    return alpha

number = 3
"""


def test_a_race_prints_its_table_and_writes_its_files(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib", reason="the figure needs matplotlib")
    out = tmp_path / "deep" / "out"
    select = "b_max_r,b_max_r(epsilon=0)"
    words = ["race", "--data", table_file, "--select", select, "--out", str(out), *QUICK]
    assert main(words) == 0
    captured = capsys.readouterr()
    assert "table.csv · Lasso" in captured.out
    assert "In short" in captured.out
    for name in ("uniform", "shuffled", "b_max_r", "b_max_r(epsilon=0)"):
        assert f"\n{name} " in captured.out
    assert captured.err == ""
    names = ["learning.csv", "race.html", "race.png", "races.csv", "rows.csv", "table.txt"]
    assert sorted(path.name for path in out.iterdir()) == names
    assert "b_max_r(epsilon=0)" in (out / "race.html").read_text()
    assert "--epochs 40.0" in (out / "race.html").read_text()
    (found,) = read_rows(out)
    assert found.seeds == 2


def test_an_earlier_race_can_be_drawn_again(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["race", "--data", table_file, "--select", "acf", "--out", str(out), *QUICK]
    assert main(words) == 0
    rows = (out / "rows.csv").read_bytes()
    (out / "race.html").unlink()
    capsys.readouterr()
    assert main(["race", "--redraw", str(out)]) == 0
    assert "table.csv · Lasso" in capsys.readouterr().out
    assert (out / "race.html").is_file()
    assert (out / "rows.csv").read_bytes() == rows


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--data", "usp"], "usps"),
        (["--data", "nowhere.csv"], "There is no file"),
        (["--data", "FILE", "--cost", "Laso"], "Did you mean 'Lasso'"),
        (["--data", "FILE", "--select", "b_maxr"], "Did you mean 'b_max_r'"),
        (["--data", "FILE", "--select", "nuacdm"], "nuacdm does not fit Lasso"),
        (["--data", "FILE", "--update", "exakt"], "Did you mean 'exact'"),
        (["--data", "FILE", "--update", "newton"], "does not fit Lasso"),
        (["--data", "FILE", "--steps", "unit_column"], "Did you mean 'unit_columns'"),
        (["--data", "FILE", "--tol", "0"], "--tol"),
        (["--data", "FILE", "--epochs", "-1"], "--epochs"),
        (["--data", "FILE", "--seconds", "0"], "--seconds"),
        (["--data", "FILE", "--seeds", "0"], "--seeds"),
        (["--data", "FILE", "--seed", "-1"], "--seed"),
        (["--data", "FILE", "--alpha", "1", "--alpha-ratio", "1"], "not allowed with"),
        (["--data", "FILE", "--engine", "steam"], "Unknown engine"),
        (["--alpha", "1"], "need --data or --cost"),
        (["--redraw", "nowhere"], "There is no file"),
        (["--data", "FILE", "--select", "nowhere.py:Mine"], "There is no file nowhere.py"),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(
    table_file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    out = tmp_path / "out"
    words = [table_file if word == "FILE" else word for word in words]
    assert main(["race", *words, "--out", str(out)]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert not out.exists()


def test_a_file_in_the_way_is_found_before_the_race(
    table_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["race", "--data", table_file, "--out", table_file]) == 2
    assert "is a file" in capsys.readouterr().err


def test_a_users_selector_from_a_file(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    words = ["race", "--data", table_file, "--out", str(tmp_path / "out"), *QUICK]
    assert main([*words, "--select", f"{tmp_path / 'own.py'}:InOrder,cyclic"]) == 0
    (found,) = read_rows(tmp_path / "out")
    work = {run.selector: run.trace.work[-1] for run in found.runs}
    assert work["InOrder"] == pytest.approx(work["cyclic"])
    assert "InOrder" in capsys.readouterr().out


def test_a_users_cost_from_a_file(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cost.py"
    file.write_text(COST)
    words = ["race", "--data", table_file, "--epochs", "5", "--seeds", "1", "--select", "acf"]
    out = tmp_path / "out"
    assert main([*words, "--cost", f"{file}:MyLasso", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "MyLasso runs on the reference engine: Doubled is not built in" in text
    assert "table.csv · MyLasso   alpha = " in text
    assert "(alpha_max / 20)" in text
    (found,) = read_rows(out)
    assert {run.engine for run in found.runs} == {"reference"}
    assert found.asked == ["acf"]
    assert f"--cost {file}:MyLasso" in (out / "race.html").read_text()
    assert main([*words, "--cost", f"{file}:Plain", "--out", str(out)]) == 0
    assert "reference engine" not in capsys.readouterr().out
    assert {run.engine for run in read_rows(out)[0].runs} == {"compiled"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MyLaso", "Did you mean 'MyLasso'"),
        ("no_problem", "returned float; it must return a banditcd.problems.Problem"),
        ("number", "it must be a class or function of (X, y, alpha)"),
    ],
)
def test_a_cost_that_is_none_is_told(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, message: str
) -> None:
    (tmp_path / "cost.py").write_text(COST)
    words = ["race", "--data", table_file, "--cost", f"{tmp_path / 'cost.py'}:{name}"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_users_selector_that_breaks_shows_where(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(OWN)
    words = ["race", "--data", table_file, "--out", str(tmp_path / "out"), *QUICK]
    assert main([*words, "--select", f"{tmp_path / 'own.py'}:Broken"]) == 1
    err = capsys.readouterr().err
    assert "return 1 / 0" in err
    assert "Broken failed on table.csv · Lasso" in err
    assert not (tmp_path / "out").exists()


def test_without_matplotlib_everything_but_the_figure(
    table_file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(race, "has_matplotlib", lambda: False)
    out = tmp_path / "out"
    assert main(["race", "--data", table_file, "--select", "acf", "--out", str(out), *QUICK]) == 0
    text = capsys.readouterr().out
    assert "work to gap" in text
    assert "pip install 'banditcd[plots]'" in text
    assert not (out / "race.png").exists()


def test_the_default_is_three_races_without_download(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["race", "--select", "b_max_r,nuacdm", "--epochs", "2", "--seeds", "1"]
    assert main([*words, "--out", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    for title in ("breast_cancer · LogisticL1", "diabetes · Lasso", "digits · RidgeDual"):
        assert title in text
    assert text.count("nuacdm sits out") == 2


def test_ctrl_c_prints_and_keeps_what_is_done(
    table_file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Impatient(Watcher):
        def finish(self, run: Any, relative_gap: float) -> None:
            if run.selector == "shuffled":
                raise KeyboardInterrupt

    monkeypatch.setattr(race, "watcher_for", Impatient)
    out = tmp_path / "out"
    assert main(["race", "--data", table_file, "--select", "acf", "--out", str(out)]) == 130
    captured = capsys.readouterr()
    assert "\nshuffled" in captured.out
    assert "Interrupted" in captured.err
    assert [run.selector for run in read_rows(out)[0].runs] == ["uniform", "shuffled"]


def test_a_real_ctrl_c_ends_the_process_soon(tmp_path: Path) -> None:
    """Interrupt a rule that sleeps: however late the signal comes, its run is not over."""
    (tmp_path / "own.py").write_text(OWN)
    words = ["race", "--data", "digits", "--select", f"{tmp_path / 'own.py'}:Sleepy"]
    words += ["--seconds", "600", "--out", str(tmp_path / "out")]
    status, out, err = interrupted(words, "Sleepy")
    assert status == 130
    assert "\nuniform" in out
    assert "Interrupted" in err
