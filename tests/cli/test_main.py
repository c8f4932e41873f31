import os
import subprocess
import sys
from pathlib import Path

import pytest

import banditcd
from banditcd import problems, selectors, updates
from banditcd.cli import main
from tests.deadlines import HUNG


def test_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for verb in ("fit", "predict", "path", "race", "list", "data"):
        assert f"\n    {verb} " in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert banditcd.__version__ in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["rase"], ["race", "--epoks", "3"], ["list", "colors"]])
def test_mistakes_end_with_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "usage: banditcd" in capsys.readouterr().err


def test_an_unknown_option_gets_the_usage_of_its_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "model.json", "data.csv", "--quite"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("usage: banditcd predict")
    assert said.endswith("banditcd predict: error: unrecognized arguments: --quite\n")


def test_list_has_everything_with_a_line_of_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    explained = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  ")}
    registries = (problems.REGISTRY, selectors.REGISTRY, selectors.ACCELERATED, updates.REGISTRY)
    for registry in registries:
        for name in registry:
            assert len(explained[name]) >= 3, name


def test_list_of_one_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "updates"]) == 0
    text = capsys.readouterr().out
    assert "exact" in text
    assert "b_max_r" not in text


def test_the_data_verb_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "list"]) == 0
    assert "breast_cancer" in capsys.readouterr().out


def test_a_mistake_in_a_name_of_the_data_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "info", "usp"]) == 2
    assert "usps" in capsys.readouterr().err


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "banditcd", "list", "costs"],
        capture_output=True, text=True, timeout=HUNG, check=True,
    )  # fmt: skip
    assert "RidgeDual" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently on Windows")
def test_a_reader_that_goes_away_is_no_crash(tmp_path: Path) -> None:
    data, model = tmp_path / "data.csv", str(tmp_path / "model.json")
    data.write_text("a,y\n" + "".join(f"{k},{2 * k}\n" for k in range(9)), "utf-8")
    assert main(["fit", str(data), "--model", "lasso", "--out", model, "--quiet"]) == 0
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "banditcd", "predict", model, str(data)],
        stdout=writing, stderr=subprocess.PIPE, text=True, timeout=HUNG, check=False,
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == ""
