"""How our cost grows with rows, columns and nonzeros: times, passes and fitted exponents."""

from __future__ import annotations

import csv
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.benchmark import Benchmark, DataSpec, Family
from benchmarks.peers.client import Peer, TimeLimitError, write_problem
from benchmarks.peers.machine import commit
from benchmarks.peers.references import Book, NoReferenceError
from benchmarks.peers.tasks import Task

FIELDS = ("family", "size", "nonzeros", "setting", "cpu", "passes", "gap", "commit")
TARGET = 1e-6
ROUNDS = 5
SLOW, SLOW_ROUNDS = 1.0, 3
LIMIT = 20.0


def exponent(sizes: Any, values: Any) -> float:
    """Return the slope of the least-squares line through the logarithms."""
    slope, _ = np.polyfit(np.log(np.asarray(sizes)), np.log(np.asarray(values)), 1)
    return float(slope)


def measure_scaling(benchmark: Benchmark, out: Path) -> None:
    """Time every problem of every family; the rows replace those of an earlier run."""
    environment, variant = next(p for p in benchmark.solvers if p[1] == benchmark.ours[-1])
    peer = Peer(environment, variant)
    try:
        rows = [
            row
            for family in benchmark.families
            for size in family.sizes
            for row in _measure(benchmark, family, size, peer)
        ]
    finally:
        peer.close()
    out.mkdir(parents=True, exist_ok=True)
    with _file(out, benchmark.name).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _file(out: Path, name: str) -> Path:
    return out / f"{name}-scaling.csv"


def _measure(benchmark: Benchmark, family: Family, size: int, peer: Peer) -> list[dict[str, Any]]:
    """Return the rows of one problem; a point that cannot be judged, or is late, has none."""
    problem = benchmark.read(DataSpec(family.name, family.source.format(size), "scaling"))
    shape = {"family": family.name, "size": size, "nonzeros": problem.nonzeros}
    several = len({kind for kind, _ in benchmark.growing}) > 1
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="banditcd-bench-") as folder:
        write_problem(Path(folder), problem.X, problem.y)
        peer.load(Path(folder))
        for task in benchmark.tasks(problem, Book(Path(folder, "optima.csv"))):
            if (task.kind, task.setting) not in benchmark.growing:
                continue
            setting = f"{task.kind} {task.setting}" if several else task.setting
            try:
                rows.append({**shape, "setting": setting, **_figures(peer, task)})
            except (NoReferenceError, TimeLimitError) as error:
                print(f"Left out: {family.name} {size}, {setting}: {error}", file=sys.stderr)
    times = ", ".join(f"{row['cpu']} s" for row in rows)
    print(f"scaling: {family.name} {size}: {times}", flush=True)
    return rows


def _figures(peer: Peer, task: Task) -> dict[str, str]:
    """Return the median time of one task, how often it read the data, and its gap."""
    task.ready()
    fits = [peer.fit(task.kind, task.arguments, TARGET, LIMIT)]
    while len(fits) < (ROUNDS if fits[0].cpu < SLOW else SLOW_ROUNDS):
        fits.append(peer.fit(task.kind, task.arguments, TARGET, LIMIT))
    return {
        "cpu": f"{statistics.median(fit.cpu for fit in fits):.6g}",
        "passes": f"{fits[-1].note.get('passes', np.nan):.4g}",
        "gap": f"{task.judge(fits[-1]):.3g}",
        "commit": commit(),
    }


def read_scaling(out: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows measured, or none."""
    if not _file(out, name).exists():
        return []
    with _file(out, name).open(newline="", encoding="utf-8") as stream:
        return [
            {**row, "size": int(row["size"]), "nonzeros": int(row["nonzeros"])}
            | {name: float(row[name]) for name in ("cpu", "passes", "gap")}
            for row in csv.DictReader(stream)
        ]


def curves(rows: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[Any, Any]]:
    """Return (sizes, seconds) for each family and setting; nonzeros are counted, not asked for."""
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows:
        size = row["nonzeros"] if row["family"] == "nonzeros" else row["size"]
        found.setdefault((row["family"], row["setting"]), []).append((size, row["cpu"]))
    return {
        key: (np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs]))
        for key, pairs in found.items()
    }
