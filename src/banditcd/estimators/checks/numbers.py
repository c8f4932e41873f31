"""Arrays that are no numbers, and numbers that are none of float64."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numpy as np

from banditcd._typing import Floats

Function = TypeVar("Function", bound=Callable[..., Any])

#: Kinds of dates, of spans of time and of records, which some conversions take for numbers.
NO_NUMBERS = "mMV"


@contextmanager
def as_numbers(**arrays: Any) -> Iterator[None]:
    """Convert arrays inside: what cannot be a number of float64 is refused by name."""
    for name, values in arrays.items():
        for kind in _kinds(values):
            if getattr(kind, "kind", "") in tuple(NO_NUMBERS):
                raise ValueError(f"{name} has values of type {kind}; numbers are needed.")
    try:
        yield
    except OverflowError as error:  # an integer of Python's that no float64 holds
        raise ValueError(
            f"{' or '.join(arrays)} has an integer beyond float64 (above 1.8e308); rescale the "
            "data."
        ) from error


def _kinds(values: Any) -> Iterable[Any]:
    """Return the types of an array's values, or of the columns of a data frame."""
    if hasattr(values, "dtypes"):
        return set(np.atleast_1d(np.asarray(values.dtypes, dtype=object)))
    return (getattr(values, "dtype", None),)


def check_start(coef: Any, name: str = "warm_start=True, but coef_") -> Floats:
    """Return coefficients to start at, as float64; they must be finite."""
    try:
        start = np.asarray(coef, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from None
    if not np.isfinite(start).all():
        raise ValueError(f"{name} has NaN or infinite values; no fit can start there.")
    return start


def overflow_sentence(error: OverflowError) -> str:
    """Return what an overflow says: the words of a solver, or ours for Python's own."""
    text = str(error)
    if "too large" in text:  # "int too large to convert to float"
        return "A parameter has an integer beyond float64 (above 1.8e308); use a smaller number."
    return text


def overflow_is_refused(function: Function) -> Function:
    """Let a path function raise ValueError, as fits do, where a solver meets squares that vanish.

    Or that overflow: solvers raise OverflowError, whose sentence says what to do.
    """

    @functools.wraps(function)
    def called(*args: Any, **params: Any) -> Any:
        try:
            return function(*args, **params)
        except OverflowError as error:
            raise ValueError(overflow_sentence(error)) from error

    return cast("Function", called)
