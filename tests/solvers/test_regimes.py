"""Every regime ends with the same certificate: pool, whole Gram, residual space, row sample."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers import ElasticNetSession
from tests.deadlines import deadline
from tests.interrupting import spent_after_ctrl_c
from tests.solvers.solving import largest_penalty, solve, solve_path

TOL = 1e-8


def certified(instance, result, tol=TOL):
    assert result.status == "converged", result
    gap = instance.gap(result.coef, result.intercept)
    assert gap <= tol * instance.null_objective() * (1 + 1e-4)
    primal = instance.primal(result.coef, result.intercept)
    assert result.primal == pytest.approx(primal, rel=1e-9)


@pytest.mark.parametrize("storage", ["f64", "f32", "csc64", "csc32"])
@pytest.mark.parametrize("options", ["plain", "intercept", "weights", "bounds", "ridge"])
def test_residual_space_beyond_the_memory_cap(storage, options, make_instance, make_design):
    rng = np.random.default_rng(21)
    n, d = 60, 150
    X = make_design(rng, n, d, storage)
    y = X @ (rng.standard_normal(d) * (rng.random(d) < 0.2)) + 2.0 + rng.standard_normal(n)
    y = np.asarray(y, dtype=float)
    extra = {
        "plain": {},
        "intercept": {"fit_intercept": True},
        "weights": {"fit_intercept": True, "sample_weight": rng.integers(0, 3, n).astype(float)},
        "bounds": {"lower": np.zeros(d), "upper": np.full(d, 0.1)},
        "ridge": {"fit_intercept": True},
    }[options]
    l1 = largest_penalty(X, y, **extra) / 20
    instance = make_instance(X, y, l1, 0.1 if options == "ridge" else 0.0, **extra)
    result = solve(X, y, l1=l1, l2=instance.l2, tol=TOL, pool_bytes=8 * 12 * 12, **extra)
    assert result.regime == "residual"
    certified(instance, result)


def test_residual_space_certifies_beside_unpenalized_columns(make_instance, make_design):
    rng = np.random.default_rng(2)
    X = make_design(rng, 40, 80, "csc64")
    y = np.asarray(X[:, :5].sum(axis=1)).ravel() + rng.standard_normal(40)
    free = {"penalty_weights": np.where(np.arange(80) < 2, 0.0, 1.0)}
    instance = make_instance(X, y, largest_penalty(X, y, **free) / 20, **free)
    result = solve(X, y, l1=instance.l1, tol=1e-2, pool_bytes=8, **free)
    assert result.regime == "residual"
    certified(instance, result, 1e-2)


@pytest.mark.parametrize("storage", ["f64", "csc32"])
@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_start_from_a_sample(storage, weighted, make_instance, make_design):
    rng = np.random.default_rng(22)
    n, d = 10000, 80
    X = make_design(rng, n, d, storage)
    truth = rng.standard_normal(d) * (rng.random(d) < 0.1)
    y = np.asarray(X @ truth + 5.0 + rng.standard_normal(n), dtype=float)
    weight = rng.random(n) if weighted else None
    options = {"fit_intercept": True, "sample_weight": weight}
    top = largest_penalty(X, y, **options)
    for divisor in (5.0, 50.0):
        instance = make_instance(X, y, top / divisor, **options)
        result = solve(X, y, l1=top / divisor, tol=TOL, **options)
        certified(instance, result)


def test_a_path_in_gram_space_reads_the_data_a_few_times(make_instance, make_design):
    rng = np.random.default_rng(23)
    X = make_design(rng, 500, 100, "f64")
    y = X[:, :10].sum(axis=1) + rng.standard_normal(500)
    alphas = largest_penalty(X, y, fit_intercept=True) * np.geomspace(1, 1e-2, 100)
    results = solve_path(X, y, alphas=alphas, tol=1e-6, fit_intercept=True)
    assert {r.regime for r in results} == {"whole_gram"}
    assert sum(r.passes for r in results) < 6
    for alpha, result in zip(alphas, results, strict=True):
        certified(make_instance(X, y, alpha, fit_intercept=True), result, 1e-6)


def test_a_tiny_tolerance_on_a_path_goes_back_to_the_data(make_instance, make_design):
    rng = np.random.default_rng(24)
    X = make_design(rng, 300, 50, "f64")
    y = X[:, 0] + rng.standard_normal(300)
    alphas = largest_penalty(X, y) * np.array([0.5, 0.1, 0.01])
    for alpha, result in zip(alphas, solve_path(X, y, alphas=alphas, tol=1e-13), strict=True):
        assert result.status == "converged"
        assert result.passes > 0.5
        instance = make_instance(X, y, alpha)
        assert instance.gap(result.coef, 0.0) <= 2e-13 * instance.null_objective() + 1e-15


@pytest.mark.parametrize("storage", ["f64", "csc64"])
def test_a_path_with_large_means_is_certified(storage, make_instance):
    rng = np.random.default_rng(29)
    X = np.asfortranarray(rng.standard_normal((300, 30)) + 1e5)
    y = X[:, 0] - X[:, 1] + rng.standard_normal(300) + 1e5
    X = sparse.csc_matrix(X) if storage == "csc64" else X
    alphas = largest_penalty(X, y, fit_intercept=True) * np.geomspace(1, 1e-2, 10)
    for alpha, result in zip(
        alphas, solve_path(X, y, alphas=alphas, tol=1e-6, fit_intercept=True), strict=True
    ):
        instance = make_instance(X, y, alpha, fit_intercept=True)
        gap = instance.gap(result.coef, result.intercept) / instance.null_objective()
        assert result.status != "converged" or gap <= 1.01e-6


def test_crowded_problems_take_the_whole_gram_matrix(make_instance, make_design):
    rng = np.random.default_rng(25)
    X = make_design(rng, 900, 90, "f64")
    y = X @ rng.standard_normal(90) + rng.standard_normal(900)
    instance = make_instance(X, y, largest_penalty(X, y) / 1000)
    result = solve(X, y, l1=instance.l1, tol=TOL)
    assert result.regime == "whole_gram"
    certified(instance, result)


def scattered(rng, n=400, d=600):
    """Return sparse columns without structure, and a response of which most is noise."""
    X = sparse.random(n, d, density=0.02, format="csc", random_state=rng)
    return X, np.asarray(X[:, :20].sum(axis=1)).ravel() + 0.5 * rng.standard_normal(n)


@pytest.mark.parametrize("options", ["plain", "intercept", "weights", "bounds"])
def test_all_columns_of_a_crowded_sparse_problem_enter_together(options, make_instance):
    """A pool that grew towards them by and by took twenty bins and as many passes."""
    rng = np.random.default_rng(8)
    X, y = scattered(rng)
    extra = {
        "plain": {},
        "intercept": {"fit_intercept": True},
        "weights": {"fit_intercept": True, "sample_weight": rng.integers(0, 3, 400).astype(float)},
        "bounds": {"lower": np.zeros(600), "upper": np.full(600, 0.3)},
    }[options]
    instance = make_instance(X, y, largest_penalty(X, y, **extra) / 100, **extra)
    result = solve(X, y, l1=instance.l1, tol=TOL, **extra)
    assert result.regime == "crowd"
    assert result.pool_size > 550
    assert result.n_iter <= 2
    assert result.passes < 8.0
    certified(instance, result)


def test_a_path_that_becomes_crowded_on_its_way(make_instance):
    rng = np.random.default_rng(9)
    X, y = scattered(rng)
    penalties = np.geomspace(1.0, 0.005, 5) * largest_penalty(X, y)
    results = solve_path(X, y, alphas=penalties, tol=TOL)
    assert [result.regime for result in results] == ["null", "pool", "pool", "crowd", "crowd"]
    for l1, result in zip(penalties, results, strict=True):
        certified(make_instance(X, y, l1), result)


@pytest.mark.parametrize("intercept", [False, True])
def test_a_crowd_leaves_when_the_penalty_grows(intercept, make_instance):
    rng = np.random.default_rng(10)
    X, y = scattered(rng)
    free = np.where(np.arange(600) == 3, 0.0, 1.0)
    session = ElasticNetSession(X, y, fit_intercept=intercept, penalty_weights=free)
    largest = session.largest_penalty()
    regimes = ["crowd", "residual", "residual"]
    for share, regime in zip((0.01, 0.3, 0.01), regimes, strict=True):
        result = session.solve(share * largest, tol=TOL)
        assert result.regime == regime
        assert share == 0.01 or result.pool_size < 500
        options = {"fit_intercept": intercept, "penalty_weights": free}
        certified(make_instance(X, y, share * largest, **options), result)


def test_threads_share_nothing(make_design):
    rng = np.random.default_rng(27)
    X = make_design(rng, 100, 400, "f64")
    y = X[:, :5].sum(axis=1) + rng.standard_normal(100)
    l1 = 0.05 * largest_penalty(X, y)
    expected = solve(X, y, l1=l1, tol=TOL).coef
    found: list[np.ndarray] = []

    def work():
        found.extend(solve(X, y, l1=l1, tol=TOL).coef for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    for coef in found:
        np.testing.assert_array_equal(coef, expected)


@pytest.mark.skipif(os.name == "nt", reason="os.kill cannot deliver Ctrl-C to a thread on Windows")
@pytest.mark.parametrize("l2", [0.0, 1e-3])  # with lines and without
def test_ctrl_c_is_noticed_between_quick_penalties_of_a_path(l2, make_instance, make_design):
    rng = np.random.default_rng(29)
    X = make_design(rng, 200, 8, "f64")
    y = X @ rng.standard_normal(8) + rng.standard_normal(200)
    session = ElasticNetSession(X, y, solves=1000)
    grid = np.geomspace(1.0, 1e-3, 2000) * session.largest_penalty()

    def work():
        while True:
            session.path(np.tile(grid, 200), np.full(200 * len(grid), l2))

    assert spent_after_ctrl_c(work) < deadline(1.0)
    instance = make_instance(X, y, grid[1000], l2)
    certified(instance, session.solve(instance.l1, l2, tol=TOL))


def test_a_deadline_after_a_draft_leaves_a_true_certificate(make_instance, make_design):
    rng = np.random.default_rng(30)
    X = make_design(rng, 200, 30, "f64")
    y = X @ rng.standard_normal(30) + rng.standard_normal(200) + 3.0
    session = ElasticNetSession(X, y, fit_intercept=True)
    top = session.largest_penalty()
    session.solve(top / 10)
    result = session.solve(top / 1000, tol=1e-12, max_seconds=0.0)
    assert result.status == "max_seconds"
    instance = make_instance(X, y, top / 1000, fit_intercept=True)
    assert result.primal == pytest.approx(instance.primal(result.coef, result.intercept), rel=1e-12)


def test_a_long_path_of_short_sparse_columns_has_a_gram_matrix():
    rng = np.random.default_rng(31)
    X = sparse.random(600, 300, density=0.03, random_state=rng, format="csc")
    y = X @ rng.standard_normal(300) + 0.1 * rng.standard_normal(600)
    grid = np.geomspace(1.0, 1e-2, 400) * largest_penalty(X, y)
    results = solve_path(X, y, alphas=grid, tol=TOL)
    assert {result.regime for result in results} == {"whole_gram"}
    assert {result.status for result in results} == {"converged"}


@pytest.mark.parametrize("storage", ["f64", "csc64"])
@pytest.mark.parametrize("seed", range(4))
def test_an_elastic_net_with_more_columns_in_use_than_rows(
    seed, storage, make_instance, make_design
):
    """Coordinate descent hardly moves there; the squares of the penalty make Newton possible."""
    rng = np.random.default_rng(seed)
    n, d = (3, 200) if seed % 2 else (20, 200)
    X = make_design(rng, n, d, storage)
    y = np.asarray(X @ (rng.standard_normal(d) * (rng.random(d) < 0.3)), dtype=float)
    l1 = 1e-5 * largest_penalty(X, y, fit_intercept=True)
    instance = make_instance(X, y, l1, 0.01 * l1, fit_intercept=True)
    result = solve(X, y, l1=l1, l2=instance.l2, tol=TOL, fit_intercept=True)
    certified(instance, result)
