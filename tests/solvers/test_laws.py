"""Laws of the fast solvers: what every model promises, in every storage, option and regime."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse

from banditcd import solvers
from banditcd.results import Status
from tests.deadlines import HUNG
from tests.solvers.instances import (
    CASES,
    MODELS,
    NAMES,
    REGIMES,
    STORAGES,
    instance,
    judged,
    solved,
)

LOOSE, TIGHT = 1e-2, 1e-10
ROUNDING = 1e-12  # of the objectives that are compared
# Starts of support vector machines are dual variables.
STARTED_BY_A_MODEL = (
    "lasso-", "elastic_net-", "logistic-", "l1_svm-", "l2_logistic-", "multinomial-",
    "l2_multinomial-", "group_lasso-", "group_logistic-", "multi_task-",
)  # fmt: skip


def every(names=NAMES):
    return pytest.mark.parametrize("name", names)


def test_every_regime_of_every_model_is_in_the_list() -> None:
    reached: dict[str, set[str]] = {model: set() for model in REGIMES}
    for case in CASES:
        reached[case.model].add(case.regime)
    assert reached == REGIMES


def test_every_model_comes_in_every_storage() -> None:
    assert len(set(NAMES)) == len(NAMES)
    pairs = {(name.split("-")[0], name.rsplit("-", 1)[1]) for name in NAMES}
    assert pairs == {(model, storage) for model in REGIMES for storage in STORAGES}


@pytest.mark.parametrize("model", REGIMES)
def test_every_regime_is_explained_where_the_session_is(model) -> None:
    session = getattr(solvers, MODELS[model].session_class)
    home = solvers.svm if MODELS[model].session_class == "SvrSession" else None
    text = (home or import_module(session.__module__)).__doc__
    assert not {regime for regime in REGIMES[model] - {"null"} if f'"{regime}"' not in text}


@every()
def test_a_certificate_bounds_the_suboptimality(name) -> None:
    """By an objective and a dual value that share nothing with the solver."""
    problem, (lowest, highest) = instance(name).problem, judged(name)
    null = problem.null()
    rounding = ROUNDING * max(null, highest)
    assert highest - lowest <= TIGHT * null + rounding
    for tol, result in ((LOOSE, solved(name, LOOSE)), (TIGHT, solved(name, TIGHT))):
        assert result.status == "converged", result
        assert result.target == pytest.approx(tol * null, rel=1e-9, abs=1e-300)
        assert 0.0 <= result.gap <= result.target
        assert result.primal == pytest.approx(problem.primal(result), rel=1e-10, abs=rounding)
        assert result.dual <= highest + rounding
        assert result.primal >= lowest - rounding


@every()
def test_a_result_says_what_was_done(name) -> None:
    result = solved(name, TIGHT)
    assert result.regime == instance(name).regime
    assert result.message == Status(result.status).sentence
    assert result.converged == (result.status == Status.CONVERGED)
    entries = result.coef if result.dual_coef is None else result.dual_coef
    assert result.support == np.count_nonzero(entries)
    assert result.passes >= 0.0
    assert result.seconds >= 0.0


@every([case.name for case in CASES])
def test_every_storage_gives_the_same_answer(name) -> None:
    twin, plain = instance(f"{name}-C64").problem, solved(f"{name}-C64", TIGHT)
    for storage in STORAGES:
        stored = solved(f"{name}-{storage}", TIGHT)
        apart = abs(twin.primal(stored) - twin.primal(plain))
        assert stored.converged
        assert apart <= stored.gap + plain.gap + ROUNDING * max(1.0, plain.primal), storage


@every()
def test_integer_weights_are_repeated_rows(name) -> None:
    at = instance(name)
    times = np.random.default_rng(3).integers(0, 3, len(at.dense))
    times[:2] = 1
    stored = STORAGES[at.storage](np.repeat(at.dense, times, axis=0))
    weighted, repeated = at.problem.weighted(times), at.problem.repeated(stored, times)
    one, other = weighted.solve(TIGHT), repeated.solve(TIGHT)
    unit = repeated.null() / weighted.null() if weighted.null() > 0.0 else 1.0
    assert one.converged
    assert other.converged
    assert unit == pytest.approx(
        len(times) / times.sum() if at.problem.mean_loss else 1.0, rel=1e-9
    )
    apart = abs(unit * one.primal - other.primal)
    assert apart <= unit * one.gap + other.gap + 10 * ROUNDING * max(1.0, abs(other.primal))


@every([name for name in NAMES if "lower" in name])
@pytest.mark.parametrize("limits", [{}, {"max_iter": 1}, {"max_seconds": 0.0}])
def test_coefficients_keep_to_their_bounds(name, limits) -> None:
    problem = instance(name).problem
    coef = problem.solve(TIGHT, **limits).coef
    assert np.all(coef >= problem.options["lower"])
    assert np.all(coef <= problem.options["upper"])


@every([name for name in NAMES if "penalty_weights" in name])
def test_an_infinite_penalty_excludes_a_column_and_none_lets_it_in(name) -> None:
    coef, prices = solved(name, TIGHT).coef, instance(name).problem.options["penalty_weights"]
    assert not coef[..., np.isinf(prices)].any()
    assert coef[..., prices == 0.0].all()


@every()
def test_a_second_solve_only_checks(name) -> None:
    problem = instance(name).problem
    session = problem.session()
    first = problem.solve(TIGHT, session)
    again = problem.solve(TIGHT, session)
    assert again.converged
    rounding = ROUNDING * max(1.0, first.primal)
    assert abs(again.primal - first.primal) <= first.gap + again.gap + rounding
    if problem.resumes:
        assert again.n_iter <= 1
        # A Gram matrix of the rows is not kept: it is computed again, and the rest is the check.
        assert again.passes <= max(5.0, first.passes + 2.0)
    else:
        np.testing.assert_array_equal(again.coef, first.coef)


@every([name for name in NAMES if instance(name).problem.resumes])
def test_a_session_that_starts_at_an_answer_only_checks(name) -> None:
    problem, answer = instance(name).problem, solved(name, TIGHT)
    session = problem.session()
    problem.start(session, answer)
    again = problem.solve(1.1 * TIGHT, session)
    assert again.converged
    # Conjugate gradients end with weights that are not those of the dual variables, by which alone
    # a start is given: a second step leads back.
    assert again.n_iter <= (2 if "products" in name else 1)
    rounding = ROUNDING * max(1.0, answer.primal)
    assert abs(again.primal - answer.primal) <= answer.gap + again.gap + rounding


@every()
def test_equal_problems_end_in_equal_bits(name) -> None:
    problem = instance(name).problem
    one, other = solved(name, TIGHT), problem.solve(TIGHT)
    np.testing.assert_array_equal(one.coef, other.coef)
    np.testing.assert_array_equal(one.intercept, other.intercept)
    for word in ("primal", "gap", "passes", "n_iter", "status", "regime"):
        assert getattr(one, word) == getattr(other, word), word


@every()
@pytest.mark.parametrize("limits", [{"max_iter": 1}, {"max_seconds": 0.0}])
def test_limits_keep_a_true_certificate(name, limits) -> None:
    problem, (lowest, highest) = instance(name).problem, judged(name)
    result = problem.solve(1e-13, **limits)
    rounding = ROUNDING * max(problem.null(), highest)
    if not result.converged:
        assert result.status == next(iter(limits))
        assert result.gap > result.target
    primal = problem.primal(result)
    assert result.primal == pytest.approx(primal, rel=1e-10, abs=rounding)
    assert result.dual <= highest + rounding
    assert primal >= lowest - rounding
    assert primal <= problem.null() * (1.0 + 1e-9)


@every([name for name in NAMES if name.startswith(STARTED_BY_A_MODEL)])
@pytest.mark.parametrize("limits", [{"max_iter": 1}, {"max_seconds": 0.0}])
def test_no_start_is_so_bad_that_an_unfinished_solve_is_worse_than_the_null_model(
    name, limits
) -> None:
    problem, start = instance(name).problem, solved(name, LOOSE)
    session = problem.session()
    problem.start(session, replace(start, coef=1e6 * start.coef))
    result = problem.solve(1e-13, session, **limits)
    assert problem.primal(result) <= problem.null() * (1.0 + 1e-9)


@pytest.mark.parametrize("word", ["max_iter", "max_seconds"])
@pytest.mark.parametrize("model", REGIMES)
def test_limits_are_met_by_some_instance_of_every_model(model, word) -> None:
    limit = {"max_iter": 1} if word == "max_iter" else {"max_seconds": 0.0}
    mine = [instance(name).problem for name in NAMES if name.startswith(f"{model}-")]
    assert any(problem.solve(1e-13, **limit).status == word for problem in mine)


@every([name for name in NAMES if name.endswith(("C64", "CSR64")) and "CSC" not in name])
def test_a_tolerance_that_rounding_forbids_is_not_called_reached(name) -> None:
    problem = instance(name).problem
    result = problem.solve(1e-40, max_seconds=HUNG)
    assert result.converged == (result.gap <= result.target)
    assert result.status in {"converged", "stalled", "max_iter", "uncertified"}
    # L2 logistic regression looks for its best dual point only where the target is near.
    near = 1e-2 if name.startswith("l2_logistic") else 1e-9
    assert result.gap <= near * problem.null()


@every()
def test_read_only_arrays_are_enough_and_are_not_changed(name) -> None:
    at = instance(name)
    X, y = STORAGES[at.storage](at.dense), at.problem.y.copy()
    parts = [y, *([X.data, X.indices, X.indptr] if sparse.issparse(X) else [X])]
    for part in parts:
        part.flags.writeable = False
    assert replace(at.problem, X=X, y=y).solve(LOOSE).converged
    np.testing.assert_array_equal(X.toarray() if sparse.issparse(X) else X, at.dense)
