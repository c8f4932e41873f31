"""Progress of long paths and cross-validations: a bar if asked for, or a listener's own display."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from banditcd._typing import Floats

Item = TypeVar("Item")

#: Hears how many parts are done, and of how many.
Listener = Callable[[int, int], object]
_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener hear of the outermost loop over models or folds, in the place of a bar."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def followed_path(grid: Floats, verbose: Any) -> Iterable[float]:
    """Return the penalties of a path: one by one, and shown, if anybody wants to know how far.

    An array, as it is returned otherwise, may be solved in one native loop.
    """
    if not verbose and _LISTENER.get() is None:
        return grid
    return tracked(grid, len(grid), "Path", verbose)


def tracked(items: Iterable[Item], total: int, label: str, verbose: Any) -> Iterator[Item]:
    """Yield the items, showing how many are done if ``verbose`` or if somebody listens.

    On standard error: a rich bar with the time that is left where rich is installed
    (``pip install banditcd[progress]``), else lines of text.
    """
    listener = _LISTENER.get()
    if listener is not None:
        yield from _heard(items, total, listener)
        return
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


def _heard(items: Iterable[Item], total: int, listener: Listener) -> Iterator[Item]:
    """Yield the items; loops within the making of an item are not heard."""
    remaining, done = iter(items), 0
    while True:
        token = _LISTENER.set(None)
        try:
            item = next(remaining)
        except StopIteration:
            return
        finally:
            _LISTENER.reset(token)
        yield item
        done += 1
        listener(done, total)


def _lines(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    for done, item in enumerate(items, start=1):
        yield item
        sys.stderr.write(f"{label}: {done} of {total}\n")
