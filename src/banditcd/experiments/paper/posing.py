"""A problem of the paper, posed: data, penalty, optimum, and one row that says all of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from banditcd import problems
from banditcd.data import Dataset
from banditcd.data.loading import load
from banditcd.data.preprocess import apply
from banditcd.experiments.paper.configuration import PenaltyChoice, ProblemSpec
from banditcd.experiments.paper.optimum import certified_optimum
from banditcd.experiments.paper.penalty import PenaltyRow, choose_penalty, reference_penalty
from banditcd.experiments.paper.printed import PrintedLogistic
from banditcd.experiments.paper.readings import own_reading
from banditcd.problems import Problem


@dataclass(frozen=True)
class ProblemRow:
    """What a problem is, and under which reading; gaps are absolute."""

    problem: str
    figure: int
    paper_set: str
    data: str
    cost: str
    kind: str
    steps: str
    n: int
    d: int
    nonzeros: int
    alpha: float
    reference: float
    reading: str
    alpha_how: str
    null_objective: float
    start: float
    optimum: float
    optimum_gap: float
    optimum_how: str
    source: str

    @property
    def title(self) -> str:
        """Data and cost, and the reading if it is not the one that is configured."""
        cost = {"LogisticL1": "L1-logistic", "RidgeDual": "ridge (dual)"}.get(self.cost, self.cost)
        return f"{self.label} · {cost}" + (f" [{self.reading}]" if self.is_variant else "")

    @property
    def is_variant(self) -> bool:
        """Whether it is another reading of a problem."""
        return "@" in self.problem

    @property
    def is_real(self) -> bool:
        """Whether it is the paper's own set, or a part of it: only these decide a verdict."""
        return self.kind in ("real", "partial")

    @property
    def label(self) -> str:
        """The data, and which set of the paper it stands for if it is another one."""
        plain = self.data.split(" ")[0].split(".")[0] == self.paper_set
        return self.data if plain else f"{self.data} in place of {self.paper_set}"


@dataclass(frozen=True)
class StatisticsRow:
    """Counts of a set, from the file or the generator; ``kind``: real, partial or stand-in."""

    paper_set: str
    data: str
    kind: str
    classes: int
    rows: int
    columns: int
    nonzeros: int
    source: str

    @property
    def percent(self) -> float:
        """Share of entries that are not zero."""
        return 100.0 * self.nonzeros / (self.rows * self.columns)


@lru_cache(maxsize=2)
def _raw(data: str) -> Dataset:
    return load(data)


@lru_cache(maxsize=2)
def prepared(data: str, steps: tuple[str, ...]) -> Dataset:
    """Return a set after its steps; the last few are kept, as runs come problem by problem."""
    return apply(_raw(data), steps)


def build(spec: ProblemSpec, alpha: float) -> Problem:
    """Return the problem; ridge in the paper's scaling, 1/n and not 1/2n."""
    return _build(spec.data, spec.steps, spec.cost, spec.update, alpha)


@lru_cache(maxsize=2)
def _build(data: str, steps: tuple[str, ...], cost: str, update: str, alpha: float) -> Problem:
    dataset = prepared(data, steps)
    if update:
        return PrintedLogistic(dataset.X, dataset.y, alpha=alpha)
    options: dict[str, Any] = {"scaling": "paper"} if cost == "RidgeDual" else {}
    return problems.make(cost, dataset.X, dataset.y, alpha=alpha, **options)


def kind_of(dataset: Dataset, paper_set: str) -> str:
    """Return what the numbers are: real, partial, stand-in, or another set in its place."""
    if dataset.stand_in:
        return "stand-in"
    if dataset.name.split(".")[0] != paper_set:
        return "other set"
    return "partial" if dataset.partial else "real"


def statistics(spec: ProblemSpec) -> StatisticsRow:
    """Count a set."""
    raw = _raw(spec.data)
    return StatisticsRow(
        paper_set=spec.paper_set,
        data=raw.title,
        kind=kind_of(raw, spec.paper_set),
        classes=0 if raw.task == "regression" else len(raw.classes),
        rows=raw.rows,
        columns=raw.columns,
        nonzeros=raw.nonzeros,
        source=raw.source,
    )


def chosen_ratio(spec: ProblemSpec, choice: PenaltyChoice) -> tuple[float, list[PenaltyRow], str]:
    """Choose the penalty of a problem."""
    return choose_penalty(spec, _raw(spec.data), choice)


def pose(spec: ProblemSpec, ratio: float, how: str) -> ProblemRow:
    """Pose a problem with a penalty of ratio x reference, and certify its optimum."""
    dataset = prepared(spec.data, spec.steps)
    reference = reference_penalty(spec.cost, dataset.X, dataset.y)
    alpha = reference * ratio
    problem = build(spec, alpha)
    optimum = certified_optimum(problem, dataset.X, dataset.y)
    return ProblemRow(
        problem=spec.key,
        figure=spec.figure,
        paper_set=spec.paper_set,
        data=dataset.title,
        cost=spec.cost,
        kind=kind_of(dataset, spec.paper_set),
        steps=", ".join(spec.steps),
        n=dataset.rows,
        d=problem.d,
        nonzeros=problem.A.nnz,
        alpha=alpha,
        reference=reference,
        reading=own_reading(spec).label,
        alpha_how=how,
        null_objective=problem.null_objective(),
        start=problem.objective(problem.start()),
        optimum=optimum.value,
        optimum_gap=optimum.gap,
        optimum_how=optimum.how,
        source=dataset.source,
    )
