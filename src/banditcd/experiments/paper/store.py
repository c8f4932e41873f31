"""The rows on disk: CSV files that only grow, so that a run that was stopped can go on."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from banditcd.data.files import replacing
from banditcd.experiments.paper.penalty import PenaltyRow
from banditcd.experiments.paper.posing import ProblemRow, StatisticsRow
from banditcd.experiments.paper.session import Session
from banditcd.experiments.paper.staleness import StaleRow

Row = TypeVar("Row")


@dataclass(frozen=True)
class RunRow:
    """One run; ``run`` is its number in the file of records, ``digest`` that of a user's file."""

    run: int
    id: str
    kind: str
    problem: str
    method: str
    seed: int
    update: str
    status: str
    records: int
    digest: str


@dataclass(frozen=True)
class Record:
    """One record of a run: what it had spent, and how far from the optimum it was.

    ``epoch`` is nan for the fast solver; ``suboptimality`` is F(x) - F*, not relative.
    """

    run: int
    step: int
    epoch: float
    work: float
    seconds: float
    suboptimality: float
    gap: float
    support: int


@dataclass(frozen=True)
class Missing:
    """A problem that could not be posed, and why."""

    problem: str
    reason: str


FILES: dict[type[Any], str] = {
    ProblemRow: "problems.csv",
    PenaltyRow: "penalties.csv",
    StatisticsRow: "statistics.csv",
    RunRow: "runs.csv",
    Record: "rows.csv",
    Missing: "missing.csv",
    StaleRow: "staleness.csv",
    Session: "sessions.csv",
}
_FULL = frozenset({"alpha", "reference", "null_objective", "start", "optimum", "optimum_gap"})


class Store:
    """A directory of rows."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def append(self, rows: Sequence[Any]) -> None:
        """Add rows of one kind, with one write, and bring them to the disk."""
        if not rows:
            return
        path = self.directory / FILES[type(rows[0])]
        # A process that was killed may have made the file and written nothing.
        new = not path.is_file() or path.stat().st_size == 0
        with path.open("ab") as file:
            file.write(_lines(rows, header=new))
            file.flush()
            os.fsync(file.fileno())

    def read(self, kind: type[Row]) -> list[Row]:
        """Return all whole rows of one kind; none if there is no file."""
        path = self.directory / FILES[kind]
        if not path.is_file():
            return []
        shape: Any = kind
        types = {f.name: str(f.type) for f in fields(shape)}
        text = path.read_text(encoding="utf-8")
        lines = list(csv.DictReader(io.StringIO(text[: text.rfind("\n") + 1])))
        if lines and set(lines[0]) != set(types):
            raise ValueError(f"{path} was not written by this version of banditcd paper.")
        return [kind(**{name: _value(types[name], line[name]) for name in types}) for line in lines]

    def mend(self) -> None:
        """Cut what a stopped process left half-written.

        That is a torn line, records without their run, and penalties without their problem. Each
        file takes its place whole, so that a process that is stopped here does no harm either.
        """
        for name in FILES.values():
            path = self.directory / name
            if path.is_file():
                whole = path.read_bytes()
                kept = whole[: whole.rfind(b"\n") + 1]
                if len(kept) < len(whole):
                    with replacing(path, "wb") as file:
                        file.write(kept)
        runs = {run.run for run in self.read(RunRow)}
        self._keep(Record, lambda record: record.run in runs)
        problems = {row.problem for row in self.read(ProblemRow)}
        self._keep(PenaltyRow, lambda row: row.problem in problems)

    def _keep(self, kind: type[Row], belongs: Callable[[Row], bool]) -> None:
        """Drop the rows of one kind that belong to nothing."""
        rows = self.read(kind)
        kept = [row for row in rows if belongs(row)]
        if len(kept) < len(rows):
            with replacing(self.directory / FILES[kind], "wb") as file:
                file.write(_lines(kept, header=True) if kept else b"")


def _lines(rows: Sequence[Any], header: bool) -> bytes:
    """Return rows of one kind as CSV."""
    names = [f.name for f in fields(rows[0])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if header:
        writer.writerow(names)
    writer.writerows([_text(name, getattr(row, name)) for name in names] for row in rows)
    return text.getvalue().encode("utf-8")


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if name in _FULL:
            return repr(value)
        return f"{value:.4g}" if name == "gap" else f"{value:.6g}"
    return str(value)


def _value(kind: str, text: str) -> Any:
    if kind == "bool":
        return text == "yes"
    if kind == "int":
        return int(text)
    return float(text) if kind == "float" else text
