from dataclasses import replace
from pathlib import Path

import pytest

from banditcd.experiments import RaceResult, read_rows, write_rows
from banditcd.experiments.rows import ROWS, write_text


def test_rows_survive_the_file(race: RaceResult, tmp_path: Path) -> None:
    other = RaceResult(replace(race.info, data="other, with a comma"), race.runs[:2])
    write_rows([race, other], tmp_path)
    assert read_rows(tmp_path) == [race, other]


def test_there_is_a_line_per_record(race: RaceResult, tmp_path: Path) -> None:
    write_rows([race], tmp_path)
    lines = (tmp_path / ROWS).read_text().splitlines()
    assert len(lines) == 1 + sum(len(run.trace) for run in race.runs)


def test_a_file_of_something_else_is_refused(race: RaceResult, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="written by a race"):
        read_rows(tmp_path)
    write_rows([race], tmp_path)
    (tmp_path / ROWS).write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"rows\.csv was not written by a race: it has no column"):
        read_rows(tmp_path)


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_text("\ud800", tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []
