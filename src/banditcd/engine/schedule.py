"""When to look: certificates cost passes over A, so they are tied to coordinates touched."""

from __future__ import annotations

import numpy as np

GROWTH = 1.2  # without a trace, looks are at most 20 % late and cost a logarithmic number of passes


class Schedule:
    """Decides at which steps a run is certified (and recorded, if a trace is kept).

    Parameters
    ----------
    trace : {"epoch", "step"}, int or None
        Every d steps, every step, every so many steps; None: after every epoch at first, then at
        intervals that grow with the run.
    d : int
        Coordinates.
    """

    def __init__(self, trace: str | int | None, d: int) -> None:
        self.records = trace is not None
        self._growing = trace is None
        self._every = _interval(trace, d)
        self.next = 0

    def due(self, step: int) -> bool:
        """Whether to look now; if so, set the next time."""
        if step < self.next:
            return False
        later = int(step * GROWTH) if self._growing else 0
        self.next = max(step + self._every, later)
        return True


def _interval(trace: str | int | None, d: int) -> int:
    if trace is None or trace == "epoch":
        return d
    if trace == "step":
        return 1
    if isinstance(trace, (int, np.integer)) and not isinstance(trace, bool) and trace >= 1:
        return int(trace)
    raise ValueError(f"trace is {trace!r}; use 'epoch', 'step', a number of steps >= 1, or None.")
