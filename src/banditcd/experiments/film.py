"""Films of a rule that learns: maps of picks and gains over time, and one frame of them in bars.

The maps are plain SVG and complete without scripts; a slider steps through the frames with one.
"""

from __future__ import annotations

import json
from html import escape

import numpy as np
import numpy.typing as npt

from banditcd.experiments.learning import Film
from banditcd.results.picks import POOL_SHARE

WIDTH, MAP, BARS = 420.0, 232.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 8.0, 24.0, 34.0
POOL_HEIGHT = 74.0
RATES = (0.125, 16.0)  # the ends of the colors, times the average coordinate
KEY = "dark is 16 times the average coordinate"
_PALE, _DARK = np.array([244.0, 248.0, 252.0]), np.array([8.0, 60.0, 110.0])
INTRO = (
    "One run of each rule, cut into frames of equal numbers of steps. Every row is a coordinate, "
    "the one that gained most in the whole run on top. A rule that learns chooses often (left) "
    "what gains much (middle), and its pool, the fewest coordinates that got "
    f"{POOL_SHARE:.0%} of the steps, gets small. On the right one frame in numbers: move the "
    "slider, or press play."
)


def films_section(films: list[Film]) -> str:
    """Return the films of one race; nothing if there are none."""
    if not films:
        return ""
    body = "".join(_film(film) for film in films)
    return (
        "<details open><summary>How the rules learn</summary>"
        f'<p class="soft">{escape(INTRO)}</p>{body}</details>'
    )


def _film(film: Film) -> str:
    frames = film.frames
    last = len(frames.pool) - 1
    data = {
        "epoch": [round(float(e), 2) for e in frames.epoch],
        "rate": [[round(float(v), 2) for v in row] for row in frames.rate],
        "gain": [[round(float(v), 2) for v in row] for row in frames.gain],
        "pool": frames.pool.tolist(),
        "names": [str(i) for i in frames.groups] + (["others"] if frames.others else []),
        "d": film.coordinates,
        "top": _longest(film),
    }
    maps = (
        f'<div class="map">{_map(film, _shade(frames.rate), "chosen: " + KEY)}</div>'
        f'<div class="map">{_map(film, _shade(frames.gain), "gained: " + KEY)}</div>'
    )
    slider = (
        f'<label>frame <input type="range" min="0" max="{last}" value="{last}" '
        f'aria-label="frame of {escape(film.selector)}"></label>'
        '<button type="button">play</button>'
    )
    return (
        f'<figure class="film"><figcaption>{escape(film.selector)}</figcaption>'
        f'<script type="application/json">{json.dumps(data, separators=(",", ":"))}</script>'
        f'<div class="maps">{maps}<div class="map">{_bars(film, last)}'
        f'<div class="steer" hidden>{slider}</div></div></div></figure>'
    )


def _shade(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return 0 to 1 for values from the lower to the upper end of the colors, in octaves."""
    octaves = np.log2(np.clip(values, *RATES) / RATES[0])
    return np.asarray(octaves / np.log2(RATES[1] / RATES[0]))


def _longest(film: Film) -> float:
    """Return what the longest bar stands for, times the average; larger values are cut."""
    largest = max(float(film.frames.rate.max()), float(film.frames.gain.max()))
    return float(min(max(np.ceil(largest), 2.0), 32.0))


def _map(film: Film, shade: npt.NDArray[np.float64], title: str) -> str:
    """Draw a map, a row per coordinate and a column per frame, and the pool below it."""
    frames = film.frames
    edges = _across(frames.epoch)
    height = (MAP - TOP) / shade.shape[1]
    cells = [
        f'<rect x="{edges[t]:.1f}" y="{TOP + row * height:.1f}" '
        f'width="{edges[t + 1] - edges[t] + 0.3:.1f}" height="{height + 0.3:.1f}" '
        f'fill="{_color(float(shade[t, row]))}"/>'
        for t, row in zip(*np.nonzero(shade > 0.02), strict=True)
    ]
    whole = MAP + POOL_HEIGHT + BOTTOM
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {whole:g}" role="img" aria-label="{escape(title)}">'
        f'<rect x="{LEFT:g}" y="{TOP:g}" width="{WIDTH - LEFT - RIGHT:g}" '
        f'height="{MAP - TOP:g}" fill="#f4f8fc"/>{"".join(cells)}'
        f'<text class="name" x="{LEFT:g}" y="15">{escape(title)}</text>'
        f'<text x="{LEFT - 5:g}" y="{TOP + 10:g}" text-anchor="end">most</text>'
        f'<text x="{LEFT - 5:g}" y="{TOP + 22:g}" text-anchor="end">gain</text>'
        f'<text x="{LEFT - 5:g}" y="{MAP - 3:g}" text-anchor="end">'
        f"{'others' if frames.others else 'least'}</text>"
        f'{_pool(film, edges)}<path class="cursor" d="M{edges[-2]:.1f} {TOP:g}V'
        f'{MAP + POOL_HEIGHT:g}H{edges[-1]:.1f}V{TOP:g}Z" data-edges="'
        f'{" ".join(f"{e:.1f}" for e in edges)}"/></svg>'
    )


def _across(epoch: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(LEFT + (WIDTH - LEFT - RIGHT) * epoch / epoch[-1])


def _pool(film: Film, edges: npt.NDArray[np.float64]) -> str:
    """Draw the size of the pool as stairs, against the coordinates there are."""
    base, top = MAP + POOL_HEIGHT, MAP + 12.0
    level = base - (base - top) * film.frames.pool / film.coordinates
    steps = "".join(
        f"{'M' if t == 0 else 'L'}{edges[t]:.1f} {y:.1f}H{edges[t + 1]:.1f}"
        for t, y in enumerate(level)
    )
    marks = [0.0, film.frames.epoch[-1]]
    labels = "".join(
        f'<text x="{x:.1f}" y="{base + 15:g}" text-anchor="{anchor}">{value:.3g}</text>'
        for x, value, anchor in zip((edges[0], edges[-1]), marks, ("start", "end"), strict=True)
    )
    return (
        f'<path class="grid" d="M{LEFT:g} {base:g}H{WIDTH - RIGHT:g}M{LEFT:g} {top:g}'
        f'H{WIDTH - RIGHT:g}"/><path d="{steps}" fill="none" stroke="#d55e00" stroke-width="1.8"/>'
        f'<text x="{LEFT - 5:g}" y="{top + 9:g}" text-anchor="end">{film.coordinates}</text>'
        f'<text x="{LEFT - 5:g}" y="{base:g}" text-anchor="end">0</text>'
        f'<text x="{LEFT + 4:g}" y="{top + 11:g}" class="pool">pool</text>{labels}'
        f'<text class="name" x="{WIDTH / 2:g}" y="{base + 28:g}" text-anchor="middle">epochs</text>'
    )


def _bars(film: Film, frame: int) -> str:
    """Draw one frame: picks of every row to the left, gains to the right of a middle line."""
    frames = film.frames
    rows = frames.rate.shape[1]
    height, middle = (MAP - TOP) / rows, 0.5 * BARS
    room = middle - 14.0
    top = _longest(film)
    parts = []
    for row in range(rows):
        y = TOP + row * height
        rate = room * min(float(frames.rate[frame, row]) / top, 1.0)
        gain = room * min(float(frames.gain[frame, row]) / top, 1.0)
        size = f'y="{y + 0.15 * height:.1f}" height="{0.7 * height:.1f}"'
        parts.append(f'<rect class="rate" x="{middle - 1 - rate:.1f}" width="{rate:.1f}" {size}/>')
        parts.append(f'<rect class="gain" x="{middle + 1:.1f}" width="{gain:.1f}" {size}/>')
    name = 'class="name" y="15"'
    return (
        f'<svg class="bars" viewBox="0 0 {BARS:g} {MAP + 34:g}" role="img" '
        f'aria-label="one frame" data-room="{room:g}" data-middle="{middle:g}">{"".join(parts)}'
        f'<text {name} x="{middle - 6:g}" text-anchor="end">← chosen</text>'
        f'<text {name} x="{middle + 6:g}">gained →</text>'
        f'<text x="8" y="15">{top:g} × average</text>'
        f'<text x="{BARS - 8:g}" y="15" text-anchor="end">{top:g} × average</text>'
        f'<text class="says" x="{middle:g}" y="{MAP + 20:g}" text-anchor="middle">'
        f"{_says(film, frame)}</text></svg>"
    )


def _says(film: Film, frame: int) -> str:
    f = film.frames
    return (
        f"epochs {f.epoch[frame]:.3g} to {f.epoch[frame + 1]:.3g}: {f.pool[frame]} of "
        f"{film.coordinates} coordinates got {POOL_SHARE:.0%} of the steps"
    )


def _color(share: float) -> str:
    red, green, blue = _PALE + min(share, 1.0) * (_DARK - _PALE)
    return f"#{round(red):02x}{round(green):02x}{round(blue):02x}"
