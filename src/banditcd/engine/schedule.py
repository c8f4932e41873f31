"""Times of certificates: they cost passes over A, so they are tied to coordinates touched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

GROWTH = 1.2  # without a trace, looks are at most 20 % late and cost a logarithmic number of passes
NEVER = 1 << 62

Steps = Sequence[int] | npt.NDArray[np.integer]


class Schedule:
    """Decides at which steps a run is certified (and recorded, if a trace is kept).

    Parameters
    ----------
    trace : {"epoch", "step"}, int, array of int or None
        Every d steps, every step, at multiples of a number of steps, or at the listed steps (and at
        the start and the end); None: after every epoch at first, then at intervals that grow with
        the run.
    d : int
        Coordinates.
    """

    def __init__(self, trace: str | int | Steps | None, d: int) -> None:
        self.records = trace is not None
        self._growing = trace is None
        listed = isinstance(trace, (Sequence, np.ndarray)) and not isinstance(trace, str)
        self._listed = _listed(trace) if listed else None
        self._every = 1 if self._listed is not None else _interval(trace, d)
        self.next = 0

    def due(self, step: int) -> bool:
        """Whether to look now; if so, set the next time."""
        if step < self.next:
            return False
        if self._listed is not None:
            ahead = int(np.searchsorted(self._listed, step, side="right"))
            self.next = int(self._listed[ahead]) if ahead < len(self._listed) else NEVER
            return True
        later = int(step * GROWTH) if self._growing else 0
        self.next = max(step + self._every, later)
        return True


def _listed(trace: object) -> npt.NDArray[np.int64]:
    steps = np.asarray(trace)
    whole = steps.ndim == 1 and steps.dtype.kind in "iu"
    steps = steps.astype(np.int64) if whole else steps  # unsigned differences would wrap around
    if not whole or np.any(np.diff(steps) <= 0):
        raise ValueError("trace must list whole numbers of steps in ascending order.")
    return steps


def _interval(trace: object, d: int) -> int:
    if trace is None or trace == "epoch":
        return d
    if trace == "step":
        return 1
    if isinstance(trace, (int, np.integer)) and not isinstance(trace, bool) and trace >= 1:
        return int(trace)
    raise ValueError(
        f"trace is {trace!r}; use 'epoch', 'step', a number of steps >= 1, "
        "an ascending array of steps, or None."
    )
