"""Options about the columns of a table and the way it is read."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from banditcd.data.delimited import DEFAULT_READING, SEPARATORS, Reading
from banditcd.data.recipes import MISSING_RULES

#: Options that have a meaning for tables only.
READING = ("header", "separator", "decimal")
OF_TABLES = ("target", "weights", "drop", "categories", "missing", *READING)


@dataclass(frozen=True)
class TableOptions:
    """What the user says about a table; columns are named, or counted from 1.

    Attributes
    ----------
    targets : tuple of str
        The column of targets (default: the last one), or those of a model of several.
    weights : str or None
        The column of sample weights.
    drop, categories : tuple of str
        Columns to leave out, and columns of numbers to read as categories.
    missing : str
        Rule for missing values; "" refuses them.
    unknown : {"zeros", "error"}
        What a category becomes that the model has never seen.
    reading : Reading
        Line of names, separator, decimal sign.
    given : tuple of str
        The options that were given, by name.
    """

    targets: tuple[str, ...] = ()
    weights: str | None = None
    drop: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    missing: str = ""
    unknown: str = "zeros"
    reading: Reading = DEFAULT_READING
    given: tuple[str, ...] = ()

    def refuse(self, name: str, allowed: str = "") -> None:
        """Refuse every option that is about columns but one, for data that are no table."""
        given = [option for option in self.given if option != allowed]
        if given:
            raise ValueError(
                f"--{given[0]} is about the columns of a table (CSV, TSV, Parquet, Feather), "
                f"and {name} is none."
            )


def table_options(arguments: argparse.Namespace) -> TableOptions:
    """Take the options of a command that are about tables."""

    def get(name: str, default: Any) -> Any:
        value = getattr(arguments, name, None)
        return default if value is None else value

    reading = Reading(get("header", "auto"), get("separator", "auto"), get("decimal", "auto"))
    return TableOptions(
        tuple(get("target", ())),
        get("weights", None),
        tuple(get("drop", ())),
        tuple(get("categories", ())),
        get("missing", ""),
        get("unknown", "zeros"),
        reading,
        tuple(name for name in OF_TABLES if get(name, None)),
    )


def for_test(options: TableOptions) -> TableOptions:
    """Return what the options of a training table say about a second table of the same columns."""
    read = tuple(name for name in options.given if name in ("target", *READING))
    return TableOptions(
        options.targets, unknown=options.unknown, reading=options.reading, given=read
    )


def add_training_columns(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide what the columns of a training table become."""
    group = parser.add_argument_group("columns of a table (a name, or a position from 1)")
    add = group.add_argument
    add(
        "--target",
        metavar="COLUMN",
        action="append",
        help="the targets (default: the last column), repeated for a multitask model; of data that "
        "are no table also a file y.npy",
    )
    add("--weights", metavar="COLUMN", help="weights of the samples")
    add("--drop", metavar="COLUMN", action="append", help="leave a column out; may be repeated")
    text = "read a column of numbers as categories; may be repeated"
    add("--categories", metavar="COLUMN", action="append", help=text)
    add(
        "--missing",
        choices=MISSING_RULES,
        help="missing values: the column's mean or median, the mean and one more column that says "
        "where, or leave their rows out (default: they are refused)",
    )
    add_unknown(group)
    add_reading(parser)


def add_unknown(parser: Any) -> None:
    """Add the option for words that the model has never seen."""
    text = "a word not seen in training: zeros, with a count (default), or an error"
    parser.add_argument("--unknown", choices=["zeros", "error"], help=text)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options for text that the reader would take for something else."""
    add = parser.add_argument_group("reading of text (found out by default)").add_argument
    add("--header", choices=["yes", "no"], help="whether the first line holds names")
    add("--separator", choices=list(SEPARATORS), help="between two columns")
    add("--decimal", choices=["point", "comma"], help="the decimal sign")
