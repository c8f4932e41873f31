"""Single parameters: the values that pass, and a sentence for all others."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

#: What native code counts with.
LARGEST_COUNT = 2**63 - 1
#: How many penalties an automatic grid may have.
LARGEST_GRID = 10**6
ANYTHING_ELSE = object()


def check_flag(value: Any, name: str) -> bool:
    """Check a boolean."""
    if value is True or value is False or isinstance(value, np.bool_):
        return bool(value)
    raise ValueError(f"{name} is {value!r}; it must be True or False.")


def check_dual(value: Any) -> None:
    """Check the word of scikit-learn's support vector machines for the form to solve."""
    if not (isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and value == "auto")):
        raise ValueError(f"dual is {value!r}; it must be True, False or 'auto'.")


def check_verbosity(value: Any) -> None:
    """Check how much is told: a boolean or a number."""
    number = isinstance(value, (int, np.integer)) and value >= 0
    if not (number or isinstance(value, np.bool_)):
        raise ValueError(
            f"verbose is {shown(value)}; it must be True, False or an integer, at least 0."
        )


def check_count(value: Any, name: str, maximum: int = LARGEST_COUNT, minimum: int = 1) -> int:
    """Check an integer, by default a positive one."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= minimum:
        if value <= maximum:
            return int(value)
        raise ValueError(f"{name} is {shown(value)}; it must be at most {maximum}.")
    raise ValueError(f"{name} is {shown(value)}; it must be an integer, at least {minimum}.")


def check_real(value: Any, name: str, maximum: float = math.inf, positive: bool = False) -> float:
    """Check ``0 <= value <= maximum`` (``0 < value`` if positive) for a finite number."""
    if type(value) is float or (isinstance(value, Real) and not isinstance(value, bool)):
        try:
            number = float(value)
        except OverflowError:  # an integer beyond float64
            number = math.inf
        enough = number > 0.0 if positive else number >= 0.0
        if enough and number <= maximum and number != math.inf:
            return number
    low = "greater than 0" if positive else "at least 0"
    high = " and finite" if maximum == math.inf else f" and at most {maximum:g}"
    raise ValueError(f"{name} is {shown(value)}; it must be a number, {low}{high}.")


def check_jobs(value: Any, name: str) -> int | None:
    """Check a number of jobs as joblib counts them: negative ones count back from all cores."""
    if value is None:
        return None
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if whole and value != 0 and abs(int(value)) <= LARGEST_COUNT:
        return int(value)
    raise ValueError(
        f"{name} is {shown(value)}; it must be None or an integer: how many jobs run at a time, "
        "or -1 for one per core."
    )


def shown(value: Any) -> str:
    """Return a value for a message; an integer of hundreds of digits by its size."""
    if isinstance(value, int) and abs(value) >= 10**30:
        return f"about {'-' if value < 0 else ''}10**{int(math.log10(abs(value)))}"
    return repr(value)


class Rule(NamedTuple):
    """A parameter's rule: the usual values pass at once, all others go to ``check``.

    Usual are values of exactly the type ``kind`` from ``low`` to ``high``, and ``plain`` itself
    (None, or a word).
    """

    kind: type
    low: Any
    high: Any
    check: Callable[[Any, str], Any]
    plain: Any = ANYTHING_ELSE


FLAG = Rule(bool, False, True, check_flag)
COUNT = Rule(int, 1, LARGEST_COUNT, check_count)
COUNT_OR_ZERO = Rule(int, 0, LARGEST_COUNT, partial(check_count, minimum=0))
OPTIONAL_COUNT = Rule(int, 1, LARGEST_COUNT, check_count, plain=None)
NOT_NEGATIVE = Rule(float, 0.0, sys.float_info.max, check_real)
POSITIVE = Rule(float, math.ulp(0.0), sys.float_info.max, partial(check_real, positive=True))
SCALING = Rule(float, POSITIVE.low, POSITIVE.high, POSITIVE.check, plain=1)
SHARE = Rule(float, 0.0, 1.0, partial(check_real, maximum=1.0))
JOBS = Rule(int, 1, LARGEST_COUNT, check_jobs, plain=None)


def checked(estimator: Any, rules: Mapping[str, Rule]) -> list[Any]:
    """Return the values of an estimator's parameters, checked, in the order of the rules."""
    out = []
    for name, (kind, low, high, check, plain) in rules.items():
        value = getattr(estimator, name)
        if value is not plain and not (type(value) is kind and low <= value <= high):
            value = check(value, name)
        out.append(value)
    return out
