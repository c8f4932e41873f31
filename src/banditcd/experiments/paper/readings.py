"""Readings of what the paper leaves open: penalty, scaling, update, noise.

A reading is one choice of each. The claims are judged under every one of them, and a claim whose
verdict is not the same everywhere *depends* on what the verdicts change with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from banditcd.data.loading import SYNTHETIC_PREFIX
from banditcd.experiments.paper.configuration import Configuration, ProblemSpec

PAPER = "the paper's words"
UNIT, RAW = "unit", "raw"
OWN, PRINTED = "own curvature", "printed 4"
MEDIANS, RANGES = "medians", "ranges"
FACTORS = ("penalty", "scaling", "update", "noise")
FACTOR_NAMES = {
    "penalty": "the penalty",
    "scaling": "the scaling",
    "update": "the logistic update",
    "noise": "what counts as noise",
}
LEVEL_NAMES = {
    UNIT: "unit columns",
    RAW: "raw data",
    OWN: "step from the column's own curvature",
    PRINTED: "the printed step 4",
    MEDIANS: "medians alone",
    RANGES: "ranges of the seeds apart",
}
_SCALED = ("unit_columns", "unit_rows")


def level_name(level: str) -> str:
    """Return how a level of a choice is printed."""
    if level.startswith("1/"):
        return f"reference / {level.removeprefix('1/')}"
    return LEVEL_NAMES.get(level, level)


@dataclass(frozen=True)
class Reading:
    """One choice of what the text leaves open.

    penalty: the paper's words (test and train errors comparable) or a share of the reference
    penalty, as in "1/30". scaling: unit columns (rows, in a dual) or the raw data. update: the
    logistic step with the curvature of its own column or with the printed constant 4. noise: a
    difference of medians counts, or only one with ranges over the seeds that do not overlap.
    """

    penalty: str
    scaling: str
    update: str
    noise: str = MEDIANS

    @property
    def label(self) -> str:
        """The penalty, the scaling and, if it is the printed one, the update."""
        penalty = self.penalty if self.penalty == PAPER else f"λ = {level_name(self.penalty)}"
        printed = f", {self.update}" if self.update == PRINTED else ""
        return f"{penalty}, {self.scaling}{printed}"


def own_reading(spec: ProblemSpec) -> Reading:
    """Return the reading that a problem has as it is configured."""
    scaled = any(step in _SCALED for step in spec.steps)
    return Reading(spec.penalty or PAPER, UNIT if scaled else RAW, spec.update or OWN)


def as_read(configuration: Configuration, spec: ProblemSpec, reading: Reading) -> ProblemSpec:
    """Return a problem of the configuration under a reading; the update matters to logistic only.

    The reading that it is configured with gives the problem itself.
    """
    if spec.cost != "LogisticL1":
        reading = replace(reading, update=OWN)
    if replace(reading, noise=MEDIANS) == own_reading(spec) or configuration.readings is None:
        return spec
    chosen = configuration.readings
    plain = tuple(step for step in spec.steps if step not in _SCALED)
    scaling = "unit_rows" if spec.cost.endswith("Dual") else "unit_columns"
    return replace(
        spec,
        steps=(*plain, scaling) if reading.scaling == UNIT else plain,
        penalty="" if reading.penalty == PAPER else reading.penalty,
        update="" if reading.update == OWN else reading.update,
        variant=" ".join(
            (
                "paper" if reading.penalty == PAPER else reading.penalty,
                reading.scaling,
                *(["printed"] if reading.update == PRINTED else []),
            )
        ),
        seconds=chosen.seconds,
        full_seconds=chosen.full_seconds,
    )


def readings(configuration: Configuration, cost: str | None = None) -> list[Reading]:
    """Return the readings of the data, of one cost or of all, the configured one first.

    The printed step is for raw data: with unit columns it is n times shorter than the column's
    own, and nothing moves.
    """
    chosen = configuration.readings
    if chosen is None:
        own = [own_reading(s) for s in configuration.problems if cost in (None, s.cost)]
        return list(dict.fromkeys(own))
    penalties = (PAPER, *(f"1/{share:g}" for share in chosen.shares))
    found = [Reading(p, s, OWN) for p in penalties for s in (UNIT, RAW)]
    if cost in (None, "LogisticL1"):
        found += [Reading(p, RAW, PRINTED) for p in penalties]
    first = next((own_reading(s) for s in configuration.problems if cost in (None, s.cost)), None)
    return sorted(found, key=lambda reading: reading != first)


def unprinted(configuration: Configuration, spec: ProblemSpec) -> ProblemSpec | None:
    """Return the same problem with the column's own step; None if it has that already."""
    if not spec.update:
        return None
    base = configuration.problem(spec.id)
    return as_read(configuration, base, Reading(spec.penalty or PAPER, RAW, OWN))


def variants(configuration: Configuration) -> Iterator[ProblemSpec]:
    """Go through every problem under every reading but its own.

    Stand-ins decide nothing, so that they are run as they are configured only.
    """
    seen = {spec.key for spec in configuration.problems}
    real = (spec for spec in configuration.problems if not spec.data.startswith(SYNTHETIC_PREFIX))
    for spec in real:
        for reading in readings(configuration, spec.cost):
            other = as_read(configuration, spec, reading)
            if other.key not in seen:
                seen.add(other.key)
                yield other
