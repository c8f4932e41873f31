"""Work is every matrix entry the method touches, no more and no less."""

import numpy as np
import pytest
from scipy import sparse

from banditcd import minimize, problems, selectors, updates
from banditcd.engine.prepare import prepare


def sparse_lasso(n=60, d=80):
    """Few coordinates in the solution, columns of different lengths, the last ones alike."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < np.linspace(0.1, 0.6, d))
    X[:, -6:] += rng.normal(size=(n, 1))
    y = X[:, -6:].sum(axis=1) + 0.1 * rng.normal(size=n)
    return problems.Lasso(sparse.csc_array(X), y, alpha=0.5)


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_uniform_pays_a_dot_and_if_it_moves_an_axpy(engine):
    problem = sparse_lasso()
    plan = prepare(problem, "uniform", "auto", None, 4, engine)
    run, draws = plan.run, selectors.Rng(4)  # the same stream as the run's
    for _ in range(200):
        i = draws.integer(problem.d)
        x, before = run.x[i], run.entries
        run.advance(1, 60.0)
        assert run.entries - before == problem.A.entries(i) * (2 if run.x[i] != x else 1)
    assert 0 < run.moves < 200


def test_b_max_r_pays_its_refreshes():
    problem = sparse_lasso()
    selector = selectors.BMaxR(epsilon=0.3, refresh=0.25)
    result = minimize(problem, selector, max_epochs=3, tol=1e-15, random_state=2)
    run = prepare(problem, selector, "auto", None, 2, "compiled").run
    steps, entries = 3 * problem.d, 0
    for step in range(steps):
        entries += problem.A.nnz if step % (problem.d // 4) == 0 else 0
        x = np.array(run.x)
        i = run.selector.next(run.descent)
        run.selector.observe(run.descent, i, *run.descent.step(i))
        entries += problem.A.entries(i) * (2 if run.x[i] != x[i] else 1)
    assert result.steps == steps
    assert result.work == entries / (2.0 * problem.A.nnz)


def test_a_dense_epoch_of_cyclic_without_zero_moves_is_one_unit():
    rng = np.random.default_rng(0)
    problem = problems.Ridge(rng.normal(size=(20, 5)), rng.normal(size=20), alpha=0.1)
    result = minimize(problem, "cyclic", max_epochs=3, tol=1e-15)
    np.testing.assert_array_equal(result.trace.work, [0.0, 1.0, 2.0, 3.0])
    # A look costs one product with A and one with its transpose, and is not the method's work.
    np.testing.assert_array_equal(result.trace.certificate_work, [1.0, 2.0, 3.0, 4.0])


FULL = ["max_r", "gauss_southwell", "ada_gap", "max_gap"]


@pytest.mark.parametrize("name", [*FULL, "ada_kappa"])
def test_full_information_pays_a_pass_per_step(name):
    problem = sparse_lasso()
    options = {} if name == "ada_kappa" else {"gram": False}
    plan = prepare(problem, selectors.make(name, **options), "auto", None, 4, "compiled")
    run = plan.run
    for _ in range(20):
        before, x = run.entries, np.array(run.x)
        run.advance(1, 60.0)
        moved = np.flatnonzero(run.x != x)
        if len(moved):
            assert run.entries - before == problem.A.nnz + 2 * problem.A.entries(moved[0])
        else:
            assert problem.A.nnz < run.entries - before < 2 * problem.A.nnz


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("name", FULL)
def test_gram_columns_cost_a_pass_once_and_d_entries_at_every_move(name, engine):
    problem = sparse_lasso()
    run = prepare(problem, name, "auto", None, 4, engine).run
    seen, expected = set(), problem.A.nnz  # all u_i, once
    last = None
    for _ in range(60):
        x = np.array(run.x)
        run.advance(1, 60.0)
        if last is not None:  # the look before this step paid for the move before it
            expected += problem.d + (problem.A.nnz if last not in seen else 0)
            seen.add(last)
        moved = np.flatnonzero(run.x != x)
        last = int(moved[0]) if len(moved) else None
        if last is None:
            return  # which coordinate stood still cannot be seen from outside
        expected += 2 * problem.A.entries(last)
        assert run.entries == expected
    assert len(seen) < 60


@pytest.mark.parametrize("name", FULL)
@pytest.mark.parametrize("cost", ["Lasso", "RidgeDual"])
def test_gram_columns_change_no_choice(name, cost):
    problem = sparse_lasso()
    if cost == "RidgeDual":
        problem = problems.RidgeDual(problem.A.storage, problem.loss.target, alpha=0.1)
    plain, gram = (
        minimize(problem, selectors.make(name, gram=g), max_epochs=3, tol=1e-12, random_state=5)
        for g in (False, "auto")
    )
    np.testing.assert_allclose(gram.x, plain.x, atol=1e-10)
    assert gram.work < 0.6 * plain.work


def test_gram_columns_stop_where_there_is_no_room(monkeypatch):
    """Room for three columns: all other looks are passes again, and nothing else changes."""
    problem = sparse_lasso()
    plain = minimize(problem, selectors.MaxR(gram=False), max_epochs=1, tol=1e-12)
    for module in ("gram", "full_information"):
        monkeypatch.setattr(f"banditcd.selectors.{module}.MOST_BYTES", 3 * 8 * problem.d)
    tight = [
        minimize(problem, "max_r", max_epochs=1, tol=1e-12, engine=engine)
        for engine in ("compiled", "reference")
    ]
    monkeypatch.undo()
    roomy = minimize(problem, "max_r", max_epochs=1, tol=1e-12)
    for result in tight:
        np.testing.assert_allclose(result.x, plain.x, atol=1e-10)
        assert roomy.work < result.work < plain.work + 1.0
    assert tight[0].work == tight[1].work


def test_gram_is_for_quadratic_losses():
    X = np.random.default_rng(0).normal(size=(20, 6))
    logistic = problems.LogisticL1(X, np.sign(X[:, 0]), alpha=0.01)
    with pytest.raises(ValueError, match="gram=True needs a quadratic loss"):
        minimize(logistic, selectors.MaxR(gram=True))
    auto = minimize(logistic, "max_r", max_epochs=2, tol=1e-14)
    assert auto.work == minimize(logistic, selectors.MaxR(gram=False), max_epochs=2, tol=1e-14).work
    with pytest.raises(ValueError, match="gram is 'yes'"):
        selectors.MaxR(gram="yes")


def test_a_python_selector_pays_for_what_it_asks():
    class Asking:
        def start(self, problem, rng):
            self.d = problem.d

        def next(self, state):
            before = state.entries_touched
            state.marginal_decreases()
            state.gaps()
            state.kappas()
            assert state.entries_touched - before == 3 * problem.A.nnz
            assert state.epoch == state.step / self.d
            return state.step % self.d

    problem = sparse_lasso()
    for engine in ("compiled", "reference"):
        result = minimize(problem, Asking(), max_epochs=1, tol=1e-15, engine=engine)
        plain = minimize(problem, "cyclic", max_epochs=1, tol=1e-15, engine=engine)
        np.testing.assert_array_equal(result.x, plain.x)
        assert result.work == pytest.approx(plain.work + 1.5 * problem.d)


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("selector", ["cyclic", "shuffled", "uniform", "b_max_r", "acf"])
@pytest.mark.parametrize("cost", ["Lasso", "ElasticNet"])
def test_skipping_changes_no_iterate_and_saves_work(cost, selector, engine):
    problem = sparse_lasso()
    if cost == "ElasticNet":
        problem = problems.ElasticNet(
            problem.A.storage, problem.loss.target, alpha=0.5, l1_ratio=0.9
        )
    epochs = 30 if engine == "compiled" else 12
    runs = []
    for skip in (False, True):
        xs = []
        result = minimize(
            problem,
            selector,
            updates.Exact(skip=skip),
            tol=1e-14,
            max_epochs=epochs,
            random_state=1,
            trace=problem.d // 2,
            engine=engine,
            callback=lambda progress, xs=xs: xs.append(progress.x.copy()),
        )
        runs.append((result, xs))
    (plain, xs), (stingy, ys) = runs
    for x, y in zip(xs, ys, strict=True):
        np.testing.assert_array_equal(x, y)
    assert np.count_nonzero(plain.x) < problem.d / 4
    assert stingy.steps == plain.steps
    if selector in ("cyclic", "shuffled", "uniform"):  # the others avoid the zeros by themselves
        assert stingy.work < plain.work
    else:
        assert stingy.work < 2.0 * plain.work + 1.0


def test_columns_that_are_empty_cost_nothing():
    X = np.zeros((4, 3))
    X[:, 1] = 1.0
    problem = problems.Lasso(sparse.csc_matrix(X), np.ones(4), alpha=0.1)
    result = minimize(problem, "cyclic", max_epochs=1, tol=1e-15)
    assert result.steps == 1
    assert result.work == 1.0
