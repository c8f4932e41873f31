"""Parts of the rows, such as the training rows of a fold, as weights that need no copy of X."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditcd._typing import Floats


@dataclass(frozen=True, slots=True)
class RowShare:
    """How often every row counts.

    Rows without a gap, and all rows but these, are two numbers, which is all that travels to the
    workers of a cluster; anything else is one count per row.

    Attributes
    ----------
    first, last : int
        The rows of a span.
    inside : bool
        Whether the rows of the span count, or all others.
    counts : ndarray of shape (n,) or None
        Without a span: how often each row counts.
    """

    first: int = 0
    last: int = 0
    inside: bool = True
    counts: NDArray[Any] | None = None

    def part(self, begin: int, end: int) -> RowShare:
        """Return the share of rows ``begin`` to ``end``, numbered from 0."""
        if self.counts is not None:
            return RowShare(counts=self.counts[begin:end])
        first, last = (min(max(k, begin), end) - begin for k in (self.first, self.last))
        return RowShare(first, last, self.inside)

    def weights(self, rows: int) -> Floats:
        """Return the counts of all rows as numbers."""
        if self.counts is not None:
            return self.counts.astype(np.float64)
        out: Floats = np.full(rows, 0.0 if self.inside else 1.0)
        out[self.first : self.last] = 1.0 if self.inside else 0.0
        return out


def share_of(chosen: NDArray[np.intp], rows: int) -> RowShare:
    """Return the share of rows given by their numbers, which may repeat, in any order."""
    counts = np.bincount(chosen, minlength=rows)
    edges = np.flatnonzero(np.diff(counts)) + 1
    if counts.max(initial=0) <= 1 and len(edges) <= 2:
        starts_inside = bool(counts[0])
        first, last = [*edges.tolist(), rows, rows][:2]
        if len(edges) == 1 and starts_inside:
            return RowShare(0, first)
        return RowShare(first, last, not starts_inside)
    return RowShare(counts=counts.astype(np.min_scalar_type(int(counts.max()))))
