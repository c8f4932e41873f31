"""The first problems of ``make verify``: no false certificate, no fit that hangs."""

from __future__ import annotations

import pytest

from benchmarks.verify import run, summary

COUNT = 200


@pytest.mark.parametrize("part", range(4))
def test_no_certificate_of_random_fits_is_false(part: int) -> None:
    size = COUNT // 4
    table = run(0, range(part * size, (part + 1) * size))
    bad = sum(counts["FALSE"] + counts["hang"] for counts in table.values())
    assert bad == 0, summary(table)
    decided = sum(counts["confirmed"] + counts["at target"] for counts in table.values())
    assert decided >= 0.8 * size, summary(table)
