"""Panels as SVG: text that every browser draws, with or without scripts."""

from __future__ import annotations

from html import escape

import numpy as np

from banditcd._typing import Floats
from banditcd.experiments.curves import X_AXES, Y_AXES, Curve, Panel
from banditcd.experiments.style import Look

WIDTH, HEIGHT = 420.0, 290.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 26.0, 38.0
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Scale:
    """A logarithmic axis: maps [low, high] (with a margin) to [start, end] pixels."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        margin = 0.02 * np.log10(high / low)
        self.low, self.high = np.log10(low) - margin, np.log10(high) + margin
        self.start, self.end = start, end

    def __call__(self, values: Floats) -> Floats:
        """Return pixels, cut at the ends of the axis."""
        position = (np.log10(np.maximum(values, 1e-300)) - self.low) / (self.high - self.low)
        return np.asarray(self.start + np.clip(position, 0.0, 1.0) * (self.end - self.start))

    def ticks(self, most: int) -> list[int]:
        """Return exponents of ten for at most ``most`` ticks."""
        first, last = int(np.ceil(self.low)), int(np.floor(self.high))
        step = max(1, -(-(last - first + 1) // most))
        return [k for k in range(first, last + 1) if k % step == 0]


def panel_svg(panel: Panel) -> str:
    """Return one panel as an SVG element; each curve is a group that carries its selector."""
    x = Scale(*panel.x_range, LEFT, WIDTH - RIGHT)
    y = Scale(*panel.y_range, HEIGHT - BOTTOM, TOP)
    title = f"{Y_AXES[panel.y_measure]} against {X_AXES[panel.x_measure]}"
    head = (
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{escape(title)}" '
        f'data-x="{x.low:.6g} {x.high:.6g} {x.start:g} {x.end:g}" '
        f'data-y="{y.low:.6g} {y.high:.6g} {y.start:g} {y.end:g}" '
        f'data-unit="{panel.x_measure}" data-what="{panel.y_measure}">'
    )
    parts = [
        head,
        *_axes(panel, x, y),
        *(_curve_svg(name, c, panel.looks[name], x, y) for name, c in panel.curves.items()),
        "</svg>",
    ]
    return "\n".join(parts)


def swatch_svg(look: Look) -> str:
    """Return a short sample of a line for the legend."""
    return (
        f'<svg viewBox="0 0 26 8" width="26" height="8" aria-hidden="true">'
        f'<path d="M1 4H25" {_stroke(look)}/></svg>'
    )


def _axes(panel: Panel, x: Scale, y: Scale) -> list[str]:
    parts = []
    for k in y.ticks(6):
        at = float(y(np.array([10.0**k]))[0])
        parts.append(f'<path class="grid" d="M{LEFT:g} {at:.1f}H{WIDTH - RIGHT:g}"/>')
        parts.append(
            f'<text x="{LEFT - 6:g}" y="{at + 4:.1f}" text-anchor="end">{_power(k)}</text>'
        )
    for k in x.ticks(6):
        at = float(x(np.array([10.0**k]))[0])
        parts.append(f'<path class="grid" d="M{at:.1f} {TOP:g}V{HEIGHT - BOTTOM:g}"/>')
        below = f'x="{at:.1f}" y="{HEIGHT - BOTTOM + 16:g}"'
        parts.append(f'<text {below} text-anchor="middle">{_power(k)}</text>')
    parts.append(
        f'<text class="name" x="{LEFT:g}" y="14">{escape(Y_AXES[panel.y_measure])}</text>'
        f'<text class="name" x="{WIDTH - RIGHT:g}" y="{HEIGHT - 6:g}" text-anchor="end">'
        f"{escape(X_AXES[panel.x_measure])} →</text>"
    )
    return parts


def _curve_svg(name: str, curve: Curve, look: Look, x: Scale, y: Scale) -> str:
    if len(curve.y) == 0:
        return ""
    px, py = curve.x, curve.y
    if not curve.complete:  # it went on, and got no further
        px, py = np.append(px, max(curve.end, px[-1])), np.append(py, py[-1])
    first = max(int(np.searchsorted(px, 10.0**x.low)) - 1, 0)  # what is left of the axis is cut
    line = _points(x(px[first:]), y(py[first:]))
    band = _points(
        x(np.concatenate([curve.low, curve.high[::-1]])),
        y(np.concatenate([curve.y, curve.y[::-1]])),
    )
    face = look.color if curve.complete else "#fff"
    cx, cy = float(x(px[-1:])[0]), float(y(py[-1:])[0])
    return (
        f'<g class="curve" data-selector="{escape(name)}">'
        f'<path class="band" fill="{look.color}" d="M{band}Z"/>'
        f'<path class="line" {_stroke(look)} d="M{line}"/>'
        f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="{face}" stroke="{look.color}" '
        f'stroke-width="1.4"/></g>'
    )


def _stroke(look: Look) -> str:
    dashes = " ".join(f"{d * look.width:g}" for d in look.dashes)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'fill="none" stroke="{look.color}" stroke-width="{look.width:g}"{dashed}'


def _points(x: Floats, y: Floats) -> str:
    return "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))


def _power(k: int) -> str:
    if -2 <= k <= 3:
        return f"{10.0**k:g}"
    return "10" + str(k).translate(_SUPERSCRIPTS)
