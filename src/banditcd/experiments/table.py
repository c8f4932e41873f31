"""A race as text: what every selector spent until each target, and how it compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature

import numpy as np

from banditcd.engine import minimize
from banditcd.experiments.entrants import YARDSTICKS
from banditcd.experiments.reach import Ratio, ratio, reach, targets_of
from banditcd.experiments.rows import RaceResult

_NAMES = {"epoch": "epochs", "work": "work", "seconds": "time"}
BEST = "*"
MISSED = "-"
PYTHON = "†"
LEGEND = (
    "epochs: d updates each. work: matrix entries touched / (2 nnz), refreshes included. "
    "time: of the method alone.\n"
    "Ratios: how many times less than uniform or shuffled; > 1 is better than it, < 1 worse. "
    f"'{BEST}' best of the column,\n'{MISSED}' target not reached; '>' and '<' mark bounds where "
    f"one of the two did not reach it.\n'{PYTHON}' time of a rule that chooses in Python, not "
    "comparable with that of a compiled one."
)


@dataclass(frozen=True)
class Block:
    """Some columns of a table under a common heading: a cell per selector and target."""

    heading: str
    targets: list[str]
    cells: list[list[str]]
    is_ratio: bool = False

    @property
    def widths(self) -> list[int]:
        """The width of each column."""
        columns = zip(self.targets, *self.cells, strict=True)
        return [max(len(cell) for cell in column) for column in columns]

    @property
    def width(self) -> int:
        """The width of the block, two spaces before every column."""
        return max(sum(self.widths) + 2 * len(self.targets), len(self.heading) + 2)


def race_table(race: RaceResult, width: int = 110) -> str:
    """Return the table of a race in lines of at most ``width`` letters where that is possible."""
    head = [f"{race.info.title}   {race.info.subtitle}", headline(race)]
    return "\n".join([*head, "", *_layout(race.selectors, blocks_of(race), width)])


def headline(race: RaceResult) -> str:
    """Return how the numbers were taken."""
    seeds = f"median of {race.seeds} seeds" if race.seeds > 1 else "1 seed"
    relative = race.info.optimum_gap / race.info.null_objective
    certified = (
        f"F* certified to {relative:.1g} P0" if np.isfinite(relative) else "F* not certified"
    )
    slow = any(run.engine == "reference" for run in race.runs)
    engine = "; reference engine, so the times are those of NumPy" if slow else ""
    return f"{seeds}; {certified}; gaps are relative to P0{engine}"


def default_selector() -> str:
    """Return the rule that ``minimize`` uses if none is named."""
    return str(signature(minimize).parameters["selector"].default)


def judged(race: RaceResult) -> list[str]:
    """Return the rules that a summary is about: those asked for, else the default rule."""
    named = [name for name in race.asked if name not in YARDSTICKS]
    return named or [name for name in (default_selector(),) if name in race.selectors]


def standings(races: list[RaceResult]) -> list[list[str]]:
    """Return a header and a line per race and rule: where it stands, wins and losses alike.

    Each race is judged at the smallest target gap that uniform or shuffled reached, so that every
    number is a ratio or shows a loss, never a win over a run that was cut short. Seconds of rules
    that choose in Python carry a mark.
    """
    pairs = [(measure, yardstick) for measure in ("work", "seconds") for yardstick in YARDSTICKS]
    heads = [f"{_NAMES[m]} vs {y}" for m, y in pairs]
    lines = [["race", "rule", "gap", *heads, "least work", "fastest"]]
    for race in races:
        target = _judged_at(race)
        best = [_best(race, target, measure) for measure in ("work", "seconds")]
        for name in judged(race):
            ratios = [_marked(race, name, m, _compare(race, name, y, target, m)) for m, y in pairs]
            lines.append([race.info.title, name, _power(target), *ratios, *best])
    return lines if len(lines) > 1 else []


def verdict(races: list[RaceResult]) -> str:
    """Return the standings as text.

    Parameters
    ----------
    races : list of RaceResult
        Races of the same entrants.
    """
    lines = standings(races)
    if not lines:
        return ""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    rows = [
        "  ".join(
            f"{cell:<{w}}" if k in (0, 1, *range(len(line) - 2, len(line))) else f"{cell:>{w}}"
            for k, (cell, w) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    head = "In short (> 1: better than the yardstick, < 1: worse)"
    return "\n".join([head, *rows, *map(_nobody_arrived, filter(_is_empty, races))])


def _is_empty(race: RaceResult) -> bool:
    """Whether no rule reached even the largest gap of the table."""
    largest = targets_of(race)[0]
    return not any(reach(race, name, largest, "work").reached for name in race.selectors)


def _nobody_arrived(race: RaceResult) -> str:
    return (
        f"{race.info.title}: no rule reached a gap of {_power(targets_of(race)[0])}. Give the runs "
        "more with --seconds and --epochs, or ask for less with a larger --alpha or --alpha-ratio."
    )


def _judged_at(race: RaceResult) -> float:
    """Return the smallest target that a yardstick reached; else anyone; else the largest."""
    yardsticks = [name for name in race.selectors if name in YARDSTICKS]
    for names in (yardsticks, race.selectors):
        for target in reversed(targets_of(race)):
            if any(reach(race, name, target, "work").reached for name in names):
                return target
    return targets_of(race)[0]


def _best(race: RaceResult, target: float, measure: str) -> str:
    spent = {name: reach(race, name, target, measure).spent for name in race.selectors}
    name = min(spent, key=lambda key: spent[key])
    if not np.isfinite(spent[name]):
        return MISSED
    return name + (PYTHON if measure == "seconds" and race.in_python(name) else "")


def _marked(race: RaceResult, name: str, measure: str, value: Ratio) -> str:
    """Return a ratio, marked if it compares seconds of a rule that chooses in Python."""
    text = _ratio_text(value)
    return text + PYTHON if measure == "seconds" and race.in_python(name) else text


def _power(target: float) -> str:
    return f"{target:.0e}".replace("e-0", "e-")


def blocks_of(race: RaceResult) -> list[Block]:
    """Return three blocks of spendings, then the blocks of ratios to the yardsticks."""
    targets, names = targets_of(race), race.selectors
    heads = [_power(target) for target in targets]
    blocks = []
    for measure, form in (("epoch", _number), ("work", _number), ("seconds", _time)):
        spent = [[reach(race, name, t, measure).spent for t in targets] for name in names]
        marks = [PYTHON if measure == "seconds" and race.in_python(n) else "" for n in names]
        blocks.append(Block(f"{_NAMES[measure]} to gap", heads, _starred(spent, form, marks)))
    for measure in ("work", "seconds"):
        for yardstick in YARDSTICKS:
            if yardstick in names:
                cells = [
                    [
                        _marked(race, name, measure, _compare(race, name, yardstick, t, measure))
                        for t in targets
                    ]
                    for name in names
                ]
                blocks.append(
                    Block(f"{_NAMES[measure]} vs {yardstick}", heads, cells, is_ratio=True)
                )
    return blocks


def _compare(race: RaceResult, name: str, yardstick: str, target: float, measure: str) -> Ratio:
    return ratio(reach(race, name, target, measure), reach(race, yardstick, target, measure))


def _starred(
    spent: list[list[float]], form: Callable[[float], str], marks: list[str]
) -> list[list[str]]:
    best = np.min(spent, axis=0)
    return [
        [
            form(value) + mark + (BEST if np.isfinite(value) and value <= low else " ")
            for value, low in zip(line, best, strict=True)
        ]
        for line, mark in zip(spent, marks, strict=True)
    ]


def _layout(names: list[str], blocks: list[Block], width: int) -> list[str]:
    """Put blocks side by side while they fit; the rest goes below."""
    label = max(len(name) for name in [*names, "selector"])
    tiers: list[list[Block]] = []
    for block in blocks:
        used = label + sum(b.width + 2 for b in tiers[-1]) if tiers else width
        if used + block.width + 2 > width:
            tiers.append([])
        tiers[-1].append(block)
    lines: list[str] = []
    for tier in tiers:
        lines.append(" " * label + "".join(f"  {b.heading:>{b.width}}" for b in tier))
        lines.append(f"{'selector':<{label}}" + "".join(_line(b, b.targets) for b in tier))
        for k, name in enumerate(names):
            lines.append(f"{name:<{label}}" + "".join(_line(b, b.cells[k]) for b in tier))
        lines.append("")
    return [line.rstrip() for line in lines[:-1]]


def _line(block: Block, cells: list[str]) -> str:
    text = "".join(f"  {cell:>{w}}" for cell, w in zip(cells, block.widths, strict=True))
    return f"  {text:>{block.width}}"


def _number(value: float) -> str:
    if not np.isfinite(value):
        return MISSED
    return f"{value:.0f}" if value >= 99.5 else f"{value:.3g}"


def _time(seconds: float) -> str:
    if not np.isfinite(seconds):
        return MISSED
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 0.995 or unit == "µs":
            return f"{_number(seconds * factor)} {unit}"
    return MISSED


def _ratio_text(value: Ratio) -> str:
    if value.bound == "-":
        return MISSED
    number = f"{value.value:.0f}" if value.value >= 99.5 else f"{value.value:.2g}"
    return f"{value.bound}{number}"
