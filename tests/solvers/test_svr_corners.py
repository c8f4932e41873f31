"""Degenerate data and limits of support vector regression."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers.svr import SvrSession

LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")
INTERCEPTS = (None, "penalized", "free")
RNG = np.random.default_rng(8)
BASE = RNG.standard_normal((40, 6))
Y = BASE @ RNG.standard_normal(6) + RNG.standard_normal(40)


def gap(X, y, result, C, epsilon, loss, intercept):
    X = X.toarray() if sparse.issparse(X) else X
    w, b, beta = result.coef, result.intercept, result.dual_coef
    u = np.maximum(np.abs(y - X @ w - b) - epsilon, 0.0)
    v = X.T @ beta
    bias = 0.5 * b**2 + 0.5 * beta.sum() ** 2 if intercept == "penalized" else 0.0
    conjugate = 0.0 if loss == LOSSES[0] else np.sum(beta**2) / (4 * C)
    primal = 0.5 * w @ w + C * np.sum(u if loss == LOSSES[0] else u * u)
    return primal + bias - (y @ beta - epsilon * np.abs(beta).sum() - 0.5 * v @ v - conjugate)


CORNERS = {
    "one row": (np.array([[3.0, -1.0]]), np.array([1.5])),
    "one row, one column": (np.array([[2.0]]), np.array([-1.0])),
    "one column": (BASE[:, :1], Y),
    "duplicate rows": (np.repeat(BASE, 5, axis=0), np.repeat(Y, 5)),
    "contradicting duplicates": (np.vstack([BASE, BASE]), np.concatenate([Y, -Y])),
    "empty rows": (np.vstack([BASE, np.zeros((7, 6))]), np.concatenate([Y, np.ones(7)])),
    "only empty rows": (np.zeros((4, 3)), np.array([1.0, -1.0, 1.0, 0.05])),
    "empty columns": (np.hstack([BASE, np.zeros((40, 3))]), Y),
    "a perfect fit": (BASE, BASE @ np.arange(6.0)),
    "a constant response": (BASE, np.full(40, 0.1)),
    "a response of zeros": (BASE, np.zeros(40)),
    "a response far from zero": (BASE, Y + 1e4),
    "one response far from the others": (BASE, np.where(np.arange(40) == 3, 1e6, Y)),
    "huge rows": (1e6 * BASE, Y),
    "tiny rows": (1e-6 * BASE, Y),
    "rows of all sizes": (BASE * 10.0 ** np.linspace(-4, 4, 40)[:, None], Y),
    "wide and duplicated": (np.tile(np.vstack([BASE[:10], BASE[:10]]), (1, 20)), Y[:20]),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_matrix])
def test_corner_is_certified(name, loss, intercept, storage) -> None:
    X, y = CORNERS[name]
    for epsilon in (0.0, 0.1):
        session = SvrSession(storage(X), y, epsilon=epsilon, loss=loss, intercept=intercept)
        for C in (1e-6, 1.0, 1e4):
            result = session.solve(C, tol=1e-6, max_iter=1e6)
            null = session.null_objective(C)
            assert result.status == "converged", (C, result)
            assert result.gap <= result.target == pytest.approx(1e-6 * null, rel=1e-12)
            rounding = 1e-10 * max(null, result.primal)
            assert gap(X, y, result, C, epsilon, loss, intercept) <= result.gap + rounding


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", INTERCEPTS)
def test_a_tube_around_all_responses_needs_no_model(loss, intercept) -> None:
    result = SvrSession(BASE, Y, epsilon=np.abs(Y).max(), loss=loss, intercept=intercept).solve(1.0)
    assert result.regime == "null"
    assert result.status == "converged"
    assert result.primal == result.gap == 0.0
    assert not result.coef.any()
    assert np.abs(Y - result.intercept).max() <= np.abs(Y).max()


@pytest.mark.parametrize("loss", LOSSES)
def test_a_free_intercept_fits_a_constant_exactly(loss) -> None:
    result = SvrSession(BASE, np.full(40, 1234.1), loss=loss, intercept="free").solve(1.0)
    assert result.intercept == 1234.1
    assert not result.coef.any()
    assert result.gap == 0.0


def test_rows_of_weight_zero_are_not_there() -> None:
    weight = np.where(np.arange(40) < 30, 1.0, 0.0)
    y = np.where(weight > 0.0, Y, 1e200)
    options = {"epsilon": 0.1, "intercept": "free"}
    with_them = SvrSession(BASE, y, sample_weight=weight, **options).solve(1.0, tol=1e-10)
    without = SvrSession(BASE[:30], Y[:30], **options).solve(1.0, tol=1e-10)
    np.testing.assert_allclose(with_them.coef, without.coef, atol=1e-6)
    assert with_them.primal == pytest.approx(without.primal, rel=1e-9)
    assert not with_them.dual_coef[30:].any()


@pytest.mark.parametrize("loss", LOSSES)
def test_columns_and_responses_far_from_zero_with_a_free_intercept(loss) -> None:
    options = {"epsilon": 0.1, "loss": loss, "intercept": "free"}
    near = SvrSession(BASE, Y, **options).solve(1.0, tol=1e-8)
    far = SvrSession(BASE + 1000.0, Y - 5000.0, **options).solve(1.0, tol=1e-8)
    assert far.converged
    np.testing.assert_allclose(far.coef, near.coef, atol=1e-4)
    assert far.primal == pytest.approx(near.primal, rel=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("unit", [2.0**-40, 2.0**30])
def test_the_unit_of_the_response_does_not_matter(loss, unit) -> None:
    """Responses, tube and, for the linear loss, C in another unit: the same steps, bit by bit."""
    options = {"loss": loss, "intercept": "penalized"}
    plain = SvrSession(BASE, Y, epsilon=0.1, **options).solve(1.0, tol=1e-8)
    C = unit if loss == LOSSES[0] else 1.0
    other = SvrSession(BASE, unit * Y, epsilon=0.1 * unit, **options).solve(C, tol=1e-8)
    np.testing.assert_array_equal(other.coef, unit * plain.coef)
    np.testing.assert_array_equal(other.dual_coef, unit * plain.dual_coef)
    assert other.gap == unit**2 * plain.gap


def test_bad_arguments_have_a_sentence() -> None:
    for options, sentence in [
        ({"loss": "hinge"}, "loss must be one of epsilon_insensitive"),
        ({"epsilon": -1.0}, "epsilon must be a number, at least 0"),
        ({"epsilon": np.nan}, "epsilon must be a number, at least 0"),
        ({"intercept": "yes"}, "intercept must be None"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            SvrSession(BASE, Y, **options)
    with pytest.raises(ValueError, match="C must be a positive number"):
        SvrSession(BASE, Y).solve(0.0)
    with pytest.raises(ValueError, match="per row"):
        SvrSession(BASE, Y[:-1])
    with pytest.raises(ValueError, match="one value per dual variable"):
        SvrSession(BASE, Y)._native.start_at(np.zeros(40))


def test_columns_without_entries_do_not_keep_a_solve_from_ending():
    y = 1e-58 * np.random.default_rng(0).standard_normal(13)
    session = SvrSession(sparse.csr_matrix((13, 2)), y, epsilon=1e-59, intercept="penalized")
    result = session.solve(78.0, tol=1e-26, max_iter=100, max_seconds=60.0)
    assert result.status in ("converged", "max_iter", "stalled")


def test_a_solve_that_its_limit_ends_has_spent_it() -> None:
    """In Gram space, a bin of descent has many passes: solves ended "after 3" of 100 allowed."""
    rng = np.random.default_rng(0)
    X, y = 1e3 + 30.0 * rng.standard_normal((38, 48)), 1e3 * rng.standard_normal(38)
    options = {"epsilon": 0.1, "loss": "squared_epsilon_insensitive", "intercept": "free"}
    for max_iter in (20, 100):
        result = SvrSession(X, y, **options).solve(1e4, tol=1e-12, max_iter=max_iter)
        assert (result.status, result.n_iter, result.regime) == ("max_iter", max_iter, "gram")
