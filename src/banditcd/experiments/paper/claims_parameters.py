"""Claims about the parameters epsilon and E: figure 4."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np

from banditcd.experiments.paper.claims import Case, Cell, Claim, decide, verdict_of
from banditcd.experiments.paper.configuration import HeatMap
from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.ledger import form
from banditcd.experiments.paper.measure import MEASURES, Number, Ratio, ratio
from banditcd.experiments.paper.readings import RANGES
from banditcd.experiments.paper.staleness import StaleRow
from banditcd.experiments.paper.tasks import bandit
from banditcd.experiments.paper.worker import TARGET


def parameter_claims(court: Court) -> list[Claim]:
    """Figure 4."""
    heat = _read(court)
    if heat is None or not court.evidence.runs(heat.problem, "uniform", "heat"):
        return []
    claims = [
        _monotone(court, heat, by_epsilon=False),
        _monotone(court, heat, by_epsilon=True),
        _epsilon_one(court, heat),
        _good_range(court, heat),
    ]
    if court.evidence.runs(heat.problem, "uniform", "clock"):
        claims.append(_clock_falls(court, heat))
    return claims


def _read(court: Court) -> HeatMap | None:
    """Return the heat map of the problem as it is read; None if that is not judged here."""
    heat = court.configuration.heat_map
    if heat is None or not court.is_judged(court.read(heat.problem)):
        return None
    return replace(heat, problem=court.read(heat.problem))


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
            steps = [(ratio(a, b), a, b) for a, b in pairwise(numbers)]
            worst = min((found for found, _, _ in steps), key=lambda r: r.value)
            real = [found for found, a, b in steps if is_fall(court, found, a, b)]
            runs = tuple(run for number in numbers for run in number.runs)
            name = f"E = {line:g} d" if by_epsilon else f"ε = {line:g}"
            what = f"figure 4, {name}: smallest ratio of {measure} between neighbors"
            cited = court.ledger.ratio(Ratio(worst.value, worst.bound, runs), what)
            open_end = any(found.bound for found, _, _ in steps)
            holds = None if open_end and not real else not real
            why = "a neighbor did not get there" if holds is None else ""
            cells.append(Cell(measure, cited, holds, size=worst.value, why=why))
        cases.append(Case(f"E = {line:g} d" if by_epsilon else f"ε = {line:g}", tuple(cells)))
    says = (
        "For every E, a larger ε makes convergence slower: no exploration is needed here."
        if by_epsilon
        else "For every ε, a smaller E needs fewer iterations."
    )
    return Claim(
        "epsilon" if by_epsilon else "bins", "Figure 4, heat map", says,
        "smallest ratio between neighboring cells; below 1 is a fall, which counts if it is more "
        f"than {court.rules['noise'] - 1.0:.0%} and, where ranges are asked for, the ranges over "
        "the seeds do not overlap",
        tuple(cases), verdict_of(cases),
    )  # fmt: skip


def is_fall(court: Court, found: Ratio, first: Number, second: Number) -> bool:
    """Whether the second is really smaller than the first: beyond the noise, as it is read."""
    if found.bound or found.value >= 1.0 / court.rules["noise"]:
        return False
    return court.reading.noise != RANGES or second.high < first.low


def _epsilon_one(court: Court, heat: HeatMap) -> Claim:
    """With epsilon = 1, B_max_r is uniform sampling."""
    plain = court.evidence.spent(heat.problem, "uniform", TARGET, "epoch", "heat")
    cases = []
    for bins in heat.bins:
        own = _heat(court, heat, 1.0, bins, "epoch")
        found = ratio(own, plain)
        what = f"figure 4, E = {bins:g} d: epochs, uniform / b_max_r with ε = 1"
        noise = court.rules["noise"]
        overlap = court.reading.noise == RANGES and not own.is_apart_from(plain)
        holds = None if found.bound else overlap or 1.0 / noise <= found.value <= noise
        cell = Cell("epoch", court.ledger.ratio(found, what), holds, size=found.value)
        cases.append(Case(f"E = {bins:g} d", (cell,)))
    return Claim(
        "epsilon-one", "Figure 4, heat map",
        "With ε = 1, B_max_r is uniform sampling, whatever E.",
        f"epochs, uniform / b_max_r: within {court.rules['noise'] - 1.0:.0%} of 1, or ranges "
        "that overlap where ranges count", tuple(cases),
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
                found, cell = decide(
                    court, _heat(court, heat, epsilon, bins, measure), plain, measure
                )
                what = f"figure 4, ε = {epsilon:g}, E = {bins:g} d: {measure}, uniform / b_max_r"
                cited = court.ledger.ratio(found, what)
                cells.append(replace(cell, cited=cited))
            cases.append(Case(f"ε = {epsilon:g}, E = {bins:g} d", tuple(cells)))
    return Claim(
        "good-range", "Section 2.3 and figure 4",
        "Any ε in [0.2, 0.7] with d/2 ≤ E ≤ d works well and is faster than uniform.",
        "uniform / b_max_r until e⁻⁵", tuple(cases), verdict_of(cases),
    )  # fmt: skip


def clock(court: Court, heat: HeatMap, epsilon: float, bins: float) -> Number:
    """Return the time of an epoch of B_max_r."""
    return court.evidence.per_epoch(heat.problem, bandit(epsilon, bins), "seconds", "clock")


def _clock_falls(court: Court, heat: HeatMap) -> Claim:
    """A smaller E costs more time per epoch."""
    cells = []
    for small, large in pairwise(heat.bins):
        first, second = clock(court, heat, 0.5, small), clock(court, heat, 0.5, large)
        found, cell = decide(court, second, first, "seconds", 1.0 / court.rules["noise"])
        what = f"figure 4, ε = 0.5: time per epoch, E = {small:g} d / E = {large:g} d"
        cited = court.ledger.ratio(found, what)
        cells.append(Case(f"E = {small:g} d and {large:g} d", (replace(cell, cited=cited),)))
    return Claim(
        "clock-bins", "Figure 4, time per epoch", "A smaller E takes more time per epoch.",
        f"ratio between neighbors, at least 1 but for noise ({court.rules['noise'] - 1.0:.0%})",
        tuple(cells), verdict_of(cells),
    )  # fmt: skip


def staleness_claims(court: Court, rows: list[StaleRow]) -> list[Claim]:
    """What the paper concludes about c(E, epsilon) from the heat map."""
    heat = _read(court)
    own = [row for row in rows if heat is not None and row.problem == heat.problem]
    if heat is None or not own:
        return []
    epsilons = list(dict.fromkeys(row.epsilon for row in own))
    close = [_near_one(court, own, e, b) for e in epsilons for b in heat.bins]
    judged = (
        "median over the steps of max r / r of the coordinate that looks best: at most "
        f"{court.rules['near_one']:g} and never infinite"
    )
    return [
        Claim(
            "c-near-one", "Figure 4, conclusions", "c(E, ε) is close to 1 for all ε.", judged,
            tuple(close), verdict_of(close),
        ),
    ]  # fmt: skip


def stale_median(rows: list[StaleRow], epsilon: float, bins: float) -> tuple[float, float]:
    """Return the median of c and of the share of lost steps over the seeds of one problem."""
    own = [row for row in rows if (row.epsilon, row.bins) == (epsilon, bins)]
    if not own:
        return math.nan, math.nan
    return float(np.median([r.median for r in own])), float(np.median([r.lost for r in own]))


def _near_one(court: Court, rows: list[StaleRow], epsilon: float, bins: float) -> Case:
    value, lost = stale_median(rows, epsilon, bins)
    place = f"ε = {epsilon:g}, E = {bins:g} d"
    source = f"staleness.csv, {rows[0].problem}, epsilon {epsilon:g}, bins {bins:g}"
    cited = court.ledger.plain(form(value), f"figure 4, {place}: median of c", source)
    note = f"infinite at {lost:.1%} of the steps"
    if math.isnan(value):
        return Case(place, (Cell("epoch", cited, None, why="it was not measured"),))
    cell = Cell("epoch", cited, value <= court.rules["near_one"] and lost == 0.0, note, value)
    return Case(place, (cell,))
