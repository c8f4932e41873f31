"""The objective that is printed is the one that was minimized; groups on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import banditcd
from banditcd.cli import main
from banditcd.cli.model_file import read_model
from banditcd.cli.models import KINDS
from banditcd.cli.objectives import LOSSES, PENALTIES, general, minimized

RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 12))
SIGNAL = X[:, 0] - X[:, 4] + 0.5 * RNG.normal(size=60)
OVERLAPPING = np.digitize(SIGNAL + 2.0 * RNG.normal(size=60), [-1.0, 1.0])


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Tables of 12 features with two and three classes, and with numbers."""
    targets = {"2": SIGNAL > 0.0, "3": np.digitize(SIGNAL, [-0.7, 0.7]), "0": SIGNAL}
    targets |= {"both": OVERLAPPING > 0, "all": OVERLAPPING}  # no feature tells these apart
    out = {}
    for classes, y in targets.items():
        out[classes] = str(tmp_path / f"t{classes}.csv")
        np.savetxt(out[classes], np.column_stack([X, y]), delimiter=",")
    return out


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what was said to be minimized."""
    (line,) = [x for x in capsys.readouterr().out.splitlines() if "; minimizes " in x]
    return line.split("; minimizes ")[1]


def test_every_model_has_a_loss_and_a_penalty(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(LOSSES) == set(PENALTIES) == set(KINDS)
    assert main(["fit", "--help"]) == 0
    text = capsys.readouterr().out
    for name in KINDS:
        assert all(line in text for line in general(name))
    assert "--penalty l1: C Σ loss(yᵢ(xᵢ·w + b)) + ‖w‖₁ + |b|" in text


@pytest.mark.parametrize(
    ("data", "words", "there", "not_there"),
    [
        ("3", ["logistic"], ["log Σₖ exp", "‖W‖₁"], ["log(1 +", "against the rest"]),
        ("3", ["logistic", "--multi-class", "ovr"], ["log(1 +", "against the rest"], ["Σₖ"]),
        ("2", ["logistic"], ["log(1 +"], ["Σₖ", "against the rest"]),
        ("all", ["logistic", "--C", "inf"], ["Σ log Σₖ exp", "zₖ"], ["C ", "‖"]),
        ("both", ["logistic", "--C", "inf"], ["log(1 +"], ["C ", "‖", "rest"]),
        (
            "all",
            ["logistic", "--C", "inf", "--multi-class", "ovr"],
            ["log(1 +", "rest"],
            ["C ", "‖"],
        ),
        ("both", ["grouplogistic", "--C", "inf"], ["log(1 +"], ["C ", "‖"]),
        ("2", ["svm"], ["½‖w‖² + ½b²"], ["[", "‖w‖₁"]),
        ("2", ["svm", "--free-intercept"], ["½‖w‖²"], ["b²", "["]),
        ("2", ["svm", "--penalty", "l1"], ["‖w‖₁ + |b|"], ["½", "["]),
        ("2", ["svm", "--penalty", "l1", "--free-intercept"], ["‖w‖₁"], ["|b|", "½", "["]),
        ("2", ["svm", "--no-intercept"], ["½‖w‖²"], ["b²", "["]),
        ("0", ["svr", "--free-intercept"], ["½‖w‖²"], ["b²", "["]),
        ("0", ["svr"], ["½‖w‖² + ½b²"], ["["]),
        ("3", ["ridgeclassifier"], ["alpha ‖w‖²", "against the rest"], []),
    ],
)
def test_fit_explain_and_the_file_say_what_was_minimized(
    files: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    data: str,
    words: list[str],
    there: list[str],
    not_there: list[str],
) -> None:
    out = tmp_path / "m.json"
    assert main(["fit", files[data], "--model", *words, "--out", str(out), "--quiet"]) == 0
    said = shown(capsys)
    assert main(["explain", str(out)]) == 0
    assert shown(capsys) == said == json.loads(out.read_text("utf-8"))["objective"]
    assert all(part in said for part in there)
    assert not any(part in said for part in not_there)


def test_a_model_without_a_penalty_is_that_of_its_estimator(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.json"
    words = ["--C", "inf", "--out", str(out), "--quiet"]
    assert main(["fit", files["all"], "--model", "logistic", *words]) == 0
    assert "C = inf" in capsys.readouterr().out
    estimator = banditcd.LogisticRegression(C=np.inf).fit(X, OVERLAPPING)
    found = read_model(out)
    assert found.facts["parameters"]["C"] == "inf"
    np.testing.assert_allclose(found.coef.toarray(), estimator.coef_, atol=1e-6)
    assert main(["fit", files["3"], "--model", "logistic", "--C", "inf", "--quiet"]) == 3
    assert "No optimum exists" in capsys.readouterr().out
    assert main(["fit", files["3"], "--model", "svm", "--C", "inf", "--quiet"]) == 2
    assert "--C is inf" in capsys.readouterr().err


def test_parameters_of_other_programs_do_no_harm() -> None:
    assert minimized("svm", {"penalty": 3, "fit_intercept": None}, 2, False)


@pytest.mark.parametrize("verb", ["fit", "path"])
def test_groups_that_do_not_divide_the_features_are_told_what_does(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    words = [verb, files["0"], "--model", "grouplasso", "--quiet", "--groups"]
    assert main([*words, "5"]) == 2
    error = capsys.readouterr().err
    assert "--groups is 5" in error
    assert "give one of 1, 2, 3, 4, 6, 12" in error
    assert main([*words, "0"]) == 2
    assert "--groups is 0" in capsys.readouterr().err


def test_a_selector_of_an_l1_svm_is_refused_before_the_data_are_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["--model", "svm", "--penalty", "l1", "--selector", "cyclic", "--quiet"]
    assert main(["fit", "there-is-no-such-file.csv", *words]) == 2
    assert "leave out --selector" in capsys.readouterr().err


@pytest.mark.parametrize(("model", "data"), [("grouplasso", "0"), ("grouplogistic", "2")])
def test_a_path_of_groups_agrees_with_its_estimator(
    files: dict[str, str], tmp_path: Path, model: str, data: str
) -> None:
    out = tmp_path / "p.csv"
    words = ["--model", model, "--groups", "3", "--points", "6", "--eps", "0.05", "--tol", "1e-10"]
    assert main(["path", files[data], *words, "--out", str(out), "--quiet"]) == 0
    with out.open(encoding="utf-8") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file))
    assert [int(row["features"]) % 3 for row in rows] == [0] * 6
    assert int(rows[0]["features"]) == 0
    last = rows[-1]
    estimator: Any
    if model == "grouplasso":
        estimator = banditcd.GroupLasso(groups=3, alpha=float(last["alpha"]), tol=1e-10)
        estimator.fit(X, SIGNAL)
    else:
        estimator = banditcd.GroupLogisticRegression(groups=3, C=float(last["C"]), tol=1e-10)
        estimator.fit(X, SIGNAL > 0.0)
    found = [float(last.get(f"x{j + 1}", 0.0)) for j in range(12)]
    np.testing.assert_allclose(found, np.ravel(estimator.coef_), atol=1e-4)
    assert float(last["intercept"]) == pytest.approx(
        float(np.ravel(estimator.intercept_)[0]), abs=1e-4
    )


@pytest.mark.parametrize("option", [["--selector", "cyclic"], ["--seed", "1"], ["--positive"]])
def test_a_path_of_groups_refuses_what_it_has_not(
    capsys: pytest.CaptureFixture[str], option: list[str]
) -> None:
    assert main(["path", "no.csv", "--model", "grouplasso", "--quiet", *option]) == 2
    assert f"{option[0]} has no meaning for --model grouplasso" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["elastic-net", "elastic_net", "ElasticNet", "elasticnet"])
def test_parts_of_names_may_be_set_apart(word: str, table_file: str) -> None:
    alone = ["fit", table_file, "--quiet", "--model"]
    assert main([*alone, word, "--alpha", "0.1", "--selector", "max-r"]) == 0
    assert main([*alone, "svr", "--loss", "squared-epsilon-insensitive"]) == 0
