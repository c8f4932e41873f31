"""The pictures of the Lasso benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from benchmarks.lasso_scaling import curves, exponent
from benchmarks.peers.compare import Cell

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

INK, PALE = "#333333", "#e8e8e8"
COLORS = {
    "1/10": "#56b4e9",
    "1/100": "#0072b2",
    "1/1000": "#10304f",
    "path 100": "#d55e00",
    "CV 5": "#009e73",
}
MARKERS = {1e-4: "o", 1e-6: "s", 1e-10: "D"}
STYLE: Any = {
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.labelcolor": INK,
    "savefig.dpi": 160,
}


def draw_ratios(found: list[Cell], file: Path) -> None:
    """Best peer's time over ours, on a log scale: one line for each data set."""
    names = list(dict.fromkeys((cell.any.group, cell.any.data) for cell in found))
    names.sort(key=lambda pair: ("real", "synthetic", "held out").index(pair[0]))
    places = {data: -position for position, (_, data) in enumerate(names)}
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8.0, 1.6 + 0.32 * len(names)), layout="constrained")
        for position, (group, _) in enumerate(names):
            if position and group != names[position - 1][0]:
                axes.axhline(0.5 - position, color=INK, linewidth=0.6)
            if position % 2 == 0:
                axes.axhspan(-position - 0.5, -position + 0.5, color=PALE, alpha=0.5, linewidth=0)
        for cell in found:
            _dot(axes, cell, places[cell.any.data])
        axes.axvline(1.0, color="#cc0000", linewidth=1.2)
        axes.set_xscale("log")
        _ticks(axes.xaxis, "×")
        for cell in found:
            if cell.reached and not cell.peers:
                _dot(axes, cell, places[cell.any.data], axes.get_xlim()[1])
        labels = [f"{data}  ({group})" for group, data in names]
        axes.set_yticks([places[data] for _, data in names], labels)
        axes.set_ylim(-len(names) + 0.4, 0.6)
        axes.set_xlabel("time of the best peer / time of banditcd (▸: no peer got there)")
        _legend(axes, found)
        figure.savefig(file)
        plt.close(figure)


def _ticks(axis: Any, unit: str = "") -> None:
    """Label 1, 2 and 5 of every decade that is in sight."""
    low, high = axis.get_view_interval()
    steps = [factor * 10.0**power for power in range(-3, 9) for factor in (1, 2, 5)]
    axis.set_ticks([step for step in steps if low <= step <= high])
    axis.set_ticks([], minor=True)
    axis.set_major_formatter(lambda value, _: f"{value:,.10g}{unit}")


def _dot(axes: Any, cell: Cell, place: float, edge: float | None = None) -> None:
    """Place one cell, at the edge with an arrow's head if no peer reached the target.

    Settings and targets are set apart a little within the line.
    """
    if cell.ratio is None and edge is None:
        return
    settings, targets = list(COLORS), list(MARKERS)
    shift = 0.13 * (settings.index(cell.any.setting) - 2) if cell.any.setting in COLORS else 0.0
    shift += 0.04 * (targets.index(cell.any.target) - 1) if cell.any.target in MARKERS else 0.0
    axes.plot(
        [edge if cell.ratio is None else cell.ratio],
        [place - shift],
        linestyle="none",
        clip_on=False,
        marker=">" if cell.ratio is None else MARKERS.get(cell.any.target, "o"),
        markersize=4.5,
        color=COLORS.get(cell.any.setting, INK),
        markeredgecolor="white",
        markeredgewidth=0.4,
    )


def _legend(axes: Any, found: list[Cell]) -> None:
    plain: dict[str, Any] = {"linestyle": "none", "markeredgecolor": "white", "markersize": 6}
    settings = [name for name in COLORS if any(cell.any.setting == name for cell in found)]
    targets = [target for target in MARKERS if any(cell.any.target == target for cell in found)]
    handles = [
        Line2D([], [], marker="o", color=COLORS[name], label=_setting(name), **plain)
        for name in settings
    ]
    handles += [
        Line2D([], [], marker=MARKERS[t], color=INK, label=f"gap {t:.0e}", **plain) for t in targets
    ]
    axes.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=4,
        frameon=False,
        handletextpad=0.2,
        columnspacing=1.2,
    )


def _setting(name: str) -> str:
    return f"λmax{name[1:]}" if name.startswith("1/") else name


def draw_scaling(rows: list[dict[str, Any]], file: Path) -> None:
    """Seconds against size, with the fitted exponents."""
    found = curves(rows)
    families = list(dict.fromkeys(family for family, _ in found))
    with mpl.rc_context(STYLE):
        figure, panels = plt.subplots(
            1,
            len(families),
            figsize=(3.1 * len(families), 3.0),
            layout="constrained",
            squeeze=False,
        )
        for axes, family in zip(panels[0], families, strict=True):
            for (name, setting), (sizes, times) in found.items():
                if name != family:
                    continue
                color, slope = COLORS.get(setting, INK), exponent(sizes, times)
                label = f"{_setting(setting)}: {family}^{slope:.2f}"
                axes.plot(sizes, 1e3 * times, "o", color=color, markersize=4, label=label)
                middle = np.exp(np.mean(np.log(times)) - slope * np.mean(np.log(sizes)))
                axes.plot(sizes, 1e3 * middle * sizes**slope, color=color, linewidth=1)
            axes.set_xscale("log")
            axes.set_yscale("log")
            _ticks(axes.xaxis)
            _ticks(axes.yaxis)
            axes.set_xlabel(family)
            axes.legend(frameon=False, fontsize=7.5)
        panels[0][0].set_ylabel("milliseconds")
        figure.savefig(file)
        plt.close(figure)
