"""Empty columns, no penalty, warm starts, weights, seeds: what the texts leave open, settled."""

import numpy as np
import pytest

from banditcd import minimize, problems, selectors
from banditcd.engine.prepare import prepare
from tests.instances import (
    ACCELERATED,
    INSTANCES,
    RULES,
    SELECTORS,
    make_data,
    rules_for,
    selectors_for,
)

BY_NAME = {instance.name: instance for instance in INSTANCES}
EMPTY = [i for i in INSTANCES if np.any(i.problem.h == 0.0)]
MINIMIZERS = {"HingeDual": 1.0, "SquaredHingeDual": 2.0, "LogisticDual": 0.5}


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("instance", EMPTY, ids=str)
def test_coordinates_of_empty_columns_are_set_once_and_never_selected(instance, engine):
    problem = instance.problem
    empty = np.flatnonzero(problem.h == 0.0)
    _, y = instance.arrays
    if instance.cost == "RidgeDual":
        expected = y[empty] * (2.0 if instance.parameters.get("scaling") == "paper" else 1.0)
    elif instance.cost == "ElasticNetDual":
        expected = -y[empty] / instance.shape[0]
    elif "Insensitive" in instance.cost:
        excess = np.maximum(np.abs(y[empty]) - problem.epsilon, 0.0)
        size = 2.0 * excess if instance.cost.startswith("Squared") else (excess > 0.0) * 1.0
        expected = size * np.sign(y[empty])
    else:
        expected = np.full(len(empty), MINIMIZERS.get(instance.cost, 0.0))
    plan = prepare(problem, "cyclic", "auto", None, 0, engine)
    assert not np.isin(empty, plan.kept).any()
    result = minimize(problem, "uniform", max_epochs=1, random_state=0, engine=engine)
    np.testing.assert_allclose(result.x[empty], expected)
    start = minimize(problem, "uniform", x0=np.clip(np.full(problem.d, 0.05), problem.penalty.lower,
                     problem.penalty.upper), max_epochs=0)  # fmt: skip
    np.testing.assert_allclose(start.x[empty], expected)


@pytest.mark.parametrize("instance", EMPTY, ids=str)
def test_the_marginal_decrease_of_an_empty_column_is_all_that_its_g_can_give(instance):
    problem = instance.problem.bounded_by(instance.problem.start())
    empty = problem.h == 0.0
    x = np.clip(np.full(problem.d, 0.3), problem.penalty.lower, problem.penalty.upper)
    best = np.where(empty, problem.penalty.minimizer(), x)
    u = problem.correlations(x)
    decrease = problem.objective(x) - problem.objective(best)
    assert problem.marginal_decreases(x, u)[empty].sum() == pytest.approx(decrease, abs=1e-12)
    assert np.isfinite(problem.steps(x, u)).all()


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("cost", problems.REGISTRY)
def test_a_matrix_of_zeros_is_solved_at_once(cost, engine):
    y = np.array([1.0, -1.0, 1.0, -1.0])
    problem = problems.make(cost, np.zeros((4, 3)), y, alpha=0.1)
    for name, selector in {**SELECTORS, **ACCELERATED}.items():
        if name in selectors_for(BY_NAME["ridge"]) or name == "approx":
            result = minimize(problem, selector, random_state=0, engine=engine)
            assert result.converged
            assert not result.coef.any()


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("name", ["lasso-alpha-0", "ridge-alpha-0", "lasso-weight-0"])
def test_without_a_penalty_r_is_u_squared_over_2h(name, engine):
    problem = BY_NAME[name].problem
    x = np.linspace(-0.2, 0.2, problem.d)
    u = problem.correlations(x)
    there = problem.penalty.free & (problem.h > 0.0)
    kept = problem.keep(np.flatnonzero(there))
    r = kept.marginal_decreases(x[there], u[there])
    np.testing.assert_allclose(r, u[there] ** 2 / (2 * problem.h[there]), rtol=1e-13)
    run = prepare(problem, "max_r", "auto", None, 0, engine).run
    run.advance(3, 60.0)
    assert run.moves == 3


@pytest.mark.parametrize("name", ["ada_gap", "ada_kappa", "max_gap", "gap_per_epoch", "importance"])
@pytest.mark.parametrize("instance", ["lasso-alpha-0", "ridge-weight-0", "nonnegative"])
def test_gap_based_selectors_refuse_unpenalized_coordinates_by_name(name, instance):
    with pytest.raises(ValueError, match=rf"{name}.*does not fit.*coordinates without a penalty"):
        minimize(BY_NAME[instance].problem, name)


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_a_warm_start_continues_where_it_was(instance):
    problem = instance.problem
    first = minimize(problem, "shuffled", tol=1e-4, random_state=0, max_epochs=5000, trace=None)
    again = minimize(problem, "shuffled", tol=1e-4, x0=first.x, random_state=0)
    assert again.steps == 0
    assert again.converged
    np.testing.assert_array_equal(again.x, first.x)
    assert again.trace.objective[0] == first.objective
    further = minimize(problem, "b_max_r", tol=1e-8, x0=first.x, random_state=0, max_epochs=5000)
    assert further.converged
    assert further.objective <= first.objective + 1e-15


def test_a_warm_start_far_out_widens_the_box():
    problem = BY_NAME["lasso"].problem
    x0 = np.full(problem.d, 50.0)
    for update in ("exact", "reference"):
        result = minimize(problem, "b_max_r", update, x0=x0, tol=1e-8, random_state=0,
                          max_epochs=5000)  # fmt: skip
        assert result.converged
        assert result.objective == pytest.approx(BY_NAME["lasso"].optimum, abs=1e-7)
        assert np.all(np.diff(result.trace.objective) <= 1e-9)
    assert np.all(x0 == 50.0)  # the user's array is not written to


@pytest.mark.parametrize("cost", ["Lasso", "ElasticNet", "LogisticL1", "Ridge"])
def test_integer_sample_weights_are_repeated_rows(cost):
    X, y = make_data("uneven", (12, 5), cost == "LogisticL1", 2)
    weight = np.arange(12) % 3
    weighted = problems.make(cost, X, y, alpha=0.1, sample_weight=weight)
    repeated = problems.make(cost, np.repeat(X, weight, axis=0), np.repeat(y, weight), alpha=0.1)
    a, b = (minimize(p, "cyclic", tol=1e-9, max_epochs=5000) for p in (weighted, repeated))
    np.testing.assert_allclose(a.x, b.x, atol=1e-6)
    assert a.objective == pytest.approx(b.objective, abs=1e-9)
    assert weighted.null_objective() == pytest.approx(repeated.null_objective())


def test_penalty_weights_scale_columns():
    """x_i = z_i / w_i turns weighted penalties into scaled columns."""
    X, y = make_data("unit", (20, 4), False, 2)
    weights = np.array([0.5, 1.0, 2.0, 4.0])
    weighted = minimize(
        problems.Lasso(X, y, alpha=0.02, penalty_weights=weights), "cyclic", tol=1e-12
    )
    scaled = minimize(problems.Lasso(X / weights, y, alpha=0.02), "cyclic", tol=1e-12)
    np.testing.assert_allclose(weighted.x * weights, scaled.x, atol=1e-8)


def test_bounds_and_exclusion_are_kept_exactly():
    for name in ("lasso-options", "elastic-net-options", "logistic-l1-options", "ridge-options"):
        instance = BY_NAME[name]
        for rule in rules_for(instance):
            for engine in ("compiled", "reference"):
                x = minimize(instance.problem, "shuffled", RULES[rule], max_epochs=5, tol=1e-12,
                             random_state=0, engine=engine).x  # fmt: skip
                assert np.all(x >= instance.parameters["lower"])
                assert np.all(x <= instance.parameters["upper"])
                assert x[7] == 0.0


@pytest.mark.parametrize("method", ["approx", "approx-restart"])
@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_accelerated_points_stay_in_the_domain(instance, method):
    for seed in range(2):
        result = minimize(
            instance.problem, ACCELERATED[method], max_epochs=12, tol=1e-15, random_state=seed
        )
        assert np.isfinite(result.trace.objective).all()
        assert np.isfinite(result.trace.gap).all()


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("name", [*SELECTORS, *ACCELERATED])
def test_the_same_seed_gives_the_same_bits(name, engine):
    selector = {**SELECTORS, **ACCELERATED}[name]
    for instance in (BY_NAME["ridge"], BY_NAME["ridge-dual-paper"]):
        runs = [
            minimize(instance.problem, selector, max_epochs=3, tol=1e-15, random_state=seed,
                     trace="step", engine=engine)
            for seed in (7, 7, 8)
        ]  # fmt: skip
        a, b, other = (r.trace.to_numpy() for r in runs)
        for column in a.dtype.names:
            if column != "seconds":
                np.testing.assert_array_equal(a[column], b[column])
        np.testing.assert_array_equal(runs[0].x, runs[1].x)
        deterministic = name.startswith(("cyclic", "max_", "gauss")) and len(a) == len(other)
        if deterministic:
            np.testing.assert_array_equal(runs[0].x, runs[2].x)


def test_other_seeds_give_other_runs_and_generators_are_taken():
    problem = BY_NAME["lasso"].problem

    def x_of(random_state):
        return minimize(problem, "uniform", max_epochs=1, random_state=random_state).x.tolist()

    assert x_of(0) != x_of(1)
    assert x_of(np.int64(5)) == x_of(5)
    assert x_of(np.random.default_rng(3)) == x_of(np.random.default_rng(3))
    assert x_of(np.random.RandomState(3)) == x_of(np.random.RandomState(3))
    assert len({str(x_of(None)) for _ in range(8)}) > 1


def test_one_coordinate_and_one_sample():
    for X in (np.array([[2.0]]), np.array([[2.0, 1.0]])):
        lasso = minimize(problems.Lasso(X, [3.0], alpha=0.1), tol=1e-10)
        assert lasso.converged
        ridge = minimize(problems.RidgeDual(X, [3.0], alpha=0.1), tol=1e-10)
        assert ridge.converged
    column = problems.Lasso(np.arange(4.0)[:, None], np.arange(4.0), alpha=0.1)
    for selector in [*SELECTORS.values(), selectors.Approx()]:
        assert minimize(column, selector, tol=1e-9, random_state=0).converged


def test_a_target_of_zeros_converges_before_the_first_step():
    result = minimize(problems.Lasso(np.eye(3), np.zeros(3), alpha=0.1))
    assert result.converged
    assert result.steps == 0
