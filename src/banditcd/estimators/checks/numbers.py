"""Arrays that are no numbers, and numbers that are none of float64."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

#: Kinds of dates, of spans of time and of records, which some conversions take for numbers.
NO_NUMBERS = "mMV"


@contextmanager
def as_numbers(**arrays: Any) -> Iterator[None]:
    """Convert arrays inside: what cannot be a number of float64 is refused by name."""
    for name, values in arrays.items():
        kind = getattr(values, "dtype", None)
        if isinstance(kind, np.dtype) and kind.kind in NO_NUMBERS:
            raise ValueError(f"{name} has values of type {kind}; numbers are needed.")
    try:
        yield
    except OverflowError as error:  # an integer of Python's that no float64 holds
        raise ValueError(
            f"{' or '.join(arrays)} has an integer beyond float64 (above 1.8e308); rescale the "
            "data."
        ) from error
