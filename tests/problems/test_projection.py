"""Dual points beside unpenalized columns: never from rounding, in any unit, still tight."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from banditcd import ElasticNet, Lasso, problems
from banditcd.problems.projection import feasible_direction


def explained(seed: int, scale: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return X, y and coefficients of its unpenalized first columns that explain y."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    free = n + int(rng.integers(0, 3))
    X = rng.standard_normal((n, free + 2))
    best = np.append(scale * rng.random(free), [0.0, 0.0])
    return X, X @ best, best


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("scale", [1e-25, 1.0, 1e12])
@pytest.mark.parametrize("bounded", [False, True])
def test_where_unpenalized_columns_explain_y_no_dual_value_exceeds_rounding(
    seed: int, scale: float, bounded: bool
) -> None:
    """Nothing of the gradient is left: what a projection leaves is rounding, scaled at will."""
    X, y, best = explained(seed, scale)
    weights = np.append(np.zeros(len(best) - 2), [1.0, 1.0])
    lower = 0.0 if bounded else None
    problem = problems.Lasso(X, y, 0.01 * scale, penalty_weights=weights, lower=lower)
    moved = best + scale * np.abs(np.random.default_rng(seed + 1000).standard_normal(len(best)))
    for x in (np.zeros(len(best)), moved):
        assert problem.certificate(x).dual <= problem.objective(best) + 1e-26 * scale**2


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
@pytest.mark.parametrize("model", [Lasso, ElasticNet])
def test_an_explained_response_is_not_called_solved_before_it_is(seed, kind, model) -> None:
    X, y, _ = explained(seed, 1.0)
    weights = np.append(np.zeros(X.shape[1] - 2), [1.0, 1.0])
    fit = model(0.01, penalty_weights=weights, selector="cyclic", random_state=0, max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        certificate = fit.set_params(tol=1e-12).fit(kind(X), y).certificate_
    assert certificate.gap >= certificate.primal * (1.0 - 1e-9) - 1e-25


@pytest.mark.parametrize("unit", [1e-140, 1e-30, 1.0, 1e30, 1e140])
@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_a_projection_does_not_depend_on_units(unit, one_sided, intercept) -> None:
    """A least-squares solver with an absolute tolerance stops at once where w is small."""
    rng = np.random.default_rng(3)
    columns, w, weight = rng.standard_normal((12, 3)), rng.standard_normal(12), rng.random(12)
    ends = (np.zeros(3) if one_sided else np.full(3, -np.inf), np.full(3, np.inf))
    plain = feasible_direction(w, columns, ends, weight, intercept)
    scaled = feasible_direction(unit * w, columns / unit, ends, weight, intercept)
    np.testing.assert_allclose(scaled, unit * plain, rtol=1e-9, atol=1e-12 * unit)
    u = -columns.T @ plain
    assert np.abs(plain).max() > 0.1
    assert np.all((u <= 1e-12) if one_sided else np.abs(u) <= 1e-12)
    assert not intercept or abs(plain.sum()) <= 1e-12


def test_a_gradient_that_is_not_finite_gives_the_dual_point_zero() -> None:
    """A descent that diverged proves nothing."""
    problem = problems.Lasso(np.eye(3), np.ones(3), 0.1, penalty_weights=[0.0, 1.0, 1.0])
    with np.errstate(all="ignore"):
        certificate = problem.certificate(np.array([1e308, 1e308, np.inf]))
    assert certificate.dual <= 0.0 or np.isnan(certificate.dual)
