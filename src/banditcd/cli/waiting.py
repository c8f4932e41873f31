"""A sign of life while native code works."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TextIO

PERIOD = 0.5


@contextmanager
def waiting(label: str, quiet: bool = False, stream: TextIO | None = None) -> Iterator[None]:
    """Show on a terminal how long something has taken; elsewhere write one line, at the start."""
    stream = stream or sys.stderr
    if quiet:
        yield
        return
    if not stream.isatty():
        stream.write(f"{label} ...\n")
        stream.flush()
        yield
        return
    done, began = Event(), time.perf_counter()
    clock = Thread(target=_tick, args=(label, stream, done, began), daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()
        stream.write("\r" + " " * (len(label) + 16) + "\r")
        stream.flush()


def _tick(label: str, stream: TextIO, done: Event, began: float) -> None:
    while not done.wait(PERIOD):
        stream.write(f"\r{label} ... {time.perf_counter() - began:.0f} s ")
        stream.flush()
