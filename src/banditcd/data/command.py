"""The command `banditcd data list | fetch NAME | info NAME | path`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from banditcd.data import bundled, catalog, store, synthetic
from banditcd.data.download import Progress
from banditcd.data.loading import SYNTHETIC_PREFIX, load

Write = Callable[[str], Any]
_BAR_WIDTH = 30


def add_arguments(subparsers: Any) -> None:
    """Add `data` with its four actions to the subparsers of the main parser.

    The parsed namespace has `run`, a function of the namespace and a `write(text)` for whole
    lines; it returns the exit status.
    """
    parser = subparsers.add_parser(
        "data",
        help="list, fetch and describe data sets",
        description="The data sets banditcd knows by name, and where their files are.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser(
        "list", help="all sets, with task, shape and whether they are here"
    )
    listing.set_defaults(run=run_list)
    for action, run, text in (
        ("fetch", run_fetch, "download a set unless it is here, and check it"),
        ("info", run_info, "where a set comes from, its shape, and its file on this machine"),
    ):
        named = actions.add_parser(action, help=text)
        named.add_argument("name", help="a name of `banditcd data list`")
        named.set_defaults(run=run)
    path = actions.add_parser("path", help="the directories that are searched")
    path.set_defaults(run=run_path)


def run_list(arguments: argparse.Namespace, write: Write) -> int:
    """Print the catalog as a table."""
    del arguments
    rows = [("name", "task", "rows", "columns", "here", "remark")]
    for entry in catalog.entries():
        here = "yes" if store.locate(entry.name) else "-"
        also = f"also {', '.join(entry.aliases)}; " if entry.aliases else ""
        remark = (also + entry.remark).removesuffix("; ")
        shape = (f"{entry.rows:,}", f"{entry.columns:,}")
        rows.append((entry.name, entry.task, *shape, here, remark))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for name, task, count, columns, here, remark in rows:
        left = f"{name:<{widths[0]}}  {task:<{widths[1]}}  {count:>{widths[2]}}  "
        write(f"{left}{columns:>{widths[3]}}  {here:<{widths[4]}}  {remark}".rstrip())
    write("")
    write(f"With scikit-learn: {', '.join(bundled.NAMES)}.")
    write(f"Generated: {', '.join(SYNTHETIC_PREFIX + name for name in synthetic.NAMES)}.")
    return 0


def run_fetch(arguments: argparse.Namespace, write: Write) -> int:
    """Make sure that a set is on this machine, and parse it once."""
    entry = catalog.find(arguments.name)
    path = store.fetch(entry.name, progress=progress_display(entry.file))
    write(f"{path}: {store.known_copy(entry, path)}")
    dataset = load(entry.name)
    write(f"{dataset.rows:,} rows, {dataset.columns:,} columns, {dataset.nonzeros:,} nonzeros")
    return 0


def run_info(arguments: argparse.Namespace, write: Write) -> int:
    """Print what the catalog and this machine know about a set."""
    entry = catalog.find(arguments.name)
    facts = {
        "name": entry.name,
        "aliases": ", ".join(entry.aliases),
        "task": f"{entry.task}, {entry.classes} classes" if entry.classes else entry.task,
        "rows": f"{entry.rows:,}",
        "columns": f"{entry.columns:,}",
        "nonzeros": _nonzeros(entry),
        "test part": entry.test,
        "source": entry.page,
        "original": entry.url,
        "checksum": entry.checksum or "not known for the original file",
        "remark": entry.remark,
        "file": _file_remark(entry, store.locate(entry.name)),
    }
    for label, value in facts.items():
        if value:
            write(f"{label:<10} {value}")
    for copy in entry.copies:
        write(f"{'known copy':<10} {copy.file}, sha256 {copy.sha256}")
        if copy.remark:
            write(f"{'':<10} {copy.remark}")
    return 0


def run_path(arguments: argparse.Namespace, write: Write) -> int:
    """Print the directories in the order they are searched."""
    del arguments
    directory = store.data_directory()
    write(f"{store.DATA_VARIABLE:<14} {directory or 'not set'}")
    write(f"{store.CACHE_VARIABLE:<14} {store.cache_directory()}")
    return 0


def progress_display(label: str, stream: TextIO | None = None) -> Progress:
    """Return a progress function: a moving bar with the time left; silent if no terminal is there.

    The stream is standard error by default.
    """
    where = stream or sys.stderr
    last, began = -1, time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last
        step = 200 * done // total if total else done >> 22
        if step == last or not where.isatty():
            return
        last = step
        left = (time.monotonic() - began) * (total - done) / done if 0 < done < total else 0.0
        time_left = f", about {left:.0f} s left" if left >= 1.0 else ""
        text = f"{label} {progress_bar(done, total)}{time_left}"
        where.write(f"\r{text:<79}" + ("\n" if done == total else ""))
        where.flush()

    return show


def progress_bar(done: int, total: int) -> str:
    """Return a bar with the bytes so far and in all, or just the bytes if all is not known."""
    if not total:
        return f"{done / 1e6:.1f} MB"
    filled = _BAR_WIDTH * done // total
    bar = "#" * filled + "." * (_BAR_WIDTH - filled)
    return f"[{bar}] {done / 1e6:.1f} of {total / 1e6:.1f} MB"


def _nonzeros(entry: catalog.Entry) -> str:
    if not entry.nonzeros:
        return ""
    share = 100.0 * entry.nonzeros / (entry.rows * entry.columns)
    return f"{entry.nonzeros:,} ({share:.3g} %)"


def _file_remark(entry: catalog.Entry, path: Path | None) -> str:
    if path is None:
        return f"not on this machine; `banditcd data fetch {entry.name}` downloads it"
    return f"{path} ({store.known_copy(entry, path)})"
