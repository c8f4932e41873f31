"""What the tolerance of a support vector machine asks for, and that no pass is spent beyond it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from banditcd import LinearSVC
from banditcd.solvers import SvmSession
from tests.solvers.svm_cases import HINGES


@cache
def wide():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 4000)) + 0.2 * rng.standard_normal((150, 1))
    y = np.where(X[:, :30].sum(axis=1) + rng.standard_normal(150) > 0.0, 1.0, -1.0)
    return X, y


@cache
def scattered():
    rng = np.random.default_rng(1)
    columns = rng.integers(5000, size=(400, 50))
    X = np.zeros((400, 5000))
    np.put_along_axis(X, columns, rng.uniform(size=columns.shape), axis=1)
    y = np.where(X[:, :2500].sum(axis=1) > X[:, 2500:].sum(axis=1), 1.0, -1.0)
    return sparse.csr_matrix(X), y


SETS = {"wide": wide, "scattered": scattered}


def fitted(name, loss, tol, C=1.0):
    X, y = SETS[name]()
    options = {"C": C, "fit_intercept": False, "max_iter": 10**6}
    return LinearSVC(loss=loss, tol=tol, **options).fit(X, y).certificate_, C * len(y)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loss", HINGES)
def test_a_looser_tolerance_is_a_share_of_the_null_model(name, loss) -> None:
    loose, null = fitted(name, loss, 1e-2)
    default, _ = fitted(name, loss, 1e-4)
    assert loose.target == pytest.approx(1e-2 * null)
    assert loose.gap <= loose.target
    assert loose.gap > 1e-4 * loose.target  # no pass was spent on digits that nobody asked for
    assert loose.passes < (0.8 if default.regime == "gram" else 0.5) * default.passes


@pytest.mark.parametrize("loss", HINGES)
def test_a_tolerance_up_to_the_default_is_a_tenth_of_the_objective(loss) -> None:
    for tol in (1e-6, 1e-4):
        proof, null = fitted("wide", loss, tol, C=10.0)
        assert proof.primal < 0.05 * null
        assert proof.gap <= proof.target <= 0.1001 * tol * proof.primal


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loss", HINGES)
def test_targets_grow_with_the_tolerance(name, loss) -> None:
    tolerances = [1e-6, 1e-4, 2e-4, 1e-3, 1e-2, 0.1, 1.0]
    targets = [fitted(name, loss, tol, C=10.0)[0].target for tol in tolerances]
    assert all(below < above for below, above in pairwise(targets))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loss", HINGES)
def test_a_share_of_the_objective_is_reached_in_one_descent(name, loss) -> None:
    """Descent sees the objective fall, and does not start again for a smaller target."""
    X, y = SETS[name]()
    shared = SvmSession(X, y, loss=loss)
    shared.force_regime("descent")
    result = shared.solve(10.0, tol=1e-4, max_iter=10**6, of_objective=1e-5)
    assert result.status == "converged"
    assert result.gap <= result.target <= 1.0001e-5 * result.primal
    direct = SvmSession(X, y, loss=loss)
    direct.force_regime("descent")
    known = direct.solve(10.0, tol=result.target / (10.0 * len(y)), max_iter=10**6)
    assert result.passes <= 1.25 * known.passes + 3.0


def test_the_gram_matrix_is_formed_once() -> None:
    X, y = wide()
    session = SvmSession(X, y, loss="hinge")
    session.force_regime("gram")
    result = session.solve(10.0, tol=1e-2, max_iter=10**6, of_objective=1e-6)
    assert result.regime == "gram"
    assert result.gap <= 1.0001e-6 * result.primal
    assert result.passes < 5.0  # squares, the matrix, weights and certificate


@pytest.mark.parametrize("loss", HINGES)
def test_descent_ends_on_the_data_themselves(loss) -> None:
    """Single precision on the way, and double beyond what rounding allows; always the same bits."""
    X, y = wide()

    def solved():
        session = SvmSession(X, y, loss=loss)
        session.force_regime("descent")
        return session.solve(1.0, tol=1e-13, max_iter=10**6)

    first, second = solved(), solved()
    v = X.T @ (first.dual_coef * y)
    u = 1.0 - y * (X @ first.coef)
    losses = np.maximum(u, 0.0) if loss == "hinge" else np.maximum(u, 0.0) ** 2
    dual = first.dual_coef.sum() - 0.5 * v @ v
    if loss == "squared_hinge":
        dual -= np.sum(first.dual_coef**2) / 4.0
    gap = 0.5 * first.coef @ first.coef + losses.sum() - dual
    assert first.status == "converged"
    assert abs(gap) <= 2e-12 * len(y)
    np.testing.assert_array_equal(first.coef, second.coef)
    assert first.passes == second.passes


def test_newton_ends_at_a_loose_target() -> None:
    """Its last steps go beyond a usual target, and not beyond one that was asked to be loose."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((4000, 30))
    y = np.where(X[:, 0] + rng.standard_normal(4000) > 0.0, 1.0, -1.0)
    loose, usual = (SvmSession(X, y).solve(1.0, tol=tol) for tol in (1e-2, 1e-4))
    assert loose.regime == usual.regime == "newton"
    assert usual.gap <= 1e-4 * usual.target
    assert 1e-4 * loose.target < loose.gap <= loose.target
    assert loose.passes < usual.passes


def test_a_share_of_the_objective_waits_until_the_objective_has_digits() -> None:
    """After a much larger C the dual value and the gap cancel, and their sum is below zero."""
    X, y = SETS["wide"]()
    session = SvmSession(X, y, loss="squared_hinge")
    session.force_regime("descent")
    session.solve(1.0, tol=1e-4, max_iter=10**6, of_objective=1e-5)
    for C in (1e-18, 1e-24, 1e-30):
        result = session.solve(C, tol=1e-4, max_iter=1000, of_objective=1e-5)
        assert result.status == "converged"
        assert result.passes < 100.0, C
        session.start_at(np.ones(len(y)))


def test_a_solve_that_is_stopped_keeps_what_the_gram_matrix_gave() -> None:
    """Some limit ends the descent over the matrix, whatever the speed of the machine."""
    X, y = wide()
    for seconds in 1e-3 * 1.25 ** np.arange(40):
        session = SvmSession(X, y, loss="hinge")
        session.force_regime("gram")
        result = session.solve(1e6, tol=1e-17, max_iter=10**9, max_seconds=seconds)
        assert result.status == "max_seconds", "no limit was between the matrix and the end"
        if result.regime == "gram" and result.gap < 1e-3 * 1e6 * len(y):
            break
    else:
        pytest.fail("no limit left what the matrix had given")
