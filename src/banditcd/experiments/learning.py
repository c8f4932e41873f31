"""Records of rules that learn: the picks and gains of one run each, cut into frames, as rows."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from banditcd.data.files import replacing
from banditcd.engine import minimize
from banditcd.experiments.contest import Contest
from banditcd.experiments.entrants import Entrant
from banditcd.experiments.race import Rules
from banditcd.experiments.rows import RaceResult
from banditcd.experiments.table import judged
from banditcd.results import Frames
from banditcd.selectors import Watched

LEARNING = "learning.csv"
EPOCHS, SECONDS = 60.0, 1.0  # of a watched run
BESIDE = "shuffled"  # what learning looks like where there is none
MOST = 3  # rules that are shown, besides that one


@dataclass(frozen=True)
class Film:
    """The frames of one rule on one race; ``coordinates`` is the number to choose from."""

    data: str
    cost: str
    selector: str
    coordinates: int
    frames: Frames


def watch(contest: Contest, entrants: list[Entrant], race: RaceResult, rules: Rules) -> list[Film]:
    """Run the judged rules once more, with every pick written down; not part of the race."""
    names = [*judged(race)[:MOST], BESIDE]
    able = [e for e in entrants if e.label in names and not e.is_accelerated]
    films = []
    for entrant in sorted(able, key=lambda e: names.index(e.label)):
        result = minimize(
            contest.problem,
            Watched(entrant.make()),
            rules.update,
            tol=rules.tol,
            max_epochs=min(rules.epochs, EPOCHS),
            max_seconds=SECONDS,
            random_state=rules.first_seed,
            trace=None,
            engine=rules.engine,
        )
        if result.picks is not None and len(result.picks):
            info, frames = race.info, result.picks.frames()
            films.append(Film(info.data, info.cost, entrant.label, result.picks.d, frames))
    return films


_COLUMNS = (
    "data", "cost", "selector", "coordinates", "first_epoch", "last_epoch", "pool",
    "row", "coordinate", "rate", "gain",
)  # fmt: skip


def write_films(films: list[Film], directory: Path) -> None:
    """Write ``learning.csv``: a line per frame and row; coordinate -1 stands for all others."""
    with replacing(directory / LEARNING) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for film in films:
            f = film.frames
            names = [*f.groups.tolist(), *([-1] if f.others else [])]
            for t, (first, last) in enumerate(zip(f.epoch, f.epoch[1:], strict=False)):
                head = [film.data, film.cost, film.selector, film.coordinates]
                head += [f"{first:.6g}", f"{last:.6g}", f.pool[t]]
                writer.writerows(
                    [*head, row, name, f"{f.rate[t, row]:.4g}", f"{f.gain[t, row]:.4g}"]
                    for row, name in enumerate(names)
                )


def read_films(directory: Path) -> list[Film]:
    """Read what :func:`write_films` wrote; nothing if there is no such file."""
    path = directory / LEARNING
    if not path.is_file():
        return []
    lines: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            lines.setdefault((line["data"], line["cost"], line["selector"]), []).append(line)
    return [_film(key, found) for key, found in lines.items()]


def _film(key: tuple[str, str, str], lines: list[dict[str, Any]]) -> Film:
    rows = 1 + max(int(line["row"]) for line in lines)
    first = lines[::rows]
    names = [int(line["coordinate"]) for line in lines[:rows]]
    coordinates = int(lines[0]["coordinates"])
    own = np.array([name for name in names if name >= 0], dtype=np.intp)
    shape = (len(first), rows)
    frames = Frames(
        epoch=np.array([float(f["first_epoch"]) for f in first] + [float(lines[-1]["last_epoch"])]),
        groups=own,
        others=coordinates - len(own) if -1 in names else 0,
        rate=np.array([float(line["rate"]) for line in lines]).reshape(shape),
        gain=np.array([float(line["gain"]) for line in lines]).reshape(shape),
        pool=np.array([int(f["pool"]) for f in first]),
    )
    return Film(*key, coordinates, frames)
