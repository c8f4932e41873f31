"""One contender of :mod:`benchmarks.dask_race`, run by path in its own environment.

    python benchmarks/dask_contender.py '{"who": ..., "model": ..., "penalty": ..., ...}'

Reads the blocks of rows from a folder, fits rung after rung (ours: tolerances, others: iterations),
and prints a JSON line with time, rounds and bytes of each; the judge answers "on" or "stop". The
objective is the same for all, without an intercept: ||y - Xw||²/2 + penalty ||w||₁, or the
logistic losses in place of the squares.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


def main() -> None:
    task = json.loads(sys.argv[1])
    run = spark if task["who"].startswith("spark") else dask_cluster
    run(task)


def moved() -> int:
    """Return the bytes that the loopback device has received: all that processes here exchange."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        if line.strip().startswith("lo:"):
            return int(line.split(":")[1].split()[0])
    return 0


def tell(task: dict[str, Any], rung: Any, start: tuple[float, int], rounds: int, coef: Any) -> bool:
    """Print what a rung took; return whether the judge wants another."""
    seconds, bytes_moved = time.perf_counter() - start[0], moved() - start[1]
    name = f"{task['out']}/coef.npy"
    np.save(name, np.ravel(coef))
    row = {"rung": rung, "seconds": seconds, "rounds": rounds, "bytes": bytes_moved, "coef": name}
    print(json.dumps(row), flush=True)
    return sys.stdin.readline().strip() == "on"


def dask_cluster(task: dict[str, Any]) -> None:
    """Fit on a cluster of worker processes with one thread each."""
    import dask
    import dask.array as da
    from distributed import Client, LocalCluster, wait
    from distributed.diagnostics.plugin import SchedulerPlugin

    class Rounds(SchedulerPlugin):
        """Counts the graphs that the client submits."""

        count = 0

        def update_graph(self, *args: Any, **kwargs: Any) -> None:
            self.count += 1

    settings = {"n_workers": task["workers"], "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**settings, silence_logs=50) as cluster, Client(cluster):
        rounds = Rounds()
        cluster.scheduler.add_plugin(rounds)
        folder, shape = Path(task["folder"]), task["shape"]
        parts = sorted(folder.glob("X-*.npy"))
        rows = shape[0] // len(parts)
        load = dask.delayed(np.load)
        X = da.concatenate([da.from_delayed(load(p), (rows, shape[1]), float) for p in parts])
        label = "y" if task["model"] == "lasso" else "labels"
        ys = sorted(folder.glob(f"{label}-*.npy"))
        y = da.concatenate([da.from_delayed(load(p), (rows,), float) for p in ys])
        if task["model"] == "logistic" and task["who"] != "banditcd":
            y = 0.5 * (y + 1.0)  # dask-ml wants 0 and 1
        X, y = dask.persist(X, y)
        wait([X, y])
        for rung in [None, *task["rungs"]]:  # the first one warms up: imports and compilation
            easy = 0.1 if task["who"] == "banditcd" else 1
            estimator = estimator_of(task, easy if rung is None else rung)
            data = (
                (X[:2000].rechunk((1000, -1)), y[:2000].rechunk(1000)) if rung is None else (X, y)
            )
            before, start = rounds.count, (time.perf_counter(), moved())
            estimator.fit(*data)
            if rung is None:
                continue
            if not tell(task, rung, start, rounds.count - before, estimator.coef_):
                return


def estimator_of(task: dict[str, Any], rung: Any) -> Any:
    """Return an estimator of the common objective."""
    penalty, n = task["penalty"], task["shape"][0]
    if task["who"] == "banditcd":
        from banditcd import Lasso, LogisticRegression

        if task["model"] == "lasso":
            return Lasso(penalty / n, fit_intercept=False, tol=rung)
        return LogisticRegression(l1_ratio=1.0, C=1.0 / penalty, fit_intercept=False, tol=rung)
    from dask_ml.linear_model import LinearRegression, LogisticRegression

    solver = task["who"].partition(":")[2]
    more: dict[str, float] = {"tol": 1e-14}
    if solver == "admm":  # its default rho = 1 leaves the null model for hundreds of iterations
        rho = n / (8.0 if task["model"] == "lasso" else 32.0)
        more = {"reltol": 1e-12, "abstol": 1e-12, "rho": rho}
    options = {"fit_intercept": False, "solver": solver, "penalty": "l1", "solver_kwargs": more}
    if task["model"] == "lasso":  # its squared loss has no factor 1/2
        return LinearRegression(C=0.5 / penalty, max_iter=rung, **options)
    return LogisticRegression(C=1.0 / penalty, max_iter=rung, **options)


def spark(task: dict[str, Any]) -> None:
    """Fit with MLlib in one local process of two threads."""
    from pyspark.ml.classification import LogisticRegression
    from pyspark.ml.functions import array_to_vector
    from pyspark.ml.regression import LinearRegression
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(f"local[{task['workers']}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    label = "y" if task["model"] == "lasso" else "labels01"
    table = session.read.parquet(task["folder"] + "/table").select(
        array_to_vector("features").alias("features"), label
    )
    table = table.repartition(8).persist()
    table.count()
    kind = LinearRegression if task["model"] == "lasso" else LogisticRegression
    common = {
        "labelCol": label,
        "elasticNetParam": 1.0,
        "regParam": task["penalty"] / task["shape"][0],
        "fitIntercept": False,
        "standardization": False,
        "tol": 1e-14,
    }
    if task["model"] == "lasso":
        common["solver"] = "l-bfgs"
    for rung in task["rungs"]:
        start = (time.perf_counter(), moved())
        model = kind(maxIter=rung, **common).fit(table)
        if not tell(
            task, rung, start, int(model.summary.totalIterations), model.coefficients.toArray()
        ):
            break
    session.stop()


if __name__ == "__main__":
    main()
