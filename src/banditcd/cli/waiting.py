"""Signs of life on a terminal: what is done, how long it took, how long it will take."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TextIO

from banditcd.cli.errors import UserError

AFTER, PERIOD = 2.0, 0.5
"""Seconds before the first sign, and between two of them."""


@contextmanager
def waiting(label: str, quiet: bool = False, stream: TextIO | None = None) -> Iterator[None]:
    """Show on a terminal how far something is that takes longer than two seconds.

    Where its parts are known (models of a path, folds), so is the time that is left. A single fit
    is one call of a native solver, whose gap is known when it ends: it shows the time spent. To be
    looked at, it would have to be cut into short runs, as for callbacks, which end at other digits;
    a terminal must not change the answer. What is not a terminal sees nothing.
    """
    stream = stream or sys.stderr
    if quiet or not stream.isatty():
        yield
        return
    from banditcd.estimators.backends.progress import listening

    clock = _Clock(label, stream)
    clock.start()
    try:
        with listening(clock.hear):
            yield
    finally:
        clock.stop()


@dataclass
class Heard:
    """Warnings of an estimator: that a target was missed, and all others; each once."""

    missed: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


@contextmanager
def working(label: str, quiet: bool) -> Iterator[Heard]:
    """Let an estimator work: warnings are heard, and what it refuses is a mistake of the user."""
    from sklearn.exceptions import ConvergenceWarning

    heard = Heard()
    with warnings.catch_warnings(record=True) as caught, waiting(label, quiet):
        warnings.simplefilter("always")
        try:
            yield heard
        except (ValueError, TypeError) as error:
            raise UserError(str(error)) from error
    for text, kind in dict.fromkeys((str(w.message), w.category) for w in caught):
        (heard.missed if issubclass(kind, ConvergenceWarning) else heard.others).append(text)


class _Clock:
    """A thread that writes one line again and again, and wipes it at the end."""

    def __init__(self, label: str, stream: TextIO) -> None:
        self._label, self._stream = label, stream
        self._began, self._width = time.perf_counter(), 0
        self._done = self._total = 0
        self._over = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Start to tick."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and leave the line empty."""
        self._over.set()
        self._thread.join()
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()

    def hear(self, done: int, total: int) -> None:
        """Remember how many parts are done."""
        self._done, self._total = done, total

    def _run(self) -> None:
        if self._over.wait(AFTER):
            return
        while True:
            text = self._text(time.perf_counter() - self._began)
            self._width = max(self._width, len(text))
            self._stream.write(f"\r{text:<{self._width}}")
            self._stream.flush()
            if self._over.wait(PERIOD):
                return

    def _text(self, spent: float) -> str:
        words = [f"{self._label} ... {duration(spent)}"]
        if self._total:
            words.append(f"{self._done} of {self._total}")
        if 0 < self._done < self._total:
            left = spent * (self._total - self._done) / self._done
            words.append(f"about {duration(left)} left")
        return ", ".join(words)


def duration(seconds: float) -> str:
    """Return a time in words: seconds, minutes from 90 of them on."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min"
