"""The same predictions as scikit-learn, and a certificate that an independent gap confirms."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn import linear_model as sk
from sklearn.utils.fixes import parse_version

import banditcd
from banditcd import ElasticNet, Lasso, enet_path, lasso_path
from tests.estimators.conftest import confirmed

TOL = 1e-9
NEWEST = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="compares with the words of scikit-learn >= 1.9",
)


def certified(problem, model, tol=TOL):
    """Compare the fitted certificate with the independent one."""
    proof, scale = model.certificate_, problem.null()
    assert proof.status == "converged"
    assert model.coef_.dtype == problem.X.dtype
    assert proof.gap <= proof.target == pytest.approx(tol * scale, rel=1e-9)
    assert proof.primal == pytest.approx(
        problem.primal(model.coef_, model.intercept_), rel=1e-9, abs=1e-13 * scale
    )
    assert model.dual_gap_ == proof.gap == pytest.approx(proof.primal - proof.dual, abs=1e-12)
    assert confirmed(problem, model.coef_, model.intercept_, proof, 1e-11 * scale)


def fitted(problem, tol=TOL, **extra):
    model = ElasticNet(
        problem.alpha,
        l1_ratio=problem.l1_ratio,
        fit_intercept=problem.fit_intercept,
        tol=tol,
        **problem.options,
        **extra,
    )
    return model.fit(problem.X, problem.y, sample_weight=problem.sample_weight)


@NEWEST
@pytest.mark.parametrize("name", ["Lasso", "ElasticNet", "LassoCV", "ElasticNetCV"])
def test_every_parameter_of_scikit_learn_is_accepted(name):
    theirs = inspect.signature(getattr(sk, name)).parameters
    ours = inspect.signature(getattr(banditcd, name)).parameters
    for key, parameter in theirs.items():
        assert ours[key].default == parameter.default, key
        assert ours[key].kind == parameter.kind, key


@pytest.mark.parametrize("shape", [(60, 12), (20, 50)])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("ratio", "positive"), [(1.0, False), (0.5, False), (0.8, True)])
def test_predictions_of_scikit_learn(store, shape, intercept, ratio, positive, make_data):
    X, y = make_data(*shape)
    weight = np.random.default_rng(1).integers(0, 3, shape[0]).astype(float)
    for sample_weight in (None, weight):
        options = {"l1_ratio": ratio, "positive": positive, "fit_intercept": intercept}
        theirs = sk.ElasticNet(0.1, tol=1e-12, max_iter=100000, **options)
        theirs.fit(X, y, sample_weight=sample_weight)
        ours = ElasticNet(0.1, tol=1e-12, **options)
        ours.fit(store(X), y, sample_weight=sample_weight)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=2e-5)
        assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=2e-5)


OPTIONS = {
    "plain": {},
    "weights": {"penalty_weights": np.array([0.0, np.inf, *np.linspace(0.5, 2.0, 10)])},
    "box": {"lower": -0.05, "upper": np.linspace(0.0, 0.6, 12)},
    "standardized": {"standardize": True},
    "standardized box": {"standardize": True, "lower": -0.05, "upper": 0.3},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("ratio", [1.0, 0.6])
@pytest.mark.parametrize("intercept", [True, False])
def test_certificate_is_confirmed(store, options, ratio, intercept, make_data, make_problem):
    X, y = make_data(40, 12)
    weight = np.random.default_rng(2).random(40) * (np.arange(40) % 5 > 0)
    for sample_weight in (None, weight):
        problem = make_problem(store(X), y, 0.05, ratio, intercept, sample_weight, options)
        tol = TOL if problem.X.dtype == np.float64 else 1e-6  # bounds are met to a float32
        certified(problem, fitted(problem, tol), tol)


def test_standardizing_is_scaling_the_columns(make_data):
    X, y = make_data(50, 8)
    X = X * np.logspace(-2, 2, 8)
    scale = X.std(axis=0)
    for ratio in (1.0, 0.4):
        direct = ElasticNet(0.1, l1_ratio=ratio, standardize=True, tol=1e-12).fit(X, y)
        scaled = ElasticNet(0.1, l1_ratio=ratio, tol=1e-12).fit(X / scale, y)
        np.testing.assert_allclose(direct.coef_, scaled.coef_ / scale, rtol=1e-5)
        assert direct.intercept_ == pytest.approx(scaled.intercept_, rel=1e-6)


def test_several_targets_are_fitted_one_by_one(make_data):
    X, y = make_data(40, 10)
    Y = np.column_stack([y, -2.0 * y + 1.0, X[:, 0] - y])
    model = Lasso(0.1, tol=1e-10).fit(X, Y)
    theirs = sk.Lasso(0.1, tol=1e-10).fit(X, Y)
    assert model.coef_.shape == theirs.coef_.shape
    assert model.intercept_.shape == theirs.intercept_.shape
    assert model.dual_gap_.shape == theirs.dual_gap_.shape
    assert len(model.n_iter_) == len(model.certificate_) == 3
    np.testing.assert_allclose(model.predict(X), theirs.predict(X), atol=1e-5)
    single = Lasso(0.1).fit(X, y[:, None])
    assert single.coef_.shape == sk.Lasso(0.1).fit(X, y[:, None]).coef_.shape == (10,)
    assert single.intercept_.shape == (1,)


@NEWEST
@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
def test_paths_of_scikit_learn(kind, ratio, make_data):
    X, y = make_data(60, 15)
    theirs = sk.enet_path(X, y, l1_ratio=ratio, alphas=20, tol=1e-10, max_iter=10000)
    ours = enet_path(kind(X), y, l1_ratio=ratio, alphas=20, tol=1e-10)
    np.testing.assert_allclose(ours[0], theirs[0])
    np.testing.assert_allclose(ours[1], theirs[1], atol=1e-4)
    assert ours[2].shape == (20,)
    assert np.all(ours[2] <= 1e-10 * 0.5 * np.mean(y**2))
    values = [0.01, 1.0, 0.1]
    alphas, coefs, _, n_iters = enet_path(X, y, alphas=values, return_n_iter=True)
    np.testing.assert_array_equal(alphas, [1.0, 0.1, 0.01])
    assert coefs.shape == (15, 3)
    assert len(n_iters) == 3


def test_path_options_and_older_words(make_data):
    X, y = make_data(30, 6)
    with pytest.warns(FutureWarning, match="use alphas=7"):
        assert lasso_path(X, y, n_alphas=7)[0].shape == (7,)
    with pytest.warns(FutureWarning, match="leave alphas out"):
        assert lasso_path(X, y, alphas=None)[0].shape == (100,)
    cold = lasso_path(X, y, alphas=[0.1], tol=1e-12)[1]
    warm = lasso_path(X, y, alphas=[0.1], tol=1e-12, coef_init=cold[:, 0], Xy=X.T @ y)[1]
    np.testing.assert_allclose(cold, warm, atol=1e-8)
    path = lasso_path(X, y, alphas=[0.1], fit_intercept=True, tol=1e-12)[1][:, 0]
    np.testing.assert_allclose(path, Lasso(0.1, tol=1e-12).fit(X, y).coef_, atol=1e-8)
    assert np.all(lasso_path(X, y, positive=True)[1] >= 0.0)
    assert lasso_path(X, y, verbose=False, alphas=3, selector="cyclic")[1].shape == (6, 3)


def test_a_grid_starts_where_the_first_feature_enters(make_data):
    X, y = make_data(30, 6)
    weights = np.array([1.0, 2.0, 0.5, 1.0, 1.0, np.inf])
    options = {"fit_intercept": True, "penalty_weights": weights, "upper": 0.5}
    alphas, coefs, *_ = lasso_path(X, y, alphas=200, tol=1e-9, **options)
    assert not coefs[:, 0].any()
    assert coefs[:, 1].any()
    assert alphas[-1] == pytest.approx(1e-3 * alphas[0])
