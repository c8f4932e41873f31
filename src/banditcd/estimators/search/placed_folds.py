"""Folds of data that live elsewhere: row weights, so that X is neither cut nor copied."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from sklearn.model_selection import check_cv

from banditcd._typing import Floats
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.search.splits import check_folds
from banditcd.places import scores
from banditcd.places.kinds import on_host
from banditcd.places.lockstep import in_step
from banditcd.places.place import Job, Place, Rows
from banditcd.places.shares import RowShare, share_of

Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class PlacedFold:
    """Which rows a fold fits, and which it measures."""

    train: RowShare
    test: RowShare


def placed_folds(
    rows: Rows, cv: Any, arguments: dict[str, Any], y: Any = None, *, labels: Any = None
) -> list[PlacedFold]:
    """Return the folds of a splitter, which sees the number of rows and the responses.

    ``labels`` are those of a classifier, on the host; the responses y of a regressor come there
    only for a splitter that is no plain number of folds.
    """
    n = rows.shape[0]
    plain = cv is None or isinstance(cv, Integral)
    seen = labels if labels is not None else None if plain else on_host(y)
    splitter = check_cv(cv, labels, classifier=labels is not None)
    groups = {name: on_host(value) for name, value in arguments.items()}
    found = list(splitter.split(np.empty((n, 0)), seen, **groups))
    checked = check_folds(found, Training(None, np.empty(0), None))
    return [PlacedFold(share_of(fold.train, n), share_of(fold.test, n)) for fold in checked]


@dataclass(frozen=True, slots=True)
class PlacedSearch:
    """Rows with a response and weights, and the folds of a search over them."""

    rows: Rows
    y: Any
    weight: Any
    folds: list[PlacedFold]
    verbose: Any = 0

    def place(self, share: RowShare | None = None, y: Any = None) -> Place:
        """Return all rows, or those of a share, with the responses, or with others."""
        weight = self.weight if share is None else self.rows.share(self.weight, share)
        return self.rows.place(self.y if y is None else y, weight)

    def fitted(
        self, work: Callable[[int, Place], Outcome], ys: list[Any] | None = None
    ) -> list[Outcome]:
        """Return ``work(number, place)`` of the training rows of every fold, run in step.

        With several responses there is a place for each of them in every fold, fold by fold.
        """
        responses = [self.y] if ys is None else ys
        places = []
        for fold in self.folds:
            weight = self.rows.share(self.weight, fold.train)
            places += [self.rows.place(y, weight) for y in responses]
        return in_step(self.rows, places, work, _tell if self.verbose else None)

    def measured(self, jobs: list[Job]) -> list[tuple[Any, ...]]:
        """Return the sums of one job per fold over its test rows, from one reading."""
        places = [self.place(fold.test) for fold in self.folds]
        return self.rows.run(list(zip(places, jobs, strict=True)))


def _tell(rounds: int, running: int) -> None:
    sys.stderr.write(f"banditcd: folds: round {rounds}, {running} loop(s) running\n")
    sys.stderr.flush()


@dataclass(frozen=True, slots=True)
class SquaredSums:
    """Squared errors of several models on test rows, and the spread of the responses there."""

    errors: Floats
    total: float
    spread: float

    @property
    def mean_errors(self) -> Floats:
        """Mean squared errors."""
        return self.errors / self.total

    @property
    def r2(self) -> Floats:
        """Coefficients of determination, with scikit-learn's values where y does not vary."""
        if self.spread > 0.0:
            return 1.0 - self.errors / self.spread
        return np.where(self.errors == 0.0, 1.0, 0.0)


def squared_sums(
    search: PlacedSearch, models: list[scores.Models], center: float
) -> list[SquaredSums]:
    """Return how the models of every fold do on its test rows."""
    jobs = [Job(scores.squared_scores, (of_fold, center)) for of_fold in models]
    out = []
    for sums in search.measured(jobs):
        *errors, total, off, square = (float(value) for value in sums)
        if total == 0.0:
            raise ValueError(
                "A fold has no test sample (with a positive weight); choose another cv."
            )
        out.append(SquaredSums(np.array(errors), total, square - off * off / total))
    return out
