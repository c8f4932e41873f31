"""Newton steps by conjugate gradients, in turns with descent and a matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers.svm import SvmSession
from tests.solvers.solving import solve_svm
from tests.solvers.svm_cases import svm_values

LOSS = "squared_hinge"


def scattered(n: int, d: int, per_row: int, noise: float = 1.0):
    """Normal entries at random places, and labels that no plane separates."""
    rng = np.random.default_rng(n + d)
    X = sparse.random(n, d, density=per_row / d, format="csr", random_state=rng)
    X.data = rng.standard_normal(X.nnz)
    z = X @ (rng.standard_normal(d) * (np.arange(d) < 60))
    z += noise * z.std() * rng.standard_normal(n)
    return X, np.where(z > 0, 1.0, -1.0)


CROWD = scattered(6000, 2100, 12)  # too many features for a matrix
FEWER = scattered(6000, 1500, 12)  # few enough, but a matrix costs more than passes


def forced(X, y, regime: str, **options):
    session = SvmSession(X, y, loss=LOSS, **options)
    session.force_regime(regime)
    return session


@pytest.mark.parametrize(("X", "y"), [CROWD, FEWER], ids=["2100 features", "1500 features"])
@pytest.mark.parametrize("C", [1.0, 100.0])
def test_the_choice_reads_far_less_than_descent_and_the_gap_is_that_of_numpy(X, y, C) -> None:
    result = solve_svm(X, y, C=C, loss=LOSS, tol=1e-4, max_iter=1e5)
    assert result.converged
    assert result.regime == "descent_then_newton"
    primal, dual, _ = svm_values(X, y, result, C, loss=LOSS)
    assert primal - dual <= 1e-4 * C * len(y)
    assert primal - dual == pytest.approx(result.gap, rel=1e-6, abs=1e-12 * C * len(y))
    descent = forced(X, y, "descent").solve(C, tol=1e-4, max_iter=4 * result.passes)
    assert C < 100.0 or not descent.converged
    assert result.passes < (0.5 * descent.passes if descent.converged else 300)


def test_a_matrix_and_products_come_to_the_same_optimum() -> None:
    X, y = FEWER
    by_matrix = forced(X, y, "newton").solve(1.0, tol=1e-10)
    chosen = solve_svm(X, y, C=1.0, loss=LOSS, tol=1e-10, max_iter=1e4)
    assert by_matrix.converged
    assert chosen.converged
    assert chosen.primal == pytest.approx(by_matrix.primal, rel=1e-9)


@pytest.mark.parametrize("intercept", ["penalized", "free"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_intercepts_weights_and_storages(intercept, kind) -> None:
    X, y = CROWD
    rng = np.random.default_rng(0)
    weight = rng.uniform(0.1, 2.0, len(y)) * (rng.uniform(size=len(y)) < 0.95)
    options = {"intercept": intercept, "sample_weight": weight}
    at = X.astype(kind)
    result = solve_svm(at, y, C=10.0, loss=LOSS, tol=1e-5, max_iter=1e4, **options)
    assert result.converged
    assert result.regime == "descent_then_newton"
    primal, dual, balance = svm_values(
        at, y, result, 10.0, loss=LOSS, sample_weight=weight, intercept=intercept
    )
    assert balance <= 1e-12
    assert primal - dual <= result.target * (1.0 + 1e-6)


def test_the_same_fit_twice_has_the_same_bits() -> None:
    X, y = CROWD
    first, second = (solve_svm(X, y, C=100.0, loss=LOSS, tol=1e-6) for _ in range(2))
    np.testing.assert_array_equal(first.coef, second.coef)
    np.testing.assert_array_equal(first.dual_coef, second.dual_coef)
    assert first.passes == second.passes


def test_more_features_than_a_matrix_could_have() -> None:
    X, y = scattered(400, 300_000, 20)  # a matrix of them would have 720 GB
    result = forced(X, y, "newton").solve(0.1, tol=1e-6, max_iter=1e4)
    assert result.converged
    assert result.regime == "newton"
    descent = forced(X, y, "descent").solve(0.1, tol=1e-6, max_iter=1e4)
    assert result.primal == pytest.approx(descent.primal, rel=1e-5)


def test_a_bad_guess_costs_a_bounded_share() -> None:
    # Little noise and a large C: conjugate gradients take thousands of passes, descent hundreds.
    X, y = scattered(4500, 2100, 20, noise=0.01)
    result = solve_svm(X, y, C=100.0, loss=LOSS, tol=1e-4, max_iter=1e5)
    descent = forced(X, y, "descent").solve(100.0, tol=1e-4, max_iter=1e5)
    assert result.converged
    assert descent.converged
    assert result.passes <= 3.0 * descent.passes


def test_a_second_solve_only_checks_and_a_smaller_target_goes_on() -> None:
    X, y = CROWD
    session = SvmSession(X, y, loss=LOSS)
    first = session.solve(100.0, tol=1e-3)
    again = session.solve(100.0, tol=1e-3)
    assert again.n_iter == 0
    assert again.passes <= 3.0
    assert again.regime == first.regime
    np.testing.assert_array_equal(again.coef, first.coef)
    further = session.solve(100.0, tol=1e-6)
    assert further.converged
    assert further.gap <= 1e-6 * 100.0 * len(y) < first.gap


def test_too_few_passes_leave_the_better_pair() -> None:
    X, y = CROWD
    for passes in (3, 10, 20, 40):
        result = solve_svm(X, y, C=100.0, loss=LOSS, tol=1e-9, max_iter=passes)
        assert result.status == "max_iter"
        primal, dual, _ = svm_values(X, y, result, 100.0, loss=LOSS)
        assert primal - dual == pytest.approx(result.gap, rel=1e-6)
        assert result.gap <= 100.0 * len(y)
        assert result.passes <= 2.0 * passes + 10.0


def test_threads_share_the_products() -> None:
    X, y = scattered(30_000, 2100, 90)
    options = {"C": 1.0, "loss": LOSS, "tol": 1e-4, "max_iter": 1e4}
    one, two, again = (solve_svm(X, y, n_threads=count, **options) for count in (1, 2, 2))
    assert two.regime == "descent_then_newton"
    assert abs(one.primal - two.primal) <= one.gap + two.gap
    np.testing.assert_array_equal(two.coef, again.coef)
