"""The race as one HTML page: self-contained, readable on a phone, complete without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from banditcd.experiments.charts import panel_svg, swatch_svg
from banditcd.experiments.curves import X_AXES, looks_of, panels
from banditcd.experiments.film import films_section
from banditcd.experiments.learning import Film
from banditcd.experiments.markup import html_table
from banditcd.experiments.rows import RaceResult
from banditcd.experiments.style import LOOKS, Look
from banditcd.experiments.table import (
    BEST,
    LEGEND,
    PYTHON,
    Block,
    blocks_of,
    headline,
    standings,
)

_ASSETS = "banditcd.experiments"
FEW = 4
FIRST = ("focus", "b_max_r", "uniform", "shuffled")
_INTRO = (
    "Every line is one rule for choosing the next coordinate; all else is the same. Each point is "
    "what a rule had spent (median over the seeds) when it first reached that accuracy: further "
    "left is better. A filled dot marks the end at the tolerance, an open one a run that hit its "
    "limit. Accuracies are relative to P₀, the objective of the zero model."
)


def race_page(
    races: list[RaceResult], title: str, command: str, lead: str = "", films: Sequence[Film] = ()
) -> str:
    """Return the page of some races.

    Parameters
    ----------
    races : list of RaceResult
        What to show.
    title : str
        Heading of the page.
    command : str
        What produced it, for the foot of the page.
    lead : str
        HTML put before the races, in the place of the standings.
    films : sequence of Film
        How the rules of the races learn.
    """
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<link rel="icon" href="data:,">',
            f"<title>{escape(title)}</title>",
            f"<style>{asset('page.css')}{asset('film.css')}</style></head><body>",
            *axis_inputs(),
            f"<header><h1>{escape(title)}</h1><p>{_INTRO}</p></header>",
            legend_bar(races),
            "<main>",
            lead or _verdict(races),
            *(_section(race, films) for race in races),
            f'<p class="soft">{escape(LEGEND)}</p>',
            "</main>",
            f"<footer><p>Made by <code>{escape(command)}</code>.</p></footer>",
            '<div id="tip" hidden></div>',
            f"<script>{asset('page.js')}{asset('film.js')}</script>",
            "</body></html>",
            "",
        ]
    )


def asset(name: str) -> str:
    """Return a style sheet or a script that comes with the package."""
    return files(_ASSETS).joinpath("assets", name).read_text(encoding="utf-8")


def axis_inputs() -> list[str]:
    """Return the radio buttons by which a narrow screen shows one x axis at a time."""
    return [
        f'<input class="axis" type="radio" name="axis" id="axis-{name}"'
        f"{' checked' if name == 'work' else ''}>"
        for name in X_AXES
    ]


def legend_bar(races: list[RaceResult]) -> str:
    """Return the legend of some races."""
    looks = {name: look for race in races for name, look in looks_of(race).items()}
    return legend_items(looks, shown_first(list(looks)))


def shown_first(names: list[str]) -> list[str]:
    """Return the rules whose curves a page shows until more are asked for: four, in their order.

    A user's own rules come first, then the default, that of the paper, and the yardsticks.
    """
    if len(names) <= FEW:
        return names
    own = [name for name in names if name.partition(" ")[0] not in LOOKS]
    known = [name for name in (*FIRST, *names) if name in names and name not in own]
    chosen = list(dict.fromkeys([*own, *known]))[:FEW]
    return [name for name in names if name in chosen]


def legend_items(looks: dict[str, Look], first: Sequence[str] | None = None) -> str:
    """Return the bar with the legend and, for narrow screens, the choice of the x axis.

    With scripts, curves that are not among the ``first`` wait behind a button (None: all are).
    """
    legend = "".join(
        f'<span data-selector="{escape(name)}"'
        f"{'' if first is None or name in first else ' data-later'}>"
        f"{swatch_svg(look)}{escape(name)}</span>"
        for name, look in looks.items()
    )
    axes = "".join(
        f'<label for="axis-{name}">{escape(text.partition(" (")[0])}</label>'
        for name, text in X_AXES.items()
    )
    return (
        f'<div class="bar"><div><div class="legend">{legend}</div>'
        f'<div class="axes">{axes}</div></div></div>'
    )


def _section(race: RaceResult, films: Sequence[Film]) -> str:
    own = [film for film in films if (film.data, film.cost) == (race.info.data, race.info.cost)]
    charts = "".join(
        f'<div class="panel {panel.x_measure}">{panel_svg(panel)}</div>'
        for row in panels(race)
        for panel in row
    )
    blocks = blocks_of(race)
    return (
        f"<section><h2>{escape(race.info.title)}</h2>"
        f'<p class="soft">{escape(race.info.subtitle)}; {escape(headline(race))}</p>'
        f'<div class="panels">{charts}</div>{films_section(own)}'
        f"<details open><summary>Spent until the gap was certified</summary>"
        f"{_table(race, blocks[:3])}</details>"
        f"<details><summary>Ratios to uniform and shuffled: above 1 is better than it, below 1 "
        f"worse</summary>{_table(race, blocks[3:])}</details></section>"
    )


def _table(race: RaceResult, blocks: list[Block]) -> str:
    groups = "".join(
        f'<th class="first" colspan="{len(b.targets)}">{escape(b.heading)}</th>' for b in blocks
    )
    targets = "".join(
        f"<th{_first(k)}>{escape(target)}</th>"
        for b in blocks
        for k, target in enumerate(b.targets)
    )
    lines = "".join(
        f"<tr><th>{escape(name)}</th>{''.join(_cells(b, i) for b in blocks)}</tr>"
        for i, name in enumerate(race.selectors)
    )
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr><th></th>{groups}</tr>'
        f"<tr><th>selector</th>{targets}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _cells(block: Block, line: int) -> str:
    return "".join(
        f"<td{_first(k, _kind(cell, block.is_ratio))}>{escape(cell.strip(f' {BEST}'))}</td>"
        for k, cell in enumerate(block.cells[line])
    )


def _first(k: int, kind: str = "") -> str:
    names = " ".join(name for name in ("first" if k == 0 else "", kind) if name)
    return f' class="{names}"' if names else ""


def _kind(cell: str, is_ratio: bool) -> str:
    """Return how a cell is marked: best of its column, clearly better or worse than 1."""
    if not is_ratio:
        return "best" if cell.endswith(BEST) else ""
    if cell.startswith("-"):
        return ""
    value = float(cell.strip(f"<>{PYTHON}"))
    if value >= 1.1 and not cell.startswith("<"):
        return "win"
    return "loss" if value <= 0.9 and not cell.startswith(">") else ""


def _verdict(races: list[RaceResult]) -> str:
    lines = standings(races)
    if not lines:
        return ""
    body = (
        f"<tr><th>{escape(line[0])}</th>"
        + "".join(
            f"<td{_first(1, _kind(cell, True) if 3 <= k < len(line) - 2 else '')} "
            f'data-name="{escape(lines[0][k])}">{escape(cell)}</td>'
            for k, cell in enumerate(line)
            if k > 0
        )
        + "</tr>"
        for line in lines[1:]
    )
    return (
        "<section><h2>In short</h2>"
        '<p class="soft">Ratios of what the yardstick spent to what the rule spent: above 1 is '
        f"better than the yardstick, below 1 worse. {PYTHON}: the rule chooses in Python, so its "
        "seconds cannot be compared with those of a compiled one.</p>"
        f"{html_table(map(escape, lines[0]), body, 'brief')}</section>"
    )
