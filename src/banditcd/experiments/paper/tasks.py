"""The list of runs that a configuration and the asked-for figures and tables need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from banditcd.experiments.paper.configuration import Configuration, ProblemSpec

RECORD = "record"
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


@dataclass(frozen=True)
class Task:
    """One run. ``kind``: curve, sensitivity, heat (to the target only) or clock (fixed epochs)."""

    kind: str
    spec: ProblemSpec
    method: str
    seed: int
    seconds: float
    epochs: float

    @property
    def id(self) -> str:
        """The name of the run in the rows."""
        kind = "" if self.kind in ("curve", "sensitivity") else f"{self.kind}:"
        return f"{kind}{self.spec.key}/{self.method}/{self.seed}"


def bandit(epsilon: float, bins: float) -> str:
    """Return B_max_r with its parameters, as a selector is written."""
    return f"b_max_r(epsilon={epsilon:g}, refresh={float(bins)!r})"


def needed_problems(configuration: Configuration, wanted: Wanted) -> list[ProblemSpec]:
    """Return the problems to be posed, variants of the penalty last."""
    names = set(configuration.table1) if 1 in wanted.tables else set()
    if configuration.heat_map is not None and 4 in wanted.figures:
        names.add(configuration.heat_map.problem)
    plain = [s for s in configuration.problems if s.figure in wanted.figures or s.id in names]
    return [*plain, *_variants(configuration, wanted)]


def tasks(configuration: Configuration, wanted: Wanted, posed: set[str]) -> list[Task]:
    """Return every run on the problems that could be posed, problem by problem."""
    found = [
        *_curves(configuration, wanted),
        *_heat(configuration, wanted),
        *_sensitivity(configuration, wanted),
    ]
    return [task for task in found if task.spec.key in posed]


def methods_of(configuration: Configuration, spec: ProblemSpec) -> list[str]:
    """Return everybody who runs on a problem: the paper's, ours, the user's, the fast solver."""
    own = configuration.methods[spec.cost].all
    return list(dict.fromkeys((*own, *configuration.added, *configuration.users, RECORD)))


def _curves(configuration: Configuration, wanted: Wanted) -> Iterator[Task]:
    for spec in needed_problems(configuration, wanted):
        if spec.factor != 1.0 or not _has_curves(configuration, wanted, spec):
            continue
        for seed in range(configuration.seeds):  # seeds outside: a slow spell meets everybody
            for method in methods_of(configuration, spec):
                slow = method.split("(")[0] in FULL_INFORMATION
                seconds = spec.full_seconds if slow else spec.seconds
                yield Task("curve", spec, method, seed, seconds, configuration.epochs)


def _has_curves(configuration: Configuration, wanted: Wanted, spec: ProblemSpec) -> bool:
    return spec.figure in wanted.figures or (1 in wanted.tables and spec.id in configuration.table1)


def _variants(configuration: Configuration, wanted: Wanted) -> list[ProblemSpec]:
    chosen = configuration.sensitivity
    if chosen is None:
        return []
    return [
        replace(spec, factor=factor, seconds=chosen.seconds)
        for spec in configuration.problems
        if spec.figure in wanted.figures
        for factor in chosen.factors
    ]


def _sensitivity(configuration: Configuration, wanted: Wanted) -> Iterator[Task]:
    chosen = configuration.sensitivity
    if chosen is None:
        return
    for spec in _variants(configuration, wanted):
        for seed in range(configuration.seeds):
            for method in chosen.methods:
                epochs = configuration.epochs
                yield Task("sensitivity", spec, method, seed, chosen.seconds, epochs)


def _heat(configuration: Configuration, wanted: Wanted) -> Iterator[Task]:
    heat = configuration.heat_map
    if heat is None or 4 not in wanted.figures:
        return
    spec = configuration.problem(heat.problem)
    for seed in range(configuration.seeds):
        for method in ("uniform", *(bandit(e, b) for e in heat.epsilons for b in heat.bins)):
            yield Task("heat", spec, method, seed, heat.seconds, configuration.epochs)
        for method in ("uniform", *(bandit(e, b) for e in heat.clock_epsilons for b in heat.bins)):
            yield Task("clock", spec, method, seed, 60.0, heat.clock_epochs)
