"""Lemma 1, Remark 1 and the model of Definition 4, on every cost, rule and selector."""

from itertools import pairwise

import numpy as np
import pytest

from banditcd import minimize, problems, selectors, theory, updates
from banditcd.engine.applicability import why_not_selector, why_not_update
from banditcd.updates.check import TOLERANCE

OUTSIDE_H = {("LogisticDual", "sdca")}


def test_every_rule_of_the_class_keeps_lemma_1_at_every_step(case, problem):
    rules = [
        rule
        for rule in updates.REGISTRY
        if (case[0], rule) not in OUTSIDE_H and why_not_update(updates.make(rule), problem) is None
    ]
    assert {"reference", "exact", "proximal"} <= set(rules)
    for rule in rules:
        for selector in ("b_max_r", "uniform"):
            run = theory.record(problem, selector, rule, steps=40, random_state=3)
            report = theory.lemma_1_along(run)
            assert report.holds, (rule, selector, report)
            assert report.checked == 40


@pytest.mark.parametrize("selector", selectors.REGISTRY)
@pytest.mark.parametrize("name", problems.REGISTRY)
def test_lemma_1_holds_whoever_selects(name, selector, cost):
    problem = cost(name, unit=False)
    chosen = selectors.make(selector)
    assert why_not_selector(chosen, problem) is None
    run = theory.record(problem, chosen, steps=25, random_state=1)
    assert theory.lemma_1_along(run).worst <= TOLERANCE
    assert np.all(np.diff(run.objective) <= TOLERANCE * run.scale[:-1])


@pytest.mark.parametrize("selector", ["b_max_r", "shuffled"])
def test_compiled_runs_keep_lemma_1(problem, selector):
    points = []

    def note(progress):
        points.append(progress.x.copy())

    limits = {"max_epochs": 3, "tol": 1e-300, "trace": "step"}
    minimize(problem, selector, random_state=2, callback=note, **limits)
    boxed = problem.bounded_by(points[0])
    moved = [np.flatnonzero(b != a) for a, b in pairwise(points)]
    assert sum(i.size for i in moved) > problem.d / 2
    for (before, after), i in zip(pairwise(points), moved, strict=True):
        assert i.size <= 1
        promised = boxed.marginal_decreases(before, boxed.correlations(before))[i]
        excess = promised + boxed.objective(after) - boxed.objective(before)
        assert np.all(excess <= TOLERANCE * max(1.0, abs(boxed.objective(before))))


def test_lemma_1_fails_for_a_rule_outside_the_class(cost):
    problem = cost("LogisticDual", unit=False)
    run = theory.record(problem, "uniform", "sdca", steps=60)
    assert not theory.lemma_1_along(run).holds


def test_lemma_1_at_a_point_agrees_with_the_run(cost):
    problem = cost("HingeDual")
    run = theory.record(problem, "cyclic", steps=20)
    for t, i in enumerate(run.indices):
        at = theory.lemma_1(run.problem, "exact", run.x[t], int(i))
        assert at.holds
        assert at.r == pytest.approx(run.r[t, i], abs=1e-15)
        assert at.decrease == pytest.approx(run.objective[t] - run.objective[t + 1], abs=1e-15)


def test_lemma_1_bounds_the_support_of_a_pure_l1_cost_by_itself(cost):
    problem = cost("Lasso")
    record = theory.lemma_1(problem, updates.Exact(), np.zeros(problem.d), 2)
    assert np.isfinite(record.r)
    assert record.r > 0.0
    assert record.holds


def test_marginal_decreases_are_nonnegative_and_those_of_the_engine(problem):
    run = theory.record(problem, "uniform", steps=30)
    for x, r in zip(run.x, run.r, strict=True):
        u = run.problem.correlations(x)
        gap, kappa = run.problem.gaps(x, u), run.problem.kappas(x, u)
        _, printed = theory.marginal_decrease(gap, kappa, run.problem.mu, run.problem.h)
        assert printed.min() >= -1e-15  # the formula itself, nothing clipped
        np.testing.assert_allclose(r, printed, rtol=1e-7, atol=1e-15)


def test_r_is_the_exact_decrease_where_it_should_be(cost):
    for name in ("RidgeDual", "HingeDual", "Ridge"):
        run = theory.record(cost(name, unit=False), "uniform", "exact", steps=60)
        gained = -np.diff(run.objective)
        promised = run.r[np.arange(run.steps), run.indices]
        np.testing.assert_allclose(promised, gained, atol=1e-14)


def test_reference_step_attains_the_minimum_of_the_bound_over_s():
    rng = np.random.default_rng(0)
    s_grid = np.linspace(0.0, 1.0, 2001)
    for _ in range(200):
        mu, h, kappa = rng.exponential(size=3)
        gap = mu * kappa**2 / 2.0 + rng.exponential() * h * kappa**2
        s, r = theory.marginal_decrease(*(np.array([q]) for q in (gap, kappa, mu, h)))
        gain = s_grid * gap + (mu * (s_grid - s_grid**2) - h * s_grid**2) * kappa**2 / 2.0
        assert gain.max() <= r[0] * (1.0 + 1e-12)
        assert gain.max() >= r[0] * (1.0 - 1e-5)
        assert 0.0 < s[0] <= 1.0


def test_model_bounds_the_change_of_one_coordinate(problem):
    rng = np.random.default_rng(5)
    run = theory.record(problem, "uniform", steps=20)
    low, high = run.problem.penalty.lower, run.problem.penalty.upper
    for x in run.x:
        moved, i = x.copy(), int(rng.integers(len(x)))
        moved[i] = np.clip(moved[i] + rng.standard_normal(), low[i], high[i])
        change = run.problem.objective(moved) - run.problem.objective(x)
        model = theory.model_change(run.problem, x, moved)
        assert change <= model + 1e-13 * max(1.0, abs(model))


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_logistic_dual_with_long_samples_keeps_lemma_1_and_the_gap_identity(engine):
    """N h is far above 1 and x gets next to 0 and 1, where sigma rounds."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 4)) * np.exp(1.5 * rng.standard_normal(4))
    problem = problems.LogisticDual(X, [1, -1] * 6, alpha=1e-3)
    assert (12 * problem.h).max() > 100.0
    points = []

    def note(progress):
        points.append(progress.x.copy())

    limits = {"max_epochs": 8, "tol": 1e-300, "trace": "step"}
    minimize(problem, "uniform", random_state=0, callback=note, engine=engine, **limits)
    for before, after in pairwise(points):
        promised = problem.marginal_decreases(before, problem.correlations(before))
        gained = problem.objective(before) - problem.objective(after)
        assert np.all(promised[before != after] <= gained + TOLERANCE)
        assert theory.gap_identity(problem, after).error <= 1e-14
