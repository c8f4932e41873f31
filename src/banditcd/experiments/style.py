"""Looks of the selectors: one color and one line for each, the same in every figure and page.

The colors are those of Okabe & Ito and of P. Tol, distinct for color-blind readers; families
share a line style, so that no figure depends on color alone: plain orders are gray, rules with
full information dashed, accelerated methods dotted.
"""

from __future__ import annotations

from dataclasses import dataclass

SOLID, DASHED, DOTTED, DASH_DOT = (), (5.0, 2.2), (1.2, 1.8), (6.0, 2.0, 1.2, 2.0)


@dataclass(frozen=True)
class Look:
    """Color, dash pattern (in line widths, empty for a plain line) and width of a line."""

    color: str
    dashes: tuple[float, ...] = SOLID
    width: float = 1.6


LOOKS: dict[str, Look] = {
    "focus": Look("#ee3377", SOLID, 2.8),
    "uniform": Look("#2b2b2b", SOLID, 2.0),
    "shuffled": Look("#8c8c8c", SOLID, 2.0),
    "cyclic": Look("#b3b3b3", DASH_DOT),
    "importance": Look("#6b6b6b", DASH_DOT),
    "b_max_r": Look("#d55e00", SOLID, 2.8),
    "gap_per_epoch": Look("#e69f00"),
    "bandit_variance": Look("#999933"),
    "bandit_gs": Look("#661100"),
    "max_r": Look("#332288", DASHED, 1.9),
    "gauss_southwell": Look("#0072b2", DASHED),
    "ada_gap": Look("#aa4499", DASHED),
    "ada_kappa": Look("#cc6677", DASHED),
    "max_gap": Look("#44aa99", DASHED),
    "ascd": Look("#117733", DASHED),
    "sqrt_r": Look("#0072b2"),
    "acf": Look("#009e73"),
    "calendar": Look("#56b4e9"),
    "approx": Look("#cc79a7", DOTTED, 2.2),
    "nuacdm": Look("#882255", DOTTED, 2.2),
    "top": Look("#0072b2", DASH_DOT, 2.0),
    "pool": Look("#009e73", DASH_DOT, 2.4),
    "look": Look("#661100", DASH_DOT, 1.8),
    "spread": Look("#cc79a7", DASH_DOT, 2.0),
    "fast": Look("#0a7d34", DASH_DOT, 2.2),
}
_OTHERS = ("#882255", "#117733", "#661100", "#44aa99", "#999933", "#332288")


def look_of(label: str, position: int) -> Look:
    """Return the look of a selector; others get one by their position in the race."""
    family = label.partition(" ")[0]  # "pool 64" looks like "pool"
    if family in LOOKS:
        return LOOKS[family]
    return Look(_OTHERS[position % len(_OTHERS)], SOLID, 2.4)
