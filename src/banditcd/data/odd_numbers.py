"""Columns that are numbers for a person: with a sign, with a word here and there, or very long."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from banditcd._typing import Floats
from banditcd.data.frames import Column

_DIGITS = r"(\d{1,3}([,' ]\d{3})+|\d+)(\.\d+)?"
_SIGNED = re.compile(rf"[-+(]?\s*[$€£¥]?\s*[-+]?{_DIGITS}\s*[%$€£¥)]?")


def refuse_odd_numbers(label: str, name: str, text: Column) -> None:
    """Refuse to make categories of a column that is meant as numbers.

    Parameters
    ----------
    label, name : str
        What messages call the column, and what options call it.
    text : ndarray of str
        Its words, "" for what is missing.
    """
    counts = Counter(word for word in text if word)
    others = Counter({word: count for word, count in counts.items() if not _is_number(word)})
    total, odd = sum(counts.values()), sum(others.values())
    if not odd:
        return
    example, times = others.most_common(1)[0]
    way_out = f"--categories {name} makes columns of zeros and ones of it, --drop {name} leaves it"
    if all(_SIGNED.fullmatch(word) for word in others):
        raise ValueError(
            f"{label} holds numbers with signs, such as {example!r}; write them as plain numbers. "
            f"{way_out} out."
        )
    if 2 * odd < total:
        raise ValueError(
            f"{label} holds {total - odd:,} numbers and {odd:,} other words, such as {example!r} "
            f"({times:,} times); if they stand for missing values, write NA there. {way_out} out."
        )


def has_rounded(values: Floats | None) -> bool:
    """Whether a column holds whole numbers only, and one from 2^53 on: float64 skips some there.

    Measurements of that size have an exponent and are seldom all whole numbers below 2^64.
    """
    if values is None:
        return False
    sizes = np.abs(values[~np.isnan(values)])
    if not sizes.size or not 2.0**53 <= sizes.max() < 2.0**64:
        return False
    return bool(np.all(sizes == np.round(sizes)))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
