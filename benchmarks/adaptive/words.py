"""Numbers, ratios, names and tables of the study as text."""

from __future__ import annotations

import textwrap

import numpy as np

from banditcd.experiments.reach import Ratio
from benchmarks.adaptive.measure import Row


def title_of(row: Row) -> str:
    """Return the name of a set; generated ones are named by their design."""
    if not row.shape_seed:
        return row.title
    return row.data.removeprefix("synthetic:").replace("|", "")


def ratio_text(found: Ratio) -> str:
    """Return a ratio with the sign of its bound."""
    return "-" if found.bound == "-" else f"{found.bound}{number(found.value)}"


def number(value: float) -> str:
    """Return a number in three digits; a dash if there is none."""
    if np.isnan(value):
        return "-"
    return f"{value:.2f}" if value < 10.0 else f"{value:.3g}"


def share(part: int, whole: int) -> str:
    """Return a count with its percentage."""
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "none"


def met(holds: bool) -> str:
    """Return whether an aim is met, in words."""
    return "met" if holds else "not met"


def listed(words: list[str]) -> str:
    """Return words in a line."""
    return ", ".join(words) if words else "none"


def wrapped(prose: str) -> str:
    """Return prose in lines of at most 100 characters."""
    return textwrap.fill(prose, 100, break_long_words=False, break_on_hyphens=False)


def table(head: list[str], lines: list[list[str]]) -> str:
    """Return a Markdown table."""
    rule = "|" + "---|" * len(head)
    return "\n".join(
        [f"| {' | '.join(cells)} |" if cells else rule for cells in [head, [], *lines]]
    )
