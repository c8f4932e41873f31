"""Ridge regression without a penalty: dependent columns, and a factor where there are none."""

from __future__ import annotations

import numpy as np
import pytest

from banditcd.solvers import RidgeSession
from banditcd.solvers.ridge.independent import independent_least_squares
from banditcd.solvers.ridge.ways import LAPACK_PRODUCTS


@pytest.mark.parametrize(("n", "d"), [(30, 8), (100, 20)])
def test_doubled_columns_share_a_moderate_coefficient(n, d):
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((n, d)), rng.standard_normal(n)
        twice = np.hstack([X, X])
        (result,) = RidgeSession(twice, y, fit_intercept=True).solve(0.0)
        (once,) = RidgeSession(X, y, fit_intercept=True).solve(0.0)
        assert result.converged, seed
        halves = np.hstack([once.coef, once.coef]) / 2
        np.testing.assert_allclose(result.coef, halves, atol=1e-10, err_msg=str(seed))


def _conditioned(rng, n, d, condition):
    u, s, v = np.linalg.svd(rng.standard_normal((n, d)), full_matrices=False)
    return (u * np.geomspace(1.0, 1.0 / condition, len(s))) @ v


@pytest.mark.parametrize(("n", "d"), [(700, 500), (500, 900), (600, 600)])
@pytest.mark.parametrize("condition", [2.0, 1e4])
@pytest.mark.parametrize("plain", [True, False])
def test_a_refined_factor_is_as_exact_as_singular_values(n, d, condition, plain):
    rng = np.random.default_rng(5)
    X = _conditioned(rng, n, d, condition)
    y = X @ rng.standard_normal(d) + 0.1 * rng.standard_normal(n) + 3.0
    s = np.ones(n) if plain else rng.random(n) + 0.5
    session = RidgeSession(X, y, fit_intercept=not plain, sample_weight=s)
    rows = session.rows
    assert n * d * min(n, d) >= LAPACK_PRODUCTS
    response = y - rows.average(y)
    found = independent_least_squares(rows, response[None], np.inf)
    assert found is not None
    root = np.sqrt(s)[:, None]
    A = root * (X - (rows.mean if rows.mean is not None else 0.0))
    by_svd = np.linalg.lstsq(A, root[:, 0] * response, rcond=1e-13)[0]
    scale = np.linalg.norm(by_svd)
    assert np.linalg.norm(found[0] - by_svd) <= 1e-15 * condition * 20 * scale
    long = A.astype(np.longdouble)
    left = [
        float(np.abs(long.T @ (root[:, 0] * response - long @ coef)).max())
        for coef in (found[0], by_svd)
    ]
    assert left[0] <= left[1]
    (result,) = session.solve(0.0)
    assert result.converged
    np.testing.assert_allclose(result.coef, found[0], rtol=0, atol=1e-13 * scale * condition)


def test_dependent_columns_are_left_to_singular_values():
    rng = np.random.default_rng(6)
    X = rng.standard_normal((700, 500))
    X[:, 1] = X[:, 0] + 1e-9 * X[:, 1]
    y = rng.standard_normal(700)
    session = RidgeSession(X, y)
    assert independent_least_squares(session.rows, y[None], np.inf) is None
    X[:, 1] = 1e-9 * rng.standard_normal(700)  # independent, but far smaller than the others
    session = RidgeSession(X, y)
    assert independent_least_squares(session.rows, y[None], np.inf) is None


def test_the_time_limit_holds_in_the_factor():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((900, 600))
    (result,) = RidgeSession(X, rng.standard_normal(900)).solve(0.0, max_seconds=1e-4)
    assert result.status == "max_seconds"
