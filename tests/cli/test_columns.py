"""Columns of words, gaps and dates, and the recipe that a model file keeps of them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

from banditcd.cli import main
from banditcd.cli.inputs import read_training
from banditcd.cli.model_file import read_model
from banditcd.cli.table_options import TableOptions
from banditcd.data.reading import read_frame
from tests.cli.tables import customers, write

Captured = pytest.CaptureFixture[str]


def with_gaps() -> list[dict[str, Any]]:
    rows = customers()
    for k, row in enumerate(rows):
        row["age"] = "NA" if k % 7 == 0 else row["age"]
        row["city"] = "" if k % 11 == 0 else row["city"]
    return rows


def fit(data: str, *words: str) -> int:
    return main(["fit", data, "--model", "logistic", "--quiet", *words])


def test_words_become_columns_and_predict_takes_the_same_table(
    tmp_path: Path, capsys: Captured
) -> None:
    data, model = write(tmp_path / "t.csv", customers()), tmp_path / "m.json"
    assert fit(data, "--out", str(model)) == 0
    captured = capsys.readouterr()
    assert "1 column of words became 3 columns of zeros and ones: 'city' (3)" in captured.err
    assert "80 rows, 5 columns" in captured.out
    names = read_model(model).feature_names
    assert names == ("age", "city=New York", "city=Paris", "city=Rome", "income")
    frame = read_frame(Path(data))
    raw = np.column_stack([np.array(column, dtype=object) for column in frame.columns[:3]])
    encoder = make_column_transformer((OneHotEncoder(), [1]), remainder="passthrough")
    expected = np.asarray(encoder.fit_transform(raw), dtype=float)[:, [3, 0, 1, 2, 4]]
    X = read_training(data, TableOptions(), "classification").dataset.X
    np.testing.assert_array_equal(X, expected)
    training = [line for line in captured.out.splitlines() if line.startswith("Training data: ")]
    assert main(["predict", str(model), data, "--evaluate"]) == 0
    assert training == [f"Training data: {line}" for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("rule", ["mean", "median", "indicator", "drop"])
def test_missing_values_follow_a_rule(tmp_path: Path, capsys: Captured, rule: str) -> None:
    data, model = write(tmp_path / "t.csv", with_gaps()), tmp_path / "m.json"
    assert fit(data, "--missing", rule, "--out", str(model)) == 0
    training = read_training(data, TableOptions(missing=rule), "classification")
    X, names = training.dataset.X, training.dataset.feature_names
    age = np.array([np.nan if r["age"] == "NA" else r["age"] for r in with_gaps()], dtype=float)
    gone = np.array([r["age"] == "NA" or r["city"] == "" for r in with_gaps()])
    if rule == "drop":
        np.testing.assert_array_equal(X[:, 0], age[~gone])
        assert f"{gone.sum()} of 80 rows have missing values" in capsys.readouterr().err
    else:
        strategy = "median" if rule == "median" else "mean"
        filled = SimpleImputer(strategy=strategy).fit_transform(age[:, None])[:, 0]
        np.testing.assert_allclose(X[:, 0], filled)
    assert ("age missing" in names, "city missing" in names) == ((rule == "indicator",) * 2)
    if rule == "indicator":
        np.testing.assert_array_equal(X[:, names.index("age missing")], np.isnan(age))
    capsys.readouterr()
    assert main(["predict", str(model), data]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line == "NA" for line in lines] == (gone.tolist() if rule == "drop" else [False] * 80)


def changed(**columns: Any) -> list[dict[str, Any]]:
    """Return rows with columns put in front, as functions of the row's number."""
    return [
        {**{name: make(k) for name, make in columns.items()}, **row}
        for k, row in enumerate(customers())
    ]


@pytest.mark.parametrize(
    ("rows", "words", "message"),
    [
        (with_gaps(), [], "12 of 80 values of 'age' of"),
        (with_gaps(), [], "--missing mean|median|indicator|drop"),
        (changed(day=lambda k: f"2024-01-{k % 28 + 1:02}"), [], "'day' of"),
        (changed(day=lambda k: f"{k % 28 + 1}.1.2024"), [], "holds dates or times"),
        (changed(hour=lambda k: f"{k % 24}:30"), [], "--drop hour"),
        (changed(name=lambda k: f"n{k}") * 2, ["--missing", "mean"], ""),
        (changed(name=lambda k: f"n{k}"), ["--categories", "age"], ""),
        (changed(name=lambda k: f"n{k}"), ["--drop", "nobody"], "no column 'nobody' for --drop"),
        (customers(), ["--drop", "age,city"], "--drop takes one column; repeat it for each."),
        (customers(), ["--drop", "bought"], "holds the targets"),
        (customers(), ["--weights", "city"], "must be numbers from 0 on"),
    ],
)
def test_columns_that_need_a_decision_are_named(
    tmp_path: Path, capsys: Captured, rows: list[dict[str, Any]], words: list[str], message: str
) -> None:
    data, model = write(tmp_path / "t.csv", rows), tmp_path / "m.json"
    assert fit(data, *words, "--out", str(model)) == (2 if message else 0)
    assert message in capsys.readouterr().err
    assert model.exists() == (not message)


def test_many_levels_are_refused_by_name_and_may_be_dropped(
    tmp_path: Path, capsys: Captured
) -> None:
    rows = [{"name": f"n{k}", **row} for k, row in enumerate(customers(101))]
    data, model = write(tmp_path / "t.csv", rows), tmp_path / "m.json"
    assert fit(data) == 2
    assert "'name' of" in (text := capsys.readouterr().err)
    assert "has 101 different values, such as 'n0'; at most 100 become columns" in text
    assert "--drop name" in text
    assert fit(data, "--drop", "name", "--drop", "2", "--out", str(model)) == 0
    assert read_model(model).feature_names[0] == "city=New York"
    assert main(["predict", str(model), data, "--evaluate"]) == 0
    assert "accuracy" in capsys.readouterr().out


def test_numbers_are_categories_on_request_and_keep_their_text(tmp_path: Path) -> None:
    rows = changed(zip=lambda k: f"0{k % 3}")
    data, model = write(tmp_path / "t.csv", rows), tmp_path / "m.json"
    assert fit(data, "--categories", "zip", "--out", str(model)) == 0
    assert read_model(model).feature_names[:3] == ("zip=00", "zip=01", "zip=02")


def test_unseen_words_are_zeros_with_a_count_or_an_error(tmp_path: Path, capsys: Captured) -> None:
    data, model = write(tmp_path / "t.csv", customers()), str(tmp_path / "m.json")
    assert fit(data, "--out", model) == 0
    new = [{"city": "Oslo", "income": 3, "age": 40}, {"city": "Rome", "income": 3, "age": 40}]
    rows = write(tmp_path / "new.csv", new)
    capsys.readouterr()
    assert main(["predict", model, rows, "--proba"]) == 0
    captured = capsys.readouterr()
    assert "1 of 2 values of 'city'" in captured.err
    assert "never seen ('Oslo'); they are all zeros" in captured.err
    found = read_model(Path(model))
    score = found.scores(np.array([[40.0, 0.0, 0.0, 0.0, 3.0]]))[0, 0]
    shown = float(captured.out.splitlines()[1].split()[2])
    assert shown == pytest.approx(1.0 / (1.0 + np.exp(-score)))
    assert main(["predict", model, rows, "--unknown", "error"]) == 2
    assert "never seen ('Oslo')" in capsys.readouterr().err


def test_tables_without_names_are_found_by_position(tmp_path: Path, capsys: Captured) -> None:
    data, model = write(tmp_path / "t.csv", customers(), header=False), str(tmp_path / "m.json")
    assert fit(data, "--out", model, "--drop", "1") == 0
    assert read_model(Path(model)).feature_names[-1] == "x3"
    capsys.readouterr()
    assert main(["predict", model, data]) == 0
    expected = capsys.readouterr().out
    bare = [{k: v for k, v in row.items() if k != "bought"} for row in customers()]
    assert main(["predict", model, write(tmp_path / "b.csv", bare, header=False)]) == 0
    assert capsys.readouterr().out == expected
    thin = [{"city": row["city"], "income": row["income"]} for row in customers()]
    assert main(["predict", model, write(tmp_path / "c.csv", thin, header=False)]) == 2
    assert "has 2 columns, and the model was fitted on a table of 4" in capsys.readouterr().err


def test_weights_of_samples_are_repetitions(tmp_path: Path) -> None:
    rows = [{"w": k % 3, **row} for k, row in enumerate(customers())]
    data, model = write(tmp_path / "t.csv", rows), tmp_path / "m.json"
    words = ["--tol", "1e-10", "--out"]
    assert fit(data, "--weights", "w", *words, str(model)) == 0
    repeated = [row for row in rows for _ in range(int(row["w"]))]
    again = write(tmp_path / "r.csv", [{k: v for k, v in r.items() if k != "w"} for r in repeated])
    assert fit(again, *words, str(tmp_path / "r.json")) == 0
    ours, oracle = read_model(model), read_model(tmp_path / "r.json")
    np.testing.assert_allclose(ours.coef.toarray(), oracle.coef.toarray(), atol=1e-4)


@pytest.mark.parametrize(
    "change",
    [
        {"width": "4"},
        {"missing": "guess"},
        {"columns": []},
        {"columns": [{"position": 9, "name": "a"}]},
        {"columns": [{"position": 1, "name": "a", "levels": ["b", "a"]}]},
        {"columns": [{"position": 1, "name": "a", "fill": "x"}]},
        {"columns": [{"position": 1, "name": "a"}]},
    ],
)
def test_a_broken_recipe_is_told(tmp_path: Path, change: dict[str, Any]) -> None:
    data, model = write(tmp_path / "t.csv", customers()), tmp_path / "m.json"
    assert fit(data, "--out", str(model)) == 0
    file = json.loads(model.read_text("utf-8"))
    file["table"].update(change)
    model.write_text(json.dumps(file))
    with pytest.raises(ValueError, match="is not a model that this version can read"):
        read_model(model)
