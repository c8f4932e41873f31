"""Parts of a compressed matrix, so that what is made of them stays small beside it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

_ENTRIES = 1 << 16  # of a part, if no row or column has more


def runs(starts: npt.NDArray[np.integer], least: int = 0) -> Iterator[tuple[int, int]]:
    """Ranges of rows or columns that have some entries together; ``starts`` is their indptr.

    ``least`` is a number of entries below which a part does not pay.
    """
    first, most = 0, max(_ENTRIES, least)
    while first < len(starts) - 1:
        # Of the type of starts, which NumPy would copy into a wider one for each part.
        until = starts.dtype.type(min(int(starts[first]) + most, int(starts[-1])))
        last = max(first + 1, int(np.searchsorted(starts, until, "right")) - 1)
        yield first, last
        first = last
