"""What each selector promises, on states where brute force can say what is right."""

from itertools import pairwise

import numpy as np
import pytest

from banditcd import problems, selectors
from banditcd.engine.prepare import prepare
from tests.instances import EXACT, INSTANCES, SELECTORS, selectors_for

BY_NAME = {instance.name: instance for instance in INSTANCES}
SAMPLE = [BY_NAME[n] for n in ("lasso", "logistic-l1", "ridge", "hinge-dual", "logistic-dual")]


def choices(problem, selector, epochs=3, engine="compiled", seed=0):
    """The chosen indices, with x before each step."""
    plan = prepare(problem, selector, "auto", None, seed, engine)
    run, found = plan.run, []
    for _ in range(int(epochs * plan.problem.d)):
        x = np.array(run.x)
        if engine == "compiled":
            i = run.selector.next(run.descent)
            report = run.descent.step(i)
            run.selector.observe(run.descent, i, *report)
        else:
            i = run.selector.next(run.state)
            report = run.descent.step(i)
            run.state.last_move = run.descent.last_move
            run.state.last_correlation = run.descent.last_correlation
            if hasattr(run.selector, "observe"):
                run.selector.observe(i, *report)
        found.append((x, i))
    return plan.problem, found


def best(scores, i):
    return scores[i] >= scores.max() - 1e-12 * max(1.0, scores.max())


@pytest.mark.parametrize("instance", SAMPLE, ids=str)
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_max_r_and_max_gap_take_the_largest(instance, engine):
    for name, score in (("max_r", "marginal_decreases"), ("max_gap", "gaps")):
        problem, found = choices(instance.problem, name, engine=engine)
        for x, i in found:
            assert best(getattr(problem, score)(x, problem.correlations(x)), i)


@pytest.mark.parametrize("instance", SAMPLE, ids=str)
@pytest.mark.parametrize("lipschitz", [False, True])
@pytest.mark.parametrize("rule", ["s", "r", "q"])
def test_gauss_southwell_by_its_definitions(instance, rule, lipschitz):
    problem, found = choices(instance.problem, selectors.GaussSouthwell(rule, lipschitz=lipschitz))
    g, h, root = problem.penalty, problem.h, np.sqrt(problem.h + problem.mu)
    for x, i in found:
        u = problem.correlations(x)
        target = g.prox(x, u, h)
        move = target - x
        low, high = g.subdifferential(x)
        scores = {
            "s": np.maximum(0.0, np.maximum(low - u, u - high)) / (root if lipschitz else 1.0),
            "r": np.abs(move) * (root if lipschitz else 1.0),
            "q": u * move - h * move**2 / 2 + g.value(x) - g.value(target),
        }[rule]
        if np.isfinite(scores.max()):
            assert best(scores, i)
        else:
            assert scores[i] == np.inf


def test_on_ridge_max_r_is_gauss_southwell_lipschitz():
    """Lemma 2, corrected: with unit columns it is even plain Gauss-Southwell."""
    problem = BY_NAME["ridge"].problem
    indices = [i for _, i in choices(problem, "max_r")[1]]
    lipschitz = selectors.GaussSouthwell(lipschitz=True)
    assert indices == [i for _, i in choices(problem, lipschitz)[1]]
    unit = BY_NAME["ridge-alpha-0"].problem
    assert [i for _, i in choices(unit, "max_r")[1]] == [
        i for _, i in choices(unit, "gauss_southwell")[1]
    ]


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("instance", [*SAMPLE, *EXACT], ids=str)
def test_b_max_r_with_a_refresh_every_step_and_no_exploring_is_max_r(instance, engine):
    every = choices(instance.problem, selectors.BMaxR(epsilon=0.0, refresh=1), engine=engine)[1]
    afresh = selectors.MaxR(gram=False)  # as b_max_r does: kept correlations round otherwise
    assert [i for _, i in every] == [i for _, i in choices(instance.problem, afresh)[1]]


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("refresh", [1, 5, 0.5, 1.0, 2.5])
@pytest.mark.parametrize("argmax", ["exact", "buckets"])
def test_b_max_r_takes_its_largest_estimate_within_its_factor(epsilon, refresh, argmax):
    selector = selectors.BMaxR(epsilon=epsilon, refresh=refresh, argmax=argmax)
    for instance in (BY_NAME["lasso"], BY_NAME["logistic-l1"], BY_NAME["hinge-dual"]):
        problem, found = choices(instance.problem, selector, epochs=4)
        bin_length = refresh if isinstance(refresh, int) else max(1, round(refresh * problem.d))
        factor = 1.0 if argmax == "exact" else np.sqrt(2.0)
        greedy, estimate = 0, None
        for step, (x, i) in enumerate(found):
            r = problem.marginal_decreases(x, problem.correlations(x))
            if step % bin_length == 0:
                estimate = r.copy()
            greedy += estimate[i] * factor * (1.0 + 1e-9) >= estimate.max() - 1e-15
            after = found[step + 1][0] if step + 1 < len(found) else x
            estimate[i] = problem.marginal_decreases(after, problem.correlations(after))[i]
            if estimate[i] < 1e-15:
                estimate[i] = 0.0
        assert greedy == len(found) if epsilon == 0.0 else greedy < len(found)


def test_b_max_r_explores_uniformly_when_epsilon_is_one():
    problem = BY_NAME["lasso-unit"].problem
    _, found = choices(problem, selectors.BMaxR(epsilon=1.0), epochs=200)
    counts = np.bincount([i for _, i in found], minlength=problem.d)
    assert np.all(np.abs(counts - 200) < 5 * np.sqrt(200))


def test_an_all_zero_bin_is_drawn_uniformly():
    """At the optimum every estimate is zero: an argmax would repeat one arm for ever."""
    silent = problems.Lasso(*BY_NAME["lasso-unit"].arrays, alpha=100.0)
    for name in ("b_max_r", "max_r", "max_gap", "sqrt_r", "ada_gap", "ada_kappa", "gap_per_epoch"):
        _, found = choices(silent, SELECTORS[name], epochs=100)
        counts = np.bincount([i for _, i in found], minlength=silent.d)
        assert np.all(np.abs(counts - 100) < 60), name


def test_cyclic_and_shuffled_visit_everybody_once_per_epoch():
    problem = BY_NAME["lasso-unit"].problem
    d = problem.d
    _, cyclic = choices(problem, "cyclic")
    assert [i for _, i in cyclic] == list(range(d)) * 3
    _, shuffled = choices(problem, "shuffled")
    orders = np.array([i for _, i in shuffled]).reshape(3, d)
    assert np.array_equal(np.sort(orders, axis=1), np.tile(np.arange(d), (3, 1)))
    assert not np.array_equal(orders[0], orders[1])


def expected_distribution(problem, name, x):
    u = problem.correlations(x)
    weights = {
        "uniform": np.ones(problem.d),
        "importance": selectors.importance.importance_weights(problem),
        "ada_gap": problem.gaps(x, u),
        "ada_kappa": np.abs(problem.kappas(x, u)) * np.sqrt(problem.h + problem.mu),
        "gap_per_epoch": problem.gaps(x, u),
        "sqrt_r": np.sqrt(problem.marginal_decreases(x, u)),
    }[name]
    p = weights / weights.sum()
    return 0.9 * p + 0.1 / problem.d if name == "sqrt_r" else p


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize(
    "name", ["uniform", "importance", "ada_gap", "ada_kappa", "gap_per_epoch", "sqrt_r"]
)
def test_sampling_rules_draw_from_their_distribution(name, engine):
    for cost in ("lasso", "ridge", "hinge-dual"):
        plan = prepare(BY_NAME[cost].problem, SELECTORS[name], "auto", None, 7, engine)
        problem, run, draws = plan.problem, plan.run, 3000 if engine == "compiled" else 800
        source = run.descent if engine == "compiled" else run.state
        counts = np.zeros(problem.d)
        for _ in range(draws):
            counts[run.selector.next(source)] += 1
        p = expected_distribution(problem, name, np.array(run.x))
        assert np.all(counts[p == 0.0] == 0)
        assert np.all(np.abs(counts - draws * p) <= 5 * np.sqrt(draws * p * (1 - p)) + 1e-9)


def test_importance_weights_are_the_papers():
    lasso = BY_NAME["lasso"].problem.bounded_by(np.zeros(8))
    bound = lasso.objective(np.zeros(8)) / 0.1
    weights = selectors.importance.importance_weights(lasso)
    np.testing.assert_allclose(weights, bound * np.sqrt(lasso.h))
    ridge = BY_NAME["ridge"].problem
    np.testing.assert_allclose(selectors.importance.importance_weights(ridge), ridge.mu + ridge.h)
    out = BY_NAME["elastic-net-options"].problem
    weights = selectors.importance.importance_weights(out)
    assert np.isfinite(weights).all()
    assert weights[7] == 0.0


def test_ascd_brackets_contain_the_true_violations():
    for instance in SAMPLE:
        plan = prepare(instance.problem, "ascd", "auto", None, 0, "reference")
        problem, run = plan.problem, plan.run
        for _ in range(3 * problem.d):
            i = run.selector.next(run.state)
            x = np.array(run.x)
            low, high = run.selector._bounds(x)
            true = problem.penalty.violation(x, problem.correlations(x))
            assert np.all(low <= true + 1e-9)
            assert np.all(true <= high + 1e-9)
            run.descent.step(i)
            run.state.last_move = run.descent.last_move
            run.state.last_correlation = run.descent.last_correlation


def test_frequencies_learn_what_pays():
    """One coordinate that gains is revisited more often than those that are at their optimum."""
    X = np.eye(16)
    y = np.zeros(16)
    X[:, 1] = X[:, 0] + 0.3 * X[:, 1]  # two columns that disturb each other
    y[:2] = [40.0, -30.0]
    problem = problems.Lasso(X, y, alpha=0.01)
    for name in ("acf", "calendar", "sqrt_r", "focus"):
        _, found = choices(problem, SELECTORS[name], epochs=20)
        counts = np.bincount([i for _, i in found], minlength=16)
        assert counts[:2].mean() > 1.5 * counts[2:].mean(), name
        assert counts.min() > 0 or name == "sqrt_r", name
    slow = selectors.BanditVariance()  # its own learning rate is small: look at the weights
    choices(problem, slow, epochs=20, engine="reference")
    assert slow._weights[:2].min() > slow._weights[2:].max()


def passes_of_focus(problem, engine, epochs=30):
    """(level, coordinates, gain, entries) of every pass, from the reference selector's view."""
    plan = prepare(problem, selectors.Focus(), "auto", None, 3, engine)
    run, passes = plan.run, []
    for _ in range(epochs * plan.problem.d):
        i = run.selector.next(run.state)
        if not passes or run.selector._position == 1:
            passes.append([run.selector.level, [], 0.0, 0])
        before = run.descent.entries
        run.descent.step(i)
        run.state.last_move = move = run.descent.last_move
        passes[-1][1].append(i)
        passes[-1][2] += 0.5 * (plan.problem.h[i] + plan.problem.mu[i]) * move**2
        passes[-1][3] += run.descent.entries - before
    return plan.problem, passes[:-1]


def test_focus_stays_on_what_moved_while_it_pays():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 40)) + rng.normal(size=(60, 1))
    lasso = problems.Lasso(X, X[:, :5].sum(axis=1) + rng.normal(size=60), alpha=0.3)
    problem, passes = passes_of_focus(lasso, "reference")
    assert max(level for level, *_ in passes) >= 1
    full_gain, full_work = 0.0, 0
    for (level, members, gain, work), (after, part, _, cost) in pairwise(passes):
        if level == 0:
            assert sorted(members) == list(range(problem.d))
            full_gain, full_work = gain, work
        if after > level:
            assert after == level + 1
            assert set(part) < set(members)
            assert cost <= selectors.Focus.LONGEST * work
        if level == 1 and after == 2:  # refined only because it paid more than the full pass
            assert gain * full_work > full_gain * work


def test_focus_stays_on_what_pays_where_everything_moves():
    rng = np.random.default_rng(5)
    X = 0.1 * rng.normal(size=(80, 60))
    X[:, :6] += 3.0 * rng.normal(size=(80, 1))  # six columns that are nearly the same one
    ridge = problems.Ridge(X, X[:, :6].sum(axis=1) + rng.normal(size=80), alpha=1e-4)
    _, passes = passes_of_focus(ridge, "reference", epochs=60)
    assert [level for level, *_ in passes[:2]] == [0, 0]  # nothing is concluded from one pass
    firsts = [set(part) for (level, *_), (after, part, *_) in pairwise(passes) if after > level]
    assert firsts
    assert all(len(part) <= 30 for part in firsts)


def test_focus_is_shuffled_where_everything_moves_alike():
    problem = BY_NAME["ridge-alpha-0"].problem
    focus = [i for _, i in choices(problem, "focus", epochs=2)[1]]
    assert focus == [i for _, i in choices(problem, "shuffled", epochs=2)[1]]


def test_every_selector_of_the_registry_is_in_the_lists():
    names = {selector.name for selector in SELECTORS.values()}
    assert names == set(selectors.REGISTRY)
    assert set(selectors_for(BY_NAME["lasso"])) == set(SELECTORS)
    assert repr(selectors.BMaxR(0.2, 0.5)) == "BMaxR(epsilon=0.2, refresh=0.5, argmax='exact')"
    assert repr(selectors.Approx()) == "Approx(restart=0.0)"
