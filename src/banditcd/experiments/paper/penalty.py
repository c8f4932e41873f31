"""The choice of lambda: the paper says "such that the test and train errors are comparable".

On a grid of penalties below the largest useful one, a model is fitted to the training part and its
mean loss (squared error, or logistic loss) measured on both parts. A penalty is *comparable* if
the test error is at most ``comparable`` times the train error; of those, the largest penalty is
taken whose test error is within a factor ``slack`` of the best of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from banditcd import problems
from banditcd._typing import Floats
from banditcd.data import Dataset
from banditcd.data.dataset import split
from banditcd.data.loading import load
from banditcd.data.preprocess import apply
from banditcd.experiments.paper.configuration import PenaltyChoice, ProblemSpec
from banditcd.experiments.paper.optimum import logistic_optimum, ridge_weights
from banditcd.solvers import ElasticNetSession

FIT_TOL = 1e-7
_BY_COLUMNS = ("unit_columns",)


@dataclass(frozen=True)
class PenaltyRow:
    """One penalty that was tried; ``ratio`` is relative to the reference penalty."""

    problem: str
    ratio: float
    alpha: float
    train_error: float
    test_error: float
    chosen: bool


def reference_penalty(cost: str, X: Any, y: Floats) -> float:
    """Return alpha_max for costs with an L1 term, the mean squared row norm for ridge."""
    if cost == "RidgeDual":
        return float(np.sum(_squares(X))) / int(X.shape[0])
    probe: Any = problems.make(cost, X, y, alpha=1.0)
    return float(probe.alpha_max)


def choose_penalty(
    spec: ProblemSpec, raw: Dataset, choice: PenaltyChoice
) -> tuple[float, list[PenaltyRow], str]:
    """Return the chosen ratio to the reference penalty, what was tried, and how it was done."""
    train, test, parts = _parts(spec, raw, choice.split_seed)
    reference = reference_penalty(spec.cost, train.X, train.y)
    fit = _FITS[spec.cost](train)
    tried: list[PenaltyRow] = []
    for k in range(1, choice.steps_per_decade * choice.decades + 1):
        ratio = 10.0 ** (-k / choice.steps_per_decade)
        coef = fit(reference * ratio)
        errors = [_error(spec.cost, part, coef) for part in (train, test)]
        tried.append(PenaltyRow(spec.key, ratio, reference * ratio, errors[0], errors[1], False))
        if not _worth_going_on(tried, choice):
            break
    chosen = pick(tried, choice)
    rows = [
        PenaltyRow(r.problem, r.ratio, r.alpha, r.train_error, r.test_error, r is chosen)
        for r in tried
    ]
    how = (
        f"{parts}: test error {chosen.test_error:.4g}, train error {chosen.train_error:.4g}; "
        f"largest of a grid with test error within {choice.slack - 1.0:.0%} of the best among "
        f"those with test error at most {choice.comparable:g} times the train error"
    )
    return chosen.ratio, rows, how


def pick(tried: list[PenaltyRow], choice: PenaltyChoice) -> PenaltyRow:
    """Return the row of the rule; if none is comparable, the most comparable one."""
    comparable = [r for r in tried if r.test_error <= choice.comparable * r.train_error]
    if not comparable:
        return min(tried, key=lambda r: r.test_error / r.train_error)
    best = min(r.test_error for r in comparable)
    return next(r for r in comparable if r.test_error <= choice.slack * best)


def _worth_going_on(tried: list[PenaltyRow], choice: PenaltyChoice) -> bool:
    """Smaller penalties only overfit more: stop after two that are not comparable."""
    last = tried[-2:]
    return len(last) < 2 or any(r.test_error <= choice.comparable * r.train_error for r in last)


def _parts(spec: ProblemSpec, raw: Dataset, seed: int) -> tuple[Dataset, Dataset, str]:
    """Return the two parts, with the column scaling of the training part in both."""
    by_row = [step for step in spec.steps if step not in _BY_COLUMNS]
    if spec.test:
        train, test = apply(raw, by_row), apply(load(spec.test), by_row)
        note = f"test part {spec.test}"
    else:
        train, test = split(apply(raw, by_row), 0.8, seed)
        note = f"split 80/20 with seed {seed}"
    if "unit_columns" not in spec.steps:
        return train, test, note
    norms = _column_norms(train.X)
    return _scaled(train, norms), _scaled(test, norms), note


def _column_norms(X: Any) -> Floats:
    squares = _squares(X)
    return np.where(squares > 0.0, np.sqrt(squares), 1.0)


def _squares(X: Any) -> Floats:
    """Return the sum of squares of every column."""
    squares = X.multiply(X) if hasattr(X, "multiply") else X * X
    return np.asarray(squares.sum(axis=0), dtype=np.float64).ravel()


def _scaled(part: Dataset, norms: Floats) -> Dataset:
    scaled: Any = part.X / norms if isinstance(part.X, np.ndarray) else None
    if scaled is None:
        scaled = sparse.csc_matrix(part.X.multiply(1.0 / norms))
    return replace(part, X=scaled)


def _error(cost: str, part: Dataset, coef: Floats) -> float:
    prediction = np.asarray(part.X @ coef)
    if cost == "LogisticL1":
        sign = np.where(part.y > 0.0, 1.0, -1.0)
        return float(np.mean(np.logaddexp(0.0, -sign * prediction)))
    return float(np.mean((part.y - prediction) ** 2))


Fit = Callable[[float], Floats]


def _lasso(train: Dataset) -> Fit:
    session = ElasticNetSession(train.X, train.y, solves=10)
    return lambda alpha: session.solve(alpha, tol=FIT_TOL, max_seconds=20.0).coef


def _logistic(train: Dataset) -> Fit:
    last = np.zeros(train.columns)

    def fit(alpha: float) -> Floats:
        problem = problems.LogisticL1(train.X, train.y, alpha=alpha)
        last[:] = logistic_optimum(problem, train.X, train.y, FIT_TOL, last)
        return last

    return fit


def _ridge(train: Dataset) -> Fit:
    return lambda alpha: ridge_weights(train.X, train.y, alpha, "paper")


_FITS: dict[str, Callable[[Dataset], Fit]] = {
    "Lasso": _lasso,
    "LogisticL1": _logistic,
    "RidgeDual": _ridge,
}
