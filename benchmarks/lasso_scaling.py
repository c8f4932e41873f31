"""How our cost grows with rows, columns and nonzeros: times, passes and fitted exponents."""

from __future__ import annotations

import csv
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.gap import largest_penalty, lasso_gap
from benchmarks.lasso_cells import DataSpec, read
from benchmarks.peers.client import Peer, write_problem
from benchmarks.peers.machine import commit

FILE = "lasso-scaling.csv"
FIELDS = ("family", "size", "nonzeros", "setting", "cpu", "passes", "gap", "commit")
DIVISORS = (10, 100)
TARGET = 1e-6
ROUNDS = 5
LIMIT = 120.0


@dataclass(frozen=True)
class Family:
    """Problems of one design in which one number grows."""

    name: str
    source: str
    sizes: tuple[int, ...]


FAMILIES = (
    Family("rows", "synthetic:tall(rows={}, columns=300)", (2000, 4000, 8000, 16000, 32000, 64000)),
    Family(
        "columns", "synthetic:wide(rows=500, columns={})", (1000, 2000, 4000, 8000, 16000, 32000)
    ),
    Family(
        "nonzeros", "synthetic:text(rows=10000, columns=30000, words={})", (10, 20, 40, 80, 160)
    ),
)


def exponent(sizes: Any, values: Any) -> float:
    """Return the slope of the least-squares line through the logarithms."""
    slope, _ = np.polyfit(np.log(np.asarray(sizes)), np.log(np.asarray(values)), 1)
    return float(slope)


def measure_scaling(out: Path) -> None:
    """Time every problem of every family; the rows replace those of an earlier run."""
    rows = [row for family in FAMILIES for size in family.sizes for row in _measure(family, size)]
    out.mkdir(parents=True, exist_ok=True)
    with (out / FILE).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _measure(family: Family, size: int) -> list[dict[str, Any]]:
    problem = read(DataSpec(family.name, family.source.format(size), "scaling"))
    X, y = problem.X, problem.y
    rows: list[dict[str, Any]] = []
    peer = Peer("banditcd", "banditcd.record")
    try:
        with tempfile.TemporaryDirectory(prefix="banditcd-bench-") as folder:
            write_problem(Path(folder), X, y)
            peer.load(Path(folder))
            for divisor in DIVISORS:
                penalty = largest_penalty(X, y) / divisor
                task = {"penalty": penalty}
                fits = [peer.fit("lasso", task, TARGET, LIMIT) for _ in range(ROUNDS)]
                rows.append(
                    {
                        "family": family.name,
                        "size": size,
                        "nonzeros": problem.nonzeros,
                        "setting": f"1/{divisor}",
                        "cpu": f"{statistics.median(fit.cpu for fit in fits):.6g}",
                        "passes": f"{fits[-1].note['passes']:.4g}",
                        "gap": f"{lasso_gap(X, y, fits[-1].coef, penalty):.3g}",
                        "commit": commit(),
                    }
                )
    finally:
        peer.close()
    print(f"scaling: {family.name} {size}: {rows[0]['cpu']} s, {rows[-1]['cpu']} s", flush=True)
    return rows


def read_scaling(out: Path) -> list[dict[str, Any]]:
    """Return the rows measured, or none."""
    if not (out / FILE).exists():
        return []
    with (out / FILE).open(newline="", encoding="utf-8") as stream:
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
