"""Recipes that turn the columns of a table into features: numbers, categories, missing values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.data.frames import Column, Frame, counted, first_word, missing, numbers, words
from banditcd.data.odd_numbers import has_rounded, refuse_odd_numbers

COUNTING_NAMES = ("column 1", "Unnamed: 0", "__index_level_0__")
"""Names that a first column without a name gets, here and by pandas."""
MOST_LEVELS = 100
MISSING_RULES = ("mean", "median", "indicator", "drop")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ].*)?|\d{4}/\d{1,2}/\d{1,2}( .*)?"
    r"|\d{1,2}([./-])\d{1,2}\3\d{2,4}( .*)?|\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
    rf"|{_MONTH}[ -]\d{{1,2}},? \d{{4}}( .*)?|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}( .*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ingredient:
    """One column of the table and the features that it becomes.

    Attributes
    ----------
    position : int
        Its position in the table it was fitted on, from 1.
    name : str
        Its name; x1, x2, ... if the table has none.
    levels : tuple of str or None
        The categories, one feature each, in ascending order; None if the column is one of numbers.
    fill : float or None
        The number that takes the place of missing ones.
    indicator : bool
        Whether one more feature is 1 where the value is missing.
    """

    position: int
    name: str
    levels: tuple[str, ...] | None = None
    fill: float | None = None
    indicator: bool = False

    @property
    def features(self) -> list[str]:
        """Names of the features."""
        made = [self.name] if self.levels is None else [f"{self.name}={v}" for v in self.levels]
        return [*made, f"{self.name} missing"] if self.indicator else made


@dataclass(frozen=True)
class Recipe:
    """How a table becomes a matrix.

    Attributes
    ----------
    ingredients : tuple of Ingredient
        The columns that are used, in the order of their features.
    width : int
        Number of columns of the table it was fitted on, targets included.
    targets : tuple of int
        Positions of the targets there, from 1.
    named : bool
        Whether the columns have names of their own, and are found by them.
    missing : str
        One of mean, median, indicator, drop; "" if missing values are refused.
    """

    ingredients: tuple[Ingredient, ...]
    width: int
    targets: tuple[int, ...]
    named: bool
    missing: str = ""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(name for part in self.ingredients for name in part.features)

    @property
    def reads_words(self) -> bool:
        """Whether some column is one of categories."""
        return any(part.levels is not None for part in self.ingredients)

    @property
    def is_plain(self) -> bool:
        """Whether it takes every column but the targets as it is."""
        others = [p for p in range(1, self.width + 1) if p not in self.targets]
        return (
            [part.position for part in self.ingredients] == others
            and not self.reads_words
            and not self.missing
        )


@dataclass(frozen=True)
class Wishes:
    """Decisions of the user: columns left out, columns of categories, rule for missing values."""

    drop: tuple[int, ...] = ()
    categories: tuple[int, ...] = ()
    missing: str = ""


def fit_recipe(frame: Frame, targets: tuple[int, ...], wishes: Wishes) -> tuple[Recipe, list[str]]:
    """Return the recipe that a training table asks for, and remarks on it.

    Parameters
    ----------
    frame : Frame
        The table, targets included.
    targets : tuple of int
        Places of the targets, from 0.
    wishes : Wishes
        Places (from 0) of columns to leave out and of columns to read as categories, and the rule
        for missing values.
    """
    parts, made = [], []
    for place, column in enumerate(frame.columns):
        if place in targets or place in wishes.drop:
            continue
        part = _ingredient(frame, place, column, wishes)
        parts.append(part)
        if part.levels is not None:
            made.append(f"{frame.label(place)} ({len(part.levels)})")
    if not parts:
        raise ValueError(f"{frame.title} has no column left to be a feature.")
    remarks = [*_counting_column(frame, parts[0]), *_rounded_columns(frame, parts)]
    if made:
        count = sum(len(part.levels or ()) for part in parts)
        remarks.append(
            f"{counted(len(made), 'column')} of words became {counted(count, 'column')} of "
            f"zeros and ones: {', '.join(made[:10])}{', …' if len(made) > 10 else ''}. "
            "--drop COLUMN leaves one out."
        )
    positions = tuple(place + 1 for place in targets)
    recipe = Recipe(tuple(parts), frame.width, positions, bool(frame.names), wishes.missing)
    return recipe, remarks


def _counting_column(frame: Frame, first: Ingredient) -> Iterator[str]:
    """Remark on a first column without a name that only counts the rows."""
    if first.position != 1 or not frame.names or first.name not in COUNTING_NAMES:
        return
    values = numbers(frame.columns[0])
    if values is not None and len(values) > 1 and bool(np.all(np.diff(values) == 1.0)):
        yield "The first column has no name and counts the rows; --drop 1 leaves it out."


def _rounded_columns(frame: Frame, parts: Sequence[Ingredient]) -> Iterator[str]:
    """Remark on columns of whole numbers that are too long for float64."""
    for part in parts:
        if part.levels is None and has_rounded(numbers(frame.columns[part.position - 1])):
            column = part.name if frame.names else part.position
            yield (
                f"{frame.label(part.position - 1)} has whole numbers of more than 15 digits, which "
                f"are rounded; if they are identifiers, --drop {column} leaves them out."
            )


def _ingredient(frame: Frame, place: int, column: Column, wishes: Wishes) -> Ingredient:
    """Return what one column becomes."""
    position, name = place + 1, frame.name(place)
    absent = missing(column)
    if absent.any() and not wishes.missing:
        _refuse_missing(frame, place, int(absent.sum()))
    indicator = wishes.missing == "indicator" and bool(absent.any())
    values = None if place in wishes.categories else numbers(column)
    if values is None:
        levels = _levels(frame, place, column, place in wishes.categories)
        return Ingredient(position, name, levels, None, indicator)
    if np.isinf(values).any():
        raise ValueError(
            f"{np.isinf(values).sum():,} of {frame.rows:,} values of {frame.label(place)} of "
            f"{frame.title} are infinite; write NA there if they are missing, or leave the column "
            f"out with --drop {name if frame.names else position}."
        )
    return Ingredient(position, name, None, _fill(frame, place, values, wishes), indicator)


def _fill(frame: Frame, place: int, values: Floats, wishes: Wishes) -> float | None:
    there = values[~np.isnan(values)]
    if wishes.missing in ("", "drop") and there.size:
        return None
    if not there.size:
        raise ValueError(
            f"Every value of {frame.label(place)} of {frame.title} is missing; leave the column "
            f"out with --drop {frame.name(place) if frame.names else place + 1}."
        )
    return float(np.median(there) if wishes.missing == "median" else there.mean())


def _levels(frame: Frame, place: int, column: Column, wanted: bool) -> tuple[str, ...]:
    """Return the different words of a column, ascending; dates and crowds are refused."""
    column_name = frame.name(place) if frame.names else str(place + 1)
    drop = f"--drop {column_name}"
    text = words(column)
    found = sorted({word for word in text if word})
    if not wanted and all(_DATE.fullmatch(word) for word in found[:MOST_LEVELS]) and found:
        raise ValueError(
            f"{frame.label(place)} of {frame.title} holds dates or times, such as {found[0]!r}; "
            "put numbers made of them (days since a date, month, hour) into the table, or leave "
            f"the column out with {drop}."
        )
    if not wanted:
        refuse_odd_numbers(f"{frame.label(place)} of {frame.title}", column_name, text)
    if len(found) > MOST_LEVELS:
        example = first_word(column) or found[0]
        raise ValueError(
            f"{frame.label(place)} of {frame.title} has {len(found):,} different values, such as "
            f"{example!r}; at most {MOST_LEVELS} become columns. Join rare ones in the table, or "
            f"leave the column out with {drop}."
        )
    return tuple(found)


def _refuse_missing(frame: Frame, place: int, count: int) -> None:
    """Say that a column has missing values, and what can be done."""
    rules = "|".join(MISSING_RULES)
    raise ValueError(
        f"{count:,} of {frame.rows:,} values of {frame.label(place)} of {frame.title} are missing "
        f"(empty, NA or NaN); say with --missing {rules} what takes their place."
    )


def plain_recipe(recipe: Recipe) -> dict[str, Any]:
    """Return a recipe as JSON has it: words and numbers only."""
    return {
        "width": recipe.width,
        "target": recipe.targets[0] if len(recipe.targets) == 1 else list(recipe.targets),
        "named": recipe.named,
        "missing": recipe.missing,
        "columns": [
            {
                "position": part.position,
                "name": part.name,
                "levels": None if part.levels is None else list(part.levels),
                "fill": part.fill,
                "indicator": part.indicator,
            }
            for part in recipe.ingredients
        ],
    }


def checked_recipe(plain: Any) -> Recipe:
    """Read a recipe from JSON; ValueError for anything that is none."""
    if not isinstance(plain, dict) or not isinstance(plain.get("columns"), list):
        raise ValueError("table must be an object with columns")
    width, target = plain.get("width"), plain.get("target")
    targets = tuple(target) if isinstance(target, list) and target else (target,)
    whole = type(width) is int and all(type(t) is int and 1 <= t <= width for t in targets)
    if type(width) is not int or not whole or len(set(targets)) < len(targets):
        raise ValueError("width and target of table must be whole numbers")
    if plain.get("missing") not in ("", *MISSING_RULES):
        raise ValueError(f"missing of table is {plain.get('missing')!r}")
    parts = tuple(_checked_part(part, width) for part in plain["columns"])
    positions = [part.position for part in parts]
    if not parts or any(b <= a for a, b in pairwise(positions)):
        raise ValueError("the positions of table must ascend")
    return Recipe(parts, width, targets, bool(plain.get("named")), plain["missing"])


def _checked_part(plain: Any, width: int) -> Ingredient:
    if not isinstance(plain, dict):
        raise ValueError("a column of table must be an object")
    position, name, levels = plain.get("position"), plain.get("name"), plain.get("levels")
    if not (type(position) is int and 1 <= position <= width and isinstance(name, str)):
        raise ValueError("a column of table has no position or name")
    if levels is not None and not _ascending_words(levels):
        raise ValueError(f"the levels of {name!r} must be words in ascending order")
    fill = plain.get("fill")
    if fill is not None and not (type(fill) in (int, float) and np.isfinite(fill)):
        raise ValueError(f"the fill of {name!r} must be a finite number")
    chosen = None if levels is None else tuple(levels)
    return Ingredient(position, name, chosen, fill, plain.get("indicator") is True)


def _ascending_words(levels: Any) -> bool:
    if not isinstance(levels, list) or len(levels) > MOST_LEVELS:
        return False
    if not all(isinstance(level, str) for level in levels):
        return False
    return all(a < b for a, b in pairwise(levels))
