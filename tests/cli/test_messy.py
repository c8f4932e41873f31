"""Files as people have them: words as labels of arrays, signs of money, counting columns."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banditcd.cli import main
from banditcd.cli.model_file import read_model
from tests.deadlines import HUNG

Captured = pytest.CaptureFixture[str]


def _arrays(path: Path, y: Any) -> str:
    X = np.random.default_rng(0).standard_normal((60, 3))
    labels = np.where(X[:, 0] > 0.0, "yes", "no")
    np.savez(path, X=X, y=labels.astype(y))
    return str(path)


@pytest.mark.parametrize("kind", ["U", "S"])
def test_labels_of_arrays_may_be_words(tmp_path: Path, capsys: Captured, kind: str) -> None:
    data, model = _arrays(tmp_path / "t.npz", kind), str(tmp_path / "m.json")
    assert main(["fit", data, "--model", "logistic", "--C", "100", "--out", model]) == 0
    assert "speak for yes" in capsys.readouterr().out
    assert read_model(Path(model)).classes.tolist() == ["no", "yes"]
    assert main(["predict", model, data, "--evaluate"]) == 0
    assert "(60 of 60)" in capsys.readouterr().out
    assert main(["path", data, "--model", "logistic", "--points", "4"]) == 0


@pytest.mark.parametrize(
    ("kind", "model", "message"),
    [("U", "lasso", "are words, such as"), ("O", "logistic", "save words as .astype(str)")],
)
def test_what_arrays_cannot_hold_is_told(
    tmp_path: Path, capsys: Captured, kind: Any, model: str, message: str
) -> None:
    assert main(["fit", _arrays(tmp_path / "t.npz", kind), "--model", model]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["1", "2", "-", "4"], "30 numbers and 10 other words, such as '-' (10 times)"),
        (["$1,200.50", "$3", "-$4", "$1"], "'x' of t.csv holds numbers with signs"),
        (["10 %", "20%", "3", "4"], "numbers with signs, such as '10 %'"),
    ],
)
def test_numbers_for_people_are_not_made_categories(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, column: list[str],
    message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    rows = [f'"{word}",{k % 2}' for _ in range(10) for k, word in enumerate(column)]
    (tmp_path / "t.csv").write_text("x,y\n" + "\n".join(rows) + "\n")
    assert main(["fit", "t.csv", "--model", "logistic"]) == 2
    assert message in (told := capsys.readouterr().err)
    assert "--categories x" in told
    assert main(["fit", "t.csv", "--model", "logistic", "--categories", "x"]) == 0


def test_a_column_that_counts_the_rows_is_remarked_on(tmp_path: Path, capsys: Captured) -> None:
    rows = [f"{k},{k % 3},{k % 5}" for k in range(30)]
    (tmp_path / "t.csv").write_text(",x,y\n" + "\n".join(rows) + "\n")
    words = ["fit", str(tmp_path / "t.csv"), "--model", "lasso"]
    assert main(words) == 0
    assert "counts the rows; --drop 1 leaves it out" in capsys.readouterr().err
    assert main([*words, "--drop", "1"]) == 0
    assert capsys.readouterr().err == ""


def test_a_reader_that_goes_away_does_not_cost_the_model(tmp_path: Path) -> None:
    """As in ``banditcd fit ... | head -1``."""
    data, model = _arrays(tmp_path / "t.npz", "U"), tmp_path / "m.json"
    words = ["fit", data, "--model", "logistic", "--out", str(model)]
    run = subprocess.Popen(
        [sys.executable, "-m", "banditcd", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout is not None
    run.stdout.close()
    assert run.communicate(timeout=HUNG)[1] == b""
    assert run.returncode == 1
    assert model.is_file()


def test_the_command_alone_is_a_question(capsys: Captured) -> None:
    assert main([]) == 2
    assert "explain" in capsys.readouterr().err
