"""Degenerate data and options: always certified, or honest about it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from banditcd import ElasticNet, Lasso, LassoCV, RidgeClassifier, RidgeClassifierCV, lasso_path
from banditcd.estimators import elastic_net

RNG = np.random.default_rng(5)
BASE = RNG.standard_normal((24, 6))
DESIGNS = {
    "duplicate": np.hstack([BASE, BASE, -BASE]),
    "collinear": np.hstack([BASE, BASE @ RNG.standard_normal((6, 20))]),
    "constant and zero": np.hstack([BASE, np.ones((24, 2)), np.zeros((24, 1))]),
    "scales": BASE * np.logspace(-6, 6, 6),
    "wide": RNG.standard_normal((24, 300)),
    "one row": BASE[:1],
    "one column": BASE[:, :1],
    "one entry": BASE[:1, :1],
}


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("intercept", [True, False])
def test_degenerate_designs(name, kind, intercept, make_problem):
    X = DESIGNS[name]
    y = X[:, 0] / np.abs(X[:, 0]).max() + 0.1 * np.arange(len(X)) + 1.0
    top = lasso_path(X, y, alphas=1, fit_intercept=intercept)[0][0]
    for alpha in (2.0 * top, 0.1 * top, 1e-3 * top):
        model = Lasso(alpha, fit_intercept=intercept, tol=1e-8).fit(kind(X), y)
        problem = make_problem(X, y, alpha, fit_intercept=intercept)
        assert model.certificate_.converged
        gap = problem.gap(model.coef_, model.intercept_)
        assert gap <= 1e-8 * problem.null() * (1 + 1e-4) + 1e-13


@pytest.mark.parametrize("intercept", [True, False])
def test_no_penalty_is_least_squares(intercept, make_data):
    X, y = make_data(40, 6)
    model = Lasso(0.0, fit_intercept=intercept, tol=1e-12).fit(X, y)
    A = np.column_stack([X, np.ones(40)]) if intercept else X
    exact = np.linalg.lstsq(A, y, rcond=None)[0]
    np.testing.assert_allclose(model.predict(X), A @ exact, atol=1e-5)
    assert model.certificate_.converged


def test_ridge_end(make_data):
    X, y = make_data(40, 6)
    model = ElasticNet(0.5, l1_ratio=0.0, fit_intercept=False, tol=1e-14).fit(X, y)
    exact = np.linalg.solve(X.T @ X / 40 + 0.5 * np.eye(6), X.T @ y / 40)
    np.testing.assert_allclose(model.coef_, exact, rtol=1e-5)


def test_zero_and_constant_responses(make_data):
    X, _ = make_data(20, 4)
    for y, center in ((np.zeros(20), 0.0), (np.full(20, 3.0), 3.0)):
        for options in ({}, {"selector": "cyclic"}):
            model = Lasso(0.1, **options).fit(X, y)
            assert not model.coef_.any()
            assert model.intercept_ == center
            assert model.dual_gap_ == 0.0


def test_zero_weights_are_absent_rows(make_data):
    X, y = make_data(40, 6)
    weight = (np.arange(40) % 3 > 0).astype(float)
    rows = weight > 0
    weighted = Lasso(0.05, tol=1e-12).fit(X, y, sample_weight=7.0 * weight)
    part = Lasso(0.05, tol=1e-12).fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.coef_, part.coef_, atol=1e-6)
    one = Lasso(0.05, tol=1e-12).fit(X, y, sample_weight=2.0)
    np.testing.assert_allclose(one.coef_, Lasso(0.05, tol=1e-12).fit(X, y).coef_, atol=1e-9)


def test_unsorted_and_duplicate_sparse_entries(make_data):
    X, y = make_data(20, 5)
    rows, cols = np.nonzero(X)
    halves = sparse.coo_matrix(
        (np.repeat(X[rows, cols] / 2.0, 2), (np.repeat(rows, 2)[::-1], np.repeat(cols, 2)[::-1])),
        shape=X.shape,
    )
    halves.data = halves.data[::-1]
    raw = sparse.csc_matrix(X)
    doubled = sparse.csc_matrix(
        (np.repeat(raw.data / 2.0, 2), np.repeat(raw.indices, 2), 2 * raw.indptr), shape=X.shape
    )
    before = doubled.nnz
    expected = Lasso(0.05, tol=1e-10).fit(X, y).coef_
    for matrix in (halves, doubled):
        np.testing.assert_allclose(Lasso(0.05, tol=1e-10).fit(matrix, y).coef_, expected, atol=1e-6)
    assert doubled.nnz == before  # the caller's matrix is as it was


def test_input_is_never_changed_and_may_be_read_only(store, make_data):
    X, y = make_data(30, 6)
    X = store(X)
    held = X.data if sparse.issparse(X) else X
    before = np.array(held)
    for array in (held, y):
        array.flags.writeable = False
    for options in ({}, {"standardize": True}, {"selector": "cyclic"}, {"copy_X": False}):
        ElasticNet(0.05, **options).fit(X, y, sample_weight=np.arange(30.0))
    np.testing.assert_array_equal(held, before)


def test_warm_start(make_data):
    X, y = make_data(60, 30)
    model = Lasso(0.01, warm_start=True, tol=1e-9).fit(X, y)
    cold = model.n_iter_
    model.fit(X, y)
    assert model.n_iter_ <= cold
    assert model.certificate_.passes <= 4.0
    model.set_params(lower=-0.01).fit(X, y)
    assert model.coef_.min() >= -0.01
    with pytest.raises(ValueError, match="warm_start=True, but the last fit had 1 target"):
        model.fit(X[:, :5], y)


@pytest.mark.parametrize("options", [{}, {"selector": "cyclic"}])
def test_a_missed_target_is_said_with_the_remedy(options, make_data):
    X, y = make_data(50, 200)
    model = Lasso(1e-4, max_iter=1, tol=1e-10, **options)
    with pytest.warns(
        ConvergenceWarning, match=r"number of iterations.*gap is .* above the target"
    ):
        model.fit(X, y)
    assert model.certificate_.status == "max_iter"
    assert model.dual_gap_ > model.certificate_.target


def test_an_unreachable_tolerance_is_never_called_converged(make_data):
    X, y = make_data(50, 20)
    model = Lasso(1e-3, tol=1e-40)
    with pytest.warns(ConvergenceWarning, match="Raise tol to"):
        model.fit(X, y)
    assert model.certificate_.status == "stalled"


def test_interrupted_fit_leaves_the_estimator_unfitted(monkeypatch, make_data):
    X, y = make_data(20, 4)
    model = Lasso(0.1).fit(X, y)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(elastic_net, "solve_targets", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize("model", [RidgeClassifier(), RidgeClassifierCV()])
def test_labels_before_a_fit_are_refused_by_the_name_scikit_learn_has(model):
    with pytest.raises(NotFittedError):
        model.predict([[1.0]])


class Impatient:
    """A selector during which somebody presses Ctrl-C."""

    def start(self, problem, rng):
        pass

    def next(self, state):
        raise KeyboardInterrupt


@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
@pytest.mark.parametrize("model", [Lasso(0.01), LassoCV(alphas=[0.01], cv=2)])
def test_an_interrupt_in_the_engine_is_raised_again(kind, model, make_data):
    X, y = make_data(20, 4)
    model = clone(model).set_params(tol=1e-12).fit(X, y)
    with pytest.raises(KeyboardInterrupt):
        model.set_params(selector=Impatient()).fit(kind(X), y)
    assert not hasattr(model, "coef_")


def test_precision_follows_the_data(make_data):
    X, y = make_data(30, 5)
    model = Lasso(0.05).fit(X.astype(np.float32), y.astype(np.float32))
    assert model.coef_.dtype == np.float32
    assert model.predict(X.astype(np.float32)).dtype == np.float32
    assert model.predict(X).dtype == np.float64


def test_check_input_false_gives_the_same(make_data):
    X, y = make_data(30, 5)
    checked, trusted = Lasso(0.05), Lasso(0.05)
    checked.fit(X, y)
    trusted.fit(np.asfortranarray(X), y, check_input=False)
    np.testing.assert_allclose(checked.coef_, trusted.coef_)
    assert trusted.n_features_in_ == 5
