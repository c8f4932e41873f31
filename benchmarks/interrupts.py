"""How long after Ctrl-C a fit goes on: the lag of the signal, alone on one core.

Run ``python -m benchmarks.interrupts`` on a quiet machine; it writes
``benchmarks/results/interrupts.md``. Each setup is interrupted at several moments of its fit, each
time from the start; the promise is 0.3 s, with the exceptions that the table names. Tests guard
against hangs only (``tests/solvers/test_interrupts.py``, ``tests/estimators/test_interrupts.py``).
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import banditcd
from benchmarks.peers.machine import commit, describe

PROMISE = 0.3
#: Seconds after the start of a fit at which the signal is sent, as long as the fit still runs.
MOMENTS = (0.01, 0.05, 0.13, 0.31, 0.6, 0.97, 1.55, 2.4, 3.7)
RESULTS = Path(__file__).parent / "results" / "interrupts.md"


def lag(work: Callable[[], object], after: float) -> float | None:
    """Interrupt a call; return how many seconds it went on, or None if it had ended before."""
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    began = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_REAL, after)
        work()
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    except KeyboardInterrupt:
        return time.perf_counter() - began - after
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    return None


def correlated(n: int, d: int) -> np.ndarray:
    """Return columns with a common part of nine tenths of their variance."""
    rng = np.random.default_rng(n + d)
    return np.asfortranarray(rng.standard_normal((n, d)) + 3.0 * rng.standard_normal((n, 1)))


@dataclass(frozen=True)
class Setup:
    """A fit by name: a function of X and y, and the shape of X."""

    name: str
    fit: Callable[[Any, Any], object]
    shape: tuple[int, int]
    classes: bool = False

    def work(self) -> Callable[[], object]:
        """Return the fit on its data."""
        X = correlated(*self.shape)
        rng = np.random.default_rng(7)
        y = X[:, :20] @ rng.standard_normal(20) + rng.standard_normal(len(X))
        if self.classes:
            y = np.where(y > np.median(y), 1, 0)
        return lambda: self.fit(X, y)


SETUPS = [
    Setup(
        "lasso_path(alphas=1000, eps=1e-5, tol=1e-12)",
        lambda X, y: banditcd.lasso_path(X, y, alphas=1000, eps=1e-5, tol=1e-12),
        (5000, 800),
    ),
    Setup(
        "enet_path(l1_ratio=0.5, eps=1e-5, tol=1e-12)",
        lambda X, y: banditcd.enet_path(X, y, l1_ratio=0.5, eps=1e-5, tol=1e-12),
        (400, 4000),
    ),
    Setup("Lasso(1e-4, tol=1e-12)", banditcd.Lasso(1e-4, tol=1e-12).fit, (500, 8000)),
    Setup("LassoCV(tol=1e-8)", banditcd.LassoCV(tol=1e-8).fit, (4000, 1000)),
    Setup("ElasticNetCV(tol=1e-8)", banditcd.ElasticNetCV(tol=1e-8).fit, (300, 3000)),
    Setup("Ridge(alpha=0)", banditcd.Ridge(alpha=0.0).fit, (4000, 1500)),
    Setup("Ridge(tol=1e-10)", banditcd.Ridge(1.0, tol=1e-10).fit, (8000, 2500)),
    Setup("RidgeCV(), leave one out", banditcd.RidgeCV().fit, (3000, 1500)),
    Setup("RidgeCV(cv=5)", banditcd.RidgeCV(cv=5).fit, (5000, 1500)),
    Setup("LogisticRegression()", banditcd.LogisticRegression().fit, (60_000, 800), True),
    Setup(
        "LogisticRegression(tol=1e-8), wide",
        banditcd.LogisticRegression(tol=1e-8).fit,
        (1500, 6000),
        True,
    ),
    Setup(
        "LogisticRegression(l1_ratio=1, tol=1e-8)",
        banditcd.LogisticRegression(l1_ratio=1, tol=1e-8).fit,
        (3000, 3000),
        True,
    ),
    Setup(
        "LogisticRegressionCV(cv=3)",
        banditcd.LogisticRegressionCV(cv=3).fit,
        (10_000, 300),
        True,
    ),
    Setup("LinearSVC(tol=1e-8)", banditcd.LinearSVC(tol=1e-8).fit, (20_000, 800), True),
    Setup(
        'LinearSVC(loss="hinge", tol=1e-8)',
        banditcd.LinearSVC(loss="hinge", tol=1e-8).fit,
        (3000, 3000),
        True,
    ),
    Setup("LinearSVR(tol=1e-8)", banditcd.LinearSVR(tol=1e-8).fit, (5000, 800)),
    Setup(
        'Lasso(1e-4, selector="b_max_r", tol=1e-10)',
        banditcd.Lasso(1e-4, selector="b_max_r", tol=1e-10, max_iter=100_000).fit,
        (2000, 1000),
    ),
]


def measure(setup: Setup) -> list[float]:
    """Return the lags of one setup, one for each moment at which it still ran."""
    work = setup.work()
    lag(work, 0.0001)  # what is imported on first use is there
    lags = []
    for moment in MOMENTS:
        late = lag(work, moment)
        if late is None:
            break
        lags.append(late)
    return lags


def table(rows: list[tuple[Setup, list[float]]]) -> str:
    """Return the page: machine, commit and a row for each setup."""
    lines = [
        "# The lag of Ctrl-C",
        "",
        f"{describe()}. Commit {commit()}.",
        f"Load average at the end {os.getloadavg()[0]:.1f}.",
        "",
        "Seconds from the signal to KeyboardInterrupt, alone on one core with one thread, made by",
        "`python -m benchmarks.interrupts`. Each fit was interrupted at several moments. Promise:",
        f"{PROMISE} s. One LAPACK call of SciPy (an eigendecomposition in leave-one-out `RidgeCV`,",
        "least squares in `Ridge(alpha=0)`) cannot be interrupted; those rows show what it takes.",
        "",
        "| fit | shape | signals | median | worst | kept |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for setup, lags in rows:
        shape = f"{setup.shape[0]} x {setup.shape[1]}"
        if not lags:
            lines.append(f"| `{setup.name}` | {shape} | 0 | | | ended before any signal |")
            continue
        kept = "yes" if max(lags) <= PROMISE else "**no**"
        middle = statistics.median(lags)
        lines.append(
            f"| `{setup.name}` | {shape} | {len(lags)} | {middle:.3f} | {max(lags):.3f} | {kept} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure every setup, print as it goes and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="setups whose name contains this")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the page to write")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rows = []
    for setup in SETUPS:
        if options.only in setup.name:
            rows.append((setup, measure(setup)))
            print(setup.name, " ".join(f"{late:.3f}" for late in rows[-1][1]), flush=True)
    options.out.write_text(table(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
