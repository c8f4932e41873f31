"""The first problems of ``make verify``: no false certificate, no fit that hangs."""

from __future__ import annotations

import signal

import pytest

from benchmarks.verify import run, summary

COUNT, PARTS = 500, 5


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of processor time")
@pytest.mark.parametrize("part", range(PARTS))
def test_no_certificate_of_random_fits_is_false(part: int) -> None:
    size = COUNT // PARTS
    table, lines = run(0, range(part * size, (part + 1) * size))
    assert not lines, "\n".join([*lines, summary(table)])
    decided = sum(counts["confirmed"] + counts["at target"] for counts in table.values())
    assert decided >= 0.8 * size, summary(table)


#: Problems of seed 0 that once went wrong, and how.
MENDED = {
    26574: "a gap that underflowed to zero",
    16645: "curvatures of the judge that cancelled where one class is certain",
    72293: "the same",
    34209: "penalties of standardized columns beyond float64, in the judge",
    49505: "the same",
    51425: "the same",
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of processor time")
@pytest.mark.parametrize("index", MENDED)
def test_problems_that_once_went_wrong_are_confirmed(index: int) -> None:
    (counts,) = run(0, [index])[0].values()
    assert counts["confirmed"] == 1, counts


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers of processor time")
@pytest.mark.parametrize("index", [3553, 17935])
def test_problems_that_once_took_long_do_not_hang(index: int) -> None:
    """A selector on sparse data that runs to its limit, and nearly no L1 penalty on classes."""
    (counts,) = run(0, [index])[0].values()
    assert not counts["hang"], counts
