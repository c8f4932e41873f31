"""Axes, marks and labels that the displays share; matplotlib is loaded when something is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from banditcd._typing import Floats

SAME = 1e-9
"""Penalties that differ by less, relatively, are one mark."""
LAYOUT_SHARE = 0.85
"""Height that titles and the upper axis leave to the axes of an automatic layout."""


def axes(ax: Any) -> Any:
    """Return the given axes, or new ones."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(
            "Drawing needs matplotlib; install it with 'pip install banditcd[plots]'."
        ) from error
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def penalty_axis(ax: Any, alphas: Floats, name: str = "alpha") -> None:
    """Show the penalty on a logarithmic scale, the strongest on the left."""
    positive = alphas[alphas > 0.0]
    if positive.size == alphas.size:
        ax.set_xscale("log")
    else:
        ax.set_xscale("symlog", linthresh=positive.min() if positive.size else 1.0)
    strongest, weakest = float(alphas.max()), float(alphas.min())
    if strongest > weakest:
        ax.set_xlim(strongest, weakest)
    ax.set_xlabel(f"{name} (strong penalty on the left)")


def features_axis(ax: Any, alphas: Floats, features: Any) -> Any:
    """Write the number of features above the picture, at a few of the penalties."""
    shown = _ticks(ax, alphas)
    upper = ax.secondary_xaxis("top")
    upper.set_xticks(alphas[shown], [f"{features[k]:.0f}" for k in shown])
    upper.set_xticks([], minor=True)
    upper.set_xlabel("features", fontsize="small")
    upper.tick_params(labelsize="small")
    return upper


def _ticks(ax: Any, alphas: Floats) -> NDArray[np.intp]:
    """Return places on the path that are evenly spread over the axes, one for about each 0.6 in."""
    inside = ax.transAxes.inverted().transform(ax.transData.transform(_points(alphas)))[:, 0]
    most = max(2, int(ax.get_window_extent().width / ax.figure.dpi / 0.6))
    wanted = np.linspace(0.0, 1.0, most)
    nearest = np.abs(inside - wanted[:, None]).argmin(axis=1)
    visible = [k for k in np.unique(nearest) if -SAME <= inside[k] <= 1.0 + SAME]
    kept: list[int] = []
    for k in sorted(visible, key=lambda k: inside[k]):
        if not kept or inside[k] - inside[kept[-1]] > 0.5 / most:
            kept.append(int(k))
    return np.array(kept, dtype=np.intp)


def _points(alphas: Floats) -> Floats:
    return np.column_stack([alphas, np.zeros(len(alphas))])


def marks(
    chosen: float | None, best: float | None, one_error: float | None
) -> list[tuple[float, str, bool]]:
    """Return penalties to mark, their names and whether they are the chosen one.

    Rules that agree share a mark.
    """
    out: list[tuple[float, list[str]]] = []
    for penalty, name in ((one_error, "1-SE rule"), (best, "best"), (chosen, "chosen")):
        if penalty is None:
            continue
        for known, names in out:
            if abs(known - penalty) <= SAME * abs(penalty):
                names.append(name)
                break
        else:
            out.append((penalty, [name]))
    return [(penalty, _named(names, penalty), "chosen" in names) for penalty, names in out]


def _named(names: list[str], penalty: float) -> str:
    rules = " and ".join(name for name in names if name != "chosen")
    if "chosen" not in names:
        return f"{rules}: {penalty:.3g}"
    return f"{rules} (chosen): {penalty:.3g}" if rules else f"chosen: {penalty:.3g}"


def draw_marks(ax: Any, placed: list[tuple[float, str, bool]]) -> None:
    """Draw a line for each mark, named in a strip of its own above what is drawn."""
    if not placed:
        return
    row = 1.5 * _font_size() / _height_in_points(ax)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + (high - low) * row * len(placed) / (1.0 - row * len(placed)))
    strongest = max(penalty for penalty, _, _ in placed)
    for k, (penalty, name, is_chosen) in enumerate(placed):
        color = "0.15" if is_chosen else "0.45"
        ax.axvline(penalty, color=color, linestyle="--" if is_chosen else ":", linewidth=1.1)
        at = ax.transAxes.inverted().transform(ax.transData.transform((penalty, low)))[0]
        to_left = at > (0.35 if penalty == strongest else 0.65)  # away from the other marks
        ax.annotate(
            name,
            (penalty, 1.0 - row * (k + 0.55)),
            xycoords=("data", "axes fraction"),
            xytext=(-4 if to_left else 4, 0),
            textcoords="offset points",
            ha="right" if to_left else "left",
            va="center",
            color=color,
            fontsize="small",
            bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.8},
        )


def label_ends(ax: Any, heights: Floats, names: list[str], colors: list[Any]) -> None:
    """Name lines at the right edge, each as near to its end as the others allow."""
    if not names:
        return
    room = 1.3 * _font_size() / _height_in_points(ax)
    order = np.argsort(heights, kind="stable")[: max(1, int(1.0 / room))]
    low, high = ax.get_ylim()
    ends = (heights[order] - low) / (high - low)
    for j, end, place in zip(order, ends, spread(ends, room), strict=True):
        ax.annotate(
            names[j],
            (1.0, end),
            xycoords="axes fraction",
            xytext=(1.035, place),
            textcoords="axes fraction",
            color=colors[j],
            va="center",
            fontsize="small",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colors[j], "linewidth": 0.6, "shrinkA": 1},
        )


def spread(places: Floats, room: float) -> Floats:
    r"""Return the places nearest to ascending ones that are ``room`` apart and within [0, 1].

    With :math:`z_i = p_i - i\,r` the constraint is that z ascends: isotonic regression.
    """
    steps = room * np.arange(len(places))
    nearest = isotonic_regression(places - steps).x
    return np.asarray(np.clip(nearest, 0.0, max(1.0 - steps[-1], 0.0)) + steps)


def _font_size() -> float:
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size="small").get_size_in_points())


def _height_in_points(ax: Any) -> float:
    """Return the height of the axes, less what an automatic layout will take from it."""
    share = 1.0 if ax.figure.get_layout_engine() is None else LAYOUT_SHARE
    return float(share * ax.get_window_extent().height / ax.figure.dpi * 72.0)
