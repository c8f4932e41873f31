"""Proposition 2: the bound for B_max_r, its constants, and what is printed about them."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from banditcd import selectors, theory
from banditcd.problems.losses import QuadraticLoss
from banditcd.problems.penalties import BoxQuadratic

SEEDS = 24


def _runs(problem, epsilon, refresh, steps, seeds=SEEDS):
    return [
        theory.record(problem, selectors.BMaxR(epsilon, refresh), steps=steps, random_state=seed)
        for seed in range(seeds)
    ]


def test_proposition_2_holds_where_every_assumption_does(orthogonal_hinge, solve):
    problem = orthogonal_hinge(12, h=1.0)
    f_star = solve(problem).lower
    for epsilon in (0.2, 0.5):
        runs = _runs(problem, epsilon, 0.5, steps=40)
        bound = theory.proposition_2(runs, f_star)
        assert bound.applies
        constants = theory.bandit_constants(runs, f_star)
        assert constants.alpha == constants.alpha_any_start  # the condition on the start holds
        assert constants.alpha == pytest.approx(8.0 * 144)
        np.testing.assert_allclose(bound.values[1:4], 8.0 * 144 / np.array([2, 3, 4]))
        assert constants.c == pytest.approx(1.0)  # orthogonal: estimates never go stale
        assert constants.eta == pytest.approx(problem.d)
        assert constants.eps0 <= constants.alpha
        assert constants.printed_t0 == 1.0  # not O(d)
        mean = theory.mean_suboptimality(runs, f_star)
        assert bound.violations(mean).size == 0
        assert np.isfinite(bound.values[1:]).all()


@pytest.mark.parametrize("refresh", [0.5, 2.0])
def test_proposition_2_holds_in_the_mean_on_hinge_from_any_start(cost, best, refresh):
    problem, f_star = cost("HingeDual"), best("HingeDual").lower
    runs = _runs(problem, 0.5, refresh, steps=60)
    bound = theory.proposition_2(runs, f_star)
    assert bound.violations(theory.mean_suboptimality(runs, f_star)).size == 0
    assert np.isfinite(bound.values[1:]).all()


def test_proposition_2_without_its_condition_needs_the_larger_alpha(orthogonal_hinge, solve):
    """Long flat start: eps(x^0) is beyond the paper's limit and the paper's alpha fails."""
    problem = orthogonal_hinge(12, h=1e-3)
    f_star = solve(problem).lower
    runs = _runs(problem, 0.5, 0.5, steps=40)
    constants, bound = theory.bandit_constants(runs, f_star), theory.proposition_2(runs, f_star)
    mean = theory.mean_suboptimality(runs, f_star)
    assert len(bound.failures) == 1
    assert "eps(x^0)" in bound.failures[0]
    assert constants.eps0 > constants.eps0_limit
    t0 = constants.printed_t0
    late = np.arange(int(np.ceil(t0)), 8)
    assert late.size >= 4
    assert np.all(mean[late] > 1.2 * constants.alpha / (2.0 + late - t0))
    assert bound.violations(mean, 1e-15).size == 0


def test_proposition_2_names_the_assumption_that_fails(cost, best):
    problem, f_star = cost("HingeDual"), best("HingeDual").lower
    runs = _runs(problem, 0.5, 0.5, 40, seeds=3)
    assert np.isinf(theory.bandit_constants(runs, f_star).c)
    assert theory.proposition_2(runs, f_star).failures == ("c(E, epsilon) is finite",)


def test_estimates_are_those_the_selector_chose_by(cost):
    problem = cost("RidgeDual")
    run = theory.record(problem, selectors.BMaxR(epsilon=0.0, refresh=5), steps=50)
    stale = theory.estimates(run)
    taken = stale[np.arange(run.steps), run.indices]
    np.testing.assert_allclose(taken, stale.max(axis=1), rtol=1e-9, atol=1e-18)
    fresh = np.arange(0, run.steps, 5)
    np.testing.assert_array_equal(stale[fresh], run.r[fresh])
    assert not np.allclose(stale[fresh + 3], run.r[fresh + 3])


def test_staleness_is_one_with_full_information_and_for_bandits_only(cost):
    problem = cost("Lasso")
    run = theory.record(problem, selectors.BMaxR(epsilon=0.5, refresh=1), steps=40)
    assert np.all(theory.staleness(run) == 1.0)
    with pytest.raises(ValueError, match="BMaxR"):
        theory.staleness(theory.record(problem, "max_r", steps=3))


# -- what the paper prints ----------------------------------------------------------------------


def test_alpha_in_the_proof_of_proposition_2_is_wrong(orthogonal_hinge, solve):
    """Full information (epsilon = 0, E = 1, c = 1) on 16 equal, orthogonal coordinates."""
    problem = orthogonal_hinge(16, h=1.0)
    f_star = solve(problem).lower
    runs = _runs(problem, 0.0, 1, steps=12, seeds=1)
    constants = theory.bandit_constants(runs, f_star)
    eps = theory.mean_suboptimality(runs, f_star)
    wrong = theory.as_printed.alpha_in_proof(constants)
    limit = np.sqrt(wrong * constants.full_step_gain)
    assert constants.eps0 <= limit * (1.0 + 1e-12)  # the condition holds with that alpha, too
    t0 = max(1.0, 4.0 * constants.eps0 / wrong * np.log(2.0 * constants.eps0 / wrong))
    t = np.arange(int(np.ceil(t0)), 12)
    assert t.size >= 5
    assert np.all(eps[t] > 1.2 * wrong / (2.0 + t - t0))
    assert np.all(eps[1:] <= constants.alpha / (1.0 + np.arange(1, 13)))


def test_t0_of_proposition_2_is_not_needed():
    """The recursion y+ = y - y^2 / alpha is below alpha / (t + 3) from the first step on."""
    for y0 in np.linspace(0.01, 1.0, 100):
        y = y0
        for t in range(1, 60):
            y -= y * y
            assert y <= 1.0 / (t + 3.0) + 1e-15


def test_printed_t0_is_one_where_the_proposition_applies():
    rng = np.random.default_rng(0)
    for _ in range(500):
        d = int(rng.integers(1, 1000))
        c, eta = 10.0 ** rng.uniform(0.0, 4.0), rng.uniform(1.0, d)
        epsilon, h, L = (
            rng.uniform(),
            10.0 ** rng.uniform(-3.0, 3.0),
            10.0 ** rng.uniform(-2.0, 2.0),
        )
        constants = theory.BanditConstants(d, epsilon, c, eta, h, L, 0.0)
        at_limit = replace(constants, eps0=constants.eps0_limit)  # the worst start that is allowed
        assert at_limit.eps0 / at_limit.alpha <= 0.5 * (1.0 + 1e-12)
        assert at_limit.printed_t0 == 1.0
    beyond = replace(at_limit, eps0=10.0 * at_limit.alpha)
    assert beyond.printed_t0 > 1.0


def _scaled(problem, m):
    """Return F / m as a problem of its own."""
    part = copy.copy(problem)
    part.__dict__.pop("h", None)
    part.loss = QuadraticLoss(problem.loss.weight / m, problem.loss.target)
    mu, linear, lower, upper = problem.penalty.native()
    part.penalty = BoxQuadratic(mu / m, linear / m, lower, upper)
    return part


def test_scaling_the_cost_does_not_meet_the_condition_of_proposition_2(orthogonal_hinge, solve):
    problem = orthogonal_hinge(12, h=1e-3)
    f_star = solve(problem).lower
    shares = []
    for m in (1.0, 16.0, 4096.0):
        scaled = _scaled(problem, m)
        assert scaled.beta == pytest.approx(m * problem.beta)
        constants = theory.bandit_constants(_runs(scaled, 0.5, 0.5, 20, seeds=4), f_star / m)
        shares.append(constants.eps0 / constants.eps0_limit)
    assert shares[0] > 1.0
    np.testing.assert_allclose(shares, shares[0], rtol=1e-9)


@pytest.mark.parametrize("name", ["Lasso", "HingeDual"])
def test_c_is_infinite_in_practice(name, cost):
    for epsilon in (0.0, 0.5):
        ratios = np.concatenate(
            [theory.staleness(run) for run in _runs(cost(name), epsilon, 1.0, 60, seeds=4)]
        )
        assert 0.01 < np.isinf(ratios).mean() < 0.5


def test_c_grows_with_the_bin(cost):
    for name in ("Lasso", "RidgeDual"):
        medians = [
            np.median([theory.staleness(run) for run in _runs(cost(name), 0.5, E, 80, seeds=4)])
            for E in (1, 1.0, 4.0)
        ]
        assert medians[0] == 1.0
        assert medians[0] < medians[1] < medians[2]


def test_bin_of_one_step_is_max_r_only_without_exploration(cost):
    problem = cost("RidgeDual")
    greedy = theory.record(problem, "max_r", steps=40)
    without = theory.record(problem, selectors.BMaxR(epsilon=0.0, refresh=1), steps=40)
    exploring = theory.record(problem, selectors.BMaxR(epsilon=0.5, refresh=1), steps=40)
    np.testing.assert_array_equal(without.indices, greedy.indices)
    assert np.mean(exploring.indices != greedy.indices) > 0.2
    assert not theory.takes_largest_r(exploring)
