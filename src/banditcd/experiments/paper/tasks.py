"""The list of runs that a configuration and the asked-for figures and tables need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from banditcd.experiments.entrants import parse_entrant
from banditcd.experiments.paper.configuration import Configuration, ProblemSpec
from banditcd.experiments.paper.readings import variants

FAST = "fast"
"""Label of the fast certified solver, which is no selector."""

FULL_INFORMATION = frozenset({"ada_gap", "ada_kappa", "max_r", "max_gap", "gauss_southwell"})


@dataclass(frozen=True)
class Wanted:
    """Which figures and tables are asked for."""

    figures: frozenset[int]
    tables: frozenset[int]

    @property
    def everything(self) -> bool:
        """Whether nothing was left out."""
        return self.figures == {2, 3, 4} and self.tables == {1, 2}

    @property
    def words(self) -> str:
        """What is asked for, as in "figure 4, table 1"; empty for everything."""
        if self.everything:
            return ""
        figures = [f"figure {k}" for k in sorted(self.figures)]
        return ", ".join([*figures, *(f"table {k}" for k in sorted(self.tables))])

    def has(self, part: str) -> bool:
        """Whether a part of the report, by its name on the page, is about what is asked for.

        What is about all of the paper is left out of a report on a part of it.
        """
        if part.startswith("figure"):
            return int(part[6:]) in self.figures
        if part.startswith("table"):
            return int(part[5:]) in self.tables
        return part not in ("objections", "penalty") or self.everything


EVERYTHING = Wanted(frozenset({2, 3, 4}), frozenset({1, 2}))


@dataclass(frozen=True)
class Task:
    """One run. ``kind``: curve, reading, heat (to the target only) or clock (fixed epochs).

    ``selector`` is what ``method``, its name in the rows, is built from.
    """

    kind: str
    spec: ProblemSpec
    method: str
    seed: int
    seconds: float
    epochs: float
    selector: str

    @property
    def id(self) -> str:
        """The name of the run in the rows."""
        kind = "" if self.kind in ("curve", "reading") else f"{self.kind}:"
        return f"{kind}{self.spec.key}/{self.method}/{self.seed}"


def bandit(epsilon: float, bins: float) -> str:
    """Return B_max_r with its parameters, as a selector is written."""
    return f"b_max_r(epsilon={epsilon:g}, refresh={float(bins)!r})"


def needed_problems(configuration: Configuration, wanted: Wanted) -> list[ProblemSpec]:
    """Return the problems to be posed, other readings of them last."""
    names = set(configuration.table1) if 1 in wanted.tables else set()
    if configuration.heat_map is not None and 4 in wanted.figures:
        names.add(configuration.heat_map.problem)
    plain = [s for s in configuration.problems if s.figure in wanted.figures or s.id in names]
    return [*plain, *_variants(configuration, plain, wanted)]


def tasks(configuration: Configuration, wanted: Wanted, posed: set[str]) -> list[Task]:
    """Return every run on the problems that could be posed, problem by problem."""
    found = [
        *_curves(configuration, wanted),
        *_heat(configuration, wanted),
        *_readings(configuration, wanted),
    ]
    return [task for task in found if task.spec.key in posed]


def methods_of(configuration: Configuration, spec: ProblemSpec) -> list[str]:
    """Return everybody who runs on a problem: the paper's, ours, the user's, the fast solver."""
    own = (*configuration.methods[spec.cost].all, *configuration.added)
    if spec.variant:
        return [*own, *gram_method(configuration, spec)]
    return list(
        dict.fromkeys((*own, *gram_method(configuration, spec), *configuration.users, FAST))
    )


def gram_method(configuration: Configuration, spec: ProblemSpec) -> list[str]:
    """Return max_r by Gram columns on Lasso and on quadratic columns of table 1, if it exists."""
    in_table = spec.cost != "LogisticL1" and spec.id in configuration.table1
    if not (configuration.gram and (spec.cost == "Lasso" or in_table)):
        return []
    return [configuration.gram] if is_known(configuration.gram) else []


def is_known(selector: str) -> bool:
    """Whether this version of the package can build a selector."""
    try:
        parse_entrant(selector)
    except ValueError:
        return False
    return True


def _curves(configuration: Configuration, wanted: Wanted) -> Iterator[Task]:
    for spec in needed_problems(configuration, wanted):
        if spec.variant or not _has_curves(configuration, wanted, spec):
            continue
        for seed in range(configuration.seeds):  # seeds outside: a slow spell meets everybody
            for method in methods_of(configuration, spec):
                yield _task("curve", spec, method, seed, configuration)


def _task(
    kind: str, spec: ProblemSpec, method: str, seed: int, configuration: Configuration
) -> Task:
    slow = method.split("(")[0] in FULL_INFORMATION
    seconds = spec.full_seconds if slow else spec.seconds
    selector = configuration.selector(method)
    return Task(kind, spec, method, seed, seconds, configuration.epochs, selector)


def _has_curves(configuration: Configuration, wanted: Wanted, spec: ProblemSpec) -> bool:
    return spec.figure in wanted.figures or (1 in wanted.tables and spec.id in configuration.table1)


def _variants(
    configuration: Configuration, plain: list[ProblemSpec], wanted: Wanted
) -> list[ProblemSpec]:
    """Return the other readings of the problems whose curves or heat map are wanted."""
    heat = configuration.heat_map
    ids = {spec.id for spec in plain if _has_curves(configuration, wanted, spec)}
    if heat is not None and 4 in wanted.figures:
        ids.add(heat.problem)
    if configuration.readings is None:
        return []
    return [spec for spec in variants(configuration) if spec.id in ids]


def _readings(configuration: Configuration, wanted: Wanted) -> Iterator[Task]:
    chosen = configuration.readings
    if chosen is None:
        return
    for spec in needed_problems(configuration, wanted):
        if spec.variant and _has_curves(configuration, wanted, spec):
            for seed in range(chosen.seeds):
                for method in methods_of(configuration, spec):
                    yield _task("reading", spec, method, seed, configuration)


def heat_problems(configuration: Configuration) -> list[tuple[ProblemSpec, int]]:
    """Return the problem of the heat map under every reading, each with its number of seeds."""
    heat, chosen = configuration.heat_map, configuration.readings
    if heat is None:
        return []
    own = [(configuration.problem(heat.problem), configuration.seeds)]
    if chosen is None:
        return own
    others = (spec for spec in variants(configuration) if spec.id == heat.problem)
    return [*own, *((spec, chosen.seeds) for spec in others)]


def _heat(configuration: Configuration, wanted: Wanted) -> Iterator[Task]:
    """Go through the cells of the heat map, and the time of an epoch as it is configured."""
    heat = configuration.heat_map
    if heat is None or 4 not in wanted.figures:
        return
    cells = ("uniform", *(bandit(e, b) for e in heat.epsilons for b in heat.bins))
    clocks = ("uniform", *(bandit(e, b) for e in heat.clock_epsilons for b in heat.bins))
    limit = configuration.epochs
    for spec, seeds in heat_problems(configuration):
        for seed in range(seeds):
            for method in cells:
                yield Task("heat", spec, method, seed, heat.seconds, limit, method)
            for method in clocks if not spec.variant else ():
                yield Task("clock", spec, method, seed, 60.0, heat.clock_epochs, method)
