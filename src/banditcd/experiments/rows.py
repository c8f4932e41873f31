"""The result of a race: plain rows. Tables, figures and pages are all made from them."""

from __future__ import annotations

import csv
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy.typing as npt

from banditcd.data.files import replacing
from banditcd.results import Trace, TraceRow


@dataclass(frozen=True)
class RaceInfo:
    """The contest of a race, and the scales of its axes.

    Attributes
    ----------
    data : str
        Name of the data set, as printed.
    cost : str
        Name of the cost.
    n, d : int
        Samples, and coordinates to choose from.
    alpha : float
        Penalty strength.
    alpha_note : str
        How alpha was chosen.
    null_objective : float
        P0, the primal objective of the zero model: gaps and suboptimalities are relative to it.
    tol : float
        The runs stop at a gap of tol P0.
    optimum : float
        The lowest F found.
    optimum_gap : float
        Its certificate: F(x) - F* is at most this.
    asked : str
        The selectors that were asked for, separated by "; "; empty if none was named.
    """

    data: str
    cost: str
    n: int
    d: int
    alpha: float
    alpha_note: str
    null_objective: float
    tol: float
    optimum: float
    optimum_gap: float
    asked: str = ""

    @property
    def title(self) -> str:
        """Data and cost."""
        return f"{self.data} · {self.cost}"

    @property
    def subtitle(self) -> str:
        """Penalty and size."""
        return f"alpha = {self.alpha:.3g} ({self.alpha_note}), {self.n} samples, d = {self.d}"


PYTHON_RULE = "compiled, rule in Python"
"""Engine of a run whose steps were compiled and whose choices were made in Python."""


@dataclass(frozen=True)
class RaceRun:
    """One selector with one seed.

    Attributes
    ----------
    selector : str
        Its label.
    seed : int
        Of the run.
    update, engine, status : str
        The words of the result.
    trace : Trace
        Its records.
    _columns : dict
        The trace as arrays, made on first use.
    """

    selector: str
    seed: int
    update: str
    engine: str
    status: str
    trace: Trace
    _columns: dict[str, npt.NDArray[Any]] = field(default_factory=dict, compare=False, repr=False)

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return one column of the trace; it is made once."""
        if name not in self._columns:
            self._columns[name] = self.trace.column(name)
        return self._columns[name]


@dataclass
class RaceResult:
    """All runs of one race.

    Attributes
    ----------
    info : RaceInfo
        Data, cost and rules.
    runs : list of RaceRun
        In the order they were made.
    """

    info: RaceInfo
    runs: list[RaceRun] = field(default_factory=list)

    @property
    def selectors(self) -> list[str]:
        """The selectors in the order they first ran."""
        return list(dict.fromkeys(run.selector for run in self.runs))

    @property
    def seeds(self) -> int:
        """The number of different seeds."""
        return len({run.seed for run in self.runs})

    @property
    def asked(self) -> list[str]:
        """The selectors that were asked for and ran; none if the race named none."""
        return [name for name in self.info.asked.split("; ") if name in self.selectors]

    def in_python(self, selector: str) -> bool:
        """Whether the seconds of a selector are those of Python code, not of compiled code."""
        return any(run.engine != "compiled" for run in self.of(selector))

    def of(self, selector: str) -> list[RaceRun]:
        """Return the runs of one selector, one per seed."""
        return [run for run in self.runs if run.selector == selector]


ROWS, RACES = "rows.csv", "races.csv"
_INFO = [f.name for f in fields(RaceInfo)]
_LATER = {"asked": ""}  # columns that older files do not have
_RUN = ["selector", "seed", "update", "engine", "status"]
_ROW = [f.name for f in fields(TraceRow)]
_TEXT = frozenset({"data", "cost", "alpha_note", "asked", "selector", "update", "engine", "status"})
_WHOLE = frozenset({"n", "d", "seed", "step", "support"})


def write_rows(races: list[RaceResult], directory: Path) -> None:
    """Write ``rows.csv``, one line per record, and ``races.csv``, one line per race.

    Data and cost link the two; floats keep all their digits.

    Parameters
    ----------
    races : list of RaceResult
        What to write.
    directory : Path
        Where to.
    """
    _write_csv(directory / RACES, _INFO, [list(astuple(race.info)) for race in races])
    lines = [
        [race.info.data, race.info.cost, *(getattr(run, name) for name in _RUN), *astuple(row)]
        for race in races
        for run in race.runs
        for row in run.trace.rows
    ]
    _write_csv(directory / ROWS, ["data", "cost", *_RUN, *_ROW], lines)


def read_rows(directory: Path) -> list[RaceResult]:
    """Read what :func:`write_rows` wrote.

    Parameters
    ----------
    directory : Path
        Where the files are.
    """
    races = {
        (line["data"], line["cost"]): RaceResult(RaceInfo(**line))
        for line in _read_csv(directory / RACES, _INFO)
    }
    runs: dict[tuple[Any, ...], RaceRun] = {}
    for line in _read_csv(directory / ROWS, ["data", "cost", *_RUN, *_ROW]):
        race = (line["data"], line["cost"])
        key = (race, line["selector"], line["seed"])
        if key not in runs:
            runs[key] = RaceRun(**{name: line[name] for name in _RUN}, trace=Trace())
            races[race].runs.append(runs[key])
        runs[key].trace.record(TraceRow(**{name: line[name] for name in _ROW}))
    return list(races.values())


def _write_csv(path: Path, header: list[str], lines: list[list[Any]]) -> None:
    with replacing(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_text(value) for value in line] for line in lines)


def _text(value: Any) -> str:
    return repr(float(value)) if isinstance(value, float) else str(value)


def _read_csv(path: Path, columns: list[str]) -> list[dict[str, Any]]:
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}; it is written by a race.")
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = sorted(set(columns) - set(reader.fieldnames or []) - set(_LATER))
        if missing:
            raise ValueError(f"{path} was not written by a race: it has no column {missing[0]!r}.")
        return [
            {name: _parse(name, line[name] if name in line else _LATER[name]) for name in columns}
            for line in reader
        ]


def _parse(name: str, text: str) -> Any:
    if name in _TEXT:
        return text
    return int(text) if name in _WHOLE else float(text)


def write_text(text: str, path: Path) -> None:
    """Write a text file, whole or not at all."""
    with replacing(path) as file:
        file.write(text)
