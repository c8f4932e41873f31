"""A progress bar for long paths and cross-validations, only when asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")


def tracked(items: Iterable[Item], total: int, label: str, verbose: Any) -> Iterator[Item]:
    """Yield the items, showing how many are done if ``verbose``.

    On standard error: a rich bar with the time that is left where rich is installed
    (``pip install banditcd[progress]``), else lines of text.
    """
    if not verbose:
        yield from items
        return
    try:
        from rich.console import Console
        from rich.progress import track
    except ImportError:
        yield from _lines(items, total, label)
        return
    console = Console(stderr=True)
    yield from track(items, description=label, total=total, console=console)


def _lines(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    for done, item in enumerate(items, start=1):
        yield item
        sys.stderr.write(f"{label}: {done} of {total}\n")
