"""The catalog of LIBSVM-format data sets: names, shapes, sources, checksums."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, get_args

from banditcd.data.checks import unknown_name
from banditcd.data.dataset import Task

PAGE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/"


@dataclass(frozen=True)
class KnownCopy:
    """A file whose content was checked: its checksum, and how it differs from the original."""

    file: str
    sha256: str
    remark: str = ""


@dataclass(frozen=True)
class Entry:
    """One data set of the catalog.

    Attributes
    ----------
    name, aliases
        The names it is known by.
    task, rows, columns, classes
        What it is; `classes` is 0 for regression.
    file
        Name of the original file on the page of LIBSVM data sets; empty if it is not there.
    nonzeros
        Counted from a file; 0 if that was not possible.
    checksum
        "md5:..." or "sha256:..." of the original file, where it is known.
    test
        Name of the entry with the test part, if there is one.
    partial
        Whether the entry is only a part of a larger training set.
    remark
        What a user should know.
    copies
        Known copies.
    """

    name: str
    task: Task
    rows: int
    columns: int
    file: str = ""
    classes: int = 0
    aliases: tuple[str, ...] = ()
    nonzeros: int = 0
    checksum: str = ""
    test: str = ""
    partial: bool = False
    remark: str = ""
    copies: tuple[KnownCopy, ...] = field(default=())

    @property
    def names(self) -> tuple[str, ...]:
        """The name and its aliases."""
        return (self.name, *self.aliases)

    @property
    def url(self) -> str:
        """The address of the original file, or nothing if it has no place of its own."""
        return f"{PAGE}{self.task}/{self.file}" if self.file else ""

    @property
    def page(self) -> str:
        """The page that describes the set."""
        return f"{PAGE}{self.task}.html"


def _entry(task: Task, row: dict[str, Any]) -> Entry:
    row = dict(row)
    copies = tuple(KnownCopy(**copy) for copy in row.pop("copies", ()))
    aliases = tuple(row.pop("aliases", ()))
    return Entry(**row, task=task, aliases=aliases, copies=copies)


@cache
def entries() -> tuple[Entry, ...]:
    """Return all entries: one table file per task, as on the LIBSVM page."""
    tables = resources.files("banditcd.data").joinpath("sets")
    rows: list[Entry] = []
    for task in get_args(Task):
        text = tables.joinpath(f"{task}.toml").read_text(encoding="utf-8")
        rows += [_entry(task, row) for row in tomllib.loads(text)["set"]]
    return tuple(rows)


def find(name: str) -> Entry:
    """Return the entry of this name or alias; an unknown name is an error with the nearest one."""
    for entry in entries():
        if name in entry.names:
            return entry
    known = [known_name for entry in entries() for known_name in entry.names]
    raise unknown_name("data set", name, known)
