"""Tables of any columns: numbers, words, missing values; read from text, Parquet or Feather."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banditcd._typing import Floats

Column = npt.NDArray[Any]
"""Float64 with NaN for what is missing, or an object array of words without spaces around them."""

#: Words that stand for a missing value, in any case of the letters.
MISSING_WORDS = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "?"})
_LONGEST = max(len(word) for word in MISSING_WORDS)


@dataclass(frozen=True)
class Frame:
    """A table as it stands in a file, targets included.

    Attributes
    ----------
    title : str
        What messages call it.
    columns : tuple of ndarray
        Float64 arrays, or object arrays of words.
    names : tuple of str
        Names of the columns; empty if the file has none.
    remarks : tuple of str
        Decisions of the reader that the user should know.
    """

    title: str
    columns: tuple[Column, ...]
    names: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0]) if self.columns else 0

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def label(self, place: int) -> str:
        """Return what a message calls a column, counted from 0: its name, or "column 3"."""
        return repr(self.names[place]) if self.names else f"column {place + 1}"

    def name(self, place: int) -> str:
        """Return the name of a column, counted from 0; x1, x2, ... if the file has none."""
        return self.names[place] if self.names else f"x{place + 1}"

    def find(self, column: str, purpose: str) -> int:
        """Return the place, from 0, of a column given by its name or by its position from 1."""
        return find_column(column, self.names, self.width, self.title, purpose)


def find_column(column: str, names: Sequence[str], width: int, title: str, purpose: str) -> int:
    """Return the place, from 0, of a column of a table with this title; see :meth:`Frame.find`."""
    if column in names:
        return names.index(column)
    if column.isdecimal() and 1 <= int(column) <= width:
        return int(column) - 1
    known = f"its columns are {', '.join(names[:20])}" if names else "it has no names"
    parts = [part.strip() for part in column.split(",")]
    several = len(parts) > 1 and all(part in names or part.isdecimal() for part in parts)
    is_option = purpose.startswith("--")
    hint = f" {purpose} takes one column; repeat it for each." if several and is_option else ""
    raise ValueError(
        f"{title} has no column {column!r} for {purpose}: {known}, and positions go from 1 to "
        f"{width}.{hint}"
    )


def check_names(names: Sequence[str], title: str) -> tuple[str, ...]:
    """Return the names of columns, "column 1" for an empty one; none may occur twice."""
    filled = tuple(name.strip() or f"column {j + 1}" for j, name in enumerate(names))
    twice = sorted({name for name in filled if filled.count(name) > 1})
    if twice:
        raise ValueError(
            f"{title} has more than one column named {twice[0]!r}; give every column its own name."
        )
    return filled


def counted(number: int, noun: str) -> str:
    """Return "1 row", "2,000 rows"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def missing(column: Column) -> npt.NDArray[np.bool_]:
    """Return which values of a column are missing."""
    if column.dtype.kind == "f":
        return np.asarray(np.isnan(column))
    absent = [len(word) <= _LONGEST and word.lower() in MISSING_WORDS for word in column]
    return np.array(absent, dtype=np.bool_)


def numbers(column: Column) -> Floats | None:
    """Return a column as numbers, NaN for what is missing; None if it has other words."""
    if column.dtype.kind == "f":
        return column
    with suppress(ValueError):  # nothing is missing, as in most columns
        return np.array([float(word) for word in column])
    values = np.full(len(column), np.nan)
    there = np.flatnonzero(~missing(column))
    try:
        values[there] = [float(word) for word in column[there]]
    except ValueError:
        return None
    return values


def first_word(column: Column) -> str:
    """Return the first value that is there and is not a number."""
    for word in column[~missing(column)]:
        try:
            float(word)
        except ValueError:
            return str(word)
    return ""


def words(column: Column) -> Column:
    """Return a column as words, "" for what is missing; numbers in their shortest form."""
    if column.dtype.kind == "f":
        text = ["" if np.isnan(v) else repr(float(v)).removesuffix(".0") for v in column]
    else:
        absent = missing(column)
        text = ["" if gone else str(word) for word, gone in zip(column, absent, strict=True)]
    return np.array(text, dtype=object)
