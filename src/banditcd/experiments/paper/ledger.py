"""Every number that is printed, with the runs it comes from."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import numpy as np

from banditcd.experiments.paper.measure import Number, Ratio

MISSED = "–"


@dataclass(frozen=True)
class Cited:
    """A number as it is printed, under its name in the ledger."""

    id: str
    text: str


@dataclass(frozen=True)
class Entry:
    """A line of the ledger."""

    id: str
    what: str
    value: str
    low: str
    high: str
    source: str


class Ledger:
    """Hands out names for numbers and remembers where they come from."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._known: dict[tuple[str, str], Cited] = {}

    def number(self, number: Number, what: str, unit: str = "") -> Cited:
        """Cite a median; its runs are the source. One that was not reached shows the budget."""
        text = form(number.value, unit)
        if np.isinf(number.value) and np.isfinite(number.budget):
            text = f"not within {form(number.budget, unit)}"
        ends = (form(number.low, unit), form(number.high, unit))
        return self._add(what, text, ends, runs_text(number.runs))

    def ratio(self, ratio: Ratio, what: str) -> Cited:
        """Cite a ratio of two medians."""
        text = MISSED if ratio.bound == "-" else f"{ratio.bound}{form(ratio.value, '×')}"
        return self._add(what, text, ("", ""), runs_text(ratio.runs))

    def plain(self, text: str, what: str, source: str) -> Cited:
        """Cite a number that stands in a row of another file."""
        return self._add(what, text, ("", ""), source)

    def csv(self) -> str:
        """Return the ledger as CSV."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["number", "what", "value", "lowest", "highest", "from"])
        writer.writerows([e.id, e.what, e.value, e.low, e.high, e.source] for e in self.entries)
        return text.getvalue()

    def _add(self, what: str, text: str, ends: tuple[str, str], source: str) -> Cited:
        key = (what, source)
        if key not in self._known:
            name = f"n{len(self.entries) + 1}"
            self.entries.append(Entry(name, what, text, *ends, source))
            self._known[key] = Cited(name, text)
        return self._known[key]


def runs_text(runs: tuple[int, ...]) -> str:
    """Return run numbers as text, such as ``runs 3-5, 9``."""
    if not runs:
        return "no runs"
    parts: list[list[int]] = []
    for run in sorted(set(runs)):
        if parts and run == parts[-1][1] + 1:
            parts[-1][1] = run
        else:
            parts.append([run, run])
    spans = [f"{a}" if a == b else f"{a}-{b}" for a, b in parts]
    return f"runs {', '.join(spans)}"


def form(value: float, unit: str = "") -> str:
    """Return a number with three digits; seconds in the unit that suits them."""
    if np.isnan(value) or np.isinf(value):
        return MISSED
    if unit == "s":
        for factor, name in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
            if abs(value) * factor >= 0.9995 or name == "µs":
                return f"{_digits(value * factor)} {name}"
    return f"{_digits(value)}{unit}"


def _digits(value: float) -> str:
    if value == 0.0 or 1e-3 <= abs(value) < 99.5:
        return f"{value:.3g}"
    return f"{value:,.0f}".replace(",", " ") if 99.5 <= abs(value) < 1e6 else f"{value:.2e}"
