"""Multinomial logistic regression against scikit-learn: ``python -m benchmarks.multinomial``.

Every fit of a ladder of tolerances is judged by the objective of its coefficients, less the lower
bound that our fit at 1e-12 certifies; a cell is the least time in which one fit of a library is
within a share of the null model's objective. Times are those of the process, the best of a few.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import logsumexp
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.preprocessing import StandardScaler

from banditcd import LogisticRegression
from banditcd.data import load

TARGETS = (1e-3, 1e-5, 1e-7)
STRENGTHS = (0.01, 1.0, 100.0)
LADDER = (100.0, 10.0, 1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
MOST_SECONDS = 20.0
MOST_UNKNOWNS = 3000  # of a matrix that newton-cholesky factors in seconds

Data = tuple[str, Any, Any]


def generated(name: str, rows: int, columns: int, classes: int, seed: int) -> Data:
    """Return Gaussian columns and classes drawn from a softmax of a few of them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns))
    W = rng.standard_normal((columns, classes)) * (rng.random((columns, 1)) < 0.2)
    scores = X @ W / np.sqrt(0.05 * columns)
    return name, X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def data(small: bool) -> Iterator[Data]:
    """Yield the data sets, generated ones first."""
    yield generated("tall, 7 classes", 20_000, 40, 7, 1)
    yield generated("square, 5 classes", 600, 300, 5, 2)
    yield generated("wide, 4 classes", 200, 2000, 4, 3)
    X, y = load_digits(return_X_y=True)
    yield "digits", StandardScaler().fit_transform(X), y
    for name in () if small else ("usps", "protein.val", "news20"):
        found = load(name)
        X = found.X if sparse.issparse(found.X) else np.ascontiguousarray(found.X)
        if sparse.issparse(X) and X.nnz > 0.5 * np.prod(X.shape):
            X = X.toarray()
        yield name, X, found.y.astype(int)


def objective(model: Any, X: Any, y: Any) -> float:
    """Return the documented objective of a fitted model."""
    scores = np.asarray(X @ model.coef_.T) + model.intercept_
    codes = np.searchsorted(model.classes_, y)
    loss = np.sum(logsumexp(scores, axis=1) - scores[np.arange(len(codes)), codes])
    w, ratio = model.coef_, model.l1_ratio
    return float(model.C * loss + ratio * np.abs(w).sum() + 0.5 * (1.0 - ratio) * (w * w).sum())


def entrants(C: float, ratio: float, unknowns: int) -> dict[str, Callable[[float], Any]]:
    """Return what makes an estimator of a tolerance, by name."""
    given: dict[str, Any] = {"C": C, "l1_ratio": ratio}
    ours = {"banditcd": lambda tol: LogisticRegression(tol=tol, max_iter=1000, **given)}
    smooth = ("lbfgs", "newton-cholesky") if unknowns <= MOST_UNKNOWNS else ("lbfgs",)
    names = smooth if ratio == 0.0 else ("saga",)
    theirs = {
        name: lambda tol, name=name: TheirLogistic(solver=name, tol=tol, max_iter=10_000, **given)
        for name in names
    }
    return ours | theirs


def fit(model: Any, X: Any, y: Any, repeats: int) -> float:
    """Fit a few times; return the least seconds."""
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        model.fit(X, y)
        best = min(best, time.process_time() - start)
        if best > 1.0:
            break
    return best


def times(make: Callable[[float], Any], X: Any, y: Any, bounds: list[float]) -> list[float]:
    """Return the seconds to each bound of the objective; inf where no tolerance gets there."""
    out = [np.inf] * len(bounds)
    for tol in LADDER:
        model = make(tol)
        seconds = fit(model, X, y, repeats=3)
        value = objective(model, X, y)
        out = [
            min(s, seconds) if value <= bound else s for s, bound in zip(out, bounds, strict=True)
        ]
        if value <= bounds[-1] or seconds > MOST_SECONDS:
            break
    return out


def rows_of(found: Data, ratio: float) -> Iterator[tuple[str, list[float]]]:
    """Yield the lines of one data set, and how many times faster than the best peer we are."""
    name, X, y = found
    for C in STRENGTHS:
        exact = LogisticRegression(C=C, l1_ratio=ratio, tol=1e-12, max_iter=1000).fit(X, y)
        null = exact.certificate_.target / 1e-12
        bounds = [exact.certificate_.dual + target * null for target in TARGETS]
        peers = entrants(C, ratio, exact.coef_.size)
        cells = {who: times(make, X, y, bounds) for who, make in peers.items()}
        ours = cells.pop("banditcd")
        best = [min(column) for column in zip(*cells.values(), strict=True)]
        ratios = [b / o for b, o in zip(best, ours, strict=True)]
        shown = [f"{o:.3f} / {b:.3f}" for o, b in zip(ours, best, strict=True)]
        yield f"| {name} | {C:g} | {' | '.join(shown)} |", ratios


def main() -> None:
    """Print the table of one penalty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--l1-ratio", type=float, default=0.0)
    parser.add_argument("--small", action="store_true", help="no data sets that are read")
    parser.add_argument("--only", help="a data set by its name")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"| data | C | {' | '.join(f'{t:g}: ours / best peer' for t in TARGETS)} |")
    print("| --- " * (2 + len(TARGETS)) + "|", flush=True)
    every: list[float] = []
    for found in data(arguments.small):
        if arguments.only is not None and found[0] != arguments.only:
            continue
        for line, ratios in rows_of(found, arguments.l1_ratio):
            print(line, flush=True)
            every += [ratio for ratio in ratios if np.isfinite(ratio)]
    print(f"\nMedian {statistics.median(every):.1f} times, least {min(every):.2f}.")


if __name__ == "__main__":
    main()
