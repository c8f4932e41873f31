"""Curves from rows: what was spent until each level of accuracy, median and range over seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from banditcd._typing import Floats
from banditcd.experiments.rows import RaceResult, RaceRun
from banditcd.experiments.style import Look, look_of

X_AXES = {"epoch": "epochs", "work": "work (passes over the data)", "seconds": "seconds"}
Y_AXES = {"suboptimality": "suboptimality  (F − F*) / P₀", "gap": "duality gap / P₀"}
PER_DECADE = 10
_TINY = 1e-17


@dataclass(frozen=True)
class Curve:
    """Median spending ``x`` (between ``low`` and ``high`` over the seeds) until each level ``y``.

    Levels are those that most seeds reached; ``end`` is the median of what the runs spent in all
    and ``complete`` whether most of them ended at the tolerance or below the last level.
    """

    x: Floats
    low: Floats
    high: Floats
    y: Floats
    end: float
    complete: bool


@dataclass(frozen=True)
class Panel:
    """One pair of axes: a curve per selector and the ranges that show all of them."""

    x_measure: str
    y_measure: str
    curves: dict[str, Curve]
    looks: dict[str, Look]
    x_range: tuple[float, float]
    y_range: tuple[float, float]


def looks_of(race: RaceResult) -> dict[str, Look]:
    """Return the look of every selector of a race."""
    return {name: look_of(name, k) for k, name in enumerate(race.selectors)}


def panels(race: RaceResult) -> list[list[Panel]]:
    """Return a row of panels for each of suboptimality and gap, a column for each x axis."""
    looks = looks_of(race)
    rows = [[_panel(race, looks, x, y) for x in X_AXES] for y in Y_AXES]
    return [[_with_range(panel, column) for panel, column in _columns(row, rows)] for row in rows]


def _columns(row: list[Panel], rows: list[list[Panel]]) -> Iterator[tuple[Panel, list[Panel]]]:
    """Go through a row of panels, each with all panels of its column."""
    return zip(row, [list(column) for column in zip(*rows, strict=True)], strict=True)


def _with_range(panel: Panel, column: list[Panel]) -> Panel:
    """Return the panel with the x range that shows every curve of its column."""
    left, right = min(p.x_range[0] for p in column), max(p.x_range[1] for p in column)
    return replace(panel, x_range=(left, right))


def _panel(race: RaceResult, looks: dict[str, Look], x_measure: str, y_measure: str) -> Panel:
    floor = _floor(race, y_measure)
    start = max(float(_relative(run, race, y_measure)[0]) for run in race.runs)
    start = max(start, 10.0 * floor)
    count = int(np.ceil(np.log10(start / floor) * PER_DECADE)) + 1
    levels = np.geomspace(0.99 * start, floor, count)
    curves = {
        name: _curve(race.of(name), race, (x_measure, y_measure), levels) for name in race.selectors
    }
    right = max(curve.end for curve in curves.values())
    left = min((_beginning(curve, start) for curve in curves.values()), default=0.0)
    left = left if 0.0 < left < right else 1e-3 * right
    return Panel(x_measure, y_measure, curves, looks, (left, right), (floor, start))


def _beginning(curve: Curve, start: float) -> float:
    """Return where a curve has come down enough for the eye: to a third of its start."""
    down = curve.x[(curve.y <= start / 3.0) & (curve.x > 0.0)]
    return float(down[0]) if down.size else np.inf


def _floor(race: RaceResult, y_measure: str) -> float:
    """Return the lowest level shown.

    The tolerance for gaps; a hundredth of it for suboptimalities, unless the certificate of F*
    is too loose to tell them from zero there.
    """
    info = race.info
    if y_measure == "gap":
        return info.tol
    known = info.optimum_gap / info.null_objective
    resolved = 3.0 * known if np.isfinite(known) else info.tol
    return float(max(1e-2 * info.tol, resolved, 1e-14))


def _relative(run: RaceRun, race: RaceResult, y_measure: str) -> Floats:
    info = race.info
    values = run.column("gap") if y_measure == "gap" else run.column("objective") - info.optimum
    return np.maximum(values / info.null_objective, _TINY)


def spending(x: Floats, y: Floats, levels: Floats) -> Floats:
    """Return what a run spent until each level, inf if never.

    Between two records the best accuracy so far is interpolated on a logarithmic scale.
    """
    best = np.minimum.accumulate(np.log(y))
    wanted = np.log(levels)
    after = np.searchsorted(-best, -wanted, side="left")  # the first record at or below the level
    reached = after < len(best)
    k = np.where(reached, after, 0)
    before = np.maximum(k - 1, 0)
    drop = best[before] - best[k]
    share = np.where(drop > 0.0, (best[before] - wanted) / np.where(drop > 0.0, drop, 1.0), 1.0)
    return np.where(reached, x[before] + share * (x[k] - x[before]), np.inf)


def _curve(runs: list[RaceRun], race: RaceResult, axes: tuple[str, str], levels: Floats) -> Curve:
    spent = [spending(run.column(axes[0]), _relative(run, race, axes[1]), levels) for run in runs]
    table = np.sort(np.array(spent), axis=0)
    low_middle, high_middle = table[(len(runs) - 1) // 2], table[len(runs) // 2]
    shown = np.isfinite(high_middle)
    finite = np.where(np.isfinite(table), table, -np.inf)
    return Curve(
        x=0.5 * (low_middle[shown] + high_middle[shown]),
        low=table[0][shown],
        high=finite.max(axis=0)[shown],
        y=levels[shown],
        end=float(np.median([run.column(axes[0])[-1] for run in runs])),
        complete=bool(shown.all())
        or 2 * sum(run.status == "converged" for run in runs) > len(runs),
    )
