"""The tables of the study besides the first: the automatic pool, looking, and c(E, epsilon, k)."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from banditcd.experiments.batches.freshness import FreshRow, medians
from banditcd.experiments.batches.study import (
    AUTO,
    BASELINES,
    LOOKS,
    auto_against,
    findings,
    judged_at,
    looks_against,
)
from banditcd.experiments.markup import counted, markdown_table, ratio_text, text_table
from banditcd.experiments.reach import Ratio, Reach, reach
from banditcd.experiments.rows import RaceResult


@dataclass(frozen=True)
class View:
    """A table with its heading and what it says."""

    title: str
    note: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    counted: tuple[str, ...] = ()


def _passes(found: Reach) -> str:
    return _number(found.spent) if found.reached else f"not within {_number(found.budget)}"


def _number(passes: float) -> str:
    return f"{passes:.0f}" if passes >= 99.5 else f"{passes:.3g}"


def auto_view(races: list[RaceResult]) -> View:
    """The pool that chooses its k, next to the k that turned out best."""
    names = ("best k in hindsight", *BASELINES)
    lines: list[tuple[str, ...]] = []
    against: dict[str, list[Ratio]] = {name: [] for name in names}
    for race in races:
        target = judged_at(race)
        found = auto_against(race, target)
        best = next(f for f in findings(race, target) if f.rule == "pool").best
        for name in names:
            against[name].append(found[name])
        own = _passes(reach(race, AUTO, target, "work"))
        lines.append(
            (race.info.title, f"{target:.0e}", own, str(best or "none"),
             *(ratio_text(found[name]) for name in names))
        )  # fmt: skip
    head = ("problem", "gap", "passes", "best k", *(f"{name} / it" for name in names))
    note = (
        "The selector pool with an automatic k: at every refresh the prefix of coordinates, in the "
        "order of r per matrix entry, that promises the largest gain per entry. The k that turned "
        "out best is that of the rule pool above, which nobody knows before the run."
    )
    points = tuple(_counted(f"The automatic pool against {n}", against[n]) for n in names)
    return View("Update k, automatically", note, head, tuple(lines), points)


def looks_view(races: list[RaceResult]) -> View:
    """Looking at k arms per step instead of refreshing."""
    lines: list[tuple[str, ...]] = []
    against: dict[str, list[Ratio]] = {name: [] for name in LOOKS}
    for race in races:
        target = judged_at(race)
        found = looks_against(race, target)
        for name in LOOKS:
            against[name].append(found[name])
        plain = _passes(reach(race, "b_max_r", target, "work"))
        cells = [
            f"{_passes(reach(race, name, target, 'work'))} ({ratio_text(found[name])})"
            for name in LOOKS
        ]
        lines.append((race.info.title, f"{target:.0e}", plain, *cells))
    head = ("problem", "gap", "b_max_r: passes", *(f"{n}: passes (b_max_r / it)" for n in LOOKS))
    note = (
        "B_max_r with ε = 1/2 that refreshes once, at the start, and then looks at k arms per "
        "step: those whose estimate is oldest, or largest. Two looks cost what the refreshes of "
        "B_max_r with E = d/2 cost."
    )
    points = tuple(_counted(f"{name} against b_max_r", against[name]) for name in LOOKS)
    return View("Observe k", note, head, tuple(lines), points)


def fresh_view(rows: list[FreshRow]) -> View:
    """c(E, epsilon, k), problem by problem."""
    titles = list(dict.fromkeys((row.data, row.cost) for row in rows))
    found = {title: medians([r for r in rows if (r.data, r.cost) == title]) for title in titles}
    settings = list(dict.fromkeys(row.setting for row in rows))
    lines = []
    for bins, epsilon, k, which in settings:
        cells = [found[title].get((bins, epsilon, k, which), (np.nan, np.nan)) for title in titles]
        refresh = "first only" if np.isinf(bins) else f"every {bins:g} d"
        looks = f"{k} {which}".strip()
        lines.append(
            (refresh, f"{epsilon:g}", looks, *(f"{c:.3g}, {lost:.1%} lost" for c, lost in cells))
        )
    head = ("refresh", "ε", "looks per step", *(f"{data} · {cost}" for data, cost in titles))
    note = (
        "c(E, ε, k): the largest marginal decrease divided by that of the arm that looks best, "
        "median over the steps of the first two epochs, and the share of steps at which that arm "
        "has nothing left to give, so that c is infinite."
    )
    return View("How fresh the estimates are", note, head, tuple(lines))


def _counted(what: str, ratios: list[Ratio]) -> str:
    found = counted(ratios)
    return f"{what}: less work {found}" if found else f"{what}: neither got there on any problem."


def as_markdown(view: View) -> list[str]:
    """Return a table as lines of Markdown."""
    points = [*(f"- {sentence}" for sentence in view.counted), *([""] if view.counted else [])]
    return [f"## {view.title}", "", view.note, "", *points, *markdown_table(view.head, view.lines)]


def as_html(view: View) -> str:
    """Return a table as a section of the page."""
    points = "".join(f"<li>{escape(sentence)}</li>" for sentence in view.counted)
    return (
        f"<section><h2>{escape(view.title)}</h2><p>{escape(view.note)}</p><ul>{points}</ul>"
        f"{text_table(view.head, view.lines)}</section>"
    )
