"""Progress of a race on a terminal: a live display with rich, plain lines without."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any, TextIO

import numpy as np

from banditcd.experiments.contest import Contest
from banditcd.experiments.entrants import Entrant
from banditcd.experiments.race import Rules, Watcher
from banditcd.experiments.rows import RaceRun


def watcher_for(stream: TextIO | None = None) -> Watcher:
    """Return the display that suits a stream (standard error by default).

    What is not a terminal sees nothing.
    """
    stream = stream or sys.stderr
    if not stream.isatty():
        return Watcher()
    return Lines(stream) if find_spec("rich") is None else Live(stream)


class Lines(Watcher):
    """One line per run."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def begin(self, contest: Contest, entrants: list[Entrant], rules: Rules) -> None:
        """Say what is raced."""
        self._width = max(len(entrant.label) for entrant in entrants)
        steps = ", ".join(contest.dataset.steps) or "as it is"
        self._say(f"{contest.title}: {len(entrants)} selectors, {rules.seeds} seeds, data: {steps}")

    def finish(self, run: RaceRun, relative_gap: float) -> None:
        """Say how a run ended."""
        row = run.trace.rows[-1]
        self._say(
            f"  {run.selector:<{self._width}}  seed {run.seed}  {run.status:<11}  "
            f"gap {relative_gap:.1e}  {row.epoch:8.4g} epochs  {row.seconds:8.3g} s"
        )

    def _say(self, text: str) -> None:
        print(text, file=self.stream, flush=True)


class Live(Watcher):
    """A bar per race, and the gap of the run that is under way."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress: Any = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("left {task.fields[doing]}"),
            console=Console(file=stream),
        )

    def begin(self, contest: Contest, entrants: list[Entrant], rules: Rules) -> None:
        """Show a new bar."""
        total = len(entrants) * rules.seeds
        self._tol = rules.tol
        self._progress.start()
        self._task = self._progress.add_task(contest.title, total=total, doing="")

    def look(self, entrant: Entrant, seed: int, relative_gap: float) -> None:
        """Show the gap, and how far it has come on a logarithmic scale."""
        doing = (
            f"{entrant.label}, seed {seed}: {_meter(relative_gap, self._tol)} {relative_gap:.0e}"
        )
        self._progress.update(self._task, doing=doing)

    def finish(self, run: RaceRun, relative_gap: float) -> None:
        """Advance the bar."""
        self._progress.advance(self._task)

    def end(self) -> None:
        """Leave the bar on the screen."""
        self._progress.update(self._task, doing="")
        self._progress.stop()


def _meter(gap: float, tol: float, width: int = 10) -> str:
    if not (np.isfinite(gap) and gap > 0.0):
        return "·" * width
    share = np.clip(np.log10(gap) / np.log10(tol), 0.0, 1.0) if tol < 1.0 else 1.0
    full = round(float(share) * width)
    return "━" * full + "·" * (width - full)
