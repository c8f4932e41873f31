import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, Ridge, RidgeClassifier
from sklearn.svm import LinearSVC, LinearSVR

import banditcd
from banditcd.cli import main
from banditcd.cli.model_file import read_model
from banditcd.data import load
from tests.deadlines import HUNG


def fit(*words: str) -> int:
    return main(["fit", *words, "--quiet"])


def test_a_model_is_fitted_certified_told_and_written(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "model.json"
    words = ["--model", "lasso", "--alpha", "0.05", "--tol", "1e-10", "--out", str(out)]
    assert fit(table_file, *words, "--test", table_file) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "table.csv: 40 rows, 8 columns, 320 nonzeros (dense)" in captured.out
    assert "Certificate: the objective is" in captured.out
    assert "above the best possible" in captured.out
    assert captured.out.count("R²") == 2
    model = json.loads(out.read_text("utf-8"))
    data = load(table_file)
    oracle = Lasso(alpha=0.05, tol=1e-12).fit(data.X, data.y)
    coef = np.zeros(8)
    coef[model["coef"][0]["indices"]] = model["coef"][0]["values"]
    np.testing.assert_allclose(coef, oracle.coef_, atol=1e-4)
    np.testing.assert_allclose(model["intercept"], [oracle.intercept_], atol=1e-4)
    (certificate,) = model["certificates"]
    assert certificate["status"] == "converged"
    assert certificate["gap"] <= certificate["target"]
    assert model["parameters"]["alpha"] == 0.05
    assert model["trained_on"] == {"data": "table.csv", "rows": 40, "columns": 8}


def test_options_reach_the_estimator(table_file: str, tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    words = ["--model", "elasticnet", "--alpha-ratio", "0.1", "--l1-ratio", "0.7", "--positive"]
    assert fit(table_file, *words, "--no-intercept", "--tol", "1e-9", "--out", str(out)) == 0
    model = json.loads(out.read_text("utf-8"))
    chosen = model["parameters"]
    expected = {"l1_ratio": 0.7, "positive": True, "fit_intercept": False, "tol": 1e-9}
    assert {name: chosen[name] for name in expected} == expected
    data = load(table_file)
    largest = (data.X.T @ data.y).max() / (0.7 * 40)
    assert chosen["alpha"] == pytest.approx(0.1 * largest)
    oracle = ElasticNet(
        alpha=chosen["alpha"], l1_ratio=0.7, positive=True, fit_intercept=False, tol=1e-12
    ).fit(data.X, data.y)
    np.testing.assert_allclose(
        model["coef"][0]["values"], oracle.coef_[oracle.coef_ != 0.0], atol=1e-4
    )
    assert model["intercept"] == [0.0]


def test_cross_validation_chooses_the_penalty(table_file: str, tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    assert fit(table_file, "--model", "lasso", "--cv", "4", "--out", str(out)) == 0
    smallest = json.loads(out.read_text("utf-8"))["parameters"]["alpha"]
    words = ["--cv", "4", "--select-alpha", "1se", "--out", str(out)]
    assert fit(table_file, "--model", "lasso", *words) == 0
    assert json.loads(out.read_text("utf-8"))["parameters"]["alpha"] >= smallest > 0.0


def test_a_tolerance_that_is_missed_has_a_status_of_its_own(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.json"
    words = ["--model", "lasso", "--alpha", "1e-4", "--selector", "cyclic", "--max-iter", "1"]
    assert fit(table_file, *words, "--tol", "1e-12", "--out", str(out)) == 3
    text = capsys.readouterr().out
    assert "NOT converged" in text
    assert "increase the number of iterations: --max-iter is 1" in text
    assert json.loads(out.read_text("utf-8"))["certificates"][0]["status"] == "max_iter"


def test_a_penalty_that_kills_everything_is_remarked_on(
    table_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fit(table_file, "--model", "lasso", "--alpha", "1e6") == 0
    assert "--alpha-ratio 0.05 or --cv 5" in capsys.readouterr().out


def test_there_is_no_progress_without_a_terminal(
    table_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", table_file, "--model", "lasso"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "..." not in captured.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["DATA", "--model", "laso"], "invalid choice: 'laso'"),
        (["DATA"], "--model"),
        (["nowhere.csv", "--model", "lasso"], "There is no file nowhere.csv"),
        (["DATA", "--model", "svr", "--loss", "hinge"], "--loss hinge is none of --model svr"),
        (["DATA", "--model", "svm", "--epsilon", "1"], "--epsilon has no meaning for --model svm"),
        (["DATA", "--model", "svr", "--epsilon", "-1"], "--epsilon"),
        (["DATA", "--model", "lasso", "--C", "1"], "--C has no meaning for --model lasso"),
        (["DATA", "--model", "lasso", "--l1-ratio", "1"], "it belongs to: elasticnet, logistic"),
        (["DATA", "--model", "svm", "--positive"], "it belongs to: lasso, elasticnet, ridge"),
        (["DATA", "--model", "lasso", "--free-intercept"], "it belongs to: svm"),
        (["DATA", "--model", "svm", "--free-intercept", "--no-intercept"], "contradict"),
        (["DATA", "--model", "lasso", "--alpha", "-1"], "--alpha is -1.0; it must be at least 0"),
        (["DATA", "--model", "lasso", "--alpha", "nan"], "--alpha is nan"),
        (["DATA", "--model", "svm", "--C", "0"], "--C is 0.0; it must be greater than 0"),
        (["DATA", "--model", "elasticnet", "--l1-ratio", "2"], "at most 1"),
        (["DATA", "--model", "lasso", "--tol", "0"], "--tol is 0.0"),
        (["DATA", "--model", "lasso", "--max-iter", "0"], "--max-iter is 0"),
        (["DATA", "--model", "lasso", "--cv", "1"], "at least 2 folds"),
        (["DATA", "--model", "lasso", "--cv", "3", "--alpha", "1"], "leave out --alpha"),
        (["DATA", "--model", "lasso", "--select-alpha", "1se"], "add --cv K"),
        (["DATA", "--model", "lasso", "--alpha", "1", "--C", "1"], "not allowed with"),
        (["DATA", "--model", "lasso", "--target", "z"], "no column 'z'"),
        (["TEXT", "--model", "lasso", "--target", "1"], "--target is about the columns of a table"),
        (["DATA", "--model", "logistic", "--class-weight", "a"], "--class-weight is 'a'"),
        (["DATA", "--model", "logistic", "--class-weight=1:-1"], "The weight of class 1"),
        (["DATA", "--model", "lasso", "--test", "nowhere.svm"], "no file nowhere.svm, and no"),
        ([str(Path(__file__).parent), "--model", "lasso"], "is a directory; name a file in it"),
        (["DATA", "--model", "lasso", "--test", "TEXT"], ""),
        (["DATA", "--model", "lasso", "--selector", "b_max"], "Did you mean 'b_max_r'"),
        (["DATA", "--model", "ridge", "--cv", "3", "--seed", "1"], "--seed has no meaning"),
    ],
)
def test_mistakes_are_told_before_any_work_and_nothing_is_written(
    table_file: str,
    text_file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    out = tmp_path / "model.json"
    names = {"DATA": table_file, "TEXT": text_file}
    words = [names.get(word, word) for word in words]
    status = fit(*words, "--out", str(out))
    captured = capsys.readouterr()
    if not message:  # LIBSVM text of another width is cut, with a note
        assert (status, "left out" in captured.err) == (0, True)
        return
    assert status == 2
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert "Certificate" not in captured.out
    assert not out.exists()


def test_a_place_that_cannot_be_written_is_told_before_the_fit(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fit(table_file, "--model", "lasso", "--out", str(tmp_path / "no" / "m.json")) == 2
    out, err = capsys.readouterr()
    assert ("there is no directory" in err, out) == (True, "")


def test_a_disk_that_is_full_is_told(
    table_file: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("banditcd.cli.fit.write_model", fail)
    assert fit(table_file, "--model", "lasso", "--out", str(tmp_path / "m.json")) == 1
    assert "could not be written: [Errno 28] No space left" in capsys.readouterr().err


def test_a_terminal_without_our_letters_is_no_crash(table_file: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "banditcd", "fit", table_file, "--model", "lasso"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True, timeout=HUNG, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert b"minimizes ?y" in done.stdout


def test_labels_that_are_no_classes_are_told(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fit(table_file, "--model", "logistic") == 2
    assert "is not a whole number" in capsys.readouterr().err
    (tmp_path / "one.csv").write_text("1,7\n2,7\n")
    assert fit(str(tmp_path / "one.csv"), "--model", "svm") == 2
    assert "needs two classes" in capsys.readouterr().err


ORACLES = [
    ("ridge", ["--alpha", "2"], Ridge(alpha=2.0)),
    ("ridgeclassifier", ["--alpha", "2"], RidgeClassifier(alpha=2.0)),
    (
        "svr",
        ["--C", "0.3", "--epsilon", "0.2"],
        LinearSVR(C=0.3, epsilon=0.2, tol=1e-10, max_iter=10**6, random_state=0),
    ),
    (
        "svr",
        ["--loss", "squared_epsilon_insensitive", "--no-intercept"],
        LinearSVR(loss="squared_epsilon_insensitive", fit_intercept=False, dual=False, tol=1e-12),
    ),
    ("logistic", ["--C", "0.3"], LogisticRegression(C=0.3, tol=1e-10)),
    (
        "logistic",
        ["--C", "0.3", "--l1-ratio", "1", "--no-intercept"],
        LogisticRegression(
            C=0.3,
            penalty="elasticnet",  # scikit-learn before 1.8 has no L1 without it
            l1_ratio=1.0,
            fit_intercept=False,
            solver="saga",
            tol=1e-10,
            max_iter=10**5,
        ),
    ),
    ("svm", ["--C", "0.3"], LinearSVC(C=0.3, tol=1e-10, max_iter=10**6)),
    (
        "svm",
        ["--C", "0.3", "--loss", "hinge", "--class-weight=-1:2,1:1"],
        LinearSVC(C=0.3, loss="hinge", class_weight={-1: 2, 1: 1}, tol=1e-10, max_iter=10**6),
    ),
]


@pytest.mark.filterwarnings("ignore:'penalty' was deprecated in version:FutureWarning")
@pytest.mark.parametrize(("name", "words", "oracle"), ORACLES)
def test_models_are_those_of_scikit_learn(
    text_file: str, tmp_path: Path, name: str, words: list[str], oracle: Any
) -> None:
    out = tmp_path / "m.json"
    assert fit(text_file, "--model", name, *words, "--tol", "1e-11", "--out", str(out)) == 0
    data = load(text_file)
    oracle.fit(data.X, data.y)
    model = read_model(out)
    np.testing.assert_allclose(model.coef.toarray(), np.atleast_2d(oracle.coef_), atol=1e-3)
    np.testing.assert_allclose(model.predict(data.X), oracle.predict(data.X), atol=1e-3)
    assert model.facts["certificates"][0]["status"] == "converged"


def test_more_classes_are_fitted_certified_and_predicted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "m.npz")
    words = ["fit", "digits", "--model", "svm", "--C", "0.001", "--free-intercept", "--out", out]
    assert main([*words, "--quiet"]) == 0
    assert "worst of 10 classes" in capsys.readouterr().out
    assert main(["predict", out, "digits", "--evaluate"]) == 0
    digits = load("digits")
    oracle = banditcd.LinearSVC(C=0.001, penalize_intercept=False).fit(digits.X, digits.y)
    right = int(np.sum(oracle.predict(digits.X) == digits.y))
    assert f"({right:,} of 1,797)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["svm"], ["logistic"], ["logistic", "--l1-ratio", "1"], ["ridge", "--select-alpha", "1se"]],
)
def test_every_model_can_be_cross_validated(
    text_file: str, tmp_path: Path, words: list[str]
) -> None:
    out = tmp_path / "m.json"
    assert fit(text_file, "--model", *words, "--cv", "3", "--out", str(out)) == 0
    model = json.loads(out.read_text("utf-8"))
    chosen = model["parameters"]["alpha" if words[0] == "ridge" else "C"]
    assert isinstance(chosen, float)
    assert model["certificates"][0]["status"] == "converged"
    if "--l1-ratio" in words:
        assert model["parameters"]["l1_ratio"] == 1.0


def test_a_fit_that_breaks_leaves_an_old_model_alone(
    table_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "m.json"
    out.write_text("precious")

    def interrupt(*args: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("banditcd.cli.fit.from_estimator", interrupt)
    assert fit(table_file, "--model", "lasso", "--out", str(out)) == 130
    assert out.read_text() == "precious"
