"""What the paper says about updates, costs and the algorithm, where a run says otherwise."""

import numpy as np
import pytest

from banditcd import minimize, problems, selectors, theory, updates
from banditcd.problems.losses import ThresholdedLoss
from banditcd.selectors.importance import importance_weights
from banditcd.updates.check import TOLERANCE


def _logistic(column_square: float | None, n: int = 40, d: int = 12) -> problems.LogisticL1:
    """Columns of a given squared norm, or entries in [-1, 1] if None."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-1.0, 1.0, (n, d))
    if column_square is not None:
        X *= np.sqrt(column_square) / np.linalg.norm(X, axis=0)
    return problems.LogisticL1(X, np.sign(X[:, 0] - X[:, 1] + 0.1), alpha=0.01)


def _lemma_1_misses(run: theory.Trajectory) -> int:
    gained, promised = -np.diff(run.objective), run.r[np.arange(run.steps), run.indices]
    return int(np.sum(promised - gained > TOLERANCE * run.scale[:-1]))


# -- update rules -------------------------------------------------------------------------------


@pytest.mark.parametrize("square", [1.0, None])
def test_logistic_step_4_breaks_lemma_1(square):
    problem, rule = _logistic(square), theory.as_printed.FixedCurvature(0.25)
    run = theory.record(problem, "uniform", rule, steps=100)
    assert _lemma_1_misses(run) >= 60
    assert not updates.check_update_rule(rule, problem)


def test_logistic_step_4_is_right_for_columns_of_squared_norm_n():
    n = 40
    problem, rule = _logistic(float(n), n), theory.as_printed.FixedCurvature(0.25)
    np.testing.assert_allclose(problem.h, 0.25)
    run = theory.record(problem, "uniform", rule, steps=60)
    proximal = theory.record(problem, "uniform", "proximal", steps=60)
    assert theory.lemma_1_along(run).holds
    np.testing.assert_allclose(run.x, proximal.x, atol=1e-12)


def test_logistic_step_4_keeps_lemma_1_with_its_own_curvature():
    problem, rule = _logistic(None), theory.as_printed.FixedCurvature(0.25)
    run = theory.record(problem, "uniform", rule, steps=60)
    quarter = np.full(problem.d, 0.25)
    for t, i in enumerate(run.indices):
        u = run.problem.correlations(run.x[t])
        gap, kappa = run.problem.gaps(run.x[t], u), run.problem.kappas(run.x[t], u)
        promised = theory.marginal_decrease(gap, kappa, run.problem.mu, quarter)[1][i]
        assert run.objective[t] - run.objective[t + 1] >= promised - TOLERANCE


def test_squared_loss_step_1_is_not_in_the_class_either(cost):
    problem, rule = cost("Lasso"), theory.as_printed.FixedCurvature(1.0)
    assert problem.h.max() < 1.0
    run = theory.record(problem, "uniform", rule, steps=60)
    assert _lemma_1_misses(run) >= 20
    assert not updates.check_update_rule(rule, problem)


def test_stingy_update_needs_the_penalty(cost):
    problem, rule = cost("Lasso"), theory.as_printed.StingyWithoutPenalty()
    assert not updates.check_update_rule(rule, problem)
    printed = theory.record(problem, "cyclic", rule, steps=60)
    right = theory.record(problem, "cyclic", "exact", steps=60)
    assert np.any(np.diff(printed.objective) > 1e-6)  # F even goes up
    assert printed.objective[-1] > 1.1 * right.objective[-1]


def test_s_is_0_over_0_where_kappa_vanishes(cost, best):
    problem = cost("HingeDual")
    x = best("HingeDual").x
    u = problem.correlations(x)
    gap, kappa = problem.gaps(x, u), problem.kappas(x, u)
    done = kappa == 0.0
    assert done.any()
    assert np.all(gap[done] == 0.0)
    assert np.isnan(theory.as_printed.marginal_step(gap, kappa, problem.mu, problem.h)[done]).all()
    assert np.all(problem.steps(x, u)[done] == 0.0)
    assert np.all(problem.marginal_decreases(x, u)[done] == 0.0)


# -- costs --------------------------------------------------------------------------------------


def test_beta_of_every_cost_carries_the_scaling():
    rng = np.random.default_rng(0)
    n, alpha = 20, 0.1
    X, y = rng.standard_normal((n, 6)), rng.standard_normal(n)
    sign = np.sign(y)
    expected = [
        (problems.Lasso(X, y, alpha), n),
        (problems.ElasticNet(X, y, alpha), n),
        (problems.Ridge(X, y, alpha), n),
        (problems.LogisticL1(X, sign, alpha), 4 * n),
        (problems.RidgeDual(X, y, alpha), alpha * n**2),
        (problems.HingeDual(X, sign, alpha), alpha * n**2),
        (problems.SquaredHingeDual(X, sign, alpha), alpha * n**2),
        (problems.LogisticDual(X, sign, alpha), alpha * n**2),
        (problems.ElasticNetDual(X, y, alpha, l1_ratio=0.5), alpha / 2.0),
    ]
    for problem, beta in expected:
        assert problem.beta == pytest.approx(beta)
        slopes = [
            np.abs(problem.loss.gradient(v + 1e-6) - problem.loss.gradient(v)).max() / 1e-6
            for v in (np.zeros(problem.m), 3.0 * rng.standard_normal(problem.m))
        ]
        assert max(slopes) == pytest.approx(1.0 / beta, rel=1e-4)  # no smaller constant will do


def test_lasso_dual_is_outside_the_class():
    with pytest.raises(ValueError, match="ElasticNetDual"):
        problems.LassoDual()
    with pytest.raises(ValueError, match="l1_ratio"):
        problems.ElasticNetDual(np.eye(3), np.ones(3), alpha=1.0, l1_ratio=1.0)
    v = np.array([1.5])
    values = [ThresholdedLoss(np.array([rho]), np.ones(1)).value(v) for rho in (1.0, 1e-3, 1e-9)]
    assert values[2] > 1e5 * values[1] > 1e7 * values[0]  # an indicator in the limit: not smooth


def test_penalty_is_summed_over_features_and_choices_are_coordinates():
    rng = np.random.default_rng(2)
    for n, d in ((5, 9), (9, 5)):
        X, y, x = rng.standard_normal((n, d)), rng.standard_normal(n), rng.standard_normal(d)
        problem = problems.Lasso(X, y, alpha=0.3)
        by_hand = np.sum((y - X @ x) ** 2) / (2 * n) + 0.3 * np.abs(x).sum()
        assert problem.objective(x) == pytest.approx(by_hand)
        run = theory.record(problem, "uniform", steps=20 * d)
        assert set(run.indices) == set(range(d))


def test_importance_weighs_the_lipschitz_constant_by_the_column():
    rng = np.random.default_rng(3)
    Z = rng.standard_normal((10, 4)) * np.linspace(1.0, 5.0, 10)[:, None]
    hinge = problems.HingeDual(Z, [1, -1] * 5, alpha=0.1)
    np.testing.assert_array_equal(hinge.penalty.lipschitz, 1.0)  # alone: uniform
    weights = importance_weights(hinge)
    norms = np.linalg.norm(Z, axis=1)
    np.testing.assert_allclose(weights / weights[0], norms / norms[0])
    ridge = problems.RidgeDual(Z, rng.standard_normal(10), alpha=0.1)
    np.testing.assert_allclose(importance_weights(ridge), ridge.mu + ridge.h)


def test_model_is_no_bound_for_several_coordinates(cost):
    rng = np.random.default_rng(6)
    problem = cost("Lasso")
    x, above = rng.standard_normal(problem.d), 0
    for _ in range(200):
        moved = x + rng.standard_normal(problem.d)
        change = problem.objective(moved) - problem.objective(x)
        above += change > theory.model_change(problem, x, moved) + 1e-9
    assert above >= 40
    twins = problems.Lasso(np.ones((4, 2)), np.ones(4), alpha=0.1)  # the smallest example
    both, start = np.full(2, 0.9), np.zeros(2)
    actual = twins.objective(both) - twins.objective(start)
    assert actual > theory.model_change(twins, start, both) + 0.5


# -- the algorithm ------------------------------------------------------------------------------


def test_b_max_r_takes_the_argmax_and_does_not_sample_in_proportion(cost):
    problem = cost("RidgeDual")
    picks = [
        theory.record(problem, selectors.BMaxR(epsilon=0.0), steps=1, random_state=seed)
        for seed in range(40)
    ]
    r = picks[0].r[0]
    assert np.sum(r > 0.05 * r.sum()) >= 3  # sampling would spread over these
    assert {int(run.indices[0]) for run in picks} == {int(np.argmax(r))}


def test_cost_of_an_epoch_depends_on_epsilon():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((40, 60))
    problem = problems.Lasso(X, X[:, 0] + rng.standard_normal(40), alpha=0.1)
    work = [
        minimize(
            problem,
            selectors.BMaxR(epsilon=epsilon, refresh=0.1),
            max_epochs=4,
            tol=1e-300,
            random_state=0,
            engine="reference",
        ).work
        for epsilon in (0.0, 1.0)
    ]
    assert work[1] < 0.97 * work[0]  # random picks hit zero moves, which write nothing


def test_bins_have_equal_length_from_the_first_step_on(cost):
    log = []

    class Spy(selectors.BMaxR):
        def _refreshed(self, state):
            log.append(state.step)
            return super()._refreshed(state)

    theory.record(cost("Lasso"), Spy(refresh=4), steps=13)
    assert log == [0, 4, 8, 12]


def test_bin_of_zero_estimates_does_not_repeat_one_arm(cost):
    problem = problems.Lasso(np.eye(8), np.ones(8), alpha=10.0)  # x = 0 is optimal: all r are 0
    run = theory.record(problem, selectors.BMaxR(epsilon=0.0, refresh=1.0), steps=40)
    assert np.all(run.r == 0.0)
    assert len(set(run.indices)) >= 5


def test_r_after_the_update_is_known_without_a_new_dot_for_quadratic_f_only(cost):
    for name, exact in (("Lasso", True), ("HingeDual", True), ("LogisticL1", False)):
        run = theory.record(cost(name), "cyclic", steps=20)
        errors = []
        for t, i in enumerate(run.indices):
            before, after = (run.problem.correlations(run.x[k])[i] for k in (t, t + 1))
            move = run.x[t + 1, i] - run.x[t, i]
            errors.append(abs(after - (before - run.problem.h[i] * move)))
        assert (max(errors) <= 1e-14) == exact


def test_absolute_target_depends_on_the_units_and_the_gap_rule_does_not():
    rng = np.random.default_rng(9)
    X, y = rng.standard_normal((20, 8)), rng.standard_normal(20)
    share, steps = [], []
    for unit in (1.0, 1024.0):
        problem = problems.Lasso(X, unit * y, alpha=0.05 * unit)
        share.append(np.exp(-5.0) / problem.objective(np.zeros(8)))
        result = minimize(problem, "cyclic", tol=1e-8, engine="reference")
        steps.append(result.steps)
    assert share[0] > 1e5 * share[1]
    assert steps[0] == steps[1]
