"""Small fits beside scikit-learn's, the first fit of a process, and what an import adds.

Run ``python -m benchmarks.small``. Fits are timed in turn with scikit-learn's in one process, an
import and a first fit in fresh interpreters whose bytecode is compiled, as that of an installed
package is. All figures are medians in CPU time of one thread.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import linear_model, svm
from sklearn.exceptions import ConvergenceWarning

import banditcd

PROCESSES, ROUNDS, SECONDS = 9, 21, 2e-3
SHAPES = ((100, 10), (1000, 30))
FRESH = """
import json, time
clock = time.process_time
import sklearn.linear_model
began = clock()
import banditcd
banditcd.Lasso
imported = clock() - began
import numpy as np
rng = np.random.default_rng(0)
X = np.asfortranarray(rng.normal(size=(100, 10)))
y = X[:, 0] + rng.normal(size=100)
times = []
for _ in range(20):
    began = clock()
    banditcd.Lasso(0.1).fit(X, y)
    times.append(clock() - began)
print(json.dumps([imported, times[0], sorted(times[1:])[9]]))
"""


@dataclass(frozen=True)
class Case:
    """The same call here and in scikit-learn; ``aim`` in µs for 100 x 10, if there is one."""

    name: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    aim: float | None = None


def cases(n: int, d: int) -> list[Case]:
    """Return the calls on one made-up problem with a response and with labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = X[:, 0] + rng.normal(size=n)
    label, columns = (y > 0.0).astype(np.float64), np.asfortranarray(X)
    alphas = np.geomspace(1.0, 1e-3, 50) * np.abs(X.T @ y).max() / n

    def both(name: str, home: Any, data: tuple[Any, Any], aim: float | None, **words: Any) -> Case:
        ours, theirs = getattr(banditcd, name), getattr(home, name)
        others = {"solver": "liblinear"} if words.get("l1_ratio") == 1 else {}
        title = f"{name}({', '.join(f'{k}={v!r}' for k, v in words.items())})"
        return Case(
            title,
            lambda: ours(**words).fit(*data),
            lambda: theirs(**words, **others).fit(*data),
            aim,
        )

    return [
        both("Lasso", linear_model, (columns, y), 50.0, alpha=0.1),
        both("Ridge", linear_model, (X, y), 100.0),
        both("LogisticRegression", linear_model, (X, label), 100.0),
        both("LogisticRegression", linear_model, (X, label), 100.0, l1_ratio=1),
        both("LinearSVC", svm, (X, label), 100.0),
        both("LinearSVC", svm, (X, label), None, loss="hinge"),
        both("LinearSVR", svm, (X, y), None),
        both("LassoCV", linear_model, (X, y), 2000.0),
        Case(
            "lasso_path, 50 alphas",
            lambda: banditcd.lasso_path(columns, y, alphas=alphas),
            lambda: linear_model.lasso_path(columns, y, alphas=alphas),
        ),
    ]


def once(call: Callable[[], Any], repeats: int) -> float:
    """Return the mean CPU time of some calls."""
    began = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - began) / repeats


def in_turn(case: Case) -> tuple[float, float]:
    """Return the medians of both calls; each round repeats them for about two milliseconds."""
    calls = (case.ours, case.theirs)
    repeats = [max(1, round(SECONDS / max(once(call, 2), 1e-6))) for call in calls]
    rounds = [
        [once(call, r) for call, r in zip(calls, repeats, strict=True)] for _ in range(ROUNDS)
    ]
    ours, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    return ours, theirs


def fresh() -> list[float]:
    """Return medians of import, first fit and later fits over new interpreters."""
    command = [sys.executable, "-c", FRESH]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        runs = [
            json.loads(subprocess.check_output(command, env=environment))
            for _ in range(PROCESSES + 1)  # the first one compiles
        ]
    return [statistics.median(run[k] for run in runs[1:]) for k in range(3)]


def main() -> None:
    """Print the figures."""
    warnings.simplefilter("ignore", ConvergenceWarning)  # scikit-learn's LinearSVR and LinearSVC
    for n, d in SHAPES:
        print(f"{n} x {d}")
        for case in cases(n, d):
            ours, theirs = in_turn(case)
            aim = f", aim {case.aim:.0f} µs" if case.aim is not None and n == SHAPES[0][0] else ""
            print(
                f"  {case.name}: {1e6 * ours:.0f} µs, scikit-learn {1e6 * theirs:.0f} µs, "
                f"{theirs / ours:.1f}x{aim}",
                flush=True,
            )
    imported, first, second = fresh()
    print(f"import banditcd after sklearn.linear_model: {1e3 * imported:.0f} ms (aim 50)")
    print(f"first Lasso of a process: {1e3 * first:.2f} ms, later ones {1e3 * second:.2f} ms")


if __name__ == "__main__":
    main()
