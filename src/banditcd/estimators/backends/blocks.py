"""The block solver behind the estimators: several responses at once, or groups of features."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.estimators.backends.binary import SMALL, BinaryData, objective_units
from banditcd.estimators.backends.block_rounding import BlockSolution, rounding_of
from banditcd.estimators.backends.certificate import FitCertificate, certificate_of
from banditcd.estimators.backends.solution import OVERFLOW, relieved
from banditcd.estimators.backends.stepping import POLISH, Run, SessionBackend
from banditcd.estimators.backends.tasks import SILENT, Tasks
from banditcd.estimators.checks.binary_settings import BinarySettings
from banditcd.estimators.checks.groups import Blocks
from banditcd.estimators.checks.inputs import Training
from banditcd.estimators.checks.settings import LinearSettings
from banditcd.solvers import BlockResult, GroupSession

#: The tolerance of a polish: out of reach, so that it goes on until rounding ends it.
EXACT = 1e-26
#: The same for groups on a path, whose many steps would take long to the last digit.
EXACT_ON_PATH = 1e-8
#: Entries of X times responses up to which last digits are taken even where they cost epochs.
CHEAP = 1 << 20


@dataclass(frozen=True, slots=True)
class BlockPath:
    """Models along a path: penalties are the last axis."""

    coefs: Floats
    intercepts: Floats
    certificates: list[FitCertificate]


class BlockBackend:
    """Solves responses by the block solver, alpha after alpha."""

    def __init__(self, data: Training, blocks: Blocks, settings: LinearSettings) -> None:
        self._settings, self._single = settings, data.y.ndim == 1
        self._least = 1  # iterations that a solve counts at least; 0 once it starts at a model
        matrix = 8 * data.X.shape[1] ** 2 <= settings.pool_bytes  # else each digit costs epochs
        self._polish = (matrix and bool(data.X.size <= SMALL)) or settings.l1_ratio == 0.0
        # Several responses have a class in scikit-learn, whose last steps are exact, too.
        self._goal = settings.tol if self._single or self._polish else settings.aim
        tall = matrix and data.X.shape[0] >= data.X.shape[1]  # a Gram matrix is always worth it
        self._cheap = tall or data.X.size * (1 if self._single else data.y.shape[1]) <= CHEAP
        self._rounded = rounding_of(data, blocks, settings)
        self._session = GroupSession(
            data.X,
            data.y,
            groups=blocks.groups,
            weights=blocks.weights,
            fit_intercept=settings.fit_intercept,
            sample_weight=data.sample_weight,
            pool_bytes=settings.pool_bytes,
            n_threads=settings.n_threads,
        )

    def start_at(self, coef: Floats) -> None:
        """Let the next solve start at these coefficients."""
        self._session.start_at(coef)
        self._least = 0

    def largest_alpha(self) -> float:
        """Return the smallest alpha at which no penalized coefficient is non-zero."""
        return self._session.largest_penalty() / self._settings.l1_ratio

    def solve(self, alpha: float, tasks: Tasks = SILENT) -> BlockSolution:
        """Minimize for one alpha, warm-started; one bin at a time if a callback looks on.

        A small problem is then solved as exactly as float64 allows, as those of a classifier are,
        and so is ridge regression (``l1_ratio=0``), which is exact elsewhere, too. Other models of
        several responses go on to ``aim``, as those of one do, but for large ones on residuals.
        What is returned is in the precision of the data.
        """
        settings = self._settings
        limit, goal = settings.max_iter, self._goal
        if tasks.watched:
            limit, goal = 1, settings.tol
        done = 0
        while True:
            leaf = tasks.subtask("iteration") if tasks.watched else None
            result = self._solved(alpha, goal, limit)
            done += max(result.n_iter, min(self._least, settings.max_iter))
            solution = self._solution(result, done)
            found = {"coef_": solution.coef, "intercept_": solution.intercept}
            stopped = tasks.close(leaf, found)
            if result.status != "max_iter" or stopped or done >= settings.max_iter:
                if self._polish and result.n_iter > 0:
                    solution = self._polished(solution, alpha, EXACT)
                elif goal > self._goal and self._goes_on(result):
                    solution = self._polished(solution, alpha, self._goal)
                return self._rounded(solution, alpha)

    def path(self, alphas: Any, n_alphas: int) -> BlockPath:
        """Minimize for every alpha in the order given, in the precision of the data.

        Every step is solved to the same goal, so that each of them moves the model.
        """
        max_iter = self._settings.max_iter
        goal = min(self._goal, EXACT_ON_PATH) if self._polish else self._goal
        if not self._single:
            goal = min(goal, self._settings.aim)
        solutions = []
        for alpha in map(float, alphas):
            result = self._solved(alpha, goal, max_iter)
            solution = self._solution(result, max(result.n_iter, min(1, max_iter)))
            solutions.append(self._rounded(solution, alpha))
        first = solutions[0].coef
        coefs = np.empty((*first.shape, n_alphas), dtype=first.dtype, order="F")
        for k, solution in enumerate(solutions):
            coefs[..., k] = solution.coef
        intercepts = np.array([solution.intercept for solution in solutions]).T
        return BlockPath(coefs, intercepts, [solution.certificate for solution in solutions])

    def _solved(self, alpha: float, goal: float, limit: int) -> BlockResult:
        """Solve to ``goal``, judged by ``tol``; where the rest costs epochs of much data, to that.

        On residuals a digit costs as many epochs as the one before, in the Gram matrix of the pool
        next to nothing.
        """
        tol, penalties = self._settings.tol, self._settings.penalties(alpha)
        if self._cheap or goal >= tol:
            result = self._session.solve(*penalties, tol=goal, max_iter=limit)
            return relieved(result, tol, goal)
        result = self._session.solve(*penalties, tol=tol, max_iter=limit)
        left = limit - result.n_iter
        if not result.converged or not self._goes_on(result) or left <= 0:
            return result
        finer = relieved(self._session.solve(*penalties, tol=goal, max_iter=left), tol, goal)
        finer.n_iter += result.n_iter
        finer.passes += result.passes
        finer.seconds += result.seconds
        return finer

    def _goes_on(self, result: BlockResult) -> bool:
        return self._cheap or result.regime != "residual"

    def _polished(self, solution: BlockSolution, alpha: float, tol: float) -> BlockSolution:
        """Return a more exact solution, if there is one; status and target stay."""
        found = solution.certificate
        if not found.converged:
            return solution
        limit = min(self._settings.max_iter - found.n_iter, POLISH)
        if limit <= 0:
            return solution
        result = self._session.solve(*self._settings.penalties(alpha), tol=tol, max_iter=limit)
        if not result.gap < found.gap:
            return solution
        better = self._solution(result, found.n_iter + result.n_iter)
        certificate = replace(
            better.certificate,
            status=found.status,
            target=found.target,
            passes=found.passes + result.passes,
            seconds=found.seconds + result.seconds,
        )
        return replace(better, certificate=certificate)

    def _solution(self, result: BlockResult, n_iter: int) -> BlockSolution:
        if not (np.isfinite(result.coef).all() and np.isfinite(result.intercepts).all()):
            raise ValueError(OVERFLOW)
        intercept = np.float64(result.intercept) if self._single else result.intercepts
        certificate = replace(certificate_of(result), n_iter=n_iter)
        return BlockSolution(result.coef, intercept, certificate)


class GroupLogisticBackend(SessionBackend):
    """Logistic loss with a penalty on groups of features."""

    _settings: BinarySettings

    def __init__(self, data: BinaryData, blocks: Blocks, settings: BinarySettings) -> None:
        self._settings, self._polish = settings, data.is_polished(settings)
        self._total = data.target.size
        self._session = GroupSession(
            data.X,
            data.target,
            groups=blocks.groups,
            weights=blocks.weights,
            logistic=True,
            fit_intercept=settings.intercept == "free",
            sample_weight=data.weight,
            pool_bytes=settings.pool_bytes,
            n_threads=settings.n_threads,
        )

    def start_at(self, coef: Floats, intercept: float) -> None:
        """Let the next solve start at this model."""
        self._session.start_at(coef, intercept)
        self._least = self._settings.least

    def largest_penalty(self) -> float:
        """Return the smallest penalty beside the mean loss at which no group is in."""
        return float(self._session.largest_penalty())

    def _run_of(self, strength: float) -> tuple[Run, float]:
        alpha, unit = objective_units(strength, self._total)
        return partial(self._session.solve, alpha, 0.0), unit
