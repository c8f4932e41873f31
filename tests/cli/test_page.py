"""The page on the command line is true: its commands run and print what it shows."""

import re
from pathlib import Path

import pytest

from banditcd.cli import main
from tests.cli.tables import customers, write

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
#: Lines whose numbers depend on rounding and on the clock.
BY_MACHINE = ("Certificate", "  So this model", "  Solved in", "Largest gap")


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Return every command of the console blocks with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def masked(line: str) -> str:
    """Return a line as it can be compared between machines."""
    by_machine = line.startswith(BY_MACHINE) or re.search(r" \d\.\de[+-]\d\d$", line)
    return re.sub(r"\d[\d.e+-]*", "#", line) if by_machine else line


def test_the_commands_of_the_page_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = customers(400)
    for k, row in enumerate(rows):
        row["age"] = "" if k % 17 == 5 else row["age"]
    write(tmp_path / "customers.csv", rows)
    write(tmp_path / "new.csv", [
        {"city": "Rome", "income": 3.5, "age": 44},
        {"city": "Oslo", "income": 2.5, "age": ""},
    ])  # fmt: skip
    shown = commands(PAGE.read_text("utf-8"))
    assert len(shown) >= 6
    for command, expected in shown:
        program, *words = command.split()
        assert program == "banditcd"
        main(words)
        captured = capsys.readouterr()
        printed = {masked(line) for line in (captured.out + captured.err).splitlines()}
        for line in expected:
            assert line == "..." or masked(line) in printed, (command, line, printed)
