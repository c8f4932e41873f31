"""What the paper says about itself against others: ratios, times, lower bounds, related work."""

import numpy as np
import pytest

from banditcd import minimize, problems, selectors, theory
from banditcd.experiments.paper.configuration import reported
from banditcd.selectors import ascd
from banditcd.theory.rates import support_bound

SIZES = {"aloi": (0, 128), "a9a": (1, 123)}  # column of table 1, and its number of features


def test_no_rule_is_more_than_d_times_better_than_uniform(problem):
    run = theory.record(problem, "max_r", steps=30)
    best, mean = run.r[:-1].max(axis=1), run.r[:-1].mean(axis=1)
    assert np.all(best <= problem.d * mean * (1.0 + 1e-12))


def test_advantage_over_uniform_is_overstated():
    for d in (4, 10, 1000):
        claimed, actual = theory.as_printed.advantage_over_uniform(1.0, d)
        assert claimed == d**2
        assert actual == d
    assert theory.as_printed.advantage_over_uniform(0.1, 10) == (1.0, 1.0)
    # One coordinate has everything to give: max_r takes it, uniform waits d steps for it.
    d = 10
    y = np.zeros(d)
    y[3] = 1.0
    lone = problems.Lasso(np.eye(d), y, alpha=1e-3)
    steps = []
    for seed in range(400):
        run = minimize(lone, "uniform", tol=1e-9, random_state=seed, trace="step")
        steps.append(run.steps)
    assert minimize(lone, "max_r", tol=1e-9, trace="step").steps == 1
    assert np.mean(steps) == pytest.approx(d, rel=0.2)  # not d^2


def test_ada_gap_is_at_most_one_over_c_behind(problem):
    run = theory.record(problem, "uniform", steps=40)
    gaps, r = run.gaps[:-1], run.r[:-1]
    steps = np.flatnonzero(gaps.sum(axis=1) > 1e-12)
    top = np.argmax(gaps, axis=1)
    for t in steps:
        probability = gaps[t] / gaps[t].sum()
        c = probability[top[t]]
        assert probability @ r[t] >= c * r[t, top[t]] * (1.0 - 1e-12)
        assert c >= 1.0 / problem.d * (1.0 - 1e-12)


def test_times_of_table_1_need_more_than_the_cost_column_allows():
    table = reported()["table1"]
    assert table["cost_per_epoch"]["uniform"] == "O(z)"
    assert table["cost_per_epoch"]["max_r"] == "O(d z)"
    needed = {}
    for name, (column, d) in SIZES.items():
        seconds = table["seconds"]
        needed[name] = seconds["uniform"][column] / seconds["max_r"][column] * d
        assert needed[name] > d  # more than any rule can gain per step on uniform
    assert needed["aloi"] == pytest.approx(574, abs=0.5)
    assert needed["a9a"] == pytest.approx(323, abs=0.7)


def test_rate_of_theorem_1_is_of_the_order_of_the_lower_bound_for_large_lambda_only():
    def steps_of_theorem_1(n, lam):
        """1 / (mu / (n (mu + h))) of the ridge dual with unit samples: n + 1 / lambda."""
        Z = np.eye(n)
        problem = problems.RidgeDual(Z, np.ones(n), alpha=lam)
        return float(n * (problem.mu[0] + problem.h[0]) / problem.mu[0])

    for n in (10, 100):
        assert steps_of_theorem_1(n, 0.01) == pytest.approx(n + 100.0)
        for factor in (1.0, 10.0):
            lam = factor / n
            assert steps_of_theorem_1(n, lam) <= 2.0 * (n + np.sqrt(n / lam))
        for factor in (1e-2, 1e-4, 1e-6):
            lam = factor / n
            behind = steps_of_theorem_1(n, lam) / (n + np.sqrt(n / lam))
            assert behind > 0.4 / np.sqrt(factor)


def test_ascd_is_uniform_on_normalized_least_squares(monkeypatch):
    sizes = []
    original = ascd.active_set

    def spy(low, high):
        active = original(low, high)
        sizes.append(len(active))
        return active

    monkeypatch.setattr(ascd, "active_set", spy)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((40, 15)) + rng.standard_normal((40, 1))
        X /= np.linalg.norm(X, axis=0)
        sizes.clear()
        problem = problems.Ridge(X, rng.standard_normal(40), alpha=1e-9)
        minimize(problem, "ascd", max_epochs=10, tol=1e-300, random_state=seed, engine="reference")
        assert len(sizes) == 150
        assert sizes[0] < 15  # the pass at the start tells one coordinate from another,
        assert set(sizes[1:]) == {15}  # once, and never again


def test_bandit_on_the_variance_has_the_rate_one_over_t_too(cost, best):
    problem, f_star = cost("HingeDual"), best("HingeDual").lower
    epsilon, d = 0.3, problem.d
    runs = [
        theory.record(problem, selectors.BanditVariance(epsilon), steps=80, random_state=seed)
        for seed in range(24)
    ]
    mean = theory.mean_suboptimality(runs, f_star)
    L, h = support_bound(problem), float(problem.h.max())
    alpha = 8.0 * L**2 * h * d**2 / epsilon
    alpha = max(alpha, mean[0] ** 2 / (2.0 * L**2 * h * epsilon / d))  # from any start
    t = np.arange(1, 81)
    assert np.all(mean[1:] <= alpha / (1.0 + t))
    # and in fact much faster than 1 / sqrt(t)
    assert mean[80] < mean[5] * np.sqrt(5.0 / 80.0)
