import io
from pathlib import Path

import pytest

from banditcd.cli import progress
from banditcd.experiments import Choices, Rules, make_contest, parse_entrants, run_race


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _race(table_file: str, stream: io.StringIO) -> str:
    contest = make_contest(table_file, Choices())
    watcher = progress.watcher_for(stream)
    run_race(contest, parse_entrants("acf"), Rules(epochs=5, seeds=2), watcher)
    return stream.getvalue()


def test_nothing_where_there_is_no_terminal(table_file: str) -> None:
    assert _race(table_file, io.StringIO()) == ""


def test_lines_on_a_terminal_without_rich(table_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "find_spec", lambda name: None)
    lines = _race(table_file, Terminal()).splitlines()
    assert lines[0].startswith("table.csv · Lasso: 3 selectors, 2 seeds")
    assert "standardize, center_labels" in lines[0]
    assert len(lines) == 1 + 3 * 2


def test_a_bar_on_a_terminal(table_file: str) -> None:
    pytest.importorskip("rich", reason="the live display needs rich")
    text = _race(table_file, Terminal())
    assert "6/6" in text
    assert Path(table_file).name in text


@pytest.mark.parametrize(
    ("gap", "meter"), [(1.0, "··········"), (1e-4, "━━━━━·····"), (1e-9, "━━━━━━━━━━")]
)
def test_the_meter_is_logarithmic(gap: float, meter: str) -> None:
    assert progress._meter(gap, 1e-8) == meter
