"""One claim under all readings: the verdict, and what it depends on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from banditcd.experiments.paper.claims import DEPENDS, EPOCHS_ONLY, HELD, NOT_TESTABLE, Cell, Claim
from banditcd.experiments.paper.measure import MEASURES
from banditcd.experiments.paper.readings import (
    FACTOR_NAMES,
    FACTORS,
    MEDIANS,
    RANGES,
    Reading,
    level_name,
)

PAPER_ACCURACY, STRICT = "verdict", "strict"


@dataclass(frozen=True)
class Finding:
    """A claim as it stands under one reading."""

    reading: Reading
    claim: Claim

    def verdict(self, accuracy: str) -> str:
        """Return the verdict at e^-5, or at 1e-6 P0 (empty if there is none)."""
        return self.claim.verdict if accuracy == PAPER_ACCURACY else self.claim.strict


@dataclass(frozen=True)
class Judgement:
    """A claim under all readings; ``apart`` holds what stand-ins say, which decides nothing."""

    id: str
    where: str
    says: str
    judged: str
    findings: tuple[Finding, ...]
    apart: tuple[Finding, ...]

    @property
    def verdict(self) -> str:
        """The verdict at the paper's accuracy, on real data."""
        return combined(self.findings, PAPER_ACCURACY)

    @property
    def told(self) -> str:
        """How many readings can tell at the paper's accuracy, on real data."""
        given = [f.verdict(PAPER_ACCURACY) != NOT_TESTABLE for f in self.findings]
        return f"{sum(given)} of {len(given)} readings tell" if any(given) else ""

    @property
    def strict(self) -> str:
        """The verdict at 1e-6 P0, on real data; empty if the claim has none."""
        return combined(self.findings, STRICT)

    @property
    def stand_ins(self) -> str:
        """What the stand-ins alone would say; empty if there are none."""
        testable = [f for f in self.apart if f.claim.cases]
        return combined(tuple(testable), PAPER_ACCURACY) if testable else ""

    @property
    def depends(self) -> str:
        """What the verdict changes with; empty if it is the same under every reading."""
        return dependence(self.findings, PAPER_ACCURACY)

    @property
    def shown(self) -> Claim | None:
        """The claim under the first reading, that of the figures; None without real data."""
        return next((f.claim for f in self.findings if f.claim.cases), None)

    @property
    def fails_on(self) -> list[str]:
        """Return the cases that speak against the claim under some reading, each once."""
        titles = [
            case.title.partition(" [")[0]
            for finding in self.findings
            for case in finding.claim.cases
            if any(cell.holds is False for cell in _first_measure(case.cells))
        ]
        return list(dict.fromkeys(titles))

    @property
    def undecided(self) -> list[tuple[str, Cell]]:
        """Return the cases that the rows cannot decide under the first reading."""
        if self.shown is None:
            return []
        return [entry for measure in MEASURES for entry in self.shown.undecided(measure)]


def _first_measure(cells: tuple[Cell, ...]) -> list[Cell]:
    """Return the cells that fail a claim: those in epochs if there are any."""
    epochs = [cell for cell in cells if cell.measure == "epoch"]
    return epochs or list(cells)


def combined(findings: tuple[Finding, ...], accuracy: str) -> str:
    """Return the one verdict of all readings that can tell, or that it depends.

    Readings that hold it in epochs, and disagree about work and seconds only, give *held in epochs
    only*. A claim that no reading can tell once the ranges over the seeds must be apart depends on
    what counts as noise.
    """
    given = [f.verdict(accuracy) for f in findings]
    if not any(given):
        return "" if accuracy == STRICT else NOT_TESTABLE
    told = {verdict for verdict in given if verdict not in ("", NOT_TESTABLE)}
    if not told:
        return NOT_TESTABLE
    if _medians_alone(findings, accuracy):
        return DEPENDS
    if told == {HELD, EPOCHS_ONLY}:
        return EPOCHS_ONLY
    return told.pop() if len(told) == 1 else DEPENDS


def _medians_alone(findings: tuple[Finding, ...], accuracy: str) -> bool:
    """Whether there are readings with ranges apart, and none of them can tell."""
    strict = [f.verdict(accuracy) for f in findings if f.reading.noise == RANGES]
    return bool(strict) and all(verdict == NOT_TESTABLE for verdict in strict)


def dependence(findings: tuple[Finding, ...], accuracy: str) -> str:
    """Say with which choices the verdict changes; of a single one, what it is at each level.

    A choice matters if two readings that differ in nothing else have different verdicts.
    """
    told = [f for f in findings if f.verdict(accuracy) not in ("", NOT_TESTABLE)]
    if told and _medians_alone(findings, accuracy):
        seen = " or ".join(dict.fromkeys(f.verdict(accuracy) for f in told))
        noise = f"{level_name(MEDIANS)}: {seen}; {level_name(RANGES)}: cannot tell"
        return f"{FACTOR_NAMES['noise']} ({noise})"
    if len({f.verdict(accuracy) for f in told}) < 2:
        return ""
    matter = [factor for factor in FACTORS if _matters(told, factor, accuracy)]
    if not matter:
        return "several choices at once"
    *names, last = (FACTOR_NAMES[factor] for factor in matter)
    if names:
        return f"{', '.join(names)} and {last}"
    return f"{last} ({_levels(told, matter[0], accuracy)})"


def _matters(told: list[Finding], factor: str, accuracy: str) -> bool:
    others = [name for name in FACTORS if name != factor]
    return any(
        all(getattr(a.reading, name) == getattr(b.reading, name) for name in others)
        and a.verdict(accuracy) != b.verdict(accuracy)
        for a, b in combinations(told, 2)
    )


def _levels(told: list[Finding], factor: str, accuracy: str) -> str:
    levels: dict[str, dict[str, None]] = {}
    for finding in told:
        level = getattr(finding.reading, factor)
        levels.setdefault(level, {})[finding.verdict(accuracy)] = None
    return "; ".join(
        f"{level_name(level)}: {' or '.join(verdicts)}" for level, verdicts in levels.items()
    )
