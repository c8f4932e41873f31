"""Multinomial logistic regression against scikit-learn and glmnet.

    python -m benchmarks.multinomial [--penalty l2|l1] [--only NAME] [--seconds 6] [--draw]

Every library runs in its own environment (``benchmarks.peers.environments``) with one thread. Every
fit of a ladder of tolerances is judged by the objective of its coefficients, less a lower bound
that ``banditcd.verify`` finds for a fit at 1e-10 and that shares no code with a solver; a cell is
the least CPU time in which one fit of a solver is within a share of the null model's objective. A
solver has some CPU seconds for each problem. What was run replaces its rows in
``benchmarks/results/multinomial-rows.csv``; other rows stay, with the commit that they are of. The
page is drawn from the rows (``--draw`` alone runs nothing).
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler

from banditcd import LogisticRegression, verify
from banditcd.data import load
from benchmarks.multinomial_worker import objective
from benchmarks.peers.environments import ENVIRONMENTS, DoesNotBuildError, ensure
from benchmarks.peers.machine import commit, describe

TARGETS = (1e-3, 1e-5, 1e-7)
STRENGTHS = (0.01, 1.0, 100.0)
EXACT = 1e-10  # the tolerance of the fit whose dual point bounds all others
#: Steps of that fit, fewer from a million coefficients on: the bound is then a little lower, so
#: that it is harder for all to be within a target.
STEPS, LARGE, STEPS_OF_LARGE = 1000, 1_000_000, 150
RATIOS = {"l2": 0.0, "l1": 1.0}
LIBRARIES = ("banditcd", "scikit_learn", "glmnet")
SOLVERS = {
    "l2": ("banditcd", "lbfgs", "newton-cholesky", "glmnet"),
    "l1": ("banditcd", "saga", "glmnet"),
}
FIELDS = (
    "data", "n", "d", "classes", "penalty", "C", "target", "solver", "seconds", "note", "limit",
    "commit", "machine",
)  # fmt: skip
RESULTS = Path(__file__).with_name("results")
READ = ("usps", "protein.val", "news20")
GENERATED = {
    "tall, 7 classes": (20_000, 40, 7, 1),
    "square, 5 classes": (600, 300, 5, 2),
    "wide, 4 classes": (200, 2000, 4, 3),
}
NAMES = (*GENERATED, "digits", *READ)
Row = dict[str, str]


def generated(rows: int, columns: int, classes: int, seed: int) -> tuple[Any, Any]:
    """Return Gaussian columns and classes drawn from a softmax of a few of them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    W = rng.standard_normal((columns, classes)) * (rng.random((columns, 1)) < 0.2)
    scores = X @ W / np.sqrt(0.05 * columns)
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def data(name: str) -> tuple[Any, Any]:
    """Return X by rows and the numbers of the classes."""
    if name in GENERATED:
        return generated(*GENERATED[name])
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return StandardScaler().fit_transform(X), y
    found = load(name)
    X = sparse.csr_matrix(found.X) if found.is_sparse else np.ascontiguousarray(found.X)
    if sparse.issparse(X) and X.nnz > 0.5 * np.prod(X.shape):
        X = X.toarray()
    return X, np.unique(found.y, return_inverse=True)[1]


def write_problem(path: Path, X: Any, y: Any, C: float, ratio: float) -> None:
    """Write a problem with the objectives that count as within the targets."""
    large = X.shape[1] * len(np.unique(y)) >= LARGE
    steps = STEPS_OF_LARGE if large else STEPS
    exact = LogisticRegression(C=C, l1_ratio=ratio, tol=EXACT, max_iter=steps).fit(X, y)
    bound = verify(exact, X, y).dual_bound
    given: dict[str, Any] = {"X": X, "y": y, "C": C, "l1_ratio": ratio}
    shares = np.bincount(y) / len(y)
    null = objective(given, np.zeros_like(exact.coef_), np.log(shares))
    given["bounds"] = bound + null * np.array(TARGETS)
    if sparse.issparse(X):
        stored: Any = given.pop("X")
        given |= {name: getattr(stored, name) for name in ("data", "indices", "indptr", "shape")}
    np.savez(path, **given)


def answer(library: str, folder: Path, seconds: int) -> str:
    """Let a library answer the problems of a folder; return what kept it from any answer."""
    try:
        python = ensure(ENVIRONMENTS[library])
    except DoesNotBuildError as error:
        return f"does not build here: {error}"
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    worker = Path(__file__).with_name("multinomial_worker.py")
    ended = subprocess.run(
        [str(python), str(worker), library, str(folder), str(seconds)],
        env=os.environ | one, check=False,
    )  # fmt: skip
    return f"ended with status {ended.returncode}" if ended.returncode else ""


def best_times(file: Path, bounds: Iterable[float]) -> list[float | None]:
    """Return the least seconds to each bound."""
    lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    found = [(float(seconds), float(value)) for _, seconds, value in lines]
    return [min((s for s, v in found if v <= bound), default=None) for bound in bounds]


def run(name: str, penalty: str, seconds: int) -> Iterator[Row]:
    """Yield the rows of one set and penalty."""
    X, y = data(name)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for k, C in enumerate(STRENGTHS):
            write_problem(folder / f"problem_{k}.npz", X, y, C, RATIOS[penalty])
        missing = {library: answer(library, folder, seconds) for library in LIBRARIES}
        homes = dict.fromkeys(SOLVERS[penalty], "scikit_learn")
        homes |= {"banditcd": "banditcd", "glmnet": "glmnet"}
        for k, C in enumerate(STRENGTHS):
            with np.load(folder / f"problem_{k}.npz") as problem:
                bounds = problem["bounds"]
            for solver in SOLVERS[penalty]:
                file = folder / f"{k}_{solver}.txt"
                times = best_times(file, bounds) if file.exists() else [None] * len(TARGETS)
                note = "" if file.exists() else missing[homes[solver]] or "too many coefficients"
                for target, best in zip(TARGETS, times, strict=True):
                    yield {
                        "data": name, "n": str(X.shape[0]), "d": str(X.shape[1]),
                        "classes": str(len(np.unique(y))), "penalty": penalty, "C": f"{C:g}",
                        "target": f"{target:g}", "solver": solver,
                        "seconds": "" if best is None else f"{best:.6g}", "note": note,
                        "limit": str(seconds), "commit": commit(), "machine": describe(),
                    }  # fmt: skip


def read_rows(file: Path) -> list[Row]:
    """Return the rows that are kept."""
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def keep(file: Path, rows: list[Row]) -> None:
    """Replace the rows of what was run; others stay."""
    ran = {(row["data"], row["penalty"]) for row in rows}
    others = [row for row in read_rows(file) if (row["data"], row["penalty"]) not in ran]
    order = {name: k for k, name in enumerate(NAMES)}
    every = sorted(others + rows, key=lambda row: (row["penalty"] != "l2", order[row["data"]]))
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(every)


def lines_of(rows: list[Row], penalty: str) -> tuple[list[str], list[float]]:
    """Return the lines of a table, and how many times as fast as the best peer we are."""
    cells: dict[tuple[str, ...], dict[str, Row]] = {}
    for row in rows:
        if row["penalty"] == penalty:
            cells.setdefault((row["data"], row["C"], row["target"]), {})[row["solver"]] = row
    solvers = SOLVERS[penalty]
    lines = [
        f"| data | C | gap | {' | '.join(solvers)} | ratio |",
        "|---" * (4 + len(solvers)) + "|",
    ]
    ratios = []
    for cell, found in cells.items():
        peers = [float(found[s]["seconds"]) for s in solvers[1:] if found[s]["seconds"]]
        mine = float(found["banditcd"]["seconds"] or "inf")
        ratios += [min(peers) / mine] if peers else []
        ratio = f"{min(peers) / mine:.2g}" if peers else "-"
        words = [_word(found[s]) for s in solvers]
        lines.append(f"| {' | '.join(cell)} | {' | '.join(words)} | {ratio} |")
    return lines, ratios


def _word(row: Row) -> str:
    if row["seconds"]:
        return f"{1e3 * float(row['seconds']):.3g}"
    return row["note"] or "not reached"


def page(rows: list[Row]) -> str:
    """Return the page of the tables."""
    commits = ", ".join(sorted({row["commit"] for row in rows}))
    limits = ", ".join(sorted({row["limit"] for row in rows}))
    machines = "; ".join(sorted({row["machine"] for row in rows}))
    head = (
        "# Multinomial logistic regression\n\nDrawn by `python -m benchmarks.multinomial --draw`"
        " from `multinomial-rows.csv`: CPU milliseconds to\nan objective within a share of the null"
        " model's of a lower bound found by `banditcd.verify`, the\nbest of three fits at one"
        " tolerance of a ladder, with intercepts and one thread. A solver has\n"
        f"{limits} CPU seconds for all tolerances of a problem; cells that no peer reaches have no"
        f" ratio.\n\nSources of commit {commits}.\n{machines}.\n"
    )
    parts = [head]
    for penalty in RATIOS:
        lines, ratios = lines_of(rows, penalty)
        if not ratios:
            continue
        lost = sum(ratio < 1.0 for ratio in ratios)
        summary = (
            f"Of {len(ratios)} cells the median is {median(ratios):.1f} times as fast as the best"
            f" peer, the least\n{min(ratios):.2g}; {lost} are lost."
        )
        title = f"## {penalty.upper()} penalty"
        parts.append("\n".join([title, "", summary, "", *lines, ""]))
    notes = RESULTS / "multinomial-notes.md"
    return "\n".join([*parts, notes.read_text("utf-8")] if notes.exists() else parts)


def main() -> None:
    """Run what is asked for, keep its rows and draw the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--penalty", action="append", choices=list(RATIOS))
    parser.add_argument("--only", action="append", choices=NAMES, help="a data set by its name")
    parser.add_argument(
        "--seconds", type=int, default=6, help="of CPU time, for a solver and problem"
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of rows and page")
    parser.add_argument("--draw", action="store_true", help="draw the page from the rows alone")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    file = options.out / "multinomial-rows.csv"
    for penalty in () if options.draw else options.penalty or RATIOS:
        for name in options.only or NAMES:
            rows = list(run(name, penalty, options.seconds))
            keep(file, rows)
            print("\n".join(lines_of(rows, penalty)[0]), flush=True)
    rows = read_rows(file)
    (options.out / "multinomial.md").write_text(page(rows), "utf-8")


if __name__ == "__main__":
    main()
