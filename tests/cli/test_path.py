import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import lasso_path

import banditcd
from banditcd.cli import main
from banditcd.cli.model_file import read_model
from banditcd.data import load


def path(*words: str) -> int:
    return main(["path", *words, "--quiet"])


def test_a_path_is_printed_and_written_with_what_scikit_learn_finds(
    table_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", "lasso", "--points", "30", "--tol", "1e-9", "--eps", "0.01"]
    out = tmp_path / "path.csv"
    assert path(table_file, *words, "--out", str(out)) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[1].split() == ["alpha", "features", "explained", "gap"]
    assert "Largest gap" in text
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    data = load(table_file)
    centered = data.X - data.X.mean(axis=0), data.y - data.y.mean()
    largest = np.abs(centered[0].T @ centered[1]).max() / len(data.y)
    grid = np.geomspace(largest, 0.01 * largest, 30)
    alphas, coefs, _ = lasso_path(*centered, alphas=grid, tol=1e-12)
    np.testing.assert_allclose([float(row["alpha"]) for row in rows], alphas, rtol=1e-9)
    for j in range(8):
        found = [float(row.get(f"x{j + 1}", 0.0)) for row in rows]
        np.testing.assert_allclose(found, coefs[j], atol=1e-4)
    last = rows[-1]
    predicted = data.X @ coefs[:, -1] + float(last["intercept"])
    explained = 1.0 - np.sum((data.y - predicted) ** 2) / np.sum(centered[1] ** 2)
    assert float(last["score"]) == pytest.approx(explained, abs=1e-4)
    assert int(last["features"]) == np.count_nonzero(coefs[:, -1])
    assert all(float(row["gap"]) <= 1e-9 for row in rows)


def test_arrays_and_a_picture(table_file: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    out, plot = tmp_path / "p.npz", tmp_path / "p.png"
    words = ["--model", "elasticnet", "--l1-ratio", "0.5", "--no-intercept", "--points", "5"]
    assert path(table_file, *words, "--out", str(out), "--plot", str(plot)) == 0
    with np.load(out, allow_pickle=False) as file:
        assert file["coef"].shape == (len(file["features"]), 5)
        assert not file["intercept"].any()
        assert np.all(np.diff(file["alpha"]) < 0.0)
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in tmp_path.glob("*p.*")) == ["p.npz", "p.png"]


def test_a_logistic_path_agrees_with_its_fits(text_file: str, tmp_path: Path) -> None:
    out, model_file = tmp_path / "p.csv", tmp_path / "m.json"
    words = ["--model", "logistic", "--tol", "1e-10"]
    assert path(text_file, *words, "--points", "6", "--eps", "0.05", "--out", str(out)) == 0
    with out.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(rows[0]["features"]), float(rows[0]["score"])] == pytest.approx([0, 0.0], abs=1e-9)
    last = rows[-1]
    words += ["--l1-ratio", "1", "--C", last["C"], "--out", str(model_file), "--quiet"]
    assert main(["fit", text_file, *words]) == 0
    model, data = read_model(model_file), load(text_file)
    found = [float(last.get(f"x{j + 1}", 0.0)) for j in range(12)]
    np.testing.assert_allclose(found, model.coef.toarray()[0], atol=1e-3)
    assert float(last["intercept"]) == pytest.approx(float(model.intercept[0]), abs=1e-3)
    share = np.mean(data.y > 0)
    null = -share * np.log(share) - (1 - share) * np.log(1 - share)
    log_loss = model.evaluate(data.X, data.y)["log_loss"]
    assert float(last["score"]) == pytest.approx(1.0 - log_loss / null, abs=1e-4)
    assert all(float(row["gap"]) <= 1e-10 for row in rows)


@pytest.mark.parametrize("word", ["multinomial", "ovr"])
def test_a_path_of_several_classes_is_that_of_the_function(word: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4))
    labels = np.digitize(X[:, 0] + 0.5 * rng.normal(size=90), [-0.5, 0.5])
    table, out = tmp_path / "t.csv", tmp_path / "p.npz"
    np.savetxt(table, np.column_stack([X, labels]), delimiter=",", fmt="%.17g")
    words = ["--model", "logistic", "--points", "5", "--eps", "0.1", "--out", str(out)]
    assert path(str(table), *words, "--multi-class", word) == 0
    Cs, coefs, *_ = banditcd.logistic_path(
        X, labels, Cs=5, eps=0.1, fit_intercept=True, multi_class=word
    )
    with np.load(out, allow_pickle=False) as arrays:
        assert arrays["rows"].tolist() == ["0", "1", "2"]
        np.testing.assert_allclose(arrays["C"], Cs)
        np.testing.assert_allclose(arrays["coef"], coefs[:, arrays["features"]], atol=1e-12)


def test_a_tolerance_that_is_missed_has_a_status_of_its_own(
    table_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", "lasso", "--selector", "cyclic", "--max-iter", "1", "--tol", "1e-12"]
    assert path(table_file, *words, "--points", "4") == 3
    assert "Objective did not converge" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "ridge"], "invalid choice"),
        (["--model", "lasso", "--points", "0"], "--points is 0"),
        (["--model", "lasso", "--eps", "0"], "--eps is 0.0"),
        (["--model", "elasticnet", "--l1-ratio", "0"], "--l1-ratio is 0.0"),
        (["--model", "lasso", "--out", "p.txt"], "must end in .csv or .npz"),
        (["--model", "lasso", "--plot", "p.gif"], "must end in .png"),
        (["--model", "lasso", "--plot", "no/p.png"], "there is no directory"),
    ],
)
def test_mistakes_are_told(
    table_file: str, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert path(table_file, *words) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
