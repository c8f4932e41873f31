"""Numbers are rounded to the same bits as Python's float."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditcd._core import parse_decimal

DIGITS = "0123456789"


def same_bits(a: float, b: float) -> bool:
    return struct.pack("d", a) == struct.pack("d", b)


@settings(max_examples=600, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["r", ".17e", ".25e", ""]))
def test_any_double_written_in_several_ways(x, style):
    text = repr(x) if style == "r" else format(x, style)
    assert same_bits(parse_decimal(text), float(text))


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from(["", "+", "-"]),
    st.text(DIGITS, max_size=25),
    st.text(DIGITS, max_size=25),
    st.integers(-60, 60),
)
def test_any_decimal_of_moderate_size(sign, whole, fraction, exponent):
    if not whole and not fraction:
        whole = "0"
    text = f"{sign}{whole}.{fraction}e{exponent}"
    assert same_bits(parse_decimal(text), float(text))


@settings(max_examples=400, deadline=None)
@given(st.integers(2**53, 2**64 - 1), st.integers(-27, 27))
def test_sixty_four_bit_integers_times_powers_of_ten(digits, exponent):
    text = f"{digits}e{exponent}"
    assert same_bits(parse_decimal(text), float(text))


def test_halfway_cases_round_to_even():
    rng = np.random.default_rng(0)
    for mantissa in rng.integers(2**52, 2**53, 300).tolist():
        halfway = 2 * mantissa + 1  # exactly between two doubles of 53 bits, times 2
        for text in (f"{halfway}", f"{halfway}.0", f"{halfway}.00000000000000000000001"):
            assert same_bits(parse_decimal(text), float(text))


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-0",
        "0.0e5",
        "0e999999999999999999999",
        "1.",
        ".5",
        "5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "-1e-400",
        "1.7976931348623158e308",
        "9007199254740993",
        "00000000000000000000000000000001.5",
        "0." + "0" * 400 + "1e401",
        "1" + "0" * 400 + "e-400",
        "1" * 800 + "e-790",
        "123456789012345678901234567890e-30",
        "1E5",
        "1e+5",
    ],
)
def test_edges(text):
    assert same_bits(parse_decimal(text), float(text))


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "--1", "0x10", "1_0", "1 ", " 1"),
        *("inf", "nan", "1e400", "-1e400", "1.7976931348623159e308", "9" * 400),
    ],
)
def test_what_is_not_a_finite_number_is_refused(text):
    with pytest.raises(ValueError, match="not a decimal number"):
        parse_decimal(text)
