"""Features from a table by a recipe: the matrix, the rows that stay, remarks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from banditcd._typing import Floats
from banditcd.data.frames import Frame, first_word, missing, numbers, words
from banditcd.data.recipes import Ingredient, Recipe

#: Matrices with a smaller share of non-zeros are stored sparse.
SPARSE_BELOW = 0.2


@dataclass(frozen=True)
class Features:
    """Features of a table.

    Attributes
    ----------
    X : ndarray or CSR matrix
        One row for each row that stays.
    kept : ndarray of bool
        Which rows of the table stay; all of them unless missing values drop some.
    remarks : tuple of str
        Counts of unseen levels.
    """

    X: Any
    kept: npt.NDArray[np.bool_]
    remarks: tuple[str, ...] = ()


def make_features(
    frame: Frame, recipe: Recipe, places: list[int], unknown: str = "zeros"
) -> Features:
    """Return the features of a table.

    Parameters
    ----------
    frame : Frame
        The table.
    recipe : Recipe
        What its columns become.
    places : list of int
        The places (from 0) of the recipe's columns in the table.
    unknown : {"zeros", "error"}
        A level that the recipe does not know is all zeros and counted, or an error.
    """
    kept = np.ones(frame.rows, dtype=np.bool_)
    if recipe.missing == "drop":
        for place in places:
            kept &= ~missing(frame.columns[place])
    remarks, blocks = [], []
    for part, place in zip(recipe.ingredients, places, strict=True):
        block, unseen = _block(frame, place, part, kept, bool(recipe.missing))
        if unseen:
            remarks.append(_unseen(frame, place, unseen, unknown))
        blocks.append(block)
    return Features(_joined(blocks, recipe, int(kept.sum())), kept, tuple(remarks))


def _joined(blocks: list[Any], recipe: Recipe, rows: int) -> Any:
    """Put the blocks side by side: dense, or CSR if most entries are zeros of categories."""
    filled = len(recipe.ingredients)
    if recipe.reads_words and filled < SPARSE_BELOW * len(recipe.features):
        return sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(block) for block in blocks]))
    dense = [block if isinstance(block, np.ndarray) else block.toarray() for block in blocks]
    return np.hstack(dense) if dense else np.empty((rows, 0))


def _block(
    frame: Frame, place: int, part: Ingredient, kept: npt.NDArray[np.bool_], tolerant: bool
) -> tuple[Any, list[str]]:
    """Return the features of one column, and the levels that the recipe does not know."""
    column = frame.columns[place][kept]
    absent = missing(column)
    if absent.any() and not tolerant:
        raise ValueError(
            f"{int(absent.sum()):,} values of {frame.label(place)} of {frame.title} are missing "
            "(empty, NA or NaN), and the model was fitted without --missing; fit it again with it, "
            "or fill the gaps."
        )
    if part.levels is None:
        values = _numbers(frame, place, part, column)
        if part.fill is not None:
            values = np.where(absent, part.fill, values)
        columns = [values, absent.astype(np.float64)] if part.indicator else [values]
        return np.column_stack(columns), []
    return _one_hot(words(column), absent, part)


def _one_hot(text: Any, absent: Any, part: Ingredient) -> tuple[Any, list[str]]:
    """Return one column for each level, and one more for missing values if the recipe has it."""
    levels = part.levels or ()
    place_of = {level: k for k, level in enumerate(levels)}
    if part.indicator:
        place_of[""] = len(levels)
    found = np.array([place_of.get(word, -1) for word in text], dtype=np.intp)
    rows = np.flatnonzero(found >= 0)
    shape = (len(text), len(part.features))
    block = sparse.csr_matrix((np.ones(len(rows)), (rows, found[rows])), shape=shape)
    unseen = [str(word) for word in text[(found < 0) & ~absent]]
    return block, unseen


def _numbers(frame: Frame, place: int, part: Ingredient, column: Any) -> Floats:
    values = numbers(column)
    if values is None:
        raise ValueError(
            f"{frame.label(place)} of {frame.title} has {first_word(column)!r}, and the model "
            f"knows {part.name!r} as a column of numbers."
        )
    return values


def _unseen(frame: Frame, place: int, unseen: list[str], unknown: str) -> str:
    """Count levels that the model has never seen; an error if the user asked for one."""
    shown = ", ".join(repr(word) for word in sorted(set(unseen))[:5])
    text = (
        f"{len(unseen):,} of {frame.rows:,} values of {frame.label(place)} of {frame.title} are "
        f"words that the model has never seen ({shown})"
    )
    if unknown == "error":
        raise ValueError(f"{text}.")
    return f"{text}; they are all zeros."
