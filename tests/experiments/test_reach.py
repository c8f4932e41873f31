from collections.abc import Callable

import numpy as np
import pytest

from banditcd.experiments import RaceResult
from banditcd.experiments.reach import Reach, ratio, reach, targets_of

MakeUp = Callable[[dict[str, list[list[float]]]], RaceResult]

# Relative to P0 = 2: 0.5, 0.05, 0.005, 5e-5.
FAST = [1.0, 0.1, 0.01, 1e-4]
SLOW = [1.0, 0.9, 0.1, 0.01, 0.01]


def test_the_first_certified_record_counts(made_up: MakeUp) -> None:
    race = made_up({"fast": [FAST]})
    assert reach(race, "fast", 1e-2, "epoch") == Reach(2.0, 4.0)
    assert reach(race, "fast", 1e-2, "work") == Reach(4.0, 8.0)
    assert reach(race, "fast", 1e-4, "seconds") == Reach(4e-3, 4e-3)


@pytest.mark.parametrize(
    ("seeds", "median"),
    [
        ([FAST, FAST, SLOW], 2.0),
        ([FAST, SLOW, SLOW], 4.0),
        ([FAST, SLOW], 3.0),
        ([FAST, [1.0, 1.0], [1.0, 1.0]], np.inf),
        ([FAST, [1.0, 1.0]], np.inf),
    ],
)
def test_medians_count_a_miss_as_infinite(
    made_up: MakeUp, seeds: list[list[float]], median: float
) -> None:
    assert reach(made_up({"one": seeds}), "one", 1e-2, "epoch").spent == median


def test_ratios_say_better_or_worse_and_mark_bounds() -> None:
    quick, slow = Reach(2.0, 2.0), Reach(8.0, 8.0)
    missed = Reach(np.inf, 10.0)
    assert (ratio(quick, slow).value, ratio(quick, slow).bound) == (4.0, "")
    assert (ratio(slow, quick).value, ratio(slow, quick).bound) == (0.25, "")
    assert (ratio(quick, missed).value, ratio(quick, missed).bound) == (5.0, ">")
    assert (ratio(missed, quick).value, ratio(missed, quick).bound) == (0.2, "<")
    assert ratio(missed, missed).bound == "-"


def test_targets_end_at_the_tolerance(made_up: MakeUp) -> None:
    assert targets_of(made_up({"one": [FAST]})) == [1e-2, 1e-4]
