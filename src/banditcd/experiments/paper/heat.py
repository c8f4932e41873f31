"""Figure 4: heat maps over epsilon and E, and the time of an epoch against E."""

from __future__ import annotations

from html import escape

import numpy as np

from banditcd.experiments.paper.configuration import HeatMap
from banditcd.experiments.paper.ledger import Ledger, form
from banditcd.experiments.paper.measure import Evidence, Number
from banditcd.experiments.paper.tasks import bandit
from banditcd.experiments.paper.worker import TARGET

WIDTH, HEIGHT = 420.0, 290.0
LEFT, TOP, BOTTOM, RIGHT = 58.0, 34.0, 42.0, 10.0
_DARK, _LIGHT = np.array([13.0, 60.0, 100.0]), np.array([235.0, 243.0, 250.0])
_COLORS = ("#332288", "#d55e00", "#117733", "#882255", "#666666")
_TITLES = {
    "epoch": "iterations / d until e⁻⁵",
    "work": "work until e⁻⁵ (passes)",
    "seconds": "CPU seconds until e⁻⁵",
}


def heat_svg(heat: HeatMap, evidence: Evidence, ledger: Ledger, measure: str) -> str:
    """Return one heat map; every cell is a median over the seeds, with its row numbers."""
    cells = {
        (e, b): evidence.spent(heat.problem, bandit(e, b), TARGET, measure, "heat")
        for e in heat.epsilons
        for b in heat.bins
    }
    known = [number.value for number in cells.values() if number.reached]
    low, high = (min(known), max(known)) if known else (1.0, 1.0)
    dx = (WIDTH - LEFT - RIGHT) / len(heat.bins)
    dy = (HEIGHT - TOP - BOTTOM) / len(heat.epsilons)
    parts = []
    for i, epsilon in enumerate(reversed(heat.epsilons)):
        for j, bins in enumerate(heat.bins):
            number = cells[epsilon, bins]
            what = f"figure 4: {_TITLES[measure]}, ε = {epsilon:g}, E = {bins:g} d"
            cited = ledger.number(number, what, "s" if measure == "seconds" else "")
            share = _share(number, low, high)
            at = (LEFT + j * dx, TOP + i * dy)
            parts.append(_cell(at, (dx, dy), share, cited.text, f"{what}: {cited.id}"))
        parts.append(_text(LEFT - 6, TOP + (i + 0.5) * dy + 4, f"{epsilon:g}", "end"))
    for j, bins in enumerate(heat.bins):
        parts.append(_text(LEFT + (j + 0.5) * dx, HEIGHT - BOTTOM + 16, f"{bins:g}", "middle"))
    return _framed(_TITLES[measure], parts, "ε")


def clock_svg(heat: HeatMap, evidence: Evidence, ledger: Ledger) -> str:
    """Return the time of an epoch against E / d, a line per epsilon and one for uniform."""
    lines = {
        f"ε = {e:g}": [
            evidence.per_epoch(heat.problem, bandit(e, b), "seconds", "clock") for b in heat.bins
        ]
        for e in heat.clock_epsilons
    }
    plain = evidence.per_epoch(heat.problem, "uniform", "seconds", "clock")
    lines["uniform"] = [plain] * len(heat.bins)
    values = [n.value for line in lines.values() for n in line]
    top = min(1.05 * max(n.high for line in lines.values() for n in line), 1.6 * max(values))
    parts = _grid(top, heat)
    for k, (name, numbers) in enumerate(lines.items()):
        color = _COLORS[k % len(_COLORS)] if name != "uniform" else "#2b2b2b"
        for bins, number in zip(heat.bins, numbers, strict=True):
            ledger.number(number, f"figure 4: time per epoch, {name}, E = {bins:g} d", "s")
        parts.append(_line(numbers, heat.bins, top, color, dashed=name == "uniform"))
        x = 190.0 + 60.0 * k
        dash = ' stroke-dasharray="5 3"' if name == "uniform" else ""
        parts.append(
            f'<path d="M{x:g} 14h12" stroke="{color}" stroke-width="2"{dash}/>'
            + _text(x + 15, 18, name, "start")
        )
    return _framed("CPU time of an epoch", parts, "")


def _share(number: Number, low: float, high: float) -> float:
    if not number.reached or high <= low:
        return 0.0
    return float(np.log(number.value / low) / np.log(high / low))


def _cell(
    at: tuple[float, float], size: tuple[float, float], share: float, text: str, hint: str
) -> str:
    red, green, blue = _LIGHT + share * (_DARK - _LIGHT)
    ink = "#fff" if share > 0.5 else "#222"
    return (
        f"<g><title>{escape(hint)}</title>"
        f'<rect x="{at[0]:.1f}" y="{at[1]:.1f}" width="{size[0] - 1:.1f}" '
        f'height="{size[1] - 1:.1f}" fill="rgb({red:.0f},{green:.0f},{blue:.0f})"/>'
        f'<text x="{at[0] + size[0] / 2:.1f}" y="{at[1] + size[1] / 2 + 4:.1f}" '
        f'text-anchor="middle" style="fill:{ink}">{escape(text)}</text></g>'
    )


def _place(bins: float, all_bins: tuple[float, ...]) -> float:
    first, last = np.log(all_bins[0]), np.log(all_bins[-1])
    share = (np.log(bins) - first) / max(last - first, 1e-12)
    return float(LEFT + 8 + share * (WIDTH - LEFT - RIGHT - 16))


def _line(
    numbers: list[Number], bins: tuple[float, ...], top: float, color: str, *, dashed: bool
) -> str:
    def y(value: float) -> float:
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)

    points = [(_place(b, bins), n) for b, n in zip(bins, numbers, strict=True)]
    path = "L".join(f"{x:.1f} {y(n.value):.1f}" for x, n in points)
    bars = "".join(f"M{x:.1f} {y(n.low):.1f}V{y(min(n.high, top)):.1f}" for x, n in points)
    dash = ' stroke-dasharray="5 3"' if dashed else ""
    return (
        f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>'
        f'<path d="{bars}" fill="none" stroke="{color}" stroke-width="1" opacity=".6"/>'
    )


def _grid(top: float, heat: HeatMap) -> list[str]:
    parts = []
    step = 10.0 ** np.floor(np.log10(top))
    step = step / 2.0 if top / step < 3.0 else step
    for k in range(int(top / step) + 1):
        y = HEIGHT - BOTTOM - k * step / top * (HEIGHT - TOP - BOTTOM)
        parts.append(f'<path class="grid" d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"/>')
        parts.append(_text(LEFT - 6, y + 4, form(k * step, "s") if k else "0", "end"))
    below = HEIGHT - BOTTOM + 16
    names = [_text(_place(b, heat.bins), below, f"{b:g}", "middle") for b in heat.bins]
    return [*parts, *names]


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _framed(title: str, parts: list[str], y_name: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{escape(title)}">'
        f'<text class="name" x="{LEFT:g}" y="18">{escape(title)}</text>'
        f'<text class="name" x="10" y="{TOP + 12:g}">{y_name}</text>'
        f'<text class="name" x="{WIDTH - RIGHT:g}" y="{HEIGHT - 8:g}" text-anchor="end">E / d →'
        f"</text>{''.join(parts)}</svg>"
    )


def heat_figure(title: str, svgs: list[str], style: str) -> str:
    """Return figure 4 as one SVG file: the charts side by side, two in a row."""
    parts = []
    for k, svg in enumerate(svgs):
        x, y = (k % 2) * (WIDTH + 14), 40.0 + (k // 2) * (HEIGHT + 8)
        place = f'<svg x="{x:g}" y="{y:g}" width="{WIDTH:g}" height="{HEIGHT:g}" '
        parts.append(svg.replace("<svg ", place, 1))
    width, height = 2 * (WIDTH + 14), 48.0 + -(-len(svgs) // 2) * (HEIGHT + 8)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}"><style>{style}</style><rect width="100%" height="100%" fill="#fff"/>'
        f'<text class="title" x="8" y="24">{escape(title)}</text>{"".join(parts)}</svg>\n'
    )
