from collections.abc import Callable

import pytest

from banditcd.experiments import RaceResult, race_table, verdict
from banditcd.experiments.table import blocks_of, standings

MakeUp = Callable[[dict[str, list[list[float]]]], RaceResult]

FAST = [1.0, 0.1, 0.01, 1e-4]
SLOW = [1.0, 0.9, 0.1, 0.01, 1e-4]


@pytest.mark.parametrize("width", [70, 110, 300])
def test_a_table_fits_its_width_and_names_everybody(race: RaceResult, width: int) -> None:
    lines = race_table(race, width).splitlines()
    assert all(len(line) <= width for line in lines[2:])
    for name in race.selectors:
        assert sum(line.split()[:1] == [name] for line in lines) >= 1


def test_the_best_of_a_column_is_starred(made_up: MakeUp) -> None:
    epochs = blocks_of(made_up({"uniform": [SLOW], "shuffled": [FAST]}))[0]
    assert epochs.cells == [["4 ", "8 "], ["2*", "4*"]]


def test_losses_are_shown(made_up: MakeUp) -> None:
    race = made_up({"uniform": [FAST], "shuffled": [FAST], "b_max_r": [SLOW]})
    assert standings([race])[1][2:] == ["0.5", "0.5", "0.5", "0.5", "uniform"]
    assert "0.5" in verdict([race])


def test_a_missed_target_is_a_dash_and_a_bound(made_up: MakeUp) -> None:
    race = made_up({"uniform": [FAST], "shuffled": [FAST], "b_max_r": [[1.0, 0.9, 0.8]]})
    blocks = blocks_of(race)
    assert blocks[0].cells[2] == ["- ", "- "]
    assert blocks[3].heading == "work vs uniform"
    assert blocks[3].cells[2] == ["<1", "<2"]


def test_the_verdict_is_given_where_a_yardstick_arrived(made_up: MakeUp) -> None:
    half = [1.0, 0.1, 0.01, 0.005, 0.005]
    race = made_up({"uniform": [half], "shuffled": [half], "b_max_r": [FAST]})
    assert standings([race])[1][1:3] == ["1e-2", "1"]
    race = made_up({"uniform": [half], "shuffled": [FAST], "b_max_r": [half]})
    assert standings([race])[1][1] == "1e-4"
    assert standings([race])[1][3] == "<0.5"


def test_no_verdict_on_someone_absent(made_up: MakeUp) -> None:
    assert verdict([made_up({"uniform": [FAST]})]) == ""
