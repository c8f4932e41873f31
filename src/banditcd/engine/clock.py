"""The clock by which a run's own time is counted: the wall, or the CPU time of its thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_clock: ContextVar[Callable[[], float]] = ContextVar("clock", default=time.perf_counter)


def now() -> float:
    """Return the seconds of the clock in use; only differences mean anything."""
    return _clock.get()()


@contextmanager
def cpu_time() -> Iterator[None]:
    """Count the seconds of runs in CPU time of this thread, which other processes disturb less."""
    token = _clock.set(time.thread_time)
    try:
        yield
    finally:
        _clock.reset(token)
