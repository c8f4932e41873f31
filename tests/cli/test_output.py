"""What is printed for people and for programs, and options that agree with Python."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

import banditcd
from banditcd.cli import main
from banditcd.cli.model_file import read_model
from banditcd.data import load
from banditcd.estimators.bases.path_table import percent
from tests.cli.tables import customers, write

Captured = pytest.CaptureFixture[str]


def told(capsys: Captured, *words: str, status: int = 0) -> str:
    capsys.readouterr()
    assert main([*words]) == status
    return capsys.readouterr().out


def facts(capsys: Captured, *words: str) -> dict[str, Any]:
    out = told(capsys, *words, "--json")
    found: dict[str, Any] = json.loads(out)
    assert len(out.splitlines()) == 1
    return found


def test_the_largest_coefficients_are_printed_by_name(tmp_path: Path, capsys: Captured) -> None:
    data, model = write(tmp_path / "t.csv", customers()), str(tmp_path / "m.json")
    words = ["fit", data, "--model", "logistic", "--quiet", "--out", model]
    lines = told(capsys, *words).splitlines()
    start = lines.index("Coefficients, in units of their columns (positive ones speak for yes):")
    shown = [line.rsplit(None, 1) for line in lines[start + 1 : start + 6]]
    found = read_model(Path(model))
    coef = dict(zip(found.feature_names, found.coef.data, strict=True))
    order = sorted(coef, key=lambda name: -abs(coef[name]))
    assert [name.strip() for name, _ in shown] == order
    for name, value in shown:
        assert float(value) == pytest.approx(coef[name.strip()], rel=1e-4)
    text = told(capsys, "explain", model, "--top", "2")
    assert "Largest 2 of 5 coefficients" in text
    for part in ("Predicts: bought", "Classes: no, yes", "city: 3 categories", "Certificate: gap"):
        assert part in text
    assert "Fitted on t.csv: 80 rows, 5 features" in text


def test_columns_without_names_count_from_one(table_file: str, capsys: Captured) -> None:
    text = told(capsys, "fit", table_file, "--model", "lasso", "--alpha", "0.1", "--quiet")
    data = load(table_file)
    coef = banditcd.Lasso(alpha=0.1).fit(data.X, data.y).coef_
    (line,) = [line for line in text.splitlines() if line.startswith("  x1 ")]
    assert float(line.split()[1]) == pytest.approx(coef[0], rel=1e-4)
    assert "x0" not in text


@pytest.mark.parametrize(
    ("words", "estimator", "parameters"),
    [
        (["lasso"], banditcd.Lasso(), ["alpha"]),
        (["lasso", "--select", "1se"], banditcd.Lasso(), ["alpha"]),
        (["elasticnet", "--l1-ratio", "0.3,0.9"], banditcd.ElasticNet(), ["alpha", "l1_ratio"]),
        (["ridge"], banditcd.Ridge(), ["alpha"]),
        (["svr"], banditcd.LinearSVR(), ["C"]),
    ],
)
def test_the_score_of_a_cross_validation_is_that_of_scikit_learn(
    table_file: str, capsys: Captured, words: list[str], estimator: Any, parameters: list[str]
) -> None:
    measure = "R²" if words[0] in ("ridge", "svr") else "mean squared error"
    found = facts(capsys, "fit", table_file, "--cv", "4", "--quiet", "--model", *words)
    scores = found["cross_validation"]
    assert (scores["measure"], scores["folds"]) == (measure, 4)
    chosen = {name: found["parameters"][name] for name in parameters}
    data = load(table_file)
    scoring = "r2" if measure == "R²" else "neg_mean_squared_error"
    oracle = cross_val_score(estimator.set_params(**chosen), data.X, data.y, cv=4, scoring=scoring)
    assert scores["mean"] == pytest.approx(abs(oracle.mean()), rel=1e-2)
    assert scores["standard_error"] == pytest.approx(oracle.std(ddof=1) / 2.0, rel=5e-2)
    assert scores["rule"] == ("1se" if "1se" in words else "min")


def test_logistic_models_take_the_rule_and_several_ratios(tmp_path: Path, capsys: Captured) -> None:
    data = write(tmp_path / "t.csv", customers())
    words = ["fit", data, "--model", "logistic", "--cv", "4", "--quiet", "--l1-ratio", "0.5,1"]
    best, strong = facts(capsys, *words), facts(capsys, *words, "--select", "1se", "--threads", "2")
    assert strong["parameters"]["C"] <= best["parameters"]["C"]
    assert best["parameters"]["l1_ratio"] in (0.5, 1.0)
    assert not any("scoring" in note for note in best["notes"])  # advice for Python, not for here
    text = told(capsys, *words, "--select", "1se")
    assert "Cross-validation (4 folds): accuracy" in text
    assert "(standard error), the strongest penalty within one standard error of the best" in text
    one = ["fit", data, "--model", "elasticnet", "--target", "income", "--l1-ratio", "0.5,1"]
    assert main([*one, "--quiet"]) == 2
    assert "add --cv K" in capsys.readouterr().err
    assert main(["fit", data, "--model", "svm", "--threads", "0", "--quiet"]) == 2
    assert "--threads is 0" in capsys.readouterr().err


def test_json_has_everything_that_is_printed(tmp_path: Path, capsys: Captured) -> None:
    data, model = write(tmp_path / "t.csv", customers()), str(tmp_path / "m.json")
    words = ["fit", data, "--model", "logistic", "--quiet", "--out", model, "--test", data]
    found = facts(capsys, *words)
    assert {"notes", "parameters", "certificates", "largest_coefficients", "training", "test",
            "written", "features_used", "trained_on", "objective"} <= set(found)  # fmt: skip
    assert found["training"]["accuracy"] == found["test"]["accuracy"]
    predicted = facts(capsys, "predict", model, data, "--proba", "--evaluate")
    assert set(predicted["predictions"]) == {"no", "yes"} == set(predicted["classes"])
    assert np.shape(predicted["probabilities"]) == (80, 2)
    assert predicted["measures"] == found["training"]
    explained = facts(capsys, "explain", model)
    assert explained["largest_coefficients"] == found["largest_coefficients"]
    assert explained["table"]["columns"][1]["levels"] == ["New York", "Paris", "Rome"]
    path = facts(capsys, "path", data, "--model", "logistic", "--points", "30", "--quiet")
    assert [len(path["path"][name]) for name in ("C", "features", "score", "gap")] == [30] * 4
    assert set(path["coefficients"]) <= {"age", "income", *explained["feature_names"]}


def test_a_path_says_what_it_leaves_out(table_file: str, capsys: Captured) -> None:
    words = ["path", table_file, "--model", "lasso", "--quiet"]
    text = told(capsys, *words)
    assert "20 of 100 rows are shown; --rows 0 shows all; --out FILE.csv writes them" in text
    assert "-0.00" not in text
    full = told(capsys, *words, "--rows", "0")
    assert (len(full.splitlines()), "rows are shown" in full) == (103, False)
    assert main([*words, "--rows", "-1"]) == 2


@pytest.mark.parametrize(
    ("share", "text"), [(-1e-9, "0.00 %"), (-0.0, "0.00 %"), (0.5, "50.00 %"), (-0.01, "-1.00 %")]
)
def test_nothing_is_less_than_zero(share: float, text: str) -> None:
    assert percent(share) == text


class Page(HTMLParser):
    """Counts the tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)


def test_a_path_is_a_page_that_needs_no_other_file(tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    data, plot = write(tmp_path / "t<b>.csv", customers()), tmp_path / "p.html"
    words = ["path", data, "--model", "logistic", "--points", "12", "--quiet", "--plot", str(plot)]
    assert f"Drawn: {plot}" in told(capsys, *words)
    text = plot.read_text("utf-8")
    page = Page()
    page.feed(text)
    assert page.tags.count("tr") == 13
    assert page.tags.count("img") == page.tags.count("source") == 1
    assert text.count("data:image/svg+xml;base64,") == 2
    assert "script" not in page.tags
    assert "Path of t&lt;b&gt;.csv" in text


@pytest.mark.parametrize("kind", ["lasso", "logistic"])
def test_weights_along_a_path_are_repetitions(tmp_path: Path, capsys: Captured, kind: str) -> None:
    names = ("age", "income") if kind == "lasso" else ("age", "income", "bought")
    rows = [{name: row[name] for name in names} for row in customers()]
    repeated = [row for k, row in enumerate(rows) for _ in range(1 + k % 2)]
    rows = [{"w": 1 + k % 2, **row} for k, row in enumerate(rows)]
    words = ["--model", kind, "--points", "8", "--tol", "1e-9", "--quiet"]
    data, again = write(tmp_path / "t.csv", rows), write(tmp_path / "r.csv", repeated)
    ours = facts(capsys, "path", data, *words, "--weights", "w")["path"]
    oracle = facts(capsys, "path", again, *words)["path"]
    np.testing.assert_allclose(ours["score"], oracle["score"], atol=1e-5)
    np.testing.assert_allclose(ours["intercept"], oracle["intercept"], atol=1e-3)


def test_a_share_of_the_largest_alpha_knows_the_weights(tmp_path: Path, capsys: Captured) -> None:
    rows = [{"w": k % 2, "a": k % 7, "b": k % 5, "y": k % 3 + k % 7} for k in range(60)]
    half = [{k: v for k, v in row.items() if k != "w"} for row in rows if row["w"]]
    words = ["--model", "lasso", "--alpha-ratio", "0.1", "--quiet"]
    ours = facts(capsys, "fit", write(tmp_path / "t.csv", rows), *words, "--weights", "w")
    oracle = facts(capsys, "fit", write(tmp_path / "h.csv", half), *words)
    assert ours["parameters"]["alpha"] == pytest.approx(oracle["parameters"]["alpha"])


def test_a_strange_file_is_explained_or_refused(tmp_path: Path, capsys: Captured) -> None:
    data, model = write(tmp_path / "t.csv", customers()), tmp_path / "m.json"
    assert main(["fit", data, "--model", "svm", "--quiet", "--out", str(model)]) == 0
    file = json.loads(model.read_text("utf-8"))
    odd = {"parameters": [1], "trained_on": {"rows": "x"}, "certificates": [None, {"gap": "y"}]}
    model.write_text(json.dumps({**file, **odd}))
    assert "x rows" in told(capsys, "explain", str(model))
    assert main(["explain", data]) == 2


def test_flipped_bytes_of_a_table_s_model_end_in_a_sentence(
    tmp_path: Path, capsys: Captured
) -> None:
    data, model = write(tmp_path / "t.csv", customers()), tmp_path / "m.json"
    words = ["--model", "logistic", "--missing", "indicator", "--quiet", "--out", str(model)]
    assert main(["fit", data, *words]) == 0
    whole = model.read_bytes()
    capsys.readouterr()
    for seed in range(100):
        rng = np.random.default_rng(seed)
        content = bytearray(whole)
        content[int(rng.integers(len(content)))] ^= int(rng.integers(1, 256))
        model.write_bytes(content)
        assert main(["explain", str(model)]) in (0, 2)
        assert main(["predict", str(model), data]) in (0, 2)
        assert "Traceback" not in capsys.readouterr().err


def test_the_accuracy_of_a_cross_validation_is_that_of_scikit_learn(
    text_file: str, capsys: Captured
) -> None:
    words = ["fit", text_file, "--quiet", "--cv", "4", "--model"]
    data = load(text_file)
    for kind, estimator in (
        ("logistic", banditcd.LogisticRegression()),
        ("svm", banditcd.LinearSVC()),
        ("ridgeclassifier", banditcd.RidgeClassifier()),
        ("grouplogistic", banditcd.GroupLogisticRegression()),
    ):
        found = facts(capsys, *words, kind)
        penalty = "alpha" if kind == "ridgeclassifier" else "C"
        estimator.set_params(**{penalty: found["parameters"][penalty]})
        oracle = cross_val_score(estimator, data.X, data.y, cv=4)
        assert found["cross_validation"]["measure"] == "accuracy"
        assert found["cross_validation"]["mean"] == pytest.approx(oracle.mean())
        error = oracle.std(ddof=1) / 2.0
        assert found["cross_validation"]["standard_error"] == pytest.approx(error)


def test_no_file_takes_the_place_of_one_that_is_read(tmp_path: Path, capsys: Captured) -> None:
    data, model = write(tmp_path / "t.csv", customers()), str(tmp_path / "m.json")
    rest = [data, "--model", "logistic", "--quiet"]
    told(capsys, "fit", *rest, "--out", model)
    before = Path(data).read_bytes(), Path(model).read_bytes()
    told(capsys, "fit", *rest, "--out", data, status=2)
    told(capsys, "fit", *rest, "--test", model, "--out", model, status=2)
    told(capsys, "path", *rest, "--out", data, status=2)
    told(capsys, "predict", model, data, "--out", model, status=2)
    told(capsys, "predict", model, data, "--out", data, status=2)
    assert (Path(data).read_bytes(), Path(model).read_bytes()) == before
    told(capsys, "fit", *rest, "--out", model)  # an older model gives way to a newer one


def test_a_mistake_is_told_without_a_page_of_usage(
    table_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", table_file]) == 2
    usage, error = capsys.readouterr().err.splitlines()
    assert usage == "usage: banditcd fit DATA --model MODEL [options]"
    assert "required: --model" in error
