"""Solvers of data that live elsewhere, in the units of the estimators: alpha or C in, models out.

Each holds one loop of :mod:`banditcd.places`, warm from one penalty to the next; the loops are
imported on first use. The certificate of a solve counts the trips that were made for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.certificate import certificate_of
from banditcd.estimators.backends.solution import Solution, Watch, check_finite
from banditcd.estimators.checks.binary_settings import BinarySettings, Intercept
from banditcd.estimators.checks.column_options import ColumnOptions
from banditcd.estimators.checks.settings import LinearSettings

if TYPE_CHECKING:
    from banditcd.places.penalties import ColumnPenalties
    from banditcd.places.place import Place
    from banditcd.places.pool_loop import Report
    from banditcd.solvers import Result


class _PlacedSolver:
    """A loop at a place, and the account of what it asked for."""

    loop: Any

    def __init__(self, loop: Any, place: Place, settings: Any, verbose: Any) -> None:
        self.loop, self.place, self.settings = loop, place, settings
        self.loop.report = report_of(place, verbose)
        self._rounds = self._bytes = 0
        self._passes = 0.0

    def _solve(self, unit: float, *penalties: float) -> Solution:
        """Minimize, warm-started, and return the objective multiplied by ``unit``."""
        limits = {"tol": self.settings.tol, "max_iter": self.settings.max_iter}
        return self._solution(self.loop.solve(*penalties, **limits), unit)

    def _solution(self, result: Result, unit: float) -> Solution:
        """Return a result in the units of the estimator, with the traffic since the last one."""
        traffic = self.place.traffic
        certificate = replace(
            certificate_of(result, unit),
            passes=traffic.passes - self._passes,
            rounds=traffic.rounds - self._rounds,
            bytes_moved=traffic.bytes_moved - self._bytes,
        )
        self._passes, self._rounds = traffic.passes, traffic.rounds
        self._bytes = traffic.bytes_moved
        solution = Solution(np.asarray(result.coef), result.intercept, certificate)
        check_finite(solution)
        return solution


class PlacedElasticNet(_PlacedSolver):
    """The Lasso or elastic net; row weights count as if they were normalized to sum to n."""

    def __init__(
        self, place: Place, columns: ColumnOptions, settings: LinearSettings, verbose: Any = 0
    ) -> None:
        from banditcd.places.elastic_net import ElasticNetLoop

        penalties = penalties_of(place, columns)
        loop = ElasticNetLoop(place, penalties, fit_intercept=settings.fit_intercept)
        super().__init__(loop, place, settings, verbose)

    def start_at(self, coef: Floats) -> None:
        """Refuse a start: the pool begins with what the data say."""
        raise ValueError("coef_init is for data in memory; leave it out.")

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        return float(self.loop.largest_penalty() / self.loop.total / self.settings.l1_ratio)

    def solve(self, alpha: float, watch: Watch | None = None) -> Solution:
        """Minimize for one penalty, warm-started; nobody watches the bins."""
        total = self.loop.total
        return self._solve(1.0 / total, *self.settings.penalties(total * alpha))

    def path(self, alphas: Sequence[float]) -> list[Solution]:
        """Minimize for every alpha, from large to small, several per reading of X.

        The certificates share the traffic of the path evenly.
        """
        from banditcd.places.path import solve_path

        total, settings = self.loop.total, self.settings
        pairs = [settings.penalties(total * float(alpha)) for alpha in alphas]
        results = solve_path(self.loop, pairs, tol=settings.tol, max_iter=settings.max_iter)
        first = self._solution(results[0], 1.0 / total)
        solutions = [first, *(self._solution(result, 1.0 / total) for result in results[1:])]
        moved = first.certificate
        n = len(results)
        for solution in solutions:
            solution.certificate = replace(
                solution.certificate,
                passes=moved.passes / n,
                rounds=math.ceil(moved.rounds / n),
                bytes_moved=math.ceil(moved.bytes_moved / n),
            )
        return solutions


class PlacedRidge(_PlacedSolver):
    """Ridge regression; row weights are used as they are."""

    def __init__(self, place: Place, settings: LinearSettings, verbose: Any = 0) -> None:
        from banditcd.places.smooth import SmoothLoop

        kind: Intercept = "free" if settings.fit_intercept else "none"
        super().__init__(SmoothLoop(place, "squared", intercept=kind), place, settings, verbose)

    def solve(self, alpha: float) -> Solution:
        """Minimize for one penalty by Newton's method, exact after a step if it has its matrix."""
        return self._solve(2.0, alpha)


class PlacedBinary(_PlacedSolver):
    """A classifier of two classes; row weights are used as they are."""

    def __init__(
        self, place: Place, columns: ColumnOptions, settings: BinarySettings, verbose: Any = 0
    ) -> None:
        from banditcd.places.logistic import LogisticLoop
        from banditcd.places.smooth import SmoothLoop

        if settings.loss == "hinge":
            raise ValueError(
                "The hinge is solved in memory only; use loss='squared_hinge' for data that live "
                "elsewhere."
            )
        if settings.loss != "logistic" and settings.l1_ratio > 0.0:
            raise ValueError(
                "penalty='l1' of a support vector machine is solved in memory only; use "
                "penalty='l2' or LogisticRegression(l1_ratio=1) for data that live elsewhere."
            )
        if settings.loss == "logistic" and (settings.l1_ratio > 0.0 or not columns.plain):
            free = settings.intercept == "free"
            self._is_smooth, penalties = False, penalties_of(place, columns)
            loop: Any = LogisticLoop(place, penalties, fit_intercept=free)
        else:
            scaling = settings.intercept_scaling if settings.intercept == "penalized" else 1.0
            kind = settings.intercept
            loop = SmoothLoop(place, settings.loss, intercept=kind, scaling=scaling)
            self._is_smooth = True
        super().__init__(loop, place, settings, verbose)

    def first_entry(self) -> float:
        """Return the largest C at which no penalized coefficient is non-zero, inf if all are."""
        top = self.loop.largest_penalty()
        return float(self.settings.l1_ratio / top) if top > 0.0 else math.inf

    def solve(self, C: float) -> Solution:
        """Minimize for one C, warm-started."""
        if self._is_smooth:
            return self._solve(C, 1.0 / C)
        return self._solve(C, *self.settings.penalties(1.0 / C))


class PlacedMultinomial(PlacedBinary):
    """One model of three and more classes, whose numbers are y; weights are used as they are."""

    def __init__(
        self,
        place: Place,
        columns: ColumnOptions,
        settings: BinarySettings,
        verbose: Any = 0,
        *,
        classes: int,
    ) -> None:
        from banditcd.places.class_pool import ClassPoolLoop
        from banditcd.places.multinomial import MultinomialLoop

        free = settings.intercept == "free"
        self._is_smooth = settings.l1_ratio == 0.0 and columns.plain
        if self._is_smooth:
            loop: Any = MultinomialLoop(place, classes, fit_intercept=free)
        else:
            penalties = penalties_of(place, columns)
            loop = ClassPoolLoop(place, penalties, classes, fit_intercept=free)
        _PlacedSolver.__init__(self, loop, place, settings, verbose)


def report_of(place: Place, verbose: Any) -> Report | None:
    """Return what writes a line after every bin, if that was asked for."""
    if not verbose:
        return None
    from banditcd.places.progress import Progress

    return Progress(place)


def penalties_of(place: Place, columns: ColumnOptions) -> ColumnPenalties:
    """Return the options of the columns as the loops take them."""
    from banditcd.places.penalties import ColumnPenalties

    return ColumnPenalties(place.shape[1], columns.penalty_weights, columns.lower, columns.upper)


def refuse(estimator: Any, *names: str, name: str | None = None) -> None:
    """Refuse parameters that only data in memory have, where they are not at their default."""
    who = type(estimator).__name__ if name is None else name
    for word in names:
        value = getattr(estimator, word, None)
        automatic = isinstance(value, str) and value == "auto"
        if value is not None and value is not False and not automatic:
            raise ValueError(
                f"{word}={value!r} is for data in memory; {who} fits data that live elsewhere "
                "(Dask, a GPU, a large file) without it."
            )
