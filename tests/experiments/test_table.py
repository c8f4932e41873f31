from collections.abc import Callable
from dataclasses import replace

import pytest

from banditcd.experiments import RaceResult, race_table, verdict
from banditcd.experiments.rows import PYTHON_RULE
from banditcd.experiments.table import blocks_of, default_selector, standings

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
    line = standings([_asking(race, "b_max_r")])[1]
    assert line[1:] == ["b_max_r", "1e-4", "0.5", "0.5", "0.5", "0.5", "uniform", "uniform"]
    assert "0.5" in verdict([_asking(race, "b_max_r")])


def _asking(race: RaceResult, names: str) -> RaceResult:
    return RaceResult(replace(race.info, asked=names), race.runs)


def test_the_summary_is_about_the_rules_that_were_asked_for(made_up: MakeUp) -> None:
    race = made_up({"uniform": [SLOW], "shuffled": [SLOW], "acf": [FAST], "mine": [SLOW]})
    asked = standings([_asking(race, "uniform; mine; acf; absent")])
    assert [line[1] for line in asked[1:]] == ["mine", "acf"]
    assert standings([race]) == []  # nobody was named, and the default rule did not run
    usual = made_up({"uniform": [SLOW], "shuffled": [SLOW], default_selector(): [FAST]})
    assert [line[1] for line in standings([usual])[1:]] == [default_selector()]


def test_seconds_of_a_rule_in_python_are_marked(made_up: MakeUp) -> None:
    race = made_up({"uniform": [SLOW], "shuffled": [SLOW], "mine": [FAST]})
    runs = [replace(r, engine=PYTHON_RULE) if r.selector == "mine" else r for r in race.runs]
    marked = RaceResult(replace(race.info, asked="mine"), runs)
    line = standings([marked])[1]
    assert line[3:] == ["2", "2", "2†", "2†", "mine", "mine†"]
    epochs, work, seconds, *ratios = blocks_of(marked)
    assert "†" not in "".join(map("".join, [*epochs.cells, *work.cells]))
    assert all("†" in cell for cell in seconds.cells[2])
    assert ["†" in block.cells[2][0] for block in ratios] == [False, False, True, True]
    assert "NumPy" not in race_table(marked)
    slow = RaceResult(race.info, [replace(r, engine="reference") for r in race.runs])
    assert "the times are those of NumPy" in race_table(slow)


def test_a_missed_target_is_a_dash_and_a_bound(made_up: MakeUp) -> None:
    race = made_up({"uniform": [FAST], "shuffled": [FAST], "b_max_r": [[1.0, 0.9, 0.8]]})
    blocks = blocks_of(race)
    assert blocks[0].cells[2] == ["- ", "- "]
    assert blocks[3].heading == "work vs uniform"
    assert blocks[3].cells[2] == ["<1", "<2"]


def test_a_race_without_a_finisher_says_how_to_get_one(made_up: MakeUp) -> None:
    stuck = [1.0, 0.9, 0.8]
    race = made_up({"uniform": [stuck], "shuffled": [stuck], "b_max_r": [stuck]})
    last = verdict([_asking(race, "b_max_r")]).splitlines()[-1]
    assert last.startswith(f"{race.info.title}: no rule reached a gap of 1e-2. Give the runs more")
    race = made_up({"uniform": [stuck], "shuffled": [FAST], "b_max_r": [stuck]})
    assert "no rule reached" not in verdict([_asking(race, "b_max_r")])


def test_the_verdict_is_given_where_a_yardstick_arrived(made_up: MakeUp) -> None:
    half = [1.0, 0.1, 0.01, 0.005, 0.005]
    race = made_up({"uniform": [half], "shuffled": [half], "b_max_r": [FAST]})
    assert standings([_asking(race, "b_max_r")])[1][2:4] == ["1e-2", "1"]
    race = made_up({"uniform": [half], "shuffled": [FAST], "b_max_r": [half]})
    line = standings([_asking(race, "b_max_r")])[1]
    assert line[2] == "1e-4"
    assert line[4] == "<0.5"


def test_no_verdict_on_someone_absent(made_up: MakeUp) -> None:
    assert verdict([_asking(made_up({"uniform": [FAST]}), "b_max_r")]) == ""
