"""An unfinished fit is never worse than the null model: no weights and the best constant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from banditcd import LinearSVR
from banditcd.verification.blocks import BLOCK_READERS
from banditcd.verification.models import problems_of
from banditcd.verification.multinomial import MultinomialProblem
from banditcd.verification.problem import Problem
from benchmarks.verify import working_error
from benchmarks.verify_problems import CLASSIFIERS, draw

pytestmark = pytest.mark.filterwarnings("ignore")
PART, PARTS = 100, 6
FAR = 40.0  # no constant of classes is farther away


def objective_of(problem: Any) -> float:
    if isinstance(problem, MultinomialProblem):
        return float(problem._objective(np.asarray(problem.columns.X @ problem.W.T))[0])
    return float(problem.objective(problem.w)[0])


def null_of(problem: Any) -> float:
    """Return the objective of no weights and a constant that is nearly the best."""
    if isinstance(problem, MultinomialProblem):
        at, W = problem.columns, np.zeros_like(problem.W)
        if at.intercept:
            shares = np.bincount(problem.codes, weights=at.c, minlength=len(W)) / at.c.sum()
            W[:, -1] = np.log(np.maximum(shares, 1e-300))
        return float(problem._objective(np.asarray(at.X @ W.T))[0])
    return min(_constant(problem, b) for b in (0.0, *_constants(problem)))


def _constant(problem: Problem, b: float) -> float:
    w = np.zeros_like(problem.w)
    if problem.intercept:
        w[-1] = b
    return float(problem.objective(w)[0])


def _constants(problem: Problem) -> list[float]:
    if not problem.intercept:
        return []
    if problem.loss in ("logistic", "hinge", "squared_hinge"):
        found = minimize_scalar(
            lambda b: _constant(problem, b), bounds=(-FAR, FAR), method="bounded"
        )
        return [float(found.x), -1.0, 1.0]
    counting = problem.y[problem.c > 0.0]
    return [*np.quantile(counting, np.linspace(0.0, 1.0, 21)), counting.mean()]


@pytest.mark.parametrize("part", range(PARTS))
def test_an_unfinished_fit_is_not_worse_than_the_null_model(part) -> None:
    """By the judge's objectives, with few iterations and tolerances that they do not reach."""
    unfinished = 0
    for index in range(part * PART, (part + 1) * PART):
        drawn = draw(5, index)
        # Coefficients and intercepts of float32 regressions are rounded at the end.
        rounded = "float32" in drawn.words and drawn.kind not in CLASSIFIERS
        if drawn.kind.endswith("CV") or (rounded and "insensitive" not in drawn.kind):
            continue
        limits = np.random.default_rng(index)
        drawn.model.set_params(max_iter=int(limits.choice([1, 2, 3, 5, 8])), tol=1e-14)
        try:
            drawn.fit(drawn.model)
        except ValueError:  # of scales
            continue
        given = drawn.model.certificate_
        problems = problems_of(drawn.model, drawn.X, drawn.y, drawn.weight, BLOCK_READERS)
        for certificate, problem in zip(
            given if isinstance(given, list) else [given], problems, strict=True
        ):
            if certificate.converged:
                continue
            unfinished += 1
            null, slack = null_of(problem), working_error(drawn)
            assert objective_of(problem) <= null * (1.0 + 1e-9) + slack, (index, drawn.words)
    assert unfinished > 20


@pytest.mark.parametrize("penalized", [True, False])
def test_the_best_constant_of_a_squared_tube_is_the_best(penalized) -> None:
    """Newton's steps once went to and fro between the two kinks beside it."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        y = 5.0 + 0.2 * rng.standard_normal(30)
        epsilon = float(rng.uniform(0.4, 0.5) * np.ptp(y))  # nearly wide enough for all
        model = LinearSVR(
            loss="squared_epsilon_insensitive",
            epsilon=epsilon,
            C=1e30,
            tol=1e-3,
            penalize_intercept=penalized,
        ).fit(np.zeros((30, 1)), y)

        def loss(b: float, y: Any = y, epsilon: float = epsilon) -> float:
            out = 1e30 * np.sum(np.maximum(np.abs(y - b) - epsilon, 0.0) ** 2)
            return float(out + (0.5 * b * b if penalized else 0.0))

        best = minimize_scalar(loss, bounds=(4.0, 6.0), method="bounded", options={"xatol": 1e-12})
        null = model.certificate_.target / model.tol
        assert null <= best.fun * (1.0 + 1e-6) + 1e-12
