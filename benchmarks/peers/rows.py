"""Results as rows of CSV files: appended one by one, so that an interrupted run can be resumed.

The last row of a key counts; tables and pictures are drawn from rows alone.
"""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar


@dataclass(frozen=True)
class Cell:
    """A problem of the benchmark: a data set, a setting and a target gap."""

    data: str
    group: str
    n: int
    d: int
    nonzeros: int
    kind: str
    setting: str
    target: float

    @property
    def cell(self) -> tuple[str, str, str, float]:
        """What tells it from other cells."""
        return (self.data, self.kind, self.setting, self.target)


@dataclass(frozen=True)
class Row(Cell):
    """One solver in one cell.

    ``status`` is "ok" or says what kept the solver from being timed. Times are medians over
    ``rounds`` interleaved fits, in seconds; ``gap`` is the worst of them. ``peak_mb`` is the
    resident memory of the process at the height of the fit, ``added_mb`` the part above what it
    held before (data included). ``load`` is the machine's load average beside the run.
    """

    digits: ClassVar[int] = 6

    solver: str
    status: str
    tol: float | None = None
    gap: float | None = None
    wall: float | None = None
    cpu: float | None = None
    rounds: int | None = None
    peak_mb: float | None = None
    added_mb: float | None = None
    support: int | None = None
    passes: float | None = None
    regime: str = ""
    note: str = ""
    version: str = ""
    commit: str = ""
    load: float | None = None
    date: str = ""
    machine: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        """What the row is about."""
        return (*self.cell, self.solver)


@dataclass(frozen=True)
class TrialRow:
    """One run of the search for a tolerance; see ``scan``."""

    digits: ClassVar[int] = 6

    data: str
    kind: str
    setting: str
    solver: str
    version: str
    step: int
    gap: float
    seconds: float
    problem: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        """What the row is about."""
        return (self.data, self.kind, self.setting, self.solver, self.version, self.step)


class Keyed(Protocol):
    """A dataclass of numbers and words that knows what it is about.

    ``digits`` is how many digits of its numbers are kept.
    """

    digits: ClassVar[int]
    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def key(self) -> tuple[Any, ...]:
        """What the row is about."""


AnyRow = TypeVar("AnyRow", bound=Keyed)


class Table(Generic[AnyRow]):
    """Rows of one kind in one file."""

    def __init__(self, file: Path, row_type: type[AnyRow]) -> None:
        self.file = file
        self.row_type: type[AnyRow] = row_type
        self.rows: dict[tuple[Any, ...], AnyRow] = {}
        if file.exists():
            with file.open(newline="", encoding="utf-8") as stream:
                for texts in csv.DictReader(stream):
                    row = row_type(**_typed(row_type, texts))
                    self.rows[row.key] = row

    def add(self, row: AnyRow) -> None:
        """Append a row to the file at once."""
        self.rows[row.key] = row
        new = not self.file.exists()
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", newline="", encoding="utf-8") as stream:
            names = [field.name for field in fields(self.row_type)]
            writer = csv.DictWriter(stream, names, lineterminator="\n")
            if new:
                writer.writeheader()
            digits = self.row_type.digits
            writer.writerow({name: _text(value, digits) for name, value in asdict(row).items()})


def _text(value: Any, digits: int) -> str:
    if value is None:
        return ""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _typed(row_type: type[Any], texts: dict[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields(row_type):
        text, kind = texts[field.name], str(field.type)
        if text == "" and "None" in kind:
            values[field.name] = None
        elif kind.startswith("int"):
            values[field.name] = int(text)
        elif kind.startswith("float"):
            values[field.name] = float(text)
        else:
            values[field.name] = text
    return values
