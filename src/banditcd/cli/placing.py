"""The columns that a model needs, found in a table by their names or by their positions."""

from __future__ import annotations

from dataclasses import dataclass

from banditcd.data.frames import Frame
from banditcd.data.recipes import Ingredient, Recipe
from banditcd.data.tables import check_distinct


@dataclass(frozen=True)
class Columns:
    """The features a model was fitted on.

    Attributes
    ----------
    number : int
        How many there are.
    names : tuple of str
        Their names; empty if there are none.
    targets : tuple of str
        The names of the columns of targets, if they have some.
    recipe : Recipe or None
        How a table becomes features; None if its columns are the features.
    words : bool
        Whether the labels are words.
    outputs : int
        How many numbers the model predicts for a row.
    """

    number: int
    names: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    recipe: Recipe | None = None
    words: bool = False
    outputs: int = 1


Found = tuple[Recipe, list[int], tuple[int, ...]]
"""A recipe, the places of its columns in a table, and those of the targets; () if absent."""


def find_places(frame: Frame, columns: Columns, targets: tuple[str, ...]) -> Found:
    """Return the recipe, the places of its columns in the table and those of the targets.

    Columns are found by their names if both sides have names, else by their positions.
    """
    recipe = columns.recipe
    if recipe is None:
        needed = columns.names
    else:
        needed = tuple(part.name for part in recipe.ingredients) if recipe.named else ()
    if needed and frame.names:
        places = _by_name(frame, needed)
        wanted = _named_targets(frame, needed, columns, targets)
        return recipe or _as_they_are(places, columns.outputs), places, wanted
    if recipe is None:
        return _by_number(frame, columns, targets)
    wanted = given_targets(frame, targets, columns.outputs)
    if frame.width == recipe.width:
        theirs = tuple(position - 1 for position in recipe.targets)
        return recipe, [part.position - 1 for part in recipe.ingredients], wanted or theirs
    if frame.width == recipe.width - len(recipe.targets) and not targets:
        before = [sum(t < part.position for t in recipe.targets) for part in recipe.ingredients]
        shifted = zip(recipe.ingredients, before, strict=True)
        return recipe, [part.position - 1 - gone for part, gone in shifted], ()
    raise ValueError(
        f"{frame.title} has {frame.width} columns, and the model was fitted on a table of "
        f"{recipe.width}, targets included."
    )


def _by_name(frame: Frame, needed: tuple[str, ...]) -> list[int]:
    absent = [name for name in needed if name not in frame.names]
    if absent:
        raise ValueError(
            f"{frame.title} has no column {', '.join(absent[:5])}, which the model needs; it has "
            f"{', '.join(frame.names[:5])}{', …' if len(frame.names) > 5 else ''}."
        )
    return [frame.names.index(name) for name in needed]


def given_targets(frame: Frame, targets: tuple[str, ...], outputs: int) -> tuple[int, ...]:
    """Return the places of the targets that the user names: as many as the model predicts."""
    if targets and len(targets) != outputs:
        raise ValueError(
            f"--target names {len(targets)} column(s) of {frame.title}, and the model predicts "
            f"{outputs}; repeat it for each."
        )
    places = tuple(frame.find(target, "the targets") for target in targets)
    check_distinct(places, targets, frame.title)
    return places


def _named_targets(
    frame: Frame, needed: tuple[str, ...], columns: Columns, targets: tuple[str, ...]
) -> tuple[int, ...]:
    if targets:
        return given_targets(frame, targets, columns.outputs)
    others = tuple(name for name in frame.names if name not in needed)
    likely = columns.targets or (others if len(others) == columns.outputs else ())
    there = all(name in frame.names for name in likely)
    return tuple(frame.names.index(name) for name in likely) if there else ()


def _by_number(frame: Frame, columns: Columns, targets: tuple[str, ...]) -> Found:
    """Take all columns, without the targets if there are as many more columns than features."""
    gone = given_targets(frame, targets, columns.outputs)
    if frame.width != columns.number and not targets:
        gone = tuple(range(max(0, frame.width - columns.outputs), frame.width))
    places = [j for j in range(frame.width) if j not in gone]
    check_width(len(places), columns.number, frame.title)
    return _as_they_are(places, columns.outputs), places, gone


def _as_they_are(places: list[int], outputs: int) -> Recipe:
    """Return the recipe that takes columns of numbers as they are."""
    parts = tuple(Ingredient(place + 1, f"x{place + 1}") for place in places)
    last = tuple(len(places) + 1 + k for k in range(outputs))
    return Recipe(parts, len(places) + outputs, last, named=False)


def check_width(found: int, needed: int, title: str) -> None:
    """Check that a table has as many features as the model."""
    if found != needed:
        raise ValueError(f"{title} has {found} feature(s) and the model has {needed}.")
