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


_ROWS = [(k % 7, k % 5, k % 2) for k in range(60)]
_LONG = 9007199254740993  # 2^53 + 1: float64 has no such number


def _table(path: Path, names: str, rows: list[Any]) -> None:
    path.write_text(names + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


@pytest.mark.parametrize(
    ("names", "rows", "options", "message"),
    [
        ("a|b|y", [["1|2|3"]], [], "has one column, 'a|b|y': a feature and the targets are needed"),
        ("a,b,y", [("inf", 1, 0), *_ROWS], [], "1 of 61 values of 'a' of t.csv are infinite"),
        ("a,b,y", _ROWS, ["--cv", "61"], "--cv is 61 and there are 60 rows"),
        ("a,b,y", _ROWS, ["--weights", "y"], "weights are another column"),
        ("a,b,y", [(1, 2, ""), *_ROWS], [], "1 of 61 targets ('y' of t.csv) are missing"),
        ("x,y", [(a, _LONG + y) for a, _, y in _ROWS], [], "--categories y takes them as words"),
        *[
            ("when,b,y", [(f'"{word}"', b, y) for _, b, y in _ROWS], [], "holds dates or times")
            for word in ("Jan 05, 2024", "5 March 2024", "05-Dec-24", "Sept. 3, 1999 10:15")
        ],
    ],
)
def test_what_a_table_cannot_mean_is_told_by_the_name_of_its_column(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, names: str, rows: list[Any],
    options: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    _table(tmp_path / "t.csv", names, rows)
    assert main(["fit", "t.csv", "--model", "logistic", *options]) == 2
    assert message in capsys.readouterr().err


def test_names_of_months_are_no_dates(tmp_path: Path, capsys: Captured) -> None:
    words = ["may", "march", "Jan 5", "June"]
    _table(tmp_path / "t.csv", "m,b,y", [(words[a % 4], b, y) for a, b, y in _ROWS])
    assert main(["fit", str(tmp_path / "t.csv"), "--model", "logistic"]) == 0
    assert "1 column of words became 4 columns" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_long_labels_are_predicted_digit_by_digit(
    tmp_path: Path, capsys: Captured, kind: str
) -> None:
    pd = pytest.importorskip("pandas")
    data, model = str(tmp_path / f"t.{kind}"), str(tmp_path / "m.json")
    table = pd.DataFrame({"x": [y for *_, y in _ROWS], "y": [_LONG + y for *_, y in _ROWS]})
    table.to_csv(data, index=False) if kind == "csv" else table.to_parquet(data)
    words = ["fit", data, "--model", "logistic", "--categories", "y", "--out", model]
    assert main(words) == 0
    capsys.readouterr()
    assert main(["predict", model, data]) == 0
    assert capsys.readouterr().out.split() == [str(label) for label in table["y"]]


@pytest.mark.parametrize(
    ("values", "remarked"),
    [([_LONG, 5], True), ([5, 1 << 52], False), ([1e17, 0.5], False), ([1e30, 3.0], False)],
)
def test_identifiers_that_are_rounded_are_remarked_on(
    tmp_path: Path, capsys: Captured, values: list[float], remarked: bool
) -> None:
    _table(tmp_path / "t.csv", "id,b,y", [(values[a % 2], b, y) for a, b, y in _ROWS])
    main(["fit", str(tmp_path / "t.csv"), "--model", "lasso", "--alpha", "0.1"])
    assert ("'id' has whole numbers of more than 15 digits" in capsys.readouterr().err) == remarked


def test_targets_that_are_constant_need_no_feature(tmp_path: Path, capsys: Captured) -> None:
    _table(tmp_path / "t.csv", "a,b,y", [(1, 2, 3)])
    assert main(["fit", str(tmp_path / "t.csv"), "--model", "lasso", "--alpha", "0.1"]) == 0
    told = capsys.readouterr().out
    assert "1 row, 2 columns" in told
    assert "A constant predicts these targets exactly" in told
    assert "smaller --alpha" not in told
