"""When adaptive selection beats shuffled passes, with the same kernels, on every cost but one.

Run: python -m benchmarks.adaptive [--quick]. Races the rules below on L1-logistic regression, the
SVM duals, the L2-logistic dual and the ridge dual, in CPU time, and writes the rows to
benchmarks/results/adaptive/ and the table to docs/adaptive.md. A run that was interrupted goes on
where it stopped; ``--fresh`` begins again; ``--draw`` only makes the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from banditcd.data import load
from banditcd.engine.clock import cpu_time
from banditcd.experiments.contest import Choices, Contest, make_contest
from banditcd.experiments.entrants import Entrant, parse_entrant
from banditcd.experiments.race import Rules, run_race, why_not
from banditcd.experiments.reach import Reach, ratio, reach
from banditcd.experiments.rows import RaceResult, RaceRun, read_rows, write_rows, write_text
from banditcd.results import Trace

ROOT = Path(__file__).parents[1]
ROWS = ROOT / "benchmarks" / "results" / "adaptive"
PAGE = ROOT / "docs" / "adaptive.md"
YARDSTICK = "shuffled"
RULES = ("b_max_r", "sqrt_r", "acf", "calendar", "gap_per_epoch", "max_r")
DUALS = ("HingeDual", "SquaredHingeDual", "LogisticDual", "RidgeDual")
SETS = ("mushrooms", "leu", "colon-cancer", "phishing", "madelon", "a9a", "w8a")
STRENGTHS = (0.01, 1.0, 100.0)
RATIOS = (0.1, 0.01)
TARGETS = (1e-2, 1e-4, 1e-6)
QUICK_SETS = ("mushrooms", "leu")
HEAD = """\
# When does adaptive selection pay?

Every rule below runs with the same compiled kernels, the same update rule and the same stopping
rule as shuffled passes; only the choice of the next coordinate differs. The question is the
paper's: does choosing by what is known about the coordinates pay for itself? Numbers are ratios
of what shuffled spent to what the rule spent until the same duality gap (the smallest of 1e-6,
1e-4 and 1e-2, relative to the null model, that shuffled reached): above 1 the rule wins, below 1
it loses. Work is matrix entries touched, refreshes included; seconds are CPU time of one thread.
Median of {seeds} seeds. Made by `python -m benchmarks.adaptive` from the rows in
`benchmarks/results/adaptive/`.

"wins" counts the cells (data x penalty) in which the rule needs less than shuffled."""
CELLS = """\
Each entry is work / seconds; `<` marks an upper bound, where the rule did not reach the gap in its
time, `>` a lower bound, where shuffled did not."""


@dataclass(frozen=True)
class Cell:
    """A data set, a cost and a penalty strength: C for the duals, alpha / alpha_max for L1."""

    data: str
    cost: str
    strength: float

    @property
    def words(self) -> str:
        """The strength as printed."""
        if self.cost == "LogisticL1":
            return f"alpha_max/{round(1.0 / self.strength)}"
        return f"C = {self.strength:g}"


def cells(quick: bool) -> Iterator[Cell]:
    """Return everything that is raced."""
    for data in QUICK_SETS if quick else SETS:
        for strength in RATIOS:
            yield Cell(data, "LogisticL1", strength)
        for cost in DUALS:
            for strength in STRENGTHS:
                yield Cell(data, cost, strength)


def pose(cell: Cell) -> Contest:
    """Return the contest: rows (duals) or columns (L1) of unit length, alpha = 1 / (n C)."""
    if cell.cost == "LogisticL1":
        choices = Choices(cost=cell.cost, alpha_ratio=cell.strength)
    else:
        n = load(cell.data).rows
        choices = Choices(cost=cell.cost, alpha=1.0 / (n * cell.strength))
    return replace(make_contest(cell.data, choices), alpha_note=cell.words)


def measure(quick: bool, seconds: float, seeds: int) -> list[RaceResult]:
    """Race everything, in CPU time; the rows are written after every race."""
    races = read_rows(ROWS) if (ROWS / "rows.csv").exists() else []
    done = {(race.info.data, race.info.cost) for race in races}
    rules = Rules(tol=min(TARGETS), seconds=seconds, seeds=seeds, epochs=50000.0)
    everyone: list[Entrant] = [parse_entrant(name) for name in (YARDSTICK, *RULES)]
    ROWS.mkdir(parents=True, exist_ok=True)
    for cell in cells(quick):
        contest = pose(cell)
        cost = f"{cell.cost} {cell.words}"
        if (contest.dataset.title, cost) in done:
            continue
        field = [entrant for entrant in everyone if why_not(entrant, contest, rules) is None]
        with cpu_time():
            race, interrupted = run_race(contest, field, rules)
        if interrupted:
            raise KeyboardInterrupt
        info = replace(race.info, cost=cost)
        races.append(
            RaceResult(info, [thinned(run, race.info.null_objective) for run in race.runs])
        )
        write_rows(races, ROWS)
        print(f"{info.title}: {_line(races[-1])[3]}", flush=True)
    return races


def thinned(run: RaceRun, scale: float) -> RaceRun:
    """Keep of a run the first record, the first at or below each target, and the last."""
    gaps = run.column("gap") / scale
    keep = {0, len(run.trace.rows) - 1}
    for target in TARGETS:
        keep |= {int(k) for k in np.flatnonzero(gaps <= target)[:1]}
    return replace(run, trace=Trace([run.trace.rows[k] for k in sorted(keep)]), _columns={})


def _line(race: RaceResult) -> list[str]:
    """Return the cells of one line of the table: at the smallest gap the yardstick reached."""
    target = _judged_at(race)
    words: list[str] = []
    for rule in RULES:
        if rule not in race.selectors:
            words.append("n/a")
            continue
        parts = [
            ratio(_spent(race, rule, target, m), _spent(race, YARDSTICK, target, m))
            for m in ("work", "seconds")
        ]
        words.append(" / ".join(f"{p.bound.replace('-', '')}{p.value:.2g}" for p in parts))
    data, cost = race.info.data, race.info.cost
    return [data, cost, f"{target:.0e}", *words]


def _judged_at(race: RaceResult) -> float:
    """Return the smallest gap that the yardstick reached."""
    return next((t for t in sorted(TARGETS) if _spent(race, YARDSTICK, t).reached), max(TARGETS))


def _spent(race: RaceResult, name: str, target: float, measure: str = "work") -> Reach:
    return reach(race, name, target, measure)


def _wins(races: list[RaceResult], rule: str, measure: str, cost: str) -> str:
    """Return in how many cells of a cost a rule beat the yardstick, and the median ratio."""
    values = []
    for race in races:
        if race.info.cost.partition(" ")[0] != cost or rule not in race.selectors:
            continue
        target = _judged_at(race)
        found = ratio(_spent(race, rule, target, measure), _spent(race, YARDSTICK, target, measure))
        values.append(found.value if found.bound != "-" else np.nan)
    known = np.array([value for value in values if not np.isnan(value)])
    if known.size == 0:
        return "n/a"
    return f"{np.count_nonzero(known > 1.0)} of {known.size}, {np.median(known):.2g}"


def page(races: list[RaceResult]) -> str:
    """Return the page of the documentation."""
    costs = list(dict.fromkeys(race.info.cost.partition(" ")[0] for race in races))
    short = [
        [cost, rule, _wins(races, rule, "work", cost), _wins(races, rule, "seconds", cost)]
        for cost in costs
        for rule in RULES
    ]
    lines = [_line(race) for race in races]
    parts = [
        HEAD.format(seeds=races[0].seeds),
        _table(["cost", "rule", "work: wins, median", "seconds: wins, median"], short),
        "## Every cell",
        CELLS,
        _table(["data", "cost", "gap", *RULES], lines),
    ]
    return "\n\n".join(parts) + "\n"


def _table(head: list[str], lines: list[list[str]]) -> str:
    rule = "|" + "---|" * len(head)
    return "\n".join(
        [f"| {' | '.join(cells)} |" if cells else rule for cells in [head, [], *lines]]
    )


def main(arguments: list[str]) -> int:
    """Race what is asked for, then write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"only {' and '.join(QUICK_SETS)}")
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds of a run")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="forget the rows")
    parser.add_argument("--draw", action="store_true", help="only make the page from the rows")
    options = parser.parse_args(arguments)
    if options.fresh:
        (ROWS / "rows.csv").unlink(missing_ok=True)
    if options.draw:
        races = read_rows(ROWS)
    else:
        races = measure(options.quick, options.seconds, options.seeds)
    write_text(page(races), PAGE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
