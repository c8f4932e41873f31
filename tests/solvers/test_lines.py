"""Between two changes of its support the solution is a straight line in the penalty."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd import _core
from banditcd.solvers import ElasticNetSession
from tests.solvers.solving import solve_path

BOX = (0.0, -np.inf, np.inf)


def kkt(gram, q, l1, x):
    """Return how far x is from the optimality conditions."""
    c = q - gram @ x
    used = x != 0.0
    return max(
        np.max(np.abs(c[used] - l1 * np.sign(x[used])), initial=0.0),
        np.max(np.abs(c[~used]) - l1, initial=0.0),
    )


def problem(seed=0, n=60, d=12, rho=0.5):
    rng = np.random.default_rng(seed)
    X = np.asfortranarray(rng.standard_normal((n, d)) + rho * rng.standard_normal((n, 1)))
    return X, X @ rng.standard_normal(d) + rng.standard_normal(n)


@pytest.mark.parametrize("seed", range(8))
def test_a_line_stays_optimal_until_its_reach_and_not_beyond(seed):
    X, y = problem(seed)
    gram, q = X.T @ X, X.T @ y
    l1 = np.max(np.abs(q)) * 0.3
    x = ElasticNetSession(X, y).solve(l1 / len(y), tol=1e-14).coef
    penalty = np.array([[l1, *BOX]] * len(x))
    at = x.copy()
    reach = _core.parts.line(gram, q, penalty, at, np.empty_like(x), l1, np.inf)
    assert 0.0 < reach <= l1
    assert kkt(gram, q, l1 - reach, at) <= 1e-10 * l1
    half = x.copy()
    _core.parts.line(gram, q, penalty, half, np.empty_like(x), l1, reach / 2)
    np.testing.assert_allclose(half, (x + at) / 2, atol=1e-10)
    beyond = at + 0.1 * (at - x)
    assert kkt(gram, q, l1 - 1.1 * reach, beyond) > 1e-8 * l1


def test_there_is_no_line_with_a_ridge_bounds_or_a_singular_support():
    X, y = problem()
    X[:, 1] = X[:, 0]
    gram, q = X.T @ X, X.T @ y
    x, l1 = np.ones(X.shape[1]), 1.0
    for row in ([l1, *BOX], [l1, 0.5, -np.inf, np.inf], [l1, 0.0, 0.0, np.inf]):
        at = x.copy()
        penalty = np.array([row] * len(x))
        assert _core.parts.line(gram, q, penalty, at, np.empty_like(x), l1, 1.0) == 0.0
        np.testing.assert_array_equal(at, x)


@pytest.mark.parametrize("n", [30, 3000])
@pytest.mark.parametrize("intercept", [False, True])
def test_a_fine_path_needs_few_solves_and_few_looks(n, intercept, make_instance):
    X, y = problem(3, n)
    y = y + 5.0
    largest = ElasticNetSession(X, y, fit_intercept=intercept).largest_penalty()
    alphas = largest * np.geomspace(1.1, 1e-3, 300)
    results = solve_path(X, y, alphas=alphas, tol=1e-9, fit_intercept=intercept)
    assert sum(result.n_iter for result in results) < 60
    assert sum(result.passes for result in results) < 20
    for alpha, result in zip(alphas, results, strict=True):
        instance = make_instance(X, y, alpha, 0.0, fit_intercept=intercept)
        null = instance.null_objective()
        gap = instance.gap(result.coef, result.intercept)
        assert gap <= 1e-9 * null
        assert result.gap == pytest.approx(gap, rel=1e-5, abs=1e-13 * null)
        primal = instance.primal(result.coef, result.intercept)
        assert result.primal == pytest.approx(primal, rel=1e-11)


def test_unsorted_and_repeated_penalties(make_instance):
    X, y = problem(4)
    alphas = ElasticNetSession(X, y).largest_penalty() * np.array(
        [0.5, 0.5, 0.1, 0.9, 0.3, 0.29, 0.28]
    )
    for alpha, result in zip(alphas, solve_path(X, y, alphas=alphas, tol=1e-10), strict=True):
        instance = make_instance(X, y, alpha)
        assert instance.gap(result.coef, 0.0) <= 1e-10 * instance.null_objective()


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e170])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("d", [5, 80])
def test_values_without_a_finite_square_are_refused(bad, intercept, d):
    X = np.asfortranarray(np.random.default_rng(0).standard_normal((200, d)))
    X[17, 3] = bad
    with pytest.raises(OverflowError, match="overflow"):
        ElasticNetSession(X, X[:, 0].copy(), fit_intercept=intercept).largest_penalty()
