"""Measurements that are not judged: misprints, thresholds and properties of an implementation.

The paper says something about these, too; but a misprint is no experiment, and how the time of an
epoch behaves depends on who wrote the program. They are errata (docs/ERRATA.md) with a number.
"""

from __future__ import annotations

from dataclasses import dataclass

from banditcd.experiments.paper.claims_parameters import clock, stale_median
from banditcd.experiments.paper.configuration import HeatMap
from banditcd.experiments.paper.court import Court
from banditcd.experiments.paper.ledger import Cited, form
from banditcd.experiments.paper.measure import Ratio, ratio
from banditcd.experiments.paper.staleness import StaleRow
from banditcd.experiments.paper.worker import TARGET

KNEE = 0.4  # of d, where the paper sees the time of an epoch settle


@dataclass(frozen=True)
class Observation:
    """A sentence of the paper, why it is not judged, and what was measured."""

    says: str
    why: str
    measured: tuple[tuple[str, Cited], ...]


def observations(court: Court, rows: list[StaleRow]) -> list[Observation]:
    """Return everything that is measured and not judged."""
    heat = court.configuration.heat_map
    found = []
    if heat is not None and court.evidence.runs(heat.problem, "uniform", "clock"):
        found += [_epsilon(court, heat), _knee(court, heat)]
    own = [row for row in rows if heat is not None and row.problem == heat.problem]
    if heat is not None and own:
        found.append(_growth(court, heat, own))
    if court.configuration.gram:
        found += _kept_correlations(court, court.configuration.gram)
    return found


def _epsilon(court: Court, heat: HeatMap) -> Observation:
    measured = []
    for bins in heat.bins:
        times = [clock(court, heat, e, bins) for e in heat.clock_epsilons]
        spread = max(t.value for t in times) / min(t.value for t in times)
        runs = tuple(run for t in times for run in t.runs)
        what = f"figure 4, E = {bins:g} d: time per epoch, largest / smallest over ε"
        measured.append((f"E = {bins:g} d", court.ledger.ratio(Ratio(spread, "", runs), what)))
    return Observation(
        "The clock time is not a function of ε.",
        "A property of an implementation (erratum 15): here a move of zero writes nothing, and "
        "random picks meet more of them. Largest / smallest time of an epoch over ε:",
        tuple(measured),
    )


def _knee(court: Court, heat: HeatMap) -> Observation:
    times = {b: clock(court, heat, 0.5, b) for b in heat.bins}
    runs = tuple(run for number in times.values() for run in number.runs)
    knee = min(heat.bins, key=lambda b: abs(b - KNEE))
    first, last = times[heat.bins[0]].value, times[heat.bins[-1]].value
    early = first - times[knee].value
    late = Ratio((times[knee].value - last) / early if early else 0.0, "" if early else "-", runs)
    what = f"figure 4, ε = 0.5: fall of time per epoch beyond E = {knee:g} d / before"
    return Observation(
        "After E = 2d/5 the clock time does not decrease much.",
        "A threshold read off a curve: how much is much is not said. Fall of the time of an epoch "
        "beyond it, in units of the fall before it:",
        ((f"E = {knee:g} d", court.ledger.ratio(late, what)),),
    )


def _growth(court: Court, heat: HeatMap, rows: list[StaleRow]) -> Observation:
    measured = []
    for epsilon in dict.fromkeys(row.epsilon for row in rows):
        first, last = (
            stale_median(rows, epsilon, bins)[0] for bins in (heat.bins[0], heat.bins[-1])
        )
        what = f"figure 4, ε = {epsilon:g}: median of c, largest E / smallest E"
        source = f"staleness.csv, epsilon {epsilon:g}"
        measured.append(
            (f"ε = {epsilon:g}", court.ledger.plain(form(last / first, "×"), what, source))
        )
    return Observation(
        "c(E, ε) is a decreasing function of E.",
        "A misprint (erratum 10): the sentence before it says that a smaller E needs fewer "
        "iterations. Median of c at the largest E / at the smallest:",
        tuple(measured),
    )


def _kept_correlations(court: Court, gram: str) -> list[Observation]:
    """Compare the time of max_r by Gram columns with that of uniform, where it ran."""
    evidence, measured = court.evidence, []
    for problem, row in evidence.problems.items():
        if row.is_variant or not evidence.runs(problem, gram):
            continue
        for method, name in (("max_r", "anew"), (gram, "kept")):
            found = ratio(
                evidence.spent(problem, method, TARGET, "seconds"),
                evidence.spent(problem, "uniform", TARGET, "seconds"),
            )
            what = f"{row.title}: seconds until e⁻⁵, uniform / {method}"
            measured.append((f"{row.title}, {name}", court.ledger.ratio(found, what)))
    if not measured:
        return []
    return [
        Observation(
            "All algorithms are optimized by reusing the computed values from past iterations.",
            "The footnote to table 1 does not say which values max_r reused, and the paper makes "
            "no claim about it beyond its table, so nothing is judged. Time of uniform / time of "
            "max_r until e⁻⁵, once with everything computed anew at every step and once with "
            "correlations that are kept by Gram columns, their cost counted:",
            tuple(measured),
        )
    ]
