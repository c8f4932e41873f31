"""The model of the time of a fit on a cluster, checked on one and two workers and extrapolated.

    T = looks (pass / workers + latency + (d + k m) 8 log2(workers) / bandwidth) + host

with looks the rounds of a fit, pass the time in which one worker reads all of X once, and the sums
of d correlations and k m Gram entries climbing a tree of workers.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np

#: Of the extrapolation: bytes per second between two machines (10 Gbit/s), and of one's memory.
BANDWIDTH, MEMORY = 1.25e9, 1e10
WORKERS = (10, 100, 1000)


def measured(folder: Path, shape: tuple[int, int], workers: int) -> tuple[float, float]:
    """Return the seconds of a round without work, and of one that reads all of X."""
    import dask
    import dask.array as da
    from distributed import Client, LocalCluster

    from banditcd.places import tasks
    from banditcd.places.cluster import DaskPlace
    from banditcd.places.place import one

    settings = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**settings, silence_logs=50) as cluster, Client(cluster):
        parts = sorted(folder.glob("X-*.npy"))
        rows, load = shape[0] // len(parts), dask.delayed(np.load)
        X = da.concatenate([da.from_delayed(load(p), (rows, shape[1]), float) for p in parts])
        ys = sorted(folder.glob("y-*.npy"))
        y = da.concatenate([da.from_delayed(load(p), (rows,), float) for p in ys])
        place = DaskPlace(X, y)
        none = np.empty(0, dtype=np.intp)
        jobs = {"empty": (tasks.responses,), "look": (tasks.squared_look, (none, np.empty(0), 0.0))}
        found = {}
        for name, (task, *arguments) in jobs.items():
            one(place, task, *arguments)
            times = []
            for _ in range(7):
                start = time.perf_counter()
                one(place, task, *arguments)
                times.append(time.perf_counter() - start)
            found[name] = float(np.median(times))
        place.rows.release()
    return found["empty"], found["look"]


def model_page(
    folder: Path, shape: tuple[int, int], climbs: list[Any], alone: list[Any]
) -> list[str]:
    """Return the sections on scaling and on the model."""
    costs = {workers: measured(folder, shape, workers) for workers in (1, 2)}
    lines = ["## Strong scaling", ""]
    lines += ["| model | λmax / | s, 1 worker | s, 2 workers | ratio | model, 1 | model, 2 |"]
    lines += ["|---|---|---|---|---|---|---|"]
    ours = [one for one in climbs if one.who == "banditcd"]
    for single, double in zip(alone, ours, strict=True):
        one, two = single.at(1e-6), double.at(1e-6)
        if one is None or two is None:
            continue
        guesses = [_guess(costs[k], rung) for k, rung in ((1, one), (2, two))]
        lines.append(
            f"| {single.cell[0]} | {single.cell[1]} | {one['seconds']:.2f} | "
            f"{two['seconds']:.2f} | {one['seconds'] / two['seconds']:.2f} | {guesses[0]:.2f} | "
            f"{guesses[1]:.2f} |"
        )
    lines += ["", "A round without work took " + _both(costs, 0) + "; one that reads X took "]
    lines[-1] += _both(costs, 1) + ". The model: every round costs a reading."
    return lines + _extrapolated(costs)


def _guess(cost: tuple[float, float], rung: dict[str, Any]) -> float:
    return float(rung["rounds"] * cost[1])


def _both(costs: dict[int, tuple[float, float]], k: int) -> str:
    return " and ".join(f"{1e3 * costs[w][k]:.1f} ms ({w} worker{'s'[: w - 1]})" for w in costs)


def _extrapolated(costs: dict[int, tuple[float, float]]) -> list[str]:
    latency = costs[2][0]
    assumed = (
        "Assumptions: 10 rounds, half of which read X; a round without work takes "
        f"{1e3 * latency:.0f} ms as measured here plus 0.2 ms per worker for the scheduler; "
        f"workers read X at {1e-9 * MEMORY:.0f} GB/s from memory; sums climb a tree over "
        f"{8e-9 * BANDWIDTH:.0f} Gbit/s; k = m = 500 columns in the pool. Ten times as many "
        "columns cost ten times the bytes of a look; the Gram blocks do not depend on d."
    )
    lines = [
        "",
        "## On paper: 10, 100 and 1000 workers",
        "",
        assumed,
        "",
        "| X | d | " + " | ".join(f"{w} workers" for w in WORKERS) + " |",
        "|---|---|" + "---|" * len(WORKERS),
    ]
    for size, d in ((1e11, 1_000), (1e12, 10_000), (1e13, 100_000)):
        times = [_paper(size, d, w, latency) for w in WORKERS]
        cells = " | ".join(f"{t:.1f} s" for t in times)
        lines.append(f"| {1e-9 * size:,.0f} GB | {d:,} | {cells} |")
    return lines


def _paper(size: float, d: int, workers: int, latency: float) -> float:
    rounds, looks, k = 10, 5, 500
    tree = math.log2(workers) * 8.0 / BANDWIDTH
    reading = looks * size / (workers * MEMORY)
    return reading + rounds * (latency + 2e-4 * workers) + (looks * d + 3 * k * k) * tree
