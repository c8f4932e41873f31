from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from banditcd.cli import main
from banditcd.cli.linear import LinearModel
from banditcd.cli.model_file import write_model
from banditcd.data import load, write_libsvm


@pytest.fixture
def line_model(tmp_path: Path) -> str:
    """y = 2 a - b + 0.5, on named columns."""
    coef = sparse.csr_matrix([[2.0, -1.0]])
    model = LinearModel("ridge", coef, np.array([0.5]), None, ("a", "b"), {"target": "t"})
    write_model(model, tmp_path / "line.json")
    return str(tmp_path / "line.json")


@pytest.fixture
def class_model(tmp_path: Path) -> str:
    """Classes 3 and 7 by the sign of the first of two features."""
    coef = sparse.csr_matrix([[1.0, 0.0]])
    model = LinearModel("logistic", coef, np.zeros(1), np.array([3.0, 7.0]))
    write_model(model, tmp_path / "class.npz")
    return str(tmp_path / "class.npz")


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "1,1\n3,2\n",
        "1,1,9\n3,2,9\n",
        "a,b\n1,1\n3,2\n",
        "t,b,a\n9,1,1\n9,2,3\n",
        "b,z,a\n1,0,1\n2,0,3\n",
    ],
)
def test_columns_are_found_by_name_or_by_number(
    line_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "new.csv").write_text(text)
    assert main(["predict", line_model, str(tmp_path / "new.csv")]) == 0
    assert lines(capsys) == ["1.5", "4.5"]


def test_predictions_go_to_a_file_and_are_compared(
    line_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new.csv").write_text("t,b,a\n1,1,1\n5,2,3\n")
    out = tmp_path / "out.txt"
    words = ["predict", line_model, str(tmp_path / "new.csv"), "--evaluate", "--out", str(out)]
    assert main(words) == 0
    assert out.read_text() == "1.5\n4.5\n"
    text = capsys.readouterr().out
    assert "mean squared error 0.25, mean absolute error 0.5, R² 0.9375" in text
    assert "2 predictions" in text


def test_a_word_in_a_row_that_is_left_out_spoils_no_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{k % 7},{k % 5 if k else ''},{k % 4}" for k in range(40)]
    table, model = tmp_path / "t.csv", str(tmp_path / "m.json")
    table.write_text("\n".join(["a,b,t", *rows]) + "\n")
    words = ["fit", str(table), "--model", "ridge", "--target", "t", "--missing", "drop"]
    assert main([*words, "--out", model, "--quiet"]) == 0
    table.write_text("\n".join(["a,b,t", "0,,bad", *rows[1:]]) + "\n")
    assert main(["predict", model, str(table), "--evaluate", "--out", str(tmp_path / "p")]) == 0
    assert "mean squared error" in capsys.readouterr().out


def test_labels_and_probabilities_look_as_in_liblinear(
    class_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_libsvm(tmp_path / "new.svm", [[0.0, 1.0], [2.0, 1.0], [-1.0, 1.0]], [3, 7, 7])
    assert main(["predict", class_model, str(tmp_path / "new.svm")]) == 0
    assert lines(capsys) == ["3", "7", "3"]
    assert main(["predict", class_model, str(tmp_path / "new.svm"), "--proba"]) == 0
    head, *rows = lines(capsys)
    assert head == "labels 3 7"
    assert rows[0] == "3 0.5 0.5"
    label, no, yes = rows[1].split()
    assert (label, float(no) + float(yes)) == ("7", pytest.approx(1.0))
    assert float(yes) == pytest.approx(1.0 / (1.0 + np.exp(-2.0)))
    assert main(["predict", class_model, str(tmp_path / "new.svm"), "--evaluate"]) == 0
    assert lines(capsys)[0].startswith("accuracy 66.67 % (2 of 3), log loss")


def test_text_may_be_narrower_or_wider_than_the_model(
    class_model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "narrow.svm").write_text("7 1:1\n3 1:-1\n")
    assert main(["predict", class_model, str(tmp_path / "narrow.svm")]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("7\n3\n", "")
    (tmp_path / "wide.svm").write_text("7 1:1 900:5\n3 1:-1\n")
    assert main(["predict", class_model, str(tmp_path / "wide.svm")]) == 0
    captured = capsys.readouterr()
    assert captured.out == "7\n3\n"
    assert "900 features and the model 2" in captured.err


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        ("1,2,3,4\n", [], "has 3 feature(s) and the model has 2"),
        ("x,b\n1,2\n", [], "has no column a, which the model needs; it has x, b."),
        ("1,1\n", ["--evaluate"], "has no labels"),
        ("1,1\n", ["--proba"], "--proba needs a logistic model"),
        ("1,1\n", ["--out", "DIRECTORY"], "is a directory"),
        ("1,nan\n", [], "NaN"),
        ("1,1,1\n", ["--target", "q"], "no column 'q'"),
    ],
)
def test_mistakes_are_told(
    line_model: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    words: list[str],
    message: str,
) -> None:
    (tmp_path / "new.csv").write_text(content)
    words = [str(tmp_path) if word == "DIRECTORY" else word for word in words]
    assert main(["predict", line_model, str(tmp_path / "new.csv"), *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_a_model_file_that_is_none_is_told(
    table_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["predict", table_file, table_file]) == 2
    assert "is not a model that this version can read" in capsys.readouterr().err


def test_fitting_and_predicting_agree(
    text_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tmp_path / "m.json")
    assert main(["fit", text_file, "--model", "lasso", "--alpha", "0.1", "--out", model]) == 0
    training = [line for line in lines(capsys) if line.startswith("Training data: ")]
    assert main(["predict", model, text_file, "--evaluate"]) == 0
    assert training == [f"Training data: {line}" for line in lines(capsys)]
    assert main(["predict", model, text_file]) == 0
    assert len(lines(capsys)) == load(text_file).rows
