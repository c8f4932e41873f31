"""The curves of figures 2 and 3, drawn from rows: panels for the page, and SVG files."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from banditcd._typing import Floats
from banditcd.experiments.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Scale,
    panel_svg,
    swatch_svg,
)
from banditcd.experiments.curves import X_AXES, Panel, looks_of, panels
from banditcd.experiments.paper.configuration import Configuration, ProblemSpec
from banditcd.experiments.paper.measure import Evidence, Run
from banditcd.experiments.paper.posing import ProblemRow
from banditcd.experiments.paper.tasks import FAST
from banditcd.experiments.paper.worker import TARGET
from banditcd.experiments.rows import RaceInfo, RaceResult, RaceRun
from banditcd.experiments.style import Look
from banditcd.results import Trace, TraceRow

ROW_NAMES = {2: ("Adaptive", "Adaptive-bandit"), 3: ("Full information", "Partial information")}
STYLE = (
    "text{font:11.5px system-ui,sans-serif;fill:#666}.name,.legend{font-size:12.5px;fill:#222}"
    ".title{font-size:15px;font-weight:600;fill:#222}.grid{stroke:#ececec;fill:none}"
    ".band{opacity:.1}.marked{paint-order:stroke;stroke:#fff;stroke-width:3px}"
    ".mark{stroke:#999;stroke-dasharray:4 3;fill:none}"
)


@dataclass(frozen=True)
class PanelRow:
    """One row of a problem's panels: epochs, work and seconds."""

    name: str
    svgs: tuple[tuple[str, str], ...]
    looks: dict[str, Look]


def panel_rows(
    configuration: Configuration, evidence: Evidence, spec: ProblemSpec
) -> list[PanelRow]:
    """Return the two rows of panels of a problem."""
    row = evidence.problems[spec.id]
    methods = configuration.methods[spec.cost]
    ours = (*configuration.added, FAST)
    groups = ((*methods.full, *ours), (*methods.partial, *configuration.users, *ours))
    found = []
    for name, group in zip(ROW_NAMES[spec.figure], groups, strict=True):
        race = _race(evidence, row, configuration.tol, dict.fromkeys(group))
        if race.runs:
            svgs = tuple((p.x_measure, _drawn(p, row)) for p in _panels(race))
            found.append(PanelRow(name, svgs, looks_of(race)))
    return found


def _panels(race: RaceResult) -> list[Panel]:
    """Return the panels of the suboptimality; the fast solver has no epochs."""
    counted = RaceResult(race.info, [run for run in race.runs if run.selector != FAST])
    return [
        panels(counted if measure == "epoch" else race)[0][k]
        for k, measure in enumerate(X_AXES)
        if counted.runs
    ]


def _race(evidence: Evidence, row: ProblemRow, tol: float, methods: dict[str, None]) -> RaceResult:
    info = RaceInfo(
        row.label, row.cost, row.n, row.d, row.alpha, row.alpha_how, row.null_objective, tol,
        0.0, row.optimum_gap,
    )  # fmt: skip
    runs = [
        RaceRun(
            run.row.method, run.row.seed, run.row.update, "compiled", run.row.status, _trace(run)
        )
        for method in methods
        for run in evidence.runs(row.problem, method)
    ]
    return RaceResult(info, runs)


def _trace(run: Run) -> Trace:
    """Return the records as a trace whose objective is F - F*."""
    c = run.columns if run.row.method != FAST else _stairs(run.columns)
    trace = Trace()
    for k in range(len(c["work"])):
        trace.record(
            TraceRow(
                k, float(c["epoch"][k]), float(c["work"][k]), float(c["seconds"][k]),
                float(c["suboptimality"][k]), float(c["gap"][k]), 0, 0.0,
            )
        )  # fmt: skip
    return trace


def _stairs(columns: dict[str, Floats]) -> dict[str, Floats]:
    """Return records that each began from scratch as stairs: the least spent to be that close."""
    order = np.argsort(-columns["suboptimality"], kind="stable")
    down = {name: values[order] for name, values in columns.items()}
    for name in ("work", "seconds"):
        down[name] = np.minimum.accumulate(down[name][1:][::-1])[::-1]
        down[name] = np.concatenate([[0.0], np.repeat(down[name], 2)])
    for name in ("suboptimality", "gap", "epoch"):
        down[name] = np.concatenate([np.repeat(down[name], 2)[:-1]])
    return down


def _drawn(panel: Panel, row: ProblemRow) -> str:
    """Return the panel with the paper's accuracy marked."""
    svg = panel_svg(panel)
    level = TARGET / row.null_objective
    if not panel.y_range[0] < level < panel.y_range[1]:
        return svg
    y = float(Scale(*panel.y_range, HEIGHT - BOTTOM, TOP)(np.array([level]))[0])
    mark = (
        f'<path class="mark" d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"/>'
        f'<text x="{WIDTH - RIGHT:g}" y="{y - 3:.1f}" text-anchor="end" '
        f'class="marked">F − F* = e⁻⁵</text>'
    )
    return svg.removesuffix("</svg>") + mark + "</svg>"


def figure_svg(title: str, sections: list[tuple[str, list[PanelRow]]]) -> str:
    """Return a figure as one SVG file: a section of rows per problem, a legend on top."""
    looks = {n: look for _, rows in sections for row in rows for n, look in row.looks.items()}
    width, parts, y = 3.0 * (WIDTH + 14.0), [], 40.0
    parts.append(_placed_legend(looks, y))
    y += 26.0
    for heading, rows in sections:
        parts.append(f'<text class="title" x="8" y="{y + 22:g}">{escape(heading)}</text>')
        y += 34.0
        for row in rows:
            parts.append(f'<text class="legend" x="8" y="{y + 10:g}">{escape(row.name)}</text>')
            y += 14.0
            for k, (_, svg) in enumerate(row.svgs):
                size = f'width="{WIDTH:g}" height="{HEIGHT:g}"'
                place = f'<svg x="{k * (WIDTH + 14):g}" y="{y:g}" {size} '
                parts.append(svg.replace("<svg ", place, 1))
            y += HEIGHT + 4.0
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {y + 8:g}" '
        f'width="{width:g}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>'
        f'<text class="title" x="8" y="24">{escape(title)}</text>{"".join(parts)}</svg>\n'
    )


def _placed_legend(looks: dict[str, Look], y: float) -> str:
    parts, x = [], 8.0
    for name, look in looks.items():
        place = f'<svg x="{x:g}" y="{y:g}" '
        parts.append(swatch_svg(look).replace("<svg ", place, 1))
        parts.append(f'<text class="legend" x="{x + 32:g}" y="{y + 8:g}">{escape(name)}</text>')
        x += 52.0 + 7.2 * len(name)
    return "".join(parts)
