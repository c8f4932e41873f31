"""Multi-task models on the command line: targets in columns, in arrays, in files of their own."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import banditcd
from banditcd.cli import main

RNG = np.random.default_rng(7)
X = RNG.normal(size=(50, 5))
Y = X[:, :2] @ RNG.normal(size=(2, 3)) + [1.0, -2.0, 3.0] + 0.1 * RNG.normal(size=(50, 3))
MODELS = {
    "multitasklasso": banditcd.MultiTaskLasso,
    "multitaskelasticnet": banditcd.MultiTaskElasticNet,
}
#: The forms of the same data, and how their targets are named.
FORMS = {
    "named.csv": ["--target", "p", "--target", "q", "--target", "r"],
    "plain.csv": ["--target", "6", "--target", "7", "--target", "8"],
    "both.npz": [],
    "X.npz": ["--target", "Y.npy"],
    "X.npy": ["--target", "Y.npy"],
    "XY.npy": ["--target", "6", "--target", "7", "--target", "8"],
    "rows.svm": ["--target", "Y.npy"],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the data in every form; the named table has its targets between features."""
    monkeypatch.chdir(tmp_path)
    both = np.column_stack([X, Y])
    np.savetxt("plain.csv", both, delimiter=",", fmt="%.17g")
    mixed = np.column_stack([X[:, :2], Y[:, 0], X[:, 2:4], Y[:, 1:], X[:, 4]])
    head = "a,b,p,c,d,q,r,e"
    np.savetxt("named.csv", mixed, delimiter=",", fmt="%.17g", header=head, comments="")
    np.savez("both.npz", X=X, y=Y)
    np.savez("X.npz", X=X)
    for name, array in {"X.npy": X, "Y.npy": Y, "XY.npy": both}.items():
        np.save(name, array)
    lines = (" ".join(["0", *(f"{j + 1}:{v!r}" for j, v in enumerate(row.tolist()))]) for row in X)
    Path("rows.svm").write_text("\n".join(lines) + "\n")
    return tmp_path


def run(*words: str) -> int:
    return main([*words, "--quiet"] if words[0] in ("fit", "path") else list(words))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_model_of_the_estimator(
    form: str, model: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", model, "--alpha", "0.05", "--tol", "1e-12", "--out", "m.json"]
    assert run("fit", form, *FORMS[form], *words) == 0
    expected = MODELS[model](alpha=0.05, tol=1e-12).fit(X, Y)
    capsys.readouterr()
    assert run("predict", "m.json", form, "--json") == 0
    got = np.array(json.loads(capsys.readouterr().out)["predictions"])
    np.testing.assert_allclose(got, expected.predict(X), rtol=0.0, atol=1e-9)
    targets = FORMS[form] if form in ("rows.svm", "X.npz") else []
    if form != "X.npy":  # the targets of a matrix are in a file of their own
        assert run("predict", "m.json", form, "--evaluate", *targets) == 0
        error = np.mean((expected.predict(X) - Y) ** 2)
        assert f"mean squared error {error:.5g}" in capsys.readouterr().out


def test_a_line_has_a_number_for_each_target_and_features_are_enough(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", "multitasklasso", "--alpha", "0.05"]
    assert run("fit", "named.csv", *FORMS["named.csv"], *words, "--out", "m.npz") == 0
    np.savetxt("new.csv", X[:3], delimiter=",", header="a,b,c,d,e", comments="")
    capsys.readouterr()
    assert run("predict", "m.npz", "new.csv") == 0
    lines = [[float(word) for word in line.split()] for line in capsys.readouterr().out.split("\n")]
    expected = banditcd.MultiTaskLasso(alpha=0.05).fit(X, Y).predict(X[:3])
    np.testing.assert_allclose(lines[:3], expected, atol=1e-9)
    assert run("explain", "m.npz") == 0
    out = capsys.readouterr().out
    assert "Predicts: p, q, r" in out
    assert "(target q)" in out


def test_words_and_gaps_keep_the_places_of_the_targets(here: Path) -> None:
    rows = ["city,p,age,q"]
    rows += [
        f"{'Rome' if k % 3 else 'Oslo'},{k % 7},{k % 5 if k else ''},{k % 4}" for k in range(40)
    ]
    Path("t.csv").write_text("\n".join(rows) + "\n")
    words = ["--model", "multitasklasso", "--target", "p", "--target", "q", "--missing", "mean"]
    assert run("fit", "t.csv", *words, "--alpha", "0.01", "--out", "m.json") == 0
    table = json.loads(Path("m.json").read_text())["table"]
    assert table["target"] == [2, 4]
    bare = "\n".join(row.split(",")[0] + "," + row.split(",")[2] for row in rows[1:4])
    Path("bare.csv").write_text(bare + "\n")  # without names and targets: by position
    assert run("predict", "m.json", "bare.csv", "--header", "no", "--out", "p.txt") == 0
    assert run("predict", "m.json", "t.csv", "--out", "q.txt") == 0
    assert Path("p.txt").read_text().split() == Path("q.txt").read_text().split()[:6]


@pytest.mark.parametrize("model", MODELS)
def test_a_search_and_a_share_of_the_largest_alpha(
    model: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fit", "both.npz", "--model", model, "--json"]
    assert run(*words, "--cv", "4", "--select", "1se") == 0
    chosen = json.loads(capsys.readouterr().out)["parameters"]["alpha"]
    search = getattr(banditcd, f"{MODELS[model].__name__}CV")(cv=4, select_alpha="1se").fit(X, Y)
    assert chosen == pytest.approx(search.alpha_, rel=1e-12)
    assert run(*words, "--alpha-ratio", "1.0001") == 0
    assert json.loads(capsys.readouterr().out)["features_used"] == 0
    assert run(*words, "--alpha-ratio", "0.99", "--tol", "1e-10") == 0
    assert json.loads(capsys.readouterr().out)["features_used"] >= 1


def test_a_path_has_the_coefficients_of_every_target(here: Path) -> None:
    words = [
        "--model",
        "multitaskelasticnet",
        "--l1-ratio",
        "0.7",
        "--points",
        "4",
        "--tol",
        "1e-10",
    ]
    given = ["path", "named.csv", *FORMS["named.csv"], *words, "--eps", "0.05"]
    assert run(*given, "--out", "p.csv") == 0
    with Path("p.csv").open() as file:
        last = list(csv.DictReader(file))[-1]
    model = banditcd.MultiTaskElasticNet(alpha=float(last["alpha"]), l1_ratio=0.7, tol=1e-12)
    model.fit(X, Y)
    for k, target in enumerate("pqr"):
        assert float(last[f"intercept for {target}"]) == pytest.approx(
            model.intercept_[k], abs=1e-4
        )
        for j, name in enumerate("abcde"):
            found = float(last.get(f"{name} for {target}", 0.0))
            assert found == pytest.approx(model.coef_[k, j], abs=1e-4)
    assert run(*given, "--out", "p.npz", "--plot", "p.svg") == 0
    with np.load("p.npz", allow_pickle=False) as arrays:
        assert arrays["rows"].tolist() == ["p", "q", "r"]
        assert arrays["coef"].shape == (3, len(arrays["features"]), 4)
    assert "length of the 3 coefficients" in Path("p.svg").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["named.csv", "--model", "multitasklasso"], "--target A --target B"),
        (["named.csv", "--model", "multitasklasso", "--target", "p"], "--target A --target B"),
        (["named.csv", "--model", "lasso", *FORMS["named.csv"]], "--model lasso predicts one"),
        (
            ["named.csv", "--model", "multitasklasso", "--target", "p", "--target", "p"],
            "names 'p' of",
        ),
        (["XY.npy", "--model", "multitasklasso", "--target", "6", "--target", "6"], "twice"),
        (["rows.svm", "--model", "multitasklasso"], "--target y.npy"),
        (["both.npz", "--model", "lasso"], "multitasklasso"),
        (["both.npz", "--model", "multitasklasso", "--positive"], "--positive has no meaning"),
    ],
)
def test_a_mistake_is_told(
    words: list[str], message: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fit", *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        {"intercept": [1.0]},
        {"intercept": [], "coef": []},
        {"intercept": [1.0], "coef": [{"indices": [0], "values": [1.0]}]},
        {"target": ["p"]},
        {"target": "p"},
        {"target": [1, 2, 3]},
        {"classes": [0.0, 1.0, 2.0]},
    ],
)
def test_a_model_file_that_contradicts_itself_is_refused(
    change: dict[str, Any], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", "multitasklasso", "--alpha", "0.05", "--out", "m.json"]
    assert run("fit", "named.csv", *FORMS["named.csv"], *words) == 0
    plain = json.loads(Path("m.json").read_text())
    Path("bad.json").write_text(json.dumps({**plain, **change}))
    assert run("predict", "bad.json", "named.csv") == 2
    assert "is not a model that this version can read" in capsys.readouterr().err


def test_a_mistake_in_what_is_predicted_is_told(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--model", "multitasklasso", "--alpha", "0.05", "--out", "m.json"]
    assert run("fit", "named.csv", *FORMS["named.csv"], *words) == 0
    twice = ["--target", "p", "--target", "p", "--target", "q"]
    assert run("predict", "m.json", "named.csv", *twice, "--evaluate") == 2
    assert "twice" in capsys.readouterr().err
    np.save("number.npy", np.array(3.0))
    assert run("predict", "m.json", "number.npy") == 2
    assert "number.npy" in capsys.readouterr().err
