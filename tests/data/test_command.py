"""`banditcd data`: what it prints."""

import argparse
import bz2
import io

import pytest

from banditcd.data import command
from banditcd.data.command import add_arguments, progress_bar, progress_display


@pytest.fixture
def run():
    """Return a function that runs a command line and returns what it wrote."""
    parser = argparse.ArgumentParser()
    add_arguments(parser.add_subparsers())

    def run(*words):
        lines = []
        arguments = parser.parse_args(["data", *words])
        assert arguments.run(arguments, lines.append) == 0
        return lines

    return run


@pytest.fixture
def leu(data_folder):
    """Put a file with the shape of leukemia's test part into the data directory."""
    rows = "\n".join(f"{i % 2} {i + 1}:1 7129:0" for i in range(34)) + "\n"
    path = data_folder / "leu.t.svm.bz2"
    path.write_bytes(bz2.compress(rows.encode()))
    return path


def test_list_shows_every_set_and_whether_it_is_here(run, leu):
    lines = run("list")
    [here] = [line.split() for line in lines if line.startswith("leukemia.t ")]
    assert here[:5] == ["leukemia.t", "binary", "34", "7,129", "yes"]
    [absent] = [line.split() for line in lines if line.startswith("aloi ")]
    assert absent[:5] == ["aloi", "multiclass", "108,000", "128", "-"]
    assert lines[-2] == "With scikit-learn: breast_cancer, diabetes, digits."
    assert "synthetic:aloi" in lines[-1]


def test_fetch_names_the_file_and_counts_it(run, leu):
    first, second = run("fetch", "leu.t")
    assert first == f"{leu}: not a checked copy"
    assert second == "34 rows, 7,129 columns, 34 nonzeros"


def test_info_of_a_set_that_is_here_and_of_one_that_is_not(run, leu):
    text = "\n".join(run("info", "leu.t"))
    assert "name       leukemia.t" in text
    assert "task       binary, 2 classes" in text
    assert str(leu) in text
    assert "known copy leu.t.svm.bz2, sha256 65b01153" in text
    text = "\n".join(run("info", "aloi"))
    assert "not on this machine; `banditcd data fetch aloi` downloads it" in text
    assert "multiclass/aloi.bz2" in text


def test_path_shows_both_directories(run, data_folder, cache):
    assert run("path") == [f"BANDITCD_DATA  {data_folder}", f"BANDITCD_CACHE {cache}"]


def test_unknown_names_are_errors(run):
    for action in ("fetch", "info"):
        with pytest.raises(ValueError, match="Did you mean 'usps'"):
            run(action, "uspss")


def test_progress_bar():
    assert progress_bar(15_000_000, 30_000_000) == f"[{'#' * 15}{'.' * 15}] 15.0 of 30.0 MB"
    assert progress_bar(1_500_000, 0) == "1.5 MB"


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_moves_on_a_terminal_and_is_silent_elsewhere(terminal, monkeypatch):
    stream = io.StringIO()
    stream.isatty = lambda: terminal
    times = iter(range(2000))
    monkeypatch.setattr(command.time, "monotonic", lambda: float(next(times)))
    show = progress_display("file.bz2", stream)
    for done in range(1001):
        show(done, 1000)
    lines = stream.getvalue().split("\r")
    assert len(lines) == (202 if terminal else 1)
    if terminal:
        assert lines[-1].startswith("file.bz2 [####")
        assert "about 100 s left" in lines[101]
