"""The pictures of a benchmark."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from benchmarks.peers.compare import Cell
from benchmarks.scaling import curves, exponent

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

INK, PALE = "#333333", "#e8e8e8"
PALETTE = ("#56b4e9", "#0072b2", "#10304f", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#999999")
MARKERS = {1e-2: "^", 1e-4: "o", 1e-6: "s", 1e-8: "p", 1e-10: "D"}
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


Looks = dict[tuple[str, str], tuple[str, str, float]]


def styles(found: list[Cell]) -> Looks:
    """Return color, label and shift within the line for each kind and setting, in their order."""
    pairs = list(dict.fromkeys((cell.any.kind, cell.any.setting) for cell in found))
    plain = [setting for _, setting in pairs]
    middle, step = 0.5 * (len(pairs) - 1), 0.6 / max(len(pairs), 5)
    return {
        (kind, setting): (
            PALETTE[position % len(PALETTE)],
            _setting(setting) if plain.count(setting) == 1 else f"{_short(kind)} {setting}",
            step * (position - middle),
        )
        for position, (kind, setting) in enumerate(pairs)
    }


def draw_ratios(found: list[Cell], file: Path) -> None:
    """Best peer's time over ours, on a log scale: one line for each data set."""
    names = list(dict.fromkeys((cell.any.group, cell.any.data) for cell in found))
    names.sort(key=lambda pair: ("real", "synthetic", "held out", "unseen").index(pair[0]))
    looks = styles(found)
    places = {data: -position for position, (_, data) in enumerate(names)}
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(8.0, 1.6 + 0.32 * len(names)), layout="constrained")
        for position, (group, _) in enumerate(names):
            if position and group != names[position - 1][0]:
                axes.axhline(0.5 - position, color=INK, linewidth=0.6)
            if position % 2 == 0:
                axes.axhspan(-position - 0.5, -position + 0.5, color=PALE, alpha=0.5, linewidth=0)
        for cell in found:
            _dot(axes, cell, places[cell.any.data], looks)
        axes.axvline(1.0, color="#cc0000", linewidth=1.2)
        axes.set_xscale("log")
        _ticks(axes.xaxis, "×")
        _unreached(axes, [cell for cell in found if cell.reached and not cell.peers], places, looks)
        labels = [f"{data}  ({group})" for group, data in names]
        axes.set_yticks([places[data] for _, data in names], labels)
        axes.set_ylim(-len(names) + 0.4, 0.6)
        axes.set_xlabel("time of the best peer / time of banditcd (▸: no peer got there)")
        _legend(axes, found, looks)
        figure.savefig(file)
        plt.close(figure)


def _unreached(axes: Any, found: list[Cell], places: dict[str, int], looks: Looks) -> None:
    """Line up what no peer reached side by side at the right edge, in room of its own."""
    low, high = axes.get_xlim()
    step = (high / low) ** 0.014
    drawn: Counter[str] = Counter()
    for cell in found:
        drawn[cell.any.data] += 1
        _dot(axes, cell, places[cell.any.data], looks, high * step ** drawn[cell.any.data])
    axes.set_xlim(low, high * step ** (max(drawn.values(), default=0) + 1))


def _ticks(axis: Any, unit: str = "") -> None:
    """Label 1, 2 and 5 of every decade that is in sight."""
    low, high = axis.get_view_interval()
    steps = [factor * 10.0**power for power in range(-3, 9) for factor in (1, 2, 5)]
    axis.set_ticks([step for step in steps if low <= step <= high])
    axis.set_ticks([], minor=True)
    axis.set_major_formatter(lambda value, _: f"{_short_number(value)}{unit}")


def _short_number(value: float) -> str:
    """Write 20000 as 20k: neighbors on the axis need the room."""
    for power, letter in ((1e6, "M"), (1e3, "k")):
        if value >= power:
            return f"{value / power:.10g}{letter}"
    return f"{value:.10g}"


def _dot(axes: Any, cell: Cell, place: float, looks: Looks, edge: float | None = None) -> None:
    """Place one cell, at the edge with an arrow's head if no peer reached the target.

    Settings and targets are set apart a little within the line.
    """
    if cell.ratio is None and edge is None:
        return
    color, _, shift = looks[cell.any.kind, cell.any.setting]
    targets = list(MARKERS)
    shift += 0.03 * (targets.index(cell.any.target) - 2) if cell.any.target in MARKERS else 0.0
    axes.plot(
        [edge if cell.ratio is None else cell.ratio],
        [place - shift],
        linestyle="none",
        clip_on=False,
        marker=">" if cell.ratio is None else MARKERS.get(cell.any.target, "o"),
        markersize=4.5,
        color=color,
        markeredgecolor="white",
        markeredgewidth=0.4,
    )


def _legend(axes: Any, found: list[Cell], looks: Looks) -> None:
    plain: dict[str, Any] = {"linestyle": "none", "markeredgecolor": "white", "markersize": 6}
    targets = [target for target in MARKERS if any(cell.any.target == target for cell in found)]
    handles = [
        Line2D([], [], marker="o", color=color, label=label, **plain)
        for color, label, _ in looks.values()
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


def _short(kind: str) -> str:
    return kind.partition("_")[2].replace("_", " ") or kind


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
            lines = [(s, c) for (name, s), c in found.items() if name == family]
            for position, (setting, (sizes, times)) in enumerate(lines):
                color, slope = PALETTE[position % len(PALETTE)], exponent(sizes, times)
                label = f"{_setting(setting)}: {family}^{slope:.2f}"
                axes.plot(sizes, 1e3 * times, "o", color=color, markersize=4, label=label)
                middle = np.exp(np.mean(np.log(times)) - slope * np.mean(np.log(sizes)))
                axes.plot(sizes, 1e3 * middle * sizes**slope, color=color, linewidth=1)
            axes.set_xscale("log")
            axes.set_yscale("log")
            _ticks(axes.xaxis)
            _ticks(axes.yaxis)
            axes.set_xlabel(family)
            axes.legend(
                frameon=False, fontsize=7.5, loc="lower left", bbox_to_anchor=(0.0, 1.0)
            )  # above: points may be anywhere
        panels[0][0].set_ylabel("milliseconds")
        figure.savefig(file)
        plt.close(figure)
