"""The same estimator with any selector of the engine."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from banditcd import ElasticNet, Lasso, selectors


@pytest.mark.parametrize("selector", ["b_max_r", "uniform", "cyclic"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("intercept", [True, False])
def test_selectors_reach_the_same_certificate(
    selector, kind, ratio, intercept, make_data, make_problem
):
    X, y = make_data(30, 6)
    weight = np.random.default_rng(0).random(30)
    model = ElasticNet(
        0.1,
        l1_ratio=ratio,
        selector=selector,
        fit_intercept=intercept,
        tol=1e-6,
        max_iter=5000,
        random_state=0,
        lower=-0.2,
    ).fit(kind(X), y, sample_weight=weight)
    problem = make_problem(X, y, 0.1, ratio, intercept, weight, {"lower": -0.2})
    assert model.certificate_.converged
    assert model.certificate_.regime == selector
    assert model.certificate_.target == pytest.approx(1e-6 * problem.null())
    gap = problem.gap(model.coef_, model.intercept_)
    assert gap <= model.dual_gap_ + 1e-11 * problem.null()
    assert model.certificate_.primal == pytest.approx(
        problem.primal(model.coef_, model.intercept_), rel=1e-9
    )


def test_selector_objects_engine_and_seeds(make_data):
    X, y = make_data(40, 10)
    chosen = selectors.BMaxR()
    model = Lasso(0.1, selector=chosen, random_state=3, tol=1e-8).fit(X, y)
    again = Lasso(0.1, selector="b_max_r", random_state=3, tol=1e-8).fit(X, y)
    np.testing.assert_array_equal(model.coef_, again.coef_)
    assert Lasso(0.1, solver="engine").fit(X, y).certificate_.regime == "focus"
    generator = np.random.default_rng(0)
    for source in (np.random.RandomState(0), generator, None):
        assert Lasso(0.1, selector="uniform", random_state=source).fit(X, y).dual_gap_ >= 0.0


@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
def test_constant_columns_do_no_harm(kind, make_data):
    X, y = make_data(30, 5)
    X = np.hstack([X, np.full((30, 1), 1e5), np.zeros((30, 1)), np.ones((30, 1))])
    model = Lasso(0.05, selector="cyclic", tol=1e-7, max_iter=3000).fit(kind(X), y)
    assert model.certificate_.converged
    plain = Lasso(0.05, tol=1e-9).fit(kind(X), y)
    np.testing.assert_allclose(model.predict(X), plain.predict(X), atol=5e-3)


def test_names_and_combinations_are_checked_first(make_data):
    X, y = make_data(10, 3)
    with pytest.raises(ValueError, match=r"Unknown selector 'b_max'.*b_max_r"):
        Lasso(selector="b_max").fit(X, y)
    with pytest.raises(ValueError, match="solver is 'cd'; it must be one of auto, fast, engine"):
        Lasso(solver="cd").fit(X, y)
    with pytest.raises(ValueError, match="chooses its coordinates itself"):
        Lasso(solver="fast", selector="cyclic").fit(X, y)
    with pytest.raises(ValueError, match="does not fit Lasso"):
        Lasso(selector="ada_gap", penalty_weights=[0.0, 1.0, 1.0]).fit(X, y)


@pytest.mark.parametrize("solver", ["fast", "engine"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
def test_history_is_kept_when_asked_for(solver, kind, make_data):
    X, y = make_data(60, 40)
    model = Lasso(0.01, solver=solver, record_history=True, tol=1e-6, max_iter=3000)
    model.fit(kind(X), y)
    trace = model.history_
    assert len(trace) >= 1
    assert trace.gap[-1] == pytest.approx(model.dual_gap_, abs=1e-15)
    assert trace.objective[-1] == pytest.approx(model.certificate_.primal)
    assert np.all(np.diff(trace.epoch) >= 0.0)
    assert np.all(np.diff(trace.seconds) >= 0.0)
    model.set_params(record_history=False).fit(kind(X), y)
    assert not hasattr(model, "history_")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("tol", [1e-1, 1e-2, 1e-3])
def test_beside_unpenalized_columns_the_gap_counts_the_intercept(seed, tol):
    """The dual point must be orthogonal to the free columns and to the intercept at once."""
    rng = np.random.default_rng(seed)
    X = sparse.random(20, 6, 0.5, random_state=seed, format="csc")
    y = rng.standard_normal(20) + 3.0
    options = {"alpha": 0.05, "penalty_weights": [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]}
    best = Lasso(**options, tol=1e-12).fit(X, y).certificate_.primal
    loose = Lasso(**options, tol=tol, selector="uniform", random_state=0).fit(X, y).certificate_
    assert loose.primal - best <= loose.gap + 1e-12


@pytest.mark.parametrize("offset", [1e5, 1e6, 1e8])
def test_a_far_unpenalized_sparse_column_gets_no_false_certificate(offset):
    """The column explains y but for an intercept: any dual value above 0 would be false."""
    z = np.random.default_rng(0).standard_normal(10)
    X = np.c_[offset + 1e-9 * offset * z, np.random.default_rng(1).standard_normal(10)]
    model = Lasso(0.1, penalty_weights=[0, 1], selector="cyclic", random_state=0, max_iter=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        certificate = model.fit(sparse.csc_matrix(X), z).certificate_
    assert certificate.dual <= 1e-6
    assert not certificate.converged
