"""r_i: the closed forms of each cost against the general formula, and Lemma 1 on every step."""

import numpy as np
import pytest

from banditcd.engine.prepare import prepare
from banditcd.problems.marginal import reference_step
from tests.instances import INSTANCES, RULES, Instance, below_start, rules_for

BY_NAME = {instance.name: instance for instance in INSTANCES}


def sampled(instance: Instance):
    """(problem, x, u) along a random path below the start."""
    problem = instance.problem
    kept = np.flatnonzero(problem.h > 0.0)
    problem = problem.keep(kept)
    problem = problem.bounded_by(problem.start())
    rng = np.random.default_rng(2)
    for k in range(40):
        x = 0.3 * rng.normal(size=problem.d) * (k / 10)
        x[rng.random(problem.d) < 0.3] = 0.0
        x = np.clip(x, problem.penalty.lower, problem.penalty.upper)
        x = below_start(problem, x)
        yield problem, x, problem.correlations(x)


def test_the_general_formula():
    s, r = reference_step(
        np.array([1.0, 1.0, 0.0, 3.0]),
        np.array([2.0, 0.5, 0.0, 1.0]),
        np.array([0.0, 0.0, 0.0, 2.0]),
        np.array([1.0, 1.0, 1.0, 2.0]),
    )
    np.testing.assert_allclose(s, [0.25, 1.0, 0.0, 1.0])
    np.testing.assert_allclose(r, [1.0 / 8.0, 1.0 - 0.125, 0.0, 3.0 - 1.0])


@pytest.mark.parametrize("name", ["lasso", "lasso-unit", "logistic-l1"])
def test_closed_forms_of_l1_costs(name):
    instance = BY_NAME[name]
    lam = instance.parameters["alpha"]
    for problem, x, u in sampled(instance):
        h, size = problem.h, np.abs(x)
        bound = problem.objective(problem.start()) / lam
        t = lam - np.sign(x) * u
        shrink = np.where(t < h * size, t**2 / (2 * h), size * t - h * x**2 / 2)
        grow = (np.abs(u) - lam) ** 2 / (2 * h)
        q = (bound * (np.abs(u) - lam) + size * (np.abs(u) + lam)) / (bound + size)
        expected = np.where(np.abs(u) <= lam, shrink, np.where(x * u >= 0.0, grow, q**2 / (2 * h)))
        # The step of a growing coordinate is cut by the box only when it is very long.
        uncut = (np.abs(u) <= lam) | ((np.abs(u) - lam) / h <= bound - size)
        r = problem.marginal_decreases(x, u)
        np.testing.assert_allclose(r[uncut], expected[uncut], rtol=1e-9, atol=1e-15)
        assert uncut.mean() > 0.5


@pytest.mark.parametrize("name", ["ridge", "ridge-paper", "ridge-dual", "ridge-dual-paper"])
def test_closed_forms_of_smooth_costs(name):
    for problem, x, u in sampled(BY_NAME[name]):
        low, _ = problem.penalty.subdifferential(x)
        gradient = low - u
        expected = gradient**2 / (2.0 * (problem.mu + problem.h))
        np.testing.assert_allclose(
            problem.marginal_decreases(x, u), expected, rtol=1e-9, atol=1e-15
        )


def test_closed_forms_of_the_elastic_net():
    for problem, x, u in sampled(BY_NAME["elastic-net"]):
        lam, rho = problem.penalty.lam, problem.penalty.rho
        z = np.sign(u) * np.maximum(np.abs(u) - lam, 0.0) / rho
        np.testing.assert_allclose(problem.kappas(x, u), z - x, atol=1e-14)
        np.testing.assert_allclose(
            problem.penalty.conjugate(u), np.maximum(np.abs(u) - lam, 0.0) ** 2 / (2 * rho)
        )


def test_closed_forms_of_the_hinge_dual():
    for problem, x, u in sampled(BY_NAME["hinge-dual"]):
        n, h = BY_NAME["hinge-dual"].shape[0], problem.h
        q = u + 1.0 / n
        kappa = np.where(q > 0.0, 1.0 - x, -x)
        cut = np.abs(q * kappa) - h * kappa**2 / 2
        expected = np.where(np.abs(q) >= h * np.abs(kappa), cut, q**2 / (2 * h))
        np.testing.assert_allclose(problem.kappas(x, u), kappa, atol=1e-15)
        np.testing.assert_allclose(problem.gaps(x, u), np.abs(q * kappa), atol=1e-15)
        np.testing.assert_allclose(problem.marginal_decreases(x, u), expected, atol=1e-15)


def test_closed_forms_of_the_other_duals():
    n = 12
    for problem, x, u in sampled(BY_NAME["squared-hinge-dual"]):
        np.testing.assert_allclose(
            problem.kappas(x, u), 2.0 * np.maximum(1.0 + n * u, 0.0) - x, atol=1e-13
        )
        np.testing.assert_allclose(
            problem.penalty.conjugate(u), np.maximum(1.0 + n * u, 0.0) ** 2 / n, atol=1e-15
        )
    for problem, x, u in sampled(BY_NAME["logistic-dual"]):
        np.testing.assert_allclose(problem.kappas(x, u), 1 / (1 + np.exp(-n * u)) - x, atol=1e-13)
    for problem, _, u in sampled(BY_NAME["elastic-net-dual"]):
        # No row is empty but one, so the kept targets are those of the other samples.
        y = np.delete(BY_NAME["elastic-net-dual"].arrays[1], n // 3)
        np.testing.assert_allclose(problem.penalty.conjugate(u), (u - y) ** 2 / (2 * n))


COMBINATIONS = [
    (instance, rule)
    for instance in INSTANCES
    for rule in rules_for(instance)
    if (instance.cost, rule) != ("LogisticDual", "sdca")  # outside the class H
]


@pytest.mark.parametrize(("instance", "rule"), COMBINATIONS, ids=str)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("selector", ["uniform", "max_r"])
def test_lemma_1_holds_on_every_step_and_f_never_increases(instance, rule, engine, selector):
    plan = prepare(instance.problem, selector, RULES[rule], None, 3, engine)
    problem, run = plan.problem, plan.run
    before = problem.objective(run.x)
    for _ in range(3 * problem.d):
        x = np.array(run.x)
        promised = problem.marginal_decreases(x, problem.correlations(x))
        run.advance(1, 60.0)
        after = problem.objective(run.x)
        moved = np.flatnonzero(run.x != x)
        slack = 1e-12 * max(1.0, abs(before))
        assert after <= before + slack
        assert np.all(promised >= 0.0)
        assert len(moved) <= 1
        if len(moved):
            assert after <= before - promised[moved[0]] + slack
        elif selector == "max_r":
            assert promised.max() <= slack
        before = after
