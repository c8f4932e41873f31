"""The race as one PNG: suboptimality and gap against epochs, work and seconds."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.experiments.curves import X_AXES, Y_AXES, Panel, looks_of, panels
from banditcd.experiments.rows import RaceResult

INK, SOFT, GRID = "#222222", "#666666", "#e8e8e8"
_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": "#bbbbbb",
    "axes.labelcolor": SOFT,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.major.width": 0.8,
    "ytick.major.width": 0.8,
    "xtick.minor.size": 0.0,
    "ytick.minor.size": 0.0,
    "lines.solid_capstyle": "round",
}
WIDTH, RACE_HEIGHT, HEAD = 13.0, 6.9, 0.8  # inches


def has_matplotlib() -> bool:
    """Whether figures can be drawn."""
    return find_spec("matplotlib") is not None


def draw_png(races: list[RaceResult], path: Path, dpi: int = 130) -> None:
    """Draw all races into one PNG file, whole or not at all (matplotlib must be installed)."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        height = HEAD + RACE_HEIGHT * len(races)
        figure = Figure(figsize=(WIDTH, height), dpi=dpi, facecolor="white")
        _legend(figure, races, height)
        share = RACE_HEIGHT / height
        for k, race in enumerate(races):
            bottom = 1.0 - HEAD / height - (k + 1) * share
            _draw_race(figure, race, bottom, share)
        part = path.with_name(path.name + ".part")
        figure.savefig(part, format="png")
        part.replace(path)


def _draw_race(figure: Any, race: RaceResult, bottom: float, share: float) -> None:
    top = bottom + share
    inch = share / RACE_HEIGHT
    figure.text(0.06, top - 0.22 * inch, race.info.title, size=15, weight="bold", va="center")
    seeds = (
        f"median of {race.seeds} seeds, bands from best to worst" if race.seeds > 1 else "1 seed"
    )
    figure.text(
        0.985, top - 0.22 * inch, f"{race.info.subtitle}; {seeds}",
        size=10, color=SOFT, ha="right", va="center",
    )  # fmt: skip
    grid = figure.add_gridspec(
        2, 3, left=0.06, right=0.985, bottom=bottom + 0.75 * inch, top=top - 0.5 * inch,
        wspace=0.14, hspace=0.16,
    )  # fmt: skip
    for i, row in enumerate(panels(race)):
        for j, panel in enumerate(row):
            axes = figure.add_subplot(grid[i, j])
            _draw_panel(axes, panel)
            axes.tick_params(labelbottom=i == 1, labelleft=j == 0, length=0)
            if i == 1:
                axes.set_xlabel(X_AXES[panel.x_measure])
            if j == 0:
                axes.set_ylabel(Y_AXES[panel.y_measure])


def _draw_panel(axes: Any, panel: Panel) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(panel.x_range[0] * 0.8, panel.x_range[1] * 1.15)
    axes.set_ylim(panel.y_range[0] * 0.7, panel.y_range[1] * 1.4)
    axes.yaxis.set_major_locator(_decades())
    for name, curve in panel.curves.items():
        look = panel.looks[name]
        style = {"color": look.color, "linewidth": look.width, "zorder": 2.0 + look.width}
        dashes = (0, look.dashes) if look.dashes else "-"
        axes.fill_betweenx(
            curve.y, curve.low, curve.high, color=look.color, alpha=0.10, linewidth=0
        )
        x, y = curve.x, curve.y
        if not curve.complete and len(y):  # it went on, and got no further
            x, y = np.append(x, max(curve.end, x[-1])), np.append(y, y[-1])
        axes.plot(x, y, linestyle=dashes, **style)
        if len(y):
            face = look.color if curve.complete else "white"
            axes.plot(
                x[-1:], y[-1:], "o", markersize=4.5, markerfacecolor=face, markeredgewidth=1.2,
                color=look.color, clip_on=False, zorder=6,
            )  # fmt: skip


def _decades() -> Any:
    from matplotlib.ticker import LogLocator

    return LogLocator(base=10.0, numticks=12)


def _legend(figure: Any, races: list[RaceResult], height: float) -> None:
    from matplotlib.lines import Line2D

    looks = {name: look for race in races for name, look in looks_of(race).items()}
    handles = [
        Line2D(
            [], [], label=name, color=look.color, linewidth=look.width,
            linestyle=(0, look.dashes) if look.dashes else "-",
        )
        for name, look in looks.items()
    ]  # fmt: skip
    figure.legend(
        handles=handles, loc="upper center", bbox_to_anchor=(0.5225, 1.0 - 0.12 / height),
        ncols=min(len(handles), -(-len(handles) // (1 + (len(handles) > 8)))), frameon=False,
        handlelength=2.8, columnspacing=2.0, fontsize=11, labelcolor=INK,
    )  # fmt: skip
