"""The solver against independent oracles, over storage, shapes and options."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet

from banditcd.solvers import ElasticNetSession
from tests.solvers.solving import largest_penalty, solve, solve_path

SHAPES = [(40, 8), (30, 90), (60, 60), (200, 80)]
STORAGE = ["f64", "c", "f32", "csc64", "csc32"]
TOL = 1e-10


def certified(instance, result, tol=TOL):
    """Converged, and the independent gap agrees with the internal one."""
    scale = instance.null_objective() + 1e-300
    assert result.status == "converged", result
    assert result.gap <= result.target
    assert result.target == pytest.approx(tol * scale, rel=1e-9)
    primal = instance.primal(result.coef, result.intercept)
    assert result.primal == pytest.approx(primal, rel=1e-10, abs=1e-13 * scale)
    gap = instance.gap(result.coef, result.intercept)
    assert gap <= result.gap + 1e-11 * scale
    return gap


def run(instance, tol=TOL, **limits):
    return solve(
        instance.X,
        instance.y,
        l1=instance.l1,
        l2=instance.l2,
        tol=tol,
        **limits,
        **instance.options(),
    )


def random_options(rng, n, d):
    options = {"fit_intercept": bool(rng.integers(2))}
    if rng.integers(2):
        weight = rng.random(n) + 0.1
        weight[rng.random(n) < 0.2] = 0.0
        options["sample_weight"] = weight
    if rng.integers(2):
        p = rng.random(d) + 0.5
        p[rng.integers(d)] = np.inf
        p[rng.integers(d)] = 0.0
        options["penalty_weights"] = p
    if rng.integers(2):
        options["lower"] = np.where(rng.random(d) < 0.5, 0.0, -0.05)
        options["upper"] = np.where(rng.random(d) < 0.5, np.inf, 0.08)
    return options


@pytest.mark.parametrize(("shape", "storage"), list(itertools.product(SHAPES, STORAGE)))
def test_certificate_equals_independent_gap(shape, storage, make_instance, make_design):
    rng = np.random.default_rng([*shape, STORAGE.index(storage)])
    n, d = shape
    for trial in range(6):
        X = make_design(rng, n, d, storage)
        y = rng.standard_normal(n) + 3.0 + X @ (rng.standard_normal(d) * (rng.random(d) < 0.1))
        options = random_options(rng, n, d)
        top = largest_penalty(X, y, **options)
        l1 = top / 10.0 ** rng.integers(0, 4)
        l2 = [0.0, 0.1 * l1, 3.0][trial % 3]
        instance = make_instance(X, np.asarray(y, dtype=float), l1, l2, **options)
        certified(instance, run(instance))


@pytest.mark.parametrize("storage", STORAGE)
@pytest.mark.parametrize("shape", SHAPES)
def test_objective_not_above_scikit_learn(shape, storage, make_instance, make_design):
    rng = np.random.default_rng(7)
    n, d = shape
    X = make_design(rng, n, d, storage)
    y = rng.standard_normal(n) + np.asarray(X[:, [0]].sum(axis=1)).ravel()
    alpha = 0.05 * largest_penalty(X, y, fit_intercept=True)
    for ratio, positive in [(1.0, False), (0.5, False), (0.7, True)]:
        peer = ElasticNet(
            alpha=alpha, l1_ratio=ratio, tol=1e-10, positive=positive, max_iter=100000
        ).fit(X.astype(np.float64), y)
        lower = np.zeros(d) if positive else None
        instance = make_instance(
            X, y, alpha * ratio, alpha * (1 - ratio), fit_intercept=True, lower=lower
        )
        result = run(instance)
        certified(instance, result)
        theirs = instance.primal(peer.coef_, peer.intercept_)
        assert result.primal <= theirs + 1e-10 * instance.null_objective()
        assert result.primal == pytest.approx(theirs, rel=1e-6)


def test_agrees_with_a_convex_solver(make_instance, make_design):
    cvxpy = pytest.importorskip("cvxpy")
    rng = np.random.default_rng(3)
    for trial in range(6):
        n, d = [(25, 6), (12, 20)][trial % 2]
        X = make_design(rng, n, d, "f64")
        y = rng.standard_normal(n) + 1.0
        options = random_options(rng, n, d)
        l1 = 0.2 * largest_penalty(X, y, **options)
        instance = make_instance(X, y, l1, 0.05 * (trial % 3), **options)
        _, s, p, lower, upper = instance.parts()
        w, b = cvxpy.Variable(d), cvxpy.Variable()
        keep = np.isfinite(p)
        q = np.where(keep, p, 0.0)
        loss = cvxpy.sum_squares(cvxpy.multiply(np.sqrt(s), y - X @ w - b)) / (2 * n)
        penalty = l1 * cvxpy.sum(cvxpy.multiply(q, cvxpy.abs(w)))
        penalty += 0.5 * instance.l2 * cvxpy.sum(cvxpy.multiply(q, cvxpy.square(w)))
        limits = [w[~keep] == 0] if (~keep).any() else []
        limits += [w[i] >= lower[i] for i in range(d) if np.isfinite(lower[i])]
        limits += [w[i] <= upper[i] for i in range(d) if np.isfinite(upper[i])]
        limits += [] if instance.fit_intercept else [b == 0]
        model = cvxpy.Problem(cvxpy.Minimize(loss + penalty), limits)
        model.solve(solver="CLARABEL")
        result = run(instance)
        certified(instance, result)
        assert result.primal == pytest.approx(model.value, rel=1e-6, abs=1e-9)


def test_path_is_certified_and_equals_cold_solves(make_instance, make_design):
    rng = np.random.default_rng(11)
    for storage, (n, d) in itertools.product(["f64", "csc64"], [(50, 120), (300, 70), (90, 20)]):
        X = make_design(rng, n, d, storage)
        y = rng.standard_normal(n) + X @ (rng.random(d) < 0.1)
        alphas = largest_penalty(X, y, fit_intercept=True) * np.geomspace(1, 1e-3, 15)
        results = solve_path(X, y, alphas=alphas, l1_ratio=0.9, tol=1e-9, fit_intercept=True)
        for alpha, result in zip(alphas, results, strict=True):
            instance = make_instance(X, y, 0.9 * alpha, 0.1 * alpha, fit_intercept=True)
            certified(instance, result, 1e-9)
            cold = run(instance, 1e-9)
            assert result.primal == pytest.approx(cold.primal, rel=1e-7)


def test_a_start_is_clipped_and_lets_no_other_columns_in(make_design):
    rng = np.random.default_rng(12)
    X = make_design(rng, 60, 400, "f64")
    start = np.zeros(400)
    start[:5] = 1.0
    upper = np.full(400, 0.5)
    upper[4] = 0.0
    y = X @ start
    result = solve(X, y, l1=0.1, coef_init=start, lower=-upper, upper=upper, tol=0.9)
    assert result.pool_size < 20
    assert np.all(np.abs(result.coef) <= upper)


def test_session_survives_a_time_limit(make_instance, make_design):
    rng = np.random.default_rng(8)
    X = make_design(rng, 100, 3000, "f64")
    y = X[:, :50].sum(axis=1) + rng.standard_normal(100)
    instance = make_instance(X, y, 0.005 * largest_penalty(X, y))
    session = ElasticNetSession(X, y)
    for milliseconds in (0.0, 1.0, 2.0, 5.0, 10.0):
        partial = session.solve(instance.l1, tol=TOL, max_seconds=milliseconds / 1000)
        if partial.status != "converged" and np.isfinite(partial.gap):
            optimum_below = instance.primal(partial.coef, partial.intercept) - partial.gap
            assert partial.primal == pytest.approx(optimum_below + partial.gap)
    certified(instance, session.solve(instance.l1, tol=TOL))


def test_zero_total_weight_is_refused(make_design):
    X = make_design(np.random.default_rng(0), 5, 3, "f64")
    with pytest.raises(ValueError, match="sums to zero"):
        solve(X, np.ones(5), l1=0.1, sample_weight=np.zeros(5))


def test_shapes_are_checked_before_any_work(make_design):
    X = make_design(np.random.default_rng(0), 5, 3, "f64")
    with pytest.raises(ValueError, match="one value per row"):
        solve(X, np.ones(4), l1=0.1)
    with pytest.raises(ValueError, match="penalty_weights"):
        solve(X, np.ones(5), l1=0.1, penalty_weights=np.ones(2))


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("shape", [(40, 8), (30, 90)])
def test_largest_penalty_is_the_edge_of_the_null_model(shape, intercept, make_design):
    rng = np.random.default_rng(14)
    n, d = shape
    X = make_design(rng, n, d, "f64")
    y = X[:, 0] + 3.0 * X[:, 1] + rng.standard_normal(n)
    weights = rng.random(d) + 0.5
    weights[1] = 0.0
    for options in ({}, {"penalty_weights": weights}):
        top = largest_penalty(X, y, fit_intercept=intercept, **options)
        penalized = np.array([j for j in range(d) if j != 1 or not options])
        above = solve(X, y, l1=1.001 * top, tol=1e-10, fit_intercept=intercept, **options)
        below = solve(X, y, l1=0.95 * top, tol=1e-10, fit_intercept=intercept, **options)
        assert not above.coef[penalized].any()
        assert below.coef[penalized].any()
