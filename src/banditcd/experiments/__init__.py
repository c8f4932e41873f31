"""Experiments: selectors raced on one problem; rows are the result, all else is made from them."""

from banditcd.experiments.contest import Choices, Contest, make_contest
from banditcd.experiments.entrants import Entrant, parse_entrants, standard_entrants
from banditcd.experiments.race import Rules, Watcher, run_race
from banditcd.experiments.rows import RaceInfo, RaceResult, RaceRun, read_rows, write_rows
from banditcd.experiments.table import race_table, verdict

__all__ = [
    "Choices",
    "Contest",
    "Entrant",
    "RaceInfo",
    "RaceResult",
    "RaceRun",
    "Rules",
    "Watcher",
    "make_contest",
    "parse_entrants",
    "race_table",
    "read_rows",
    "run_race",
    "standard_entrants",
    "verdict",
    "write_rows",
]
