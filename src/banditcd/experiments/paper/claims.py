"""The claims of the paper's experiments: each is computed from the rows, none is written down.

Under one reading (see :mod:`banditcd.experiments.paper.readings`) a claim is judged in cases,
usually one per problem, and in three measures: epochs (the paper's x-axis), work and seconds. It
is *held* if every decided case holds in all three, *held in epochs only* if it holds in epochs but
not in work or seconds, and *failed* otherwise. A case that the rows cannot decide is counted and
listed, with the reason; a claim without a decided case is *not testable here*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.ledger import Cited, form
from banditcd.experiments.paper.measure import MEASURES, Number, Ratio, ratio
from banditcd.experiments.paper.readings import RANGES

HELD, EPOCHS_ONLY, DEPENDS = "held", "held in epochs only", "depends"
FAILED, NOT_TESTABLE = "failed", "not testable here"
VERDICTS = (HELD, EPOCHS_ONLY, DEPENDS, FAILED, NOT_TESTABLE)
NAMES = {"epoch": "epochs", "work": "work", "seconds": "seconds"}


@dataclass(frozen=True)
class Cell:
    """One measure of one case: a cited number, and whether it speaks for the claim.

    ``why`` says what is missing where ``holds`` is None.
    """

    measure: str
    cited: Cited
    holds: bool | None
    note: str = ""
    size: float = math.nan
    why: str = ""


@dataclass(frozen=True)
class Case:
    """A claim on one problem (or one setting)."""

    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Claim:
    """What the paper says, what was measured, and the verdict."""

    id: str
    where: str
    says: str
    judged: str
    cases: tuple[Case, ...]
    verdict: str
    strict: str = ""
    strict_cases: tuple[Case, ...] = field(default=())

    def count(self, measure: str) -> tuple[int, int]:
        """Return in how many of the decided cases the claim holds in a measure."""
        cells = [c for case in self.cases for c in case.cells if c.measure == measure]
        decided = [c for c in cells if c.holds is not None]
        return sum(bool(c.holds) for c in decided), len(decided)

    @property
    def measured(self) -> str:
        """In how many cases it holds, measure by measure, and the range of the ratios."""
        counts = {m: self.count(m) for m in MEASURES}
        shown = [
            f"{NAMES[m]} {a} of {b}{self._range(m)}{self._open(m)}"
            for m, (a, b) in counts.items()
            if b
        ]
        return "holds in " + ", ".join(shown) if shown else "no case could be decided"

    def undecided(self, measure: str) -> list[tuple[str, Cell]]:
        """Return the cases that the rows cannot decide, with their cells."""
        return [
            (case.title, cell)
            for case in self.cases
            for cell in case.cells
            if cell.measure == measure and cell.holds is None
        ]

    def _open(self, measure: str) -> str:
        count = len(self.undecided(measure))
        return f" and {count} undecided" if count else ""

    def _range(self, measure: str) -> str:
        cells = [c for case in self.cases for c in case.cells if c.measure == measure]
        sizes = [c.size for c in cells if c.holds is not None and math.isfinite(c.size)]
        if not sizes:
            return ""
        low, high = form(min(sizes)), form(max(sizes))
        return f" ({low}×)" if low == high else f" ({low} to {high}×)"

    def only(self, measure: str) -> Claim:
        """Return the claim judged in one measure alone."""

        def cut(cases: tuple[Case, ...]) -> tuple[Case, ...]:
            return tuple(
                Case(c.title, tuple(x for x in c.cells if x.measure == measure)) for c in cases
            )

        cases, strict = cut(self.cases), cut(self.strict_cases)
        return replace(
            self,
            cases=cases,
            verdict=verdict_of(list(cases)),
            strict=verdict_of(list(strict)) if self.strict else "",
            strict_cases=strict,
        )


def verdict_of(cases: list[Case]) -> str:
    """Return the verdict of some cases."""
    states = {m: _state(cases, m) for m in MEASURES}
    present = {c.measure for case in cases for c in case.cells}
    if "epoch" not in present:  # a claim about work or time alone
        decided = [s for s in states.values() if s is not None]
        return (HELD if all(decided) else FAILED) if decided else NOT_TESTABLE
    if states["epoch"] is None:
        return NOT_TESTABLE
    if not states["epoch"]:
        return FAILED
    others = [states[m] for m in ("work", "seconds") if m in present]
    return EPOCHS_ONLY if any(state is False for state in others) else HELD


def _state(cases: list[Case], measure: str) -> bool | None:
    cells = [c.holds for case in cases for c in case.cells if c.measure == measure]
    decided = [holds for holds in cells if holds is not None]
    return all(decided) if decided else None


def decide(
    court: Court, mine: Number, other: Number, measure: str, level: float = 1.0
) -> tuple[Ratio, Cell]:
    """Return how many times less one spent than the other, and a cell without its number.

    The ratio must be at least ``level``. Where the reading asks for ranges apart, a difference of
    medians with overlapping ranges decides nothing, for the claim or against it.
    """
    found = ratio(mine, other)
    holds, why = found.at_least(level), ""
    if holds is None:
        why = missing(mine, other, measure)
    elif court.reading.noise == RANGES and not found.bound and not mine.is_apart_from(other):
        holds, why = None, "the ranges over the seeds overlap"
    return found, Cell(measure, Cited("", ""), holds, "", found.value, why)


def missing(mine: Number, other: Number, measure: str) -> str:
    """Say who did not get there, and what it had spent by then."""
    if not mine.runs or not other.runs:
        return "one of the two did not run"
    missed = [n.budget for n in (mine, other) if not n.reached]
    short = "both" if len(missed) == 2 else ("it" if not mine.reached else "the rival")
    unit = {"epoch": " epochs", "work": " passes", "seconds": " s"}[measure]
    return f"{short} did not get there within {form(max(missed))}{unit}, too little to tell"


def versus(
    court: Court, problem: str, mine: str, rivals: tuple[str, ...], accuracy: str, level: float
) -> Case | None:
    """Return a case: one method against the best of its rivals, in all measures."""
    target, evidence = court.target(problem, accuracy), court.evidence
    present = [rival for rival in rivals if evidence.runs(problem, rival)]
    if not present or not evidence.runs(problem, mine):
        return None
    goal = "e⁻⁵" if accuracy == "paper" else "10⁻⁶ P₀"
    cells = []
    for measure in MEASURES:
        own = evidence.spent(problem, mine, target, measure)
        duels = {
            rival: decide(
                court, own, evidence.spent(problem, rival, target, measure), measure, level
            )
            for rival in present
        }
        order = {None: 1, False: 0, True: 2}
        hardest = min(present, key=lambda r: (order[duels[r][1].holds], _size(duels[r][0].value)))
        found, cell = duels[hardest]
        what = f"{court.title(problem)}: {NAMES[measure]} until {goal}, {hardest} / {mine}"
        cited = court.ledger.ratio(found, what)
        cells.append(replace(cell, cited=cited, note=hardest))
    return Case(court.title(problem), tuple(cells))


def _size(value: float) -> float:
    return value if value == value else float("inf")


def duel(
    court: Court,
    head: tuple[str, str, str],
    problems: list[str],
    mine: str,
    *rivals: str,
    level: float = 1.0,
) -> Claim:
    """Return the claim that a method beats all of its rivals on every problem.

    Their spending must be at least ``level`` times that of the method.
    """
    found: dict[str, list[Case]] = {}
    for accuracy in ("paper", "strict"):
        cases = [versus(court, problem, mine, rivals, accuracy, level) for problem in problems]
        found[accuracy] = [case for case in cases if case is not None]
    judged = f"{', '.join(rivals)} / {mine}: what the hardest rival spent, in units of {mine}"
    judged += "" if level == 1.0 else f"; {level:.2g} counts as level"
    return Claim(
        *head,
        judged,
        tuple(found["paper"]),
        verdict_of(found["paper"]),
        verdict_of(found["strict"]),
        tuple(found["strict"]),
    )
