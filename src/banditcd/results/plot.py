"""A run as a picture for a notebook (matplotlib must be installed)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from banditcd.results.picks import POOL_SHARE, Frames

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from banditcd.results.result import Result
    from banditcd.results.trace import Trace

BLUE, ORANGE, SOFT = "#0072b2", "#d55e00", "#666666"
RATES = (0.125, 16.0)  # times the average rate of picks, the ends of the colors


def plot_trace(trace: Trace) -> Figure:
    """Draw gap and support against work."""
    figure = _figure(trace, "Trace.plot", 3.4)
    axes = figure.subplots(1, 2)
    _draw_gap(axes[0], trace)
    _draw_support(axes[1], trace)
    return figure


def plot_result(result: Result) -> Figure:
    """Draw gap and support against work and, if picks were recorded, how the rule learned."""
    learned = result.picks is not None and len(result.picks) > 0
    figure = _figure(result.trace, "Result.plot", 7.0 if learned else 3.4)
    figure.suptitle(
        f"{result.selector}, {result.update}: {result.status.sentence} "
        f"Gap {result.gap:.2g} after {result.work:.3g} passes of work",
        fontsize=11,
    )
    axes = figure.subplots(2 if learned else 1, 2, squeeze=False)
    _draw_gap(axes[0, 0], result.trace)
    _level(axes[0, 0], result.tolerance, "target")
    if learned and result.picks is not None:
        frames = result.picks.frames()
        _draw_pool(axes[0, 1], frames, result.picks.d)
        _draw_rows(axes[1, 0], frames, frames.rate, "how often each coordinate was chosen")
        _draw_rows(axes[1, 1], frames, frames.gain, "what each gained")
    else:
        _draw_support(axes[0, 1], result.trace)
    return figure


def _figure(trace: Trace, caller: str, height: float) -> Figure:
    """Return an empty picture, if there is something to draw and to draw with."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            f"{caller} needs matplotlib; install it with 'pip install banditcd[plots]'."
        ) from error
    if len(trace) == 0:
        raise ValueError("There is no trace to plot; run minimize with trace='epoch'.")
    return Figure(figsize=(11.0, height), layout="constrained")


def _draw_gap(axes: Any, trace: Trace) -> None:
    gaps = np.where(trace.gap > 0.0, trace.gap, np.nan)  # a logarithm has no place for zero
    axes.semilogy(trace.work, gaps, color=BLUE, marker="." if len(trace) <= 40 else "")
    axes.set(xlabel="work (passes over the data)", title="duality gap")


def _level(axes: Any, height: float, name: str) -> None:
    """Draw a dashed line across, named on its left."""
    axes.axhline(height, color=SOFT, linestyle="--", linewidth=1.0)
    place = axes.get_yaxis_transform()
    axes.text(0.01, height, name, color=SOFT, ha="left", va="bottom", transform=place)


def _draw_support(axes: Any, trace: Trace) -> None:
    axes.step(trace.work, trace.support, where="post", color=ORANGE)
    axes.set(xlabel="work (passes over the data)", title="non-zero coordinates", ylim=(0, None))


def _draw_pool(axes: Any, frames: Frames, d: int) -> None:
    axes.stairs(frames.pool, frames.epoch, color=ORANGE, linewidth=1.8, baseline=None)
    _level(axes, POOL_SHARE * d, "passes over all coordinates")
    title = f"pool: coordinates that got {POOL_SHARE:.0%} of the steps"
    axes.set(xlabel="epochs", ylim=(0, d), title=title)


def _draw_rows(axes: Any, frames: Frames, values: Any, title: str) -> None:
    low, high = np.log2(RATES)
    edges = np.arange(values.shape[1] + 1)
    shade = np.log2(np.clip(values.T, *RATES))
    axes.pcolormesh(frames.epoch, edges, shade, cmap="Blues", vmin=low, vmax=high, rasterized=True)
    axes.invert_yaxis()
    last = f"; last row: {frames.others} others" if frames.others else ""
    axes.set(xlabel="epochs", ylabel=f"coordinates, largest total gain first{last}")
    axes.set_title(f"{title} (dark: {RATES[1]:g} times the average)", fontsize=10)
