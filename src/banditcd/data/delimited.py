"""Delimited text as a table: separator, line of names and decimal comma are found out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from banditcd.data.frames import MISSING_WORDS, Column, Frame, check_names, numbers

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
_WITH_COMMA = re.compile(r"[+-]?\d*(,\d+)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Reading:
    """How a table is read.

    Attributes
    ----------
    header : {"auto", "yes", "no"}
        Whether the first line holds names.
    separator : {"auto", "comma", "semicolon", "tab"}
        What stands between two columns.
    decimal : {"auto", "point", "comma"}
        The decimal sign; "auto" takes commas where they are no separators and make a column of
        words one of numbers.
    as_text : bool
        Keep what is written ("007"), even where every value is a number.
    """

    header: str = "auto"
    separator: str = "auto"
    decimal: str = "auto"
    as_text: bool = False


DEFAULT_READING = Reading()


def parse_text(content: bytes, title: str, reading: Reading) -> Frame:
    """Read delimited text in UTF-8, with or without a byte-order mark."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{title} is not UTF-8 text; save it as UTF-8, or as Parquet or .npz."
        ) from error
    if "\0" in text:
        raise ValueError(f"{title} is not a text file.")
    separator = _separator(text, reading.separator)
    if reading.decimal == "comma" and separator == ",":
        raise ValueError(
            f"{title}: commas cannot separate columns and decimals; name another --separator."
        )
    if not reading.as_text:
        frame = _plain_numbers(text, title, separator, reading.header)
        if frame is not None:
            return frame
    return _any_words(text, title, separator, reading)


def _separator(text: str, wish: str) -> str:
    """Return the separator: a tab or a semicolon in the first line outranks commas."""
    if wish != "auto":
        return SEPARATORS[wish]
    first = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").partition("\n")[0])
    return next((sign for sign in ("\t", ";") if sign in first), ",")


def _plain_numbers(text: str, title: str, separator: str, header: str) -> Frame | None:
    """Read a table of nothing but numbers quickly; None if it is none.

    What follows a ``#`` does not count there, as NumPy reads it.
    """
    first, _, rest = text.partition("\n")
    if '"' in first or not first.strip():
        return None
    cells = first.rstrip("\r").split(separator)
    named = header == "yes" or (header == "auto" and not all(map(_is_number, cells)))
    body = rest if named else text
    if not any(line.partition("#")[0].strip() for line in body.splitlines()):
        return None
    try:
        values = np.loadtxt(io.StringIO(body), delimiter=separator, ndmin=2)
    except ValueError:
        return None
    if named and len(cells) != values.shape[1]:
        return None
    names = check_names(cells, title) if named else ()
    columns = tuple(np.ascontiguousarray(column) for column in values.T)
    return Frame(title, columns, names)


def _any_words(text: str, title: str, separator: str, reading: Reading) -> Frame:
    rows = _rows(text, title, separator)
    if not rows:
        raise ValueError(f"{title} has no row.")
    named = _has_names(rows, reading.header)
    names = check_names(rows[0], title) if named else ()
    body = rows[1:] if named else rows
    if not body:
        raise ValueError(f"{title} has a line of names and no row.")
    columns: list[Column] = []
    commas: list[str] = []
    for place, values in enumerate(zip(*body, strict=True)):
        column = np.array(values, dtype=object)
        if separator != "," and reading.decimal != "point" and _has_decimal_commas(column):
            column = np.array([word.replace(",", ".") for word in column], dtype=object)
            commas.append(names[place] if names else f"column {place + 1}")
        found = None if reading.as_text else numbers(column)
        columns.append(column if found is None else found)
    remarks = [] if not commas else [f"Decimal commas were read in {_listed(commas)}."]
    return Frame(title, tuple(columns), names, tuple(remarks))


def _rows(text: str, title: str, separator: str) -> list[list[str]]:
    """Return the cells of every line that is not empty; all lines must have as many."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True
    )
    rows: list[list[str]] = []
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if rows and len(row) != len(rows[0]):
                raise ValueError(
                    f"{title}: line {reader.line_num} has {len(row)} columns and the lines before "
                    f"it {len(rows[0])}."
                )
            rows.append([cell.strip() for cell in row])
    except csv.Error as error:
        raise ValueError(f"{title}, line {reader.line_num}: {error}.") from error
    return rows


def _has_names(rows: list[list[str]], header: str) -> bool:
    """Whether the first line holds names.

    It does if some cell is a word, and either no cell is a number or some word stands above one.
    """
    if header != "auto":
        return header == "yes"
    first = rows[0]
    filled = [cell for cell in first if cell.lower() not in MISSING_WORDS]
    if not any(not _is_number(cell) for cell in filled):
        return False
    if not any(_is_number(cell) for cell in filled):
        return True
    below = rows[1] if len(rows) > 1 else []
    return any(
        _is_number(under) and not _is_number(cell)
        for cell, under in zip(first, below, strict=False)
    )


def _is_number(cell: str) -> bool:
    """Whether a cell is a number, with a decimal point or comma."""
    try:
        float(cell.strip().replace(",", "."))
    except ValueError:
        return False
    return True


def _has_decimal_commas(column: Column) -> bool:
    """Whether every value is a number once its comma is a point, and one has a comma."""
    found = False
    for word in column:
        if word.lower() in MISSING_WORDS:
            continue
        if not _WITH_COMMA.fullmatch(word):
            return False
        found = found or "," in word
    return found


def _listed(names: Sequence[str], most: int = 5) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more columns" if rest > 0 else "")
