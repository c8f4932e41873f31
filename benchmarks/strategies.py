"""Strategies as arms: every arm forced, the one that is chosen, and the regret of the choice.

Run ``python -m benchmarks.strategies`` from the root of the project, with ``BANDITCD_DATA`` set for
the sets that are not generated; ``--only NAME`` and ``--model NAME`` narrow it down, ``--rounds``
is the number of runs whose median counts. Regret is the work, or the time, of the choice divided by
that of the quickest arm; work is counted operations times the price list
(native/kernels/prices.hpp), seconds are CPU time of one thread. The targets of ridge regression are
the labels, and its penalty alpha is 1/C. The sets of the multinomial model are those of
``benchmarks.multinomial``, but for news20.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from banditcd.data import apply, load
from banditcd.solvers import (
    L2LogisticSession,
    L2MultinomialSession,
    Result,
    RidgeSession,
    SvmSession,
)
from benchmarks import multinomial

ARMS = {
    "l2_logistic": ("newton", "newton_cg", "row_space", "dual_descent"),
    "squared_hinge": ("descent", "newton", "gram"),
    "hinge": ("descent", "proximal_newton", "gram"),
    "ridge": ("normal_equations", "dual_gram", "cg"),
    "multinomial": ("newton_diagonal", "newton_blocks", "newton_coupled", "quasi_newton"),
}
STRENGTHS, TARGETS = (0.01, 1.0, 100.0), (1e-2, 1e-4, 1e-6)
PASSES = 2000  # of an arm: beyond, it does not get there
#: An arm may take this many times as long as the choice; beyond, it does not get there.
PATIENCE = 20.0
WIDEST, LONGEST = 2500, 2500  # columns of a Hessian, rows of a Gram matrix: larger ones are skipped
LARGEST_BLOCK = 1500  # unknowns of a block of the multinomial Hessian, likewise

READ = {
    "a9a": ("a9a", ()),
    "w8a": ("w8a", ()),
    "mushrooms": ("mushrooms", ()),
    "leu": ("leu", ()),
    "colon-cancer": ("colon-cancer", ()),
    "usps": ("usps", ()),
    "madelon": ("madelon", ("standardize",)),
    "news20": ("news20", ("log1p", "unit_rows")),
    "text": ("synthetic:text(rows=8000, columns=30000, words=60, task='binary')", ()),
    "wide": ("synthetic:wide(rows=900, columns=7000, rho=0.5, task='binary')", ()),
}


#: Of several classes; those of the other models are halved to two.
CLASSES = tuple(name for name in multinomial.NAMES if name != "news20")


def wide_sparse(rows: int = 600, columns: int = 100_000, entries: int = 900) -> Any:
    """Return ones at places whose columns follow a power law."""
    rng = np.random.default_rng(0)
    share = np.arange(1, columns + 1) ** -0.6
    places = [np.unique(rng.choice(columns, entries, p=share / share.sum())) for _ in range(rows)]
    ends = np.cumsum([0, *(len(row) for row in places)])
    return sparse.csr_matrix((np.ones(ends[-1]), np.concatenate(places), ends), (rows, columns))


def dense(rows: int, columns: int, factors: int = 0) -> Any:
    """Return normal entries, correlated by a few factors if there are any."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((rows, columns))
    if factors:
        common = rng.standard_normal((rows, factors)) @ rng.standard_normal((factors, columns))
        X += 2.0 / math.sqrt(factors) * common
    return X


def scattered(rows: int, columns: int, density: float) -> Any:
    """Return normal entries at random places: no column is more common than another."""
    rng = np.random.default_rng(3)
    return sparse.random(
        rows, columns, density, format="csr", random_state=rng, data_rvs=rng.standard_normal
    )


MADE: dict[str, Callable[[], Any]] = {
    "wide sparse 600x100000": wide_sparse,
    "wide dense 1000x5000": lambda: dense(1000, 5000),
    "wide correlated 1000x5000": lambda: dense(1000, 5000, 50),
    "tall 50000x50": lambda: dense(50_000, 50),
    "square 2000x1500": lambda: dense(2000, 1500, 20),
    "small 1000x25": lambda: dense(1000, 25),
    "scattered 6000x3000": lambda: scattered(6000, 3000, 0.01),
    "scattered 7000x2000": lambda: scattered(7000, 2000, 0.013),
    "scattered 1500x9000": lambda: scattered(1500, 9000, 0.005),
}


def problem(name: str) -> tuple[Any, np.ndarray]:
    """Return X by rows and labels."""
    if name in READ:
        source, steps = READ[name]
        data = apply(load(source), (*steps, "halved_classes"))
        X = sparse.csr_matrix(data.X) if data.is_sparse else np.ascontiguousarray(data.X)
        X = X.astype(np.float64)
        if sparse.issparse(X):
            X.sort_indices()
        return X, np.asarray(data.y, dtype=np.float64)
    X = MADE[name]()
    rng = np.random.default_rng(2)
    score = np.asarray(X @ (rng.standard_normal(X.shape[1]) * (rng.random(X.shape[1]) < 0.2)))
    noise = score.std() * rng.standard_normal(len(score))
    return X, np.where(score + noise > 0.0, 1.0, -1.0)


@dataclass(frozen=True)
class Cell:
    """One problem: data, model, C, the gap wanted, and whether there is an intercept."""

    name: str
    model: str
    X: Any
    y: np.ndarray
    C: float
    tol: float

    def solve(self, arm: str | None, limit: float = math.inf) -> tuple[Result, float]:
        """Return the result of an arm, or of the choice, and its CPU seconds."""
        began = time.process_time()
        session: Any
        if self.model == "l2_logistic":
            session = L2LogisticSession(self.X, self.y, fit_intercept=True)
            strength = 1.0 / (self.C * len(self.y))
        elif self.model == "multinomial":
            classes = len(np.unique(self.y))
            session = L2MultinomialSession(self.X, self.y, classes, fit_intercept=True)
            strength = 1.0 / (self.C * len(self.y))
        elif self.model == "ridge":
            session = RidgeSession(self.X, self.y, fit_intercept=True, exact=False)
            strength = 1.0 / (self.C * len(self.y))
        else:
            loss: Any = self.model
            session = SvmSession(self.X, self.y, loss=loss, intercept="penalized")
            strength = self.C
        if arm is not None:
            session.force_regime(arm)
        result = session.solve(strength, tol=self.tol, max_iter=PASSES, max_seconds=limit)
        if self.model == "ridge":
            (result,) = result
        return result, time.process_time() - began

    def possible(self, arm: str) -> bool:
        """Whether the matrix that the arm factors is not absurdly large."""
        n, d = self.X.shape
        if arm == "newton_blocks":
            return bool(d < LARGEST_BLOCK)
        if arm == "newton_coupled":
            return bool(d * len(np.unique(self.y)) < LARGEST_BLOCK)
        if arm in ("newton", "proximal_newton", "normal_equations"):
            svm = self.model in ("squared_hinge", "hinge")
            return bool(d < min(WIDEST, 2000 if svm else WIDEST))
        if arm in ("row_space", "gram", "dual_gram"):
            return bool(n <= min(LONGEST, 1500 if arm == "gram" else LONGEST) and n < d)
        return True


@dataclass(frozen=True)
class Row:
    """The arms of a cell by (work, seconds), infinite where they do not get there."""

    cell: Cell
    arms: dict[str, tuple[float, float]]
    chosen: str
    cost: tuple[float, float]

    def regret(self, by: int) -> float:
        """Return the cost of the choice over the least of the arms; 0: work, 1: seconds."""
        return self.cost[by] / min(cost[by] for cost in self.arms.values())


def measured(cell: Cell, rounds: int) -> Row:
    """Run the choice and every arm, in turn."""
    result, seconds = cell.solve(None)
    limit = max(PATIENCE * seconds, 0.05)
    arms = [arm for arm in ARMS[cell.model] if cell.possible(arm)]
    times: dict[str | None, list[float]] = {arm: [] for arm in (None, *arms)}
    work: dict[str | None, float] = {None: result.work}
    for _ in range(rounds):
        for arm in (None, *arms):
            if math.inf in times[arm]:
                continue
            found, seconds = cell.solve(arm, limit)
            times[arm].append(seconds if found.converged else math.inf)
            work[arm] = found.work if found.converged else math.inf
    costs = {arm: (work[arm], statistics.median(times[arm])) for arm in times}
    return Row(cell, {arm: costs[arm] for arm in arms}, result.regime, costs[None])


def cells(only: list[str], models: list[str]) -> Iterator[Cell]:
    """Yield the cells, set by set."""
    binary = [model for model in models if model != "multinomial"]
    several = [model for model in models if model == "multinomial"]
    for sources, fitting, read in (
        ([*READ, *MADE], binary, problem),
        (CLASSES, several, multinomial.data),
    ):
        for name in [name for name in sources if fitting and (not only or name in only)]:
            X, y = read(name)
            y = y.astype(np.float64)
            for model in fitting:
                for C in STRENGTHS:
                    for tol in TARGETS:
                        yield Cell(name, model, X, y, C, tol)


def line(row: Row) -> str:
    """Return a row of the table, in milliseconds."""
    arms = ", ".join(
        f"{arm} {1e3 * cost[1]:.1f}" if math.isfinite(cost[1]) else f"{arm} -"
        for arm, cost in row.arms.items()
    )
    by_work = f"{row.regret(0):.2f}" if row.cost[0] else "-"
    cell = row.cell
    return (
        f"| {cell.name} | {cell.model} | {cell.C:g} | {cell.tol:.0e} | {arms} | {row.chosen} "
        f"{1e3 * row.cost[1]:.1f} | {by_work} | {row.regret(1):.2f} |"
    )


def summary(rows: list[Row]) -> str:
    """Return medians and worst of the regrets."""
    parts = []
    for by, name in enumerate(("work", "seconds")):
        values = [row.regret(by) for row in rows if row.cost[by]]
        if values:
            within = sum(value <= 1.5 for value in values)
            parts.append(
                f"{name}: median {statistics.median(values):.2f}, worst {max(values):.2f}, "
                f"{within} of {len(values)} cells within 1.5"
            )
    return "; ".join(parts)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], choices=sorted({*READ, *MADE, *CLASSES})
    )
    parser.add_argument("--model", action="append", default=[], choices=list(ARMS))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| data | model | C | gap | arms, ms | choice, ms | regret, work | regret, seconds |")
    print("|---|---|---|---|---|---|---|---|")
    rows: list[Row] = []
    for cell in cells(options.only, options.model or list(ARMS)):
        rows.append(measured(cell, options.rounds))
        print(line(rows[-1]), flush=True)
    for model in options.model or list(ARMS):
        print(f"\n{model}: {summary([row for row in rows if row.cell.model == model])}")


if __name__ == "__main__":
    main()
