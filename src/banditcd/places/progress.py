"""Lines that say how far a fit of data that live elsewhere has come."""

from __future__ import annotations

import math
import sys
import time
from typing import TextIO

from banditcd.places.place import Place


class Progress:
    """Writes a line after every bin: rounds, gap, and an estimate of the time that is left.

    The estimate takes the gap to go on falling by the factor per bin that it fell by on average.
    """

    def __init__(self, place: Place, stream: TextIO | None = None) -> None:
        self._place, self._stream = place, stream
        self._started, self._first = time.perf_counter(), math.inf

    def __call__(self, n_iter: int, gap: float, target: float) -> None:
        """Tell the gap after a number of bins, and the one that is wanted."""
        spent = time.perf_counter() - self._started
        if n_iter == 0 or not math.isfinite(self._first):
            self._first = gap
        traffic = self._place.traffic
        words = [
            f"bin {n_iter}",
            f"round {traffic.rounds}",
            f"gap {gap:.2e} of {target:.2e}",
            f"{spent:.1f} s",
        ]
        left = bins_left(self._first, gap, target, n_iter)
        if gap <= target:
            words.append("done")
        elif math.isfinite(left):
            words.append(f"about {left * spent / n_iter:.1f} s left")
        stream = self._stream or sys.stderr
        stream.write(f"banditcd: {', '.join(words)}\n")
        stream.flush()


def bins_left(first: float, gap: float, target: float, n_iter: int) -> float:
    """Return how many more bins the gap needs if it falls as it did; inf if that is unknown."""
    if n_iter == 0 or not 0.0 < target < gap < first < math.inf:
        return math.inf
    return n_iter * math.log(gap / target) / math.log(first / gap)
