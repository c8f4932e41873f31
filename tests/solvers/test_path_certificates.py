"""Paths in Gram space: every certificate is that of the true residual."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import ElasticNetSession
from tests.solvers.solving import largest_penalty, solve, solve_path


def path_problem(storage, options, make_design):
    rng = np.random.default_rng(31)
    n, d = 300, 40
    X = make_design(rng, n, d, storage)
    y = np.asarray(X @ (rng.standard_normal(d) * (rng.random(d) < 0.3)), dtype=float)
    y = y + 3.0 + rng.standard_normal(n)
    extra = {
        "plain": {},
        "intercept": {"fit_intercept": True},
        "weights": {"fit_intercept": True, "sample_weight": rng.integers(0, 4, n).astype(float)},
        "free": {"penalty_weights": np.where(np.arange(d) < 2, 0.0, 1.0)},
        "bounds": {"lower": np.zeros(d), "fit_intercept": True},
    }[options]
    return X, y, extra


@pytest.mark.parametrize("storage", ["f64", "f32", "csc64", "csc32"])
@pytest.mark.parametrize("options", ["plain", "intercept", "weights", "free", "bounds"])
@pytest.mark.parametrize("ratio", [1.0, 0.6])
def test_gaps_of_a_path_are_the_true_ones(storage, options, ratio, make_instance, make_design):
    X, y, extra = path_problem(storage, options, make_design)
    alphas = largest_penalty(X, y, **extra) * np.geomspace(1, 1e-2, 37)
    results = solve_path(X, y, alphas=alphas, l1_ratio=ratio, tol=1e-3, **extra)
    assert {result.regime for result in results} == {"whole_gram"}
    for alpha, result in zip(alphas, results, strict=True):
        instance = make_instance(X, y, alpha * ratio, alpha * (1 - ratio), **extra)
        primal = instance.primal(result.coef, result.intercept)
        gap = instance.gap(result.coef, result.intercept)
        null = instance.null_objective()
        assert result.status == "converged"
        assert result.primal == pytest.approx(primal, rel=1e-11)
        assert result.gap == pytest.approx(gap, rel=1e-5, abs=1e-13 * null)
        assert result.support == np.count_nonzero(result.coef)


def test_a_path_gives_what_single_solves_give(make_design):
    X, y, extra = path_problem("f64", "intercept", make_design)
    alphas = largest_penalty(X, y, **extra) * np.geomspace(1, 1e-2, 20)
    session = ElasticNetSession(X, y, solves=20, **extra)
    for alpha, result in zip(
        alphas, solve_path(X, y, alphas=alphas, tol=1e-10, **extra), strict=True
    ):
        single = session.solve(alpha, tol=1e-10)
        np.testing.assert_allclose(result.coef, single.coef, atol=1e-7)
        assert result.intercept == pytest.approx(single.intercept, abs=1e-7)


@pytest.mark.parametrize("tol", [1e-3, 1e-9])
def test_saturated_problems_are_approached_from_larger_penalties(tol, make_instance, make_design):
    rng = np.random.default_rng(32)
    X = make_design(rng, 40, 400, "f64")
    y = rng.standard_normal(40)
    instance = make_instance(X, y, largest_penalty(X, y) / 500)
    result = solve(X, y, l1=instance.l1, tol=tol)
    assert result.status == "converged"
    assert instance.gap(result.coef, 0.0) <= tol * instance.null_objective() * (1 + 1e-6)
    limited = solve(X, y, l1=instance.l1, tol=tol, max_iter=2)
    assert limited.status == "max_iter"
    assert limited.n_iter <= 2


@pytest.mark.parametrize("storage", ["f64", "csc64"])
@pytest.mark.parametrize("intercept", [False, True])
def test_residual_space_with_a_support_near_the_rank(
    storage, intercept, make_instance, make_design
):
    rng = np.random.default_rng(33)
    X = make_design(rng, 50, 300, storage)
    y = rng.standard_normal(50)
    l1 = largest_penalty(X, y, fit_intercept=intercept) / 200
    instance = make_instance(X, y, l1, fit_intercept=intercept)
    result = solve(X, y, l1=l1, tol=1e-7, fit_intercept=intercept, pool_bytes=8 * 70 * 70)
    assert result.regime == "residual"
    assert result.status == "converged"
    gap = instance.gap(result.coef, result.intercept)
    assert gap <= 1e-7 * instance.null_objective() * (1 + 1e-4)
