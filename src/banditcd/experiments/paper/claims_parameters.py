"""Claims about the parameters epsilon and E: figure 4."""

from __future__ import annotations

import math
from itertools import pairwise

from banditcd.experiments.paper.claims import Case, Cell, Claim, Court, verdict_of
from banditcd.experiments.paper.configuration import HeatMap
from banditcd.experiments.paper.ledger import Cited
from banditcd.experiments.paper.measure import MEASURES, Number, Ratio, ratio
from banditcd.experiments.paper.tasks import bandit
from banditcd.experiments.paper.worker import TARGET

NOISE = 1.10  # differences of iterations or times below 10 % are noise
LITTLE = 0.35  # "does not decrease much": of the decrease before


def parameter_claims(court: Court) -> list[Claim]:
    """Figure 4."""
    heat = court.configuration.heat_map
    if heat is None or not court.evidence.runs(heat.problem, "uniform", "heat"):
        return []
    return [
        _monotone(court, heat, by_epsilon=False),
        _monotone(court, heat, by_epsilon=True),
        _epsilon_one(court, heat),
        _good_range(court, heat),
        _clock_falls(court, heat),
        _clock_and_epsilon(court, heat),
    ]


def _heat(court: Court, heat: HeatMap, epsilon: float, bins: float, measure: str) -> Number:
    return court.evidence.spent(heat.problem, bandit(epsilon, bins), TARGET, measure, "heat")


def _monotone(court: Court, heat: HeatMap, *, by_epsilon: bool) -> Claim:
    """The number of iterations grows with E (for every epsilon), and with epsilon (every E)."""
    lines, along = (heat.bins, heat.epsilons) if by_epsilon else (heat.epsilons, heat.bins)
    cases = []
    for line in lines:
        if line == 1.0 and not by_epsilon:
            continue  # epsilon = 1 is uniform for every E
        cells = []
        for measure in ("epoch", "work"):
            numbers = [
                _heat(court, heat, *((a, line) if by_epsilon else (line, a)), measure)
                for a in along
            ]
            worst = min(
                (ratio(a, b) for a, b in pairwise(numbers)), key=lambda r: r.value
            )  # the largest fall from one value to the next
            runs = tuple(run for number in numbers for run in number.runs)
            name = f"E = {line:g} d" if by_epsilon else f"ε = {line:g}"
            what = f"figure 4, {name}: smallest ratio of {measure} between neighbors"
            cited = court.ledger.ratio(Ratio(worst.value, worst.bound, runs), what)
            holds = None if worst.bound else worst.value >= 1.0 / NOISE
            cells.append(Cell(measure, cited, holds, size=worst.value))
        cases.append(Case(f"E = {line:g} d" if by_epsilon else f"ε = {line:g}", tuple(cells)))
    says = (
        "For every E, a larger ε makes convergence slower: no exploration is needed here."
        if by_epsilon
        else "For every ε, a smaller E needs fewer iterations."
    )
    return Claim(
        "epsilon" if by_epsilon else "bins", "Figure 4, heat map", says,
        "smallest ratio between neighboring cells; below 1 is a fall, and falls of less than "
        f"{NOISE - 1.0:.0%} count as noise",
        tuple(cases), verdict_of(cases),
    )  # fmt: skip


def _epsilon_one(court: Court, heat: HeatMap) -> Claim:
    """With epsilon = 1, B_max_r is uniform sampling."""
    plain = court.evidence.spent(heat.problem, "uniform", TARGET, "epoch", "heat")
    cases = []
    for bins in heat.bins:
        found = ratio(_heat(court, heat, 1.0, bins, "epoch"), plain)
        what = f"figure 4, E = {bins:g} d: epochs, uniform / b_max_r with ε = 1"
        holds = None if found.bound else 1.0 / NOISE <= found.value <= NOISE
        cell = Cell("epoch", court.ledger.ratio(found, what), holds, size=found.value)
        cases.append(Case(f"E = {bins:g} d", (cell,)))
    return Claim(
        "epsilon-one", "Figure 4, heat map",
        "With ε = 1, B_max_r is uniform sampling, whatever E.",
        f"epochs, uniform / b_max_r: within {NOISE - 1.0:.0%} of 1", tuple(cases),
        verdict_of(cases),
    )  # fmt: skip


def _good_range(court: Court, heat: HeatMap) -> Claim:
    """Any epsilon in [0.2, 0.7] with d/2 <= E <= d works well: better than uniform."""
    cases = []
    for epsilon in (e for e in heat.epsilons if 0.2 <= e <= 0.7):
        for bins in (b for b in heat.bins if 0.5 <= b <= 1.0):
            cells = []
            for measure in MEASURES:
                plain = court.evidence.spent(heat.problem, "uniform", TARGET, measure, "heat")
                found = ratio(_heat(court, heat, epsilon, bins, measure), plain)
                what = f"figure 4, ε = {epsilon:g}, E = {bins:g} d: {measure}, uniform / b_max_r"
                cells.append(
                    Cell(measure, court.ledger.ratio(found, what), found.better, size=found.value)
                )
            cases.append(Case(f"ε = {epsilon:g}, E = {bins:g} d", tuple(cells)))
    return Claim(
        "good-range", "Section 2.3 and figure 4",
        "Any ε in [0.2, 0.7] with d/2 ≤ E ≤ d works well and is faster than uniform.",
        "uniform / b_max_r until e⁻⁵", tuple(cases), verdict_of(cases),
    )  # fmt: skip


def _clock(court: Court, heat: HeatMap, epsilon: float, bins: float) -> Number:
    return court.evidence.per_epoch(heat.problem, bandit(epsilon, bins), "seconds", "clock")


def _clock_falls(court: Court, heat: HeatMap) -> Claim:
    """A smaller E costs more time per epoch, and beyond 2d/5 little is gained."""
    times = {b: _clock(court, heat, 0.5, b) for b in heat.bins}
    runs = tuple(run for number in times.values() for run in number.runs)
    worst = min((ratio(times[b], times[a]) for a, b in pairwise(heat.bins)), key=lambda r: r.value)
    falls = court.ledger.ratio(
        Ratio(worst.value, worst.bound, runs), "figure 4, ε = 0.5: smallest fall of time per epoch"
    )
    knee = min(heat.bins, key=lambda b: abs(b - 0.4))
    first, last = times[heat.bins[0]].value, times[heat.bins[-1]].value
    early = first - times[knee].value
    late = Ratio((times[knee].value - last) / early, "", runs) if early else Ratio(0.0, "-", runs)
    cited = court.ledger.ratio(
        late, f"figure 4, ε = 0.5: fall of time per epoch beyond E = {knee:g} d / before"
    )
    cases = [
        Case("a smaller E takes more time", (_seconds(falls, worst.value >= 1.0 / NOISE),)),
        Case("little is gained beyond E = 2d/5", (_seconds(cited, _small(late)),)),
    ]
    return Claim(
        "clock-bins", "Figure 4, time per epoch",
        "A smaller E takes more time per epoch; beyond E = 2d/5 it hardly falls any more.",
        f"smallest ratio between neighbors (noise {NOISE - 1.0:.0%}); fall beyond 2d/5 at most "
        f"{LITTLE:g} of the fall before",
        tuple(cases), verdict_of(cases),
    )  # fmt: skip


def _small(late: Ratio) -> bool | None:
    """Whether a later fall is little of the earlier one; None if there was none to compare."""
    return None if late.bound else abs(late.value) <= LITTLE


def _clock_and_epsilon(court: Court, heat: HeatMap) -> Claim:
    """The time of an epoch does not depend on epsilon."""
    cases = []
    for bins in heat.bins:
        times = [_clock(court, heat, e, bins) for e in heat.clock_epsilons]
        spread = max(t.value for t in times) / min(t.value for t in times)
        found = Ratio(spread, "", tuple(run for t in times for run in t.runs))
        what = f"figure 4, E = {bins:g} d: time per epoch, largest / smallest over ε"
        cases.append(
            Case(
                f"E = {bins:g} d",
                (_seconds(court.ledger.ratio(found, what), spread <= NOISE, spread),),
            )
        )
    return Claim(
        "clock-epsilon", "Figure 4, time per epoch", "The time of an epoch does not depend on ε.",
        f"largest / smallest over ε: at most {NOISE:g}", tuple(cases), verdict_of(cases),
    )  # fmt: skip


def _seconds(cited: Cited, holds: bool | None, size: float = math.nan) -> Cell:
    return Cell("seconds", cited, holds, size=size)
