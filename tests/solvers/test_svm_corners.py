"""Degenerate data and limits of the support vector solver, and its parts against NumPy."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import sparse

from banditcd.solvers.svm import SvmSession
from tests.solvers.solving import solve_svm

LOSSES = ("hinge", "squared_hinge")
RNG = np.random.default_rng(8)
BASE = RNG.standard_normal((40, 6))
LABELS = np.where(BASE[:, 0] + RNG.standard_normal(40) > 0, 1.0, -1.0)


def gap(X, y, r, C, loss):
    X = X.toarray() if sparse.issparse(X) else X
    u = np.maximum(1 - y * (X @ r.coef), 0.0)
    v = X.T @ (r.dual_coef * y)
    a = r.dual_coef
    conjugate = 0.0 if loss == "hinge" else np.sum(a**2) / (4 * C)
    return (
        0.5 * r.coef @ r.coef + C * np.sum(u if loss == "hinge" else u * u)
        - (a.sum() - 0.5 * v @ v - conjugate)
    )  # fmt: skip


CORNERS = {
    "one row": (np.array([[3.0, -1.0]]), np.array([1.0])),
    "one row, one column": (np.array([[2.0]]), np.array([-1.0])),
    "one column": (BASE[:, :1], LABELS),
    "duplicate rows": (np.repeat(BASE, 5, axis=0), np.repeat(LABELS, 5)),
    "contradicting duplicates": (np.vstack([BASE, BASE]), np.concatenate([LABELS, -LABELS])),
    "empty rows": (np.vstack([BASE, np.zeros((7, 6))]), np.concatenate([LABELS, np.ones(7)])),
    "only empty rows": (np.zeros((4, 3)), np.array([1.0, -1.0, 1.0, 1.0])),
    "empty columns": (np.hstack([BASE, np.zeros((40, 3))]), LABELS),
    "separable": (np.vstack([BASE + 9, BASE - 9]), np.repeat([1.0, -1.0], 40)),
    "one class": (BASE, np.ones(40)),
    "huge rows": (1e6 * BASE, LABELS),
    "tiny rows": (1e-6 * BASE, LABELS),
    "rows of all sizes": (BASE * 10.0 ** np.linspace(-4, 4, 40)[:, None], LABELS),
    "wide and duplicated": (np.tile(np.vstack([BASE[:10], BASE[:10]]), (1, 20)), LABELS[:20]),
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_matrix])
def test_corner_is_certified(name, loss, storage) -> None:
    X, y = CORNERS[name]
    for C in (1e-6, 1.0, 1e4):
        result = solve_svm(storage(X), y, C=C, loss=loss, tol=1e-6, max_iter=1e6)
        assert result.status == "converged", (C, result)
        assert gap(X, y, result, C, loss) <= result.target * (1 + 1e-6) + 1e-12 * C * len(y)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("label", [-1.0, 1.0])
def test_one_class_with_a_free_intercept_needs_no_weights(loss, label) -> None:
    result = solve_svm(BASE, np.full(40, label), C=1.0, loss=loss, intercept="free")
    assert result.regime == "null"
    assert result.converged
    assert result.intercept == label
    assert result.primal == result.gap == 0.0
    assert not result.coef.any()


@pytest.mark.parametrize("loss", LOSSES)
def test_all_weights_zero_is_the_zero_model(loss) -> None:
    result = solve_svm(BASE, LABELS, C=1.0, loss=loss, sample_weight=np.zeros(40))
    assert result.converged
    assert result.primal == 0.0
    assert not result.coef.any()
    assert not result.dual_coef.any()


def test_separable_data_with_huge_C_finds_the_widest_margin() -> None:
    X = np.array([[2.0, 0.0], [4.0, 1.0], [-2.0, 0.0], [-3.0, 5.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    result = solve_svm(X, y, C=1e6, loss="hinge", tol=1e-14, intercept="free", max_iter=1e6)
    np.testing.assert_allclose(result.coef, [0.5, 0.0], atol=1e-6)
    assert result.intercept == pytest.approx(0.0, abs=1e-6)


def test_indices_that_repeat_or_descend_are_summed() -> None:
    messy = sparse.csr_matrix(
        (np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 2)
    )
    before = messy.indices.copy()
    y = np.array([1.0, -1.0])
    ours = solve_svm(messy, y, C=1.0, tol=1e-10)
    clean = solve_svm(messy.toarray(), y, C=1.0, tol=1e-10)
    np.testing.assert_allclose(ours.coef, clean.coef, atol=1e-8)
    np.testing.assert_array_equal(messy.indices, before)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", [None, "penalized", "free"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_of_one_repeated_value_are_solved_like_any_others(loss, intercept, dtype) -> None:
    rng = np.random.default_rng(12)
    X = sparse.random(500, 30, density=0.2, format="csr", random_state=2, dtype=dtype)
    X.data[:] = 0.75
    y = np.where(X.toarray()[:, 0] + 0.5 * rng.standard_normal(500) > 0.2, 1.0, -1.0)
    weight = rng.uniform(0.0, 2.0, 500)
    weight[::7] = 0.0
    options = {"loss": loss, "intercept": intercept, "sample_weight": weight, "tol": 1e-10}
    for C in (0.01, 1.0, 100.0):
        places = solve_svm(X, y, C=C, **options)
        dense = solve_svm(X.toarray(), y, C=C, **options)
        assert places.converged
        np.testing.assert_allclose(places.coef, dense.coef, atol=1e-4)
        assert places.primal == pytest.approx(dense.primal, rel=1e-8)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_stalled_solve_keeps_its_better_pair(loss) -> None:
    rng = np.random.default_rng(13)
    X = rng.standard_normal((300, 8))
    y = np.where(X[:, 0] + rng.standard_normal(300) > 0, 1.0, -1.0)
    for C in (1e6, 1e9, 1e12):
        result = solve_svm(
            X, y, C=C, loss=loss, intercept="penalized", intercept_scaling=1e6, tol=1e-14
        )
        assert result.gap <= C * 300
        assert result.primal <= C * 300


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("intercept", [None, "penalized"])
@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-9])
def test_the_certificate_of_wide_data_is_that_of_the_data(loss, intercept, tol) -> None:
    # Large enough for descent to read a copy in single precision, but not at the last tolerance.
    X = RNG.standard_normal((150, 4001)) * 10.0 ** RNG.uniform(-3, 3, size=(150, 1))
    y = np.where(RNG.standard_normal(150) > 0, 1.0, -1.0)
    result = solve_svm(X, y, C=0.1, loss=loss, intercept=intercept, tol=tol, max_iter=1e6)
    rows = X if intercept is None else np.hstack([X, np.ones((150, 1))])
    whole = np.append(result.coef, result.intercept)[: rows.shape[1]]
    independent = gap(rows, y, dataclasses.replace(result, coef=whole), 0.1, loss)
    assert result.status == "converged"
    assert independent == pytest.approx(result.gap, rel=1e-4, abs=1e-10 * len(y))


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e4])
@pytest.mark.parametrize("far", [0.0, 1e3])
def test_hessians_from_single_precision_end_at_the_optimum(C, far) -> None:
    X = (RNG.standard_normal((900, 60)) + far) * (RNG.uniform(size=(900, 60)) < 0.6)
    y = np.where(X[:, 0] - far + RNG.standard_normal(900) > 0, 1.0, -1.0)
    result = solve_svm(sparse.csr_matrix(X), y, C=C, tol=1e-10, max_iter=1e6)
    dense = solve_svm(X, y, C=C, tol=1e-10, max_iter=1e6)
    assert result.status == dense.status == "converged"
    assert result.primal == pytest.approx(dense.primal, rel=1e-8)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
@pytest.mark.parametrize("storage", [np.array, sparse.csr_matrix, np.float32])
def test_values_whose_squares_are_not_finite_are_found(bad, storage) -> None:
    X = BASE.copy()
    X[3, 2] = bad
    with np.errstate(over="ignore"), pytest.raises(OverflowError, match="squares overflow"):
        SvmSession(storage(X), LABELS)


def test_regimes_follow_the_cost_model() -> None:
    rng = np.random.default_rng(10)
    tall = rng.standard_normal((3000, 10))
    y = np.where(tall[:, 0] + rng.standard_normal(3000) > 0, 1.0, -1.0)
    wide = sparse.random(2000, 5000, density=0.01, format="csr", random_state=1)
    label = np.where(np.arange(2000) % 2, 1.0, -1.0)
    assert solve_svm(tall, y, C=1.0).regime == "newton"
    assert solve_svm(tall, y, C=100.0, loss="hinge", intercept="free").regime == "proximal_newton"
    assert solve_svm(wide, label, C=1.0).regime == "descent"
    square = rng.standard_normal((1200, 300))
    assert solve_svm(square, label[:1200], C=1e-5).regime == "descent"
    crawling = solve_svm(square, label[:1200], C=10.0, tol=1e-8)
    assert crawling.regime == "descent_then_newton"
    assert solve_svm(rng.standard_normal((20, 400)), label[:20], C=1.0).regime == "gram"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"loss": "log"}, "loss must be"),
        ({"intercept": True}, "intercept must be"),
        ({"intercept": "penalized", "intercept_scaling": 0.0}, "intercept_scaling must be"),
        ({"sample_weight": np.ones(3)}, "sample_weight needs one value"),
    ],
)
def test_wrong_options_are_refused(options, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        SvmSession(BASE, LABELS, **options)


def test_wrong_labels_duals_and_costs_are_refused() -> None:
    with pytest.raises(ValueError, match="every y must be -1 or \\+1"):
        SvmSession(BASE, np.arange(40.0))
    with pytest.raises(ValueError, match="y needs one value per row"):
        SvmSession(BASE, LABELS[:-1])
    session = SvmSession(BASE, LABELS)
    with pytest.raises(ValueError, match="one value per dual variable"):
        session.start_at(np.zeros(3))
    for C in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="C must be a positive number"):
            session.solve(C)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("offset", [1e3, 1e5])
def test_rows_without_weight_do_not_keep_newton_from_far_columns(loss, offset):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 300)) + offset
    y = np.where(rng.normal(size=60) > 0.0, 1.0, -1.0)
    weight = rng.uniform(0.5, 2.0, size=60)
    weight[::5] = 0.0
    session = SvmSession(X, y, loss=loss, sample_weight=weight)
    assert session.solve(1.0, tol=1e-4, max_iter=20_000).status == "converged"


def test_a_descent_that_is_stopped_anywhere_claims_no_gap_that_it_has_not_summed():
    """A second look, after the copy in single precision, counted as whole when it was stopped."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1000, 1100))
    y = np.sign(X[:, 0] + 0.5 * rng.standard_normal(1000))

    def solve(seconds):
        session = SvmSession(X, y, loss="hinge")
        session.force_regime("descent")
        return session.solve(1e-3, tol=1e-9, max_iter=1000, max_seconds=seconds)

    whole = solve(np.inf)
    for share in rng.uniform(0.1, 1.0, 60):
        found = solve(share * whole.seconds)
        loss = 1e-3 * np.maximum(1.0 - y * (X @ found.coef), 0.0).sum()
        excess = 0.5 * found.coef @ found.coef + loss - whole.primal
        assert found.gap >= excess - 1e-9 * whole.primal
