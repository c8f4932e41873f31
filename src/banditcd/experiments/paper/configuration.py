"""Configurations of a run: TOML read into plain records, every mistake told in a sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from banditcd import problems
from banditcd.data import unknown_name
from banditcd.data.preprocess import parse_step
from banditcd.experiments.entrants import parse_entrant
from banditcd.experiments.paper.rules import Rules, parse_rules
from banditcd.experiments.paper.toml_table import Table

BUILT_IN = {"full": "paper.toml", "quick": "paper-quick.toml"}
COSTS = ("Lasso", "LogisticL1", "RidgeDual")


@dataclass(frozen=True)
class PenaltyChoice:
    """How lambda is chosen: see :mod:`banditcd.experiments.paper.penalty`."""

    comparable: float = 1.10
    slack: float = 1.01
    steps_per_decade: int = 2
    decades: int = 4
    split_seed: int = 0


@dataclass(frozen=True)
class Methods:
    """Who runs on a cost: the paper's full-information row and its partial-information row."""

    full: tuple[str, ...]
    partial: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Everybody, once."""
        return tuple(dict.fromkeys((*self.full, *self.partial)))


@dataclass(frozen=True)
class ProblemSpec:
    """One panel column of a figure, or the same under another reading (``variant``).

    ``penalty`` is a share of the reference penalty, as in "1/30", or empty: chosen as the paper
    says. ``update`` is "printed 4" for the logistic step with that constant, else empty.
    """

    id: str
    figure: int
    paper_set: str
    data: str
    cost: str
    steps: tuple[str, ...]
    test: str = ""
    seconds: float = 1.0
    full_seconds: float = 2.0
    penalty: str = ""
    update: str = ""
    variant: str = ""

    @property
    def key(self) -> str:
        """Name in the rows: the id, and the reading if it is another one."""
        return f"{self.id}@{self.variant}" if self.variant else self.id


@dataclass(frozen=True)
class Readings:
    """Other readings of the paper: the reference penalty divided by ``shares``, both scalings."""

    shares: tuple[float, ...]
    seeds: int
    seconds: float
    full_seconds: float


@dataclass(frozen=True)
class HeatMap:
    """B_max_r over epsilon and E / d, and its time per epoch."""

    problem: str
    epsilons: tuple[float, ...]
    bins: tuple[float, ...]
    seconds: float
    clock_epsilons: tuple[float, ...]
    clock_epochs: float
    stale_epochs: float


@dataclass(frozen=True)
class Configuration:
    """Everything a run of ``banditcd paper`` needs to know."""

    name: str
    seeds: int
    tol: float
    epochs: float
    growth: float
    added: tuple[str, ...]
    penalty: PenaltyChoice
    methods: Mapping[str, Methods]
    problems: tuple[ProblemSpec, ...]
    table1: tuple[str, ...]
    rules: Rules
    gram: str = ""
    selectors: Mapping[str, str] = field(default_factory=dict)
    readings: Readings | None = None
    heat_map: HeatMap | None = None
    users: tuple[str, ...] = field(default=())

    def selector(self, method: str) -> str:
        """Return the selector, with its options, that a method of the tables is built from."""
        return self.selectors.get(method, method)

    def problem(self, key: str) -> ProblemSpec:
        """Return a problem by its id."""
        return next(spec for spec in self.problems if spec.id == key)

    def of_figure(self, figure: int) -> tuple[ProblemSpec, ...]:
        """Return the problems of a figure."""
        return tuple(spec for spec in self.problems if spec.figure == figure)


def built_in(name: str) -> Configuration:
    """Return a configuration that comes with the package: "full" or "quick"."""
    return parse(_shipped(BUILT_IN[name]), BUILT_IN[name])


def read(path: Path) -> Configuration:
    """Read a configuration from a file."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    return parse(path.read_text(encoding="utf-8"), path.name)


def reported() -> dict[str, Any]:
    """Return what the paper prints in its tables."""
    return tomllib.loads(_shipped("paper-reported.toml"))


def parse(text: str, file: str) -> Configuration:
    """Read a configuration from TOML text; ``file`` is its name in messages."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file} is not TOML: {error}.") from error
    top = Table(raw, file)
    choice = top.table("penalty")
    columns, gram = _table1(top, raw)
    configuration = Configuration(
        name=top.text("name"),
        seeds=top.whole("seeds", 1),
        tol=top.number("tol"),
        epochs=top.number("epochs"),
        growth=top.number("growth"),
        added=_selectors(top, "added"),
        penalty=PenaltyChoice(
            comparable=choice.number("comparable"),
            slack=choice.number("slack"),
            steps_per_decade=choice.whole("steps_per_decade", 1),
            decades=choice.whole("decades", 1),
            split_seed=choice.whole("split_seed", 0),
        ),
        methods={name: _methods(t) for name, t in top.tables("methods").items()},
        problems=tuple(_problem(t) for t in top.array("problem")),
        table1=columns,
        rules=parse_rules(top.table("rules")) if "rules" in raw else built_in("full").rules,
        gram=gram,
        selectors=_built_from(top.table("selectors")) if "selectors" in raw else {},
        readings=_readings(top.table("readings")) if "readings" in raw else None,
        heat_map=_heat_map(top.table("heat_map")) if "heat_map" in raw else None,
    )
    choice.finish()
    top.finish()
    _check(configuration, file)
    return configuration


def _methods(table: Table) -> Methods:
    methods = Methods(_selectors(table, "full"), _selectors(table, "partial"))
    table.finish()
    return methods


def _problem(table: Table) -> ProblemSpec:
    spec = ProblemSpec(
        id=table.text("id"),
        figure=table.whole("figure", 2),
        paper_set=table.text("paper_set"),
        data=table.text("data"),
        cost=table.text("cost"),
        steps=table.texts("steps"),
        test=table.text("test", ""),
        seconds=table.number("seconds"),
        full_seconds=table.number("full_seconds"),
    )
    if spec.cost not in COSTS:
        raise table.error(str(unknown_name("cost", spec.cost, COSTS)))
    if spec.figure not in (2, 3):
        raise table.error(f"figure is {spec.figure}; the figures with curves are 2 and 3.")
    for step in spec.steps:
        try:
            parse_step(step)
        except (ValueError, TypeError) as error:
            raise table.error(str(error)) from error
    table.finish()
    return spec


def _table1(top: Table, raw: dict[str, Any]) -> tuple[tuple[str, ...], str]:
    """Return the columns of table 1 and the entrant that keeps its correlations by Gram columns.

    That one is not checked here: a version of the package without it leaves it out and says so.
    """
    if "table1" not in raw:
        return (), ""
    table = top.table("table1")
    columns, gram = table.texts("columns"), table.text("gram", "")
    table.finish()
    return columns, gram


def _readings(table: Table) -> Readings:
    chosen = Readings(
        shares=table.numbers("shares"),
        seeds=table.whole("seeds", 1),
        seconds=table.number("seconds"),
        full_seconds=table.number("full_seconds"),
    )
    table.finish()
    return chosen


def _heat_map(table: Table) -> HeatMap:
    chosen = HeatMap(
        problem=table.text("problem"),
        epsilons=table.numbers("epsilons"),
        bins=table.numbers("bins"),
        seconds=table.number("seconds"),
        clock_epsilons=table.numbers("clock_epsilons"),
        clock_epochs=table.number("clock_epochs"),
        stale_epochs=table.number("stale_epochs"),
    )
    table.finish()
    return chosen


def _built_from(table: Table) -> dict[str, str]:
    """Return the selector behind each name of ``[selectors]``."""
    built = {name: table.text(name) for name in table.values}
    for name, selector in built.items():
        try:
            parse_entrant(selector)
        except (ValueError, TypeError, OSError) as error:
            raise table.error(f"{name}: {error}") from error
    return built


def _selectors(table: Table, key: str) -> tuple[str, ...]:
    names = table.texts(key)
    for name in names:
        try:
            parse_entrant(name)
        except (ValueError, TypeError, OSError) as error:
            raise table.error(f"{key}: {error}") from error
    return names


def _check(configuration: Configuration, file: str) -> None:
    ids = [spec.id for spec in configuration.problems]
    for name in ids:
        if ids.count(name) > 1:
            raise ValueError(f"{file}: two problems have the id {name!r}; ids must differ.")
    for spec in configuration.problems:
        if spec.cost not in configuration.methods:
            raise ValueError(f"{file}: there is no [methods.{spec.cost}], but {spec.id} needs it.")
    named = list(configuration.table1)
    if configuration.heat_map is not None:
        named.append(configuration.heat_map.problem)
    for name in named:
        if name not in ids:
            raise ValueError(f"{file}: {unknown_name('problem', name, ids)}")
    for name in configuration.methods:
        if name not in problems.REGISTRY:
            raise ValueError(f"{file}: {unknown_name('cost', name, COSTS)}")


def _shipped(name: str) -> str:
    folder = files("banditcd.experiments").joinpath("configurations")
    return folder.joinpath(name).read_text(encoding="utf-8")
