"""Small fits: a whole ``Lasso().fit`` on 100 x 10, the first fit, and what an import adds.

Run ``python -m benchmarks.small``. Every figure is the median of fresh interpreters (import, first
fit) or of interleaved rounds (later fits), in CPU time of one thread.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import linear_model

import banditcd

PROCESSES, ROUNDS, FITS = 9, 41, 50
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


def fresh() -> list[float]:
    """Return medians of import, first fit and later fits over new interpreters."""
    command = [sys.executable, "-c", FRESH]
    runs = [json.loads(subprocess.check_output(command)) for _ in range(PROCESSES)]
    return [statistics.median(run[k] for run in runs) for k in range(3)]


def later() -> tuple[float, float]:
    """Return the time of a fit here and in scikit-learn, in turn."""
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.normal(size=(100, 10)))
    y = X[:, 0] + rng.normal(size=100)

    def once(model: Callable[[float], Any]) -> float:
        began = time.process_time()
        for _ in range(FITS):
            model(0.1).fit(X, y)
        return (time.process_time() - began) / FITS

    pairs = [(once(banditcd.Lasso), once(linear_model.Lasso)) for _ in range(ROUNDS)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def main() -> None:
    """Print the figures."""
    ours, theirs = later()
    print(f"Lasso(0.1).fit, 100 x 10: {1e6 * ours:.0f} µs, scikit-learn {1e6 * theirs:.0f} µs")
    print(f"  ratio {theirs / ours:.1f} (aim 5)")
    imported, first, second = fresh()
    print(f"import banditcd after sklearn.linear_model: {1e3 * imported:.0f} ms (aim 50)")
    print(f"first fit of a process: {1e3 * first:.2f} ms, later ones {1e3 * second:.2f} ms")


if __name__ == "__main__":
    main()
