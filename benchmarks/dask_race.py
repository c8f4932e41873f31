"""Fits on a Dask cluster against dask-ml and Spark MLlib; strong scaling; a model of the time.

    python -m benchmarks.dask_race [--rows 100000] [--columns 300] [--limit 25]

Two worker processes of one thread each, X in eight blocks of rows. Every contender minimizes the
same objective without an intercept, in an environment of its own; one judge
(:mod:`benchmarks.gap`) computes the relative duality gap of whatever comes out. A contender climbs
a ladder (ours: tolerances, others: iterations) until the judge has seen 1e-6, or until a rung takes
longer than the limit. Rounds are graphs submitted (Spark: iterations), bytes what the loopback
device carried meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.dask_model import model_page
from benchmarks.gap import (
    largest_logistic_penalty,
    largest_penalty,
    lasso_gap,
    logistic_l1_gap,
)
from benchmarks.peers.environments import DoesNotBuildError, Environment, ensure
from benchmarks.peers.machine import commit, describe

HERE = Path(__file__).parent
GOALS = (1e-3, 1e-6)
BLOCKS = 8
#: Seconds in which a contender starts and warms up.
START = 90.0
OURS = Environment("banditcd", "banditcd", ())
DASK_ML = Environment(
    "dask_ml", "dask-ml", (("dask-ml==2025.1.0", "dask[array,dataframe,distributed]==2026.8.0"),)
)
SPARK = Environment("pyspark", "pyspark", (("pyspark==4.3.0", "numpy==2.4.6"),))
CONTENDERS: dict[str, tuple[Environment, tuple[Any, ...]]] = {
    "banditcd": (OURS, GOALS),
    "dask-ml:admm": (DASK_ML, (3, 10, 30, 100)),
    "dask-ml:proximal_grad": (DASK_ML, (10, 50, 250, 1000)),
    "spark": (SPARK, (10, 30, 100, 300)),
}
CELLS = (("lasso", 10), ("lasso", 100), ("logistic", 10))


@dataclass
class Problem:
    """X, responses and labels, and their blocks in a folder."""

    X: Any
    y: Any
    labels: Any
    folder: Path

    @classmethod
    def make(cls, n: int, d: int, folder: Path) -> Problem:
        """Draw correlated columns with 30 true features; write the blocks."""
        rng = np.random.default_rng(0)
        X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((n, 8)) @ rng.standard_normal(
            (8, d)
        )
        true = np.zeros(d)
        true[rng.permutation(d)[:30]] = rng.standard_normal(30)
        signal = X @ true
        y = signal + signal.std() * rng.standard_normal(n)
        labels = np.where(y > 0.0, 1.0, -1.0)
        for k, rows in enumerate(np.array_split(np.arange(n), BLOCKS)):
            np.save(folder / f"X-{k}.npy", X[rows])
            np.save(folder / f"y-{k}.npy", y[rows])
            np.save(folder / f"labels-{k}.npy", labels[rows])
        return cls(X, y, labels, folder)

    def penalty(self, model: str, share: int) -> float:
        """Return the largest useful penalty, divided."""
        if model == "lasso":
            return largest_penalty(self.X, self.y) / share
        return largest_logistic_penalty(self.X, self.labels) / share

    def gap(self, model: str, coef: Any, penalty: float) -> float:
        """Return the judge's relative gap."""
        if model == "lasso":
            return lasso_gap(self.X, self.y, coef, penalty)
        return logistic_l1_gap(self.X, self.labels, coef, penalty)

    def write_table(self) -> None:
        """Write a Parquet file for Spark."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        (self.folder / "table").mkdir(exist_ok=True)
        flat = pa.array(self.X.ravel())
        features = pa.FixedSizeListArray.from_arrays(flat, self.X.shape[1]).cast(
            pa.list_(pa.float64())
        )
        columns = {"features": features, "y": self.y, "labels01": 0.5 * (self.labels + 1.0)}
        pq.write_table(pa.table(columns), self.folder / "table" / "part.parquet")


@dataclass
class Climb:
    """What one contender did in one cell."""

    who: str
    cell: tuple[str, int]
    rungs: list[dict[str, Any]] = field(default_factory=list)
    note: str = ""

    def at(self, goal: float) -> dict[str, Any] | None:
        """Return the first rung that reached a gap."""
        return next((rung for rung in self.rungs if rung["gap"] <= goal), None)


def climb(
    problem: Problem, who: str, cell: tuple[str, int], limit: float, workers: int = 2
) -> Climb:
    """Let a contender climb its ladder."""
    environment, rungs = CONTENDERS[who]
    out = Climb(who, cell)
    if environment is SPARK and shutil.which("java") is None:
        out.note = "skipped: no Java runtime here"
        return out
    try:
        python = ensure(environment)
    except DoesNotBuildError as error:
        out.note = f"does not build here: {error}"
        return out
    penalty = problem.penalty(*cell)
    with tempfile.TemporaryDirectory() as folder:
        task = {"who": who, "model": cell[0], "penalty": penalty, "rungs": rungs}
        task |= {"folder": str(problem.folder), "shape": problem.X.shape, "out": folder}
        task["workers"] = workers
        command = [str(python), str(HERE / "dask_contender.py"), json.dumps(task)]
        _converse(problem, out, command, penalty, limit)
    return out


def _converse(
    problem: Problem, out: Climb, command: list[str], penalty: float, limit: float
) -> None:
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
            start_new_session=True,  # so that its workers can be ended with it
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(len(CONTENDERS[out.who][1])):
            patience = 3.0 * limit + (0.0 if out.rungs else START)
            alarm = threading.Timer(patience, os.killpg, (process.pid, signal.SIGKILL))
            alarm.start()
            line = process.stdout.readline()
            late = not alarm.is_alive()
            alarm.cancel()
            if not line.startswith("{"):
                errors.seek(0)
                words = errors.read().strip().splitlines() or ["ended without a word"]
                out.note = f"a rung took longer than {patience:.0f} s" if late else words[-1][:200]
                break
            rung = json.loads(line)
            rung["gap"] = problem.gap(out.cell[0], np.load(rung.pop("coef")), penalty)
            out.rungs.append(rung)
            print(out.who, *out.cell, rung, flush=True)
            go_on = rung["gap"] > GOALS[-1] and rung["seconds"] < limit
            process.stdin.write("on\n" if go_on else "stop\n")
            process.stdin.flush()
            if not go_on:
                break
        process.stdin.close()


def table(climbs: list[Climb]) -> list[str]:
    """Return the lines of the table."""
    names = "| model | λmax / | contender | " + " | ".join(
        f"s to {goal:g} | rounds | MB" for goal in GOALS
    )
    lines = [f"{names} | best gap |", "|---|---|---|" + "---|" * (3 * len(GOALS) + 1)]
    for one in climbs:
        cells = [one.cell[0], str(one.cell[1]), one.who]
        for goal in GOALS:
            rung = one.at(goal)
            cells += (
                ["-", "-", "-"]
                if rung is None
                else [f"{rung['seconds']:.2f}", str(rung["rounds"]), f"{1e-6 * rung['bytes']:.1f}"]
            )
        best = min((rung["gap"] for rung in one.rungs), default=float("nan"))
        spent = sum(rung["seconds"] for rung in one.rungs)
        cells.append(one.note or f"{best:.1e} (all rungs: {spent:.0f} s)")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def ratios(climbs: list[Climb]) -> str:
    """Say how many times longer than ours the best of the others took, cell by cell."""
    found, open_ones = [], 0
    for cell in CELLS:
        for goal in GOALS:
            ours = next(c for c in climbs if c.cell == cell and c.who == "banditcd").at(goal)
            others = [c.at(goal) for c in climbs if c.cell == cell and c.who != "banditcd"]
            times = [rung["seconds"] for rung in others if rung is not None]
            if ours is None:
                continue
            if times:
                found.append(min(times) / ours["seconds"])
            else:
                open_ones += 1
    middle = statistics.median(found + [float("inf")] * open_ones) if found or open_ones else 0.0
    words = ", ".join(f"{ratio:.1f}" for ratio in found)
    return (
        f"The best of the others took {words or 'no'} times as long as ours where it arrived; in "
        f"{open_ones} of {len(found) + open_ones} cells none did. Median (none: infinite): "
        f"{middle:.1f}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=300)
    parser.add_argument("--limit", type=float, default=15.0, help="seconds of the last rung")
    parser.add_argument("--only", nargs="*", default=list(CONTENDERS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    options = parser.parse_args()
    n = options.rows - options.rows % BLOCKS
    with tempfile.TemporaryDirectory() as folder:
        problem = Problem.make(n, options.columns, Path(folder))
        if "spark" in options.only:
            problem.write_table()
        climbs = [
            climb(problem, who, cell, options.limit) for cell in CELLS for who in options.only
        ]
        alone = [climb(problem, "banditcd", cell, options.limit, workers=1) for cell in CELLS]
        pages = model_page(Path(folder), problem.X.shape, climbs, alone)
    size = 8e-6 * n * options.columns
    head = (
        f"# Fits on a Dask cluster\n\nX {n} x {options.columns} float64 ({size:.0f} MB) in "
        f"{BLOCKS} blocks of rows, two worker processes of one thread; {describe()}.\n"
        f"Commit {commit()}, "
        f"`python -m benchmarks.dask_race --rows {n} --columns {options.columns}`.\n"
    )
    body = [head, *table(climbs), "", ratios(climbs), "", *pages]
    (options.out / "dask.md").write_text("\n".join(body) + "\n")


if __name__ == "__main__":
    main()
