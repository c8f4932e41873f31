"""Labels of any kind: words, whole numbers, and what is written for them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from banditcd.cli import main
from banditcd.cli.model_file import read_model
from banditcd.data import load
from tests.cli.tables import customers, write

LABELS = [
    (("no", "yes"), ".json"),
    (("a b", "c"), ".npz"),
    (("-1", "1"), ".json"),
    (("01", "x"), ".npz"),
    (("Nein", "ja"), ".json"),
]


def numbers_with(labels: tuple[str, ...], rows: int = 60) -> list[dict[str, Any]]:
    rng = np.random.default_rng(1)
    out = []
    for _ in range(rows):
        a, b = (round(float(v), 3) for v in rng.standard_normal(2))
        place = int(np.clip(np.floor((a + 0.3 * b + 1) * len(labels) / 2), 0, len(labels) - 1))
        out.append({"a": a, "b": b, "label": labels[place]})
    return out


@pytest.mark.parametrize(("labels", "ending"), LABELS)
def test_labels_are_predicted_as_they_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], labels: tuple[str, ...], ending: str
) -> None:
    rows = numbers_with(labels)
    data, model = write(tmp_path / "t.csv", rows), str(tmp_path / f"m{ending}")
    words = ["--model", "logistic", "--tol", "1e-10", "--out", model, "--quiet"]
    assert main(["fit", data, *words]) == 0
    capsys.readouterr()
    assert main(["predict", model, data]) == 0
    predicted = capsys.readouterr().out.splitlines()
    X = np.array([[row["a"], row["b"]] for row in rows])
    y = np.array([row["label"] for row in rows])
    oracle = LogisticRegression(tol=1e-10).fit(X, y)
    assert predicted == oracle.predict(X).tolist()
    assert main(["predict", model, data, "--evaluate"]) == 0
    assert f"accuracy {100 * oracle.score(X, y):.4g} %" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["svm", "logistic", "grouplogistic"])
def test_three_words_and_their_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    labels = ("high", "low") if kind == "grouplogistic" else ("high", "low", "very low")
    data, model = write(tmp_path / "t.csv", numbers_with(labels)), str(tmp_path / "m.json")
    words = ["--model", kind, "--class-weight", "low:3,high:1", "--out", model, "--quiet"]
    assert main(["fit", data, *words]) == 0
    file = json.loads(Path(model).read_text("utf-8"))
    assert file["classes"] == list(labels)
    assert file["version"] == 2
    assert file["parameters"]["class_weight"] == {"low": 3.0, "high": 1.0}
    capsys.readouterr()
    if kind == "logistic":
        assert main(["predict", model, data, "--proba"]) == 0
        head, first, *_ = capsys.readouterr().out.splitlines()
        assert head.split("\t") == ["labels", *labels]
        assert sum(float(part) for part in first.split("\t")[1:]) == pytest.approx(1.0)


def test_numbers_are_written_for_older_readers(tmp_path: Path) -> None:
    data, model = write(tmp_path / "t.csv", numbers_with(("1", "2"))), tmp_path / "m.json"
    assert main(["fit", data, "--model", "svm", "--out", str(model), "--quiet"]) == 0
    file = json.loads(model.read_text("utf-8"))
    assert (file["version"], file["classes"]) == (1, [1.0, 2.0])
    assert "table" not in file


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "lasso"], "are words, such as 'no': use --model logistic"),
        (["--model", "svm", "--class-weight", "maybe:2"], "there is no class 'maybe'"),
        (["--model", "svm", "--target", "income"], "is not a whole number"),
    ],
)
def test_labels_that_do_not_fit_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    rows = sorted(customers(), key=lambda row: str(row["bought"]))
    data = write(tmp_path / "t.csv", rows)
    assert main(["fit", data, *words, "--quiet"]) == 2
    assert message in capsys.readouterr().err


def test_values_become_words_on_request(tmp_path: Path) -> None:
    rows = numbers_with(("0.5", "1.5"))
    data, model = write(tmp_path / "t.csv", rows), tmp_path / "m.json"
    words = ["--model", "svm", "--categories", "label", "--out", str(model), "--quiet"]
    assert main(["fit", data, *words]) == 0
    classes = read_model(model).classes
    assert classes is not None
    assert classes.tolist() == ["0.5", "1.5"]


@pytest.mark.parametrize("classes", [["a", "a"], ["b", "a"], ["a", 1.0], [["a"], ["b"]], "ab"])
def test_labels_of_a_broken_file_are_told(tmp_path: Path, classes: Any) -> None:
    data, model = write(tmp_path / "t.csv", numbers_with(("a", "b"))), tmp_path / "m.json"
    assert main(["fit", data, "--model", "svm", "--out", str(model), "--quiet"]) == 0
    file = json.loads(model.read_text("utf-8"))
    model.write_text(json.dumps({**file, "classes": classes}))
    with pytest.raises(ValueError, match="is not a model that this version can read"):
        read_model(model)


def test_a_support_vector_machine_may_have_an_l1_penalty(
    text_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.json"
    words = ["fit", text_file, "--model", "svm", "--C", "0.3", "--penalty", "l1"]
    assert main([*words, "--tol", "1e-11", "--out", str(out)]) == 0
    assert "penalty = l1" in capsys.readouterr().out
    data = load(text_file)
    oracle = LinearSVC("l1", C=0.3, dual=False, tol=1e-10, max_iter=10**6, random_state=0)
    oracle.fit(data.X, data.y)
    model = read_model(out)
    np.testing.assert_allclose(model.coef.toarray(), oracle.coef_, atol=1e-4)
    assert str(model.facts["objective"]).endswith("+ ‖w‖₁ + |b|")
    assert main([*words, "--loss", "hinge"]) == 2
    assert "--penalty l1 is for --loss squared_hinge" in capsys.readouterr().err
    assert main(["fit", text_file, "--model", "lasso", "--penalty", "l1"]) == 2
    assert "it belongs to: svm" in capsys.readouterr().err
