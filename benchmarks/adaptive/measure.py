"""Runs of the study: one process for each core, one row for each rule in each cell."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from banditcd import minimize
from banditcd.engine.clock import cpu_time
from banditcd.experiments.contest import Contest
from banditcd.experiments.race import looks
from banditcd.results import Trace
from benchmarks.adaptive.cells import Cell, contest

YARDSTICK = "shuffled"
RULES = (YARDSTICK, "focus", "acf", "calendar", "sqrt_r", "b_max_r")
TARGETS = (1e-2, 1e-4, 1e-6)
EPOCHS = 50_000.0


Spent = list[float | None]
"""What was spent until each of TARGETS; None where it was not reached."""


@dataclass(frozen=True)
class Row:
    """The runs of one rule in one cell, one for each seed.

    Attributes
    ----------
    data, cost, words, shape_seed : str
        The cell; see :class:`benchmarks.adaptive.cells.Cell`.
    title : str
        The set as printed; it says so if only a part of its rows was taken.
    n, d : int
        Samples, and coordinates to choose from.
    rule : str
        Who chose.
    work, seconds : list of lists
        Spent until each of TARGETS, for the seeds 0, 1, ...
    all_work, all_seconds : list of float
        Spent in all, for the same seeds.
    machine, commit : str
        Where, and by which sources.
    """

    data: str
    cost: str
    words: str
    shape_seed: str
    title: str
    n: int
    d: int
    rule: str
    work: list[Spent]
    seconds: list[Spent]
    all_work: list[float]
    all_seconds: list[float]
    machine: str
    commit: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The cell of the runs."""
        return self.data, self.cost, self.words, self.shape_seed


@dataclass(frozen=True)
class Budget:
    """Seeds, CPU seconds of a run, and what every row says about its origin."""

    seeds: int
    seconds: float
    machine: str
    commit: str


def crossing(
    gaps: npt.NDArray[np.float64], spent: npt.NDArray[np.float64], target: float
) -> float | None:
    """Return what was spent when the gap first crossed a target; None if it never did.

    Looks are 5 % apart, so the logarithm of the gap is interpolated between the two around it.
    """
    below = np.flatnonzero(gaps <= target)
    if below.size == 0:
        return None
    k = int(below[0])
    if k == 0:
        return _short(spent[0])
    before, after = np.log(gaps[k - 1]), np.log(max(gaps[k], 1e-300))
    part = (before - np.log(target)) / (before - after)
    return _short(spent[k - 1] + part * (spent[k] - spent[k - 1]))


def run_cell(cell: Cell, budget: Budget) -> list[Row]:
    """Run every rule with every seed; each seed begins with another rule."""
    posed = contest(cell)
    traces: dict[str, list[Trace]] = {rule: [] for rule in RULES}
    for seed in range(budget.seeds):
        for rule in (*RULES[seed % len(RULES) :], *RULES[: seed % len(RULES)]):
            with cpu_time():
                result = minimize(
                    posed.problem,
                    rule,
                    tol=min(TARGETS),
                    max_epochs=EPOCHS,
                    max_seconds=budget.seconds,
                    random_state=seed,
                    trace=looks(posed.problem.d, EPOCHS),
                )
            traces[rule].append(result.trace)
    return [_row(cell, posed, rule, found, budget) for rule, found in traces.items()]


def _row(cell: Cell, posed: Contest, rule: str, traces: list[Trace], budget: Budget) -> Row:
    scale = posed.problem.null_objective()

    def until(measure: str) -> list[Spent]:
        return [
            [crossing(trace.gap / scale, trace.column(measure), target) for target in TARGETS]
            for trace in traces
        ]

    return Row(
        *cell.key,
        title=posed.dataset.title,
        n=posed.dataset.rows,
        d=posed.problem.d,
        rule=rule,
        work=until("work"),
        seconds=until("seconds"),
        all_work=[_short(trace.work[-1]) for trace in traces],
        all_seconds=[_short(trace.seconds[-1]) for trace in traces],
        machine=budget.machine,
        commit=budget.commit,
    )


def _short(value: float) -> float:
    """Return a number of six digits: rows are committed."""
    return float(f"{value:.6g}")


def measure(todo: list[Cell], budget: Budget, jobs: int, file: Path) -> Iterator[list[Row]]:
    """Run cells in parallel and append the rows of each as it ends."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    file.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(run_cell, cell, budget) for cell in todo]
        for done in as_completed(waiting):
            rows = done.result()
            with file.open("a", encoding="utf-8") as out:
                out.writelines(json.dumps(asdict(row)) + "\n" for row in rows)
            yield rows


def read_rows(file: Path) -> list[Row]:
    """Read the rows of a file; none if there is no file yet."""
    if not file.exists():
        return []
    return [Row(**json.loads(line)) for line in file.read_text("utf-8").splitlines() if line]
