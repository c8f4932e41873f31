"""Ridge and RidgeCV: scikit-learn's models, certified, by any solver."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import sklearn
from sklearn import linear_model as sk
from sklearn.utils.fixes import parse_version

import banditcd
from banditcd import Ridge, RidgeClassifierCV, RidgeCV, selectors
from tests.storage_and_gaps import STORES

RNG = np.random.default_rng(0)
NEWEST = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="compares with the words of scikit-learn >= 1.9",
)


def data(n, d):
    X = RNG.standard_normal((n, d)) * (RNG.random((n, d)) < 0.6) + 1.0
    X = X.astype(np.float32).astype(np.float64)
    Y = X[:, :3] @ RNG.standard_normal((3, 2)) + RNG.standard_normal((n, 2)) + 3.0
    return X, Y


def primal(model, X, y, alpha, weight):
    weight = np.ones(len(X)) if weight is None else weight
    residual = y - X @ model.coef_ - model.intercept_
    return weight @ residual**2 + alpha * model.coef_ @ model.coef_


@NEWEST
@pytest.mark.parametrize("name", ["Ridge", "RidgeCV"])
def test_every_parameter_of_scikit_learn_is_accepted(name):
    ours = inspect.signature(getattr(banditcd, name)).parameters
    for key, parameter in inspect.signature(getattr(sk, name)).parameters.items():
        assert ours[key].default == parameter.default, key
        assert ours[key].kind == parameter.kind, key


@pytest.mark.parametrize("shape", [(40, 8), (12, 30)])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_models_of_scikit_learn(shape, intercept, weighted):
    X, Y = data(*shape)
    weight = RNG.integers(0, 3, shape[0]) * 0.5 if weighted else None
    for y, alpha in ((Y, 0.7), (Y, np.array([0.7, 5.0])), (Y[:, 0], 0.7), (Y[:, :1], 0.7)):
        theirs = sk.Ridge(alpha, fit_intercept=intercept, solver="cholesky")
        theirs.fit(X, y, sample_weight=weight)
        for store in STORES.values():
            ours = Ridge(alpha, fit_intercept=intercept).fit(store(X), y, sample_weight=weight)
            assert ours.coef_.shape == theirs.coef_.shape
            assert np.shape(ours.intercept_) == np.shape(theirs.intercept_)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
            assert np.all(np.asarray(ours.dual_gap_) >= 0.0)


SOLVERS = [
    {},
    {"solver": "sag"},
    {"solver": "primal"},
    {"solver": "dual", "selector": "shuffled"},
    {"solver": "engine", "selector": selectors.Cyclic()},
    {"selector": "nuacdm", "random_state": 0},
    {"positive": True},
    {"lower": -0.1, "upper": 0.2},
    {"penalty_weights": np.linspace(0.5, 2.0, 8)},
]


@pytest.mark.parametrize("options", SOLVERS, ids=str)
@pytest.mark.parametrize("shape", [(40, 8), (6, 8)])
@pytest.mark.parametrize("intercept", [True, False])
def test_certificates(options, shape, intercept):
    X, Y = data(*shape)
    y, weight = Y[:, 0], RNG.integers(0, 3, shape[0]) + 0.5
    model = Ridge(2.0, fit_intercept=intercept, tol=1e-9, max_iter=20_000, **options)
    model.fit(X, y, sample_weight=weight)
    proof = model.certificate_
    center = np.average(y, weights=weight) if intercept else 0.0
    null = weight @ (y - center) ** 2
    assert proof.converged
    assert proof.gap <= proof.target == pytest.approx(1e-9 * null)
    if "penalty_weights" not in options:
        assert proof.primal == pytest.approx(primal(model, X, y, 2.0, weight), rel=1e-9)
    free = Ridge(2.0, fit_intercept=intercept, tol=1e-12).fit(X, y, sample_weight=weight)
    if not {"positive", "lower", "penalty_weights"} & set(options):
        best = free.certificate_.primal
        assert proof.dual <= best * (1.0 + 1e-12)
        assert proof.primal <= best + proof.gap + 1e-12 * null
        np.testing.assert_allclose(model.coef_, free.coef_, atol=2e-3)
    elif "positive" in options:
        assert model.coef_.min() >= 0.0
        assert proof.primal >= free.certificate_.dual * (1.0 - 1e-12)  # both are rounded


def test_dual_needs_what_it_needs():
    X, Y = data(20, 5)
    with pytest.raises(ValueError, match="The dual cost of ridge knows no positive"):
        Ridge(solver="dual", positive=True).fit(X, Y)
    with pytest.raises(ValueError, match=r"needs alpha > 0; use solver='primal'"):
        Ridge(0.0, solver="dual").fit(X, Y)
    with pytest.raises(ValueError, match="sparse data are never centered"):
        Ridge(solver="dual").fit(STORES["csc"](X), Y)
    with pytest.raises(ValueError, match="solver is 'magic'; it must be one of auto"):
        Ridge(solver="magic").fit(X, Y)
    with pytest.raises(ValueError, match="do not correspond: 3 != 2"):
        Ridge([1.0, 2.0, 3.0]).fit(X, Y)
    with pytest.raises(ValueError, match=r"alpha\[1\] is -2.0"):
        Ridge([1.0, -2.0]).fit(X, Y)


def test_history():
    X, Y = data(30, 6)
    for solver in ("auto", "primal", "dual"):
        model = Ridge(solver=solver, record_history=True, max_iter=5000).fit(X, Y[:, 0])
        assert model.history_.gap[-1] == pytest.approx(model.dual_gap_, abs=1e-12)
        assert model.history_.objective[-1] == pytest.approx(model.certificate_.primal)
    assert len(Ridge(record_history=True).fit(X, Y).history_) == 2


CHOICES = [
    {},
    {"scoring": "neg_mean_absolute_error"},
    {"alpha_per_target": True},
    {"alpha_per_target": True, "scoring": "r2"},
    {"cv": 3},
    {"cv": 3, "scoring": "neg_mean_squared_error"},
    {"store_cv_results": True},
    {"store_cv_results": True, "scoring": "neg_mean_squared_error"},
]


@NEWEST
@pytest.mark.parametrize("options", CHOICES, ids=str)
@pytest.mark.parametrize("shape", [(40, 8), (12, 30)])
@pytest.mark.parametrize("weighted", [True, False])
def test_choices_of_scikit_learn(options, shape, weighted):
    X, Y = data(*shape)
    weight = RNG.integers(1, 4, shape[0]) * 0.5 if weighted else None
    alphas = [0.1, 1.0, 10.0, 100.0]
    apart = {"alpha_per_target", "scoring"} <= set(options)
    for y in (Y,) if apart else (Y, Y[:, 0]):  # scikit-learn scores columns apart only if there are
        for intercept in (True, False):
            given = {"alphas": alphas, "fit_intercept": intercept, **options}
            theirs = sk.RidgeCV(**given).fit(X, y, sample_weight=weight)
            ours = RidgeCV(**given).fit(STORES["csr32"](X), y, sample_weight=weight)
            np.testing.assert_array_equal(ours.alpha_, theirs.alpha_)
            np.testing.assert_allclose(ours.best_score_, theirs.best_score_, rtol=1e-4)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
            if "store_cv_results" in options:
                np.testing.assert_allclose(ours.cv_results_, theirs.cv_results_, rtol=1e-4)


def test_one_standard_error():
    X, Y = data(60, 5)
    alphas = np.logspace(-2, 3, 12)
    for cv in (None, 4):
        best = RidgeCV(alphas, cv=cv).fit(X, Y[:, 0])
        careful = RidgeCV(alphas, cv=cv, select_alpha="1se").fit(X, Y[:, 0])
        assert careful.alpha_ >= best.alpha_
        assert careful.best_score_ <= best.best_score_
    loo = RidgeCV(alphas, store_cv_results=True).fit(X, Y[:, 0]).cv_results_
    mean, k = loo.mean(axis=0), loo.mean(axis=0).argmin()
    within = mean <= mean[k] + loo[:, k].std(ddof=1) / np.sqrt(60)
    assert RidgeCV(alphas, select_alpha="1se").fit(X, Y[:, 0]).alpha_ == max(alphas[within])


def test_leave_one_out_is_leaving_one_out():
    X, Y = data(15, 4)
    y = Y[:, 0]
    stored = RidgeCV([3.0], store_cv_results=True).fit(X, y).cv_results_[:, 0]
    for i in range(15):
        rest = np.arange(15) != i
        model = Ridge(3.0, tol=1e-12).fit(X[rest], y[rest])
        assert stored[i] == pytest.approx((y[i] - model.predict(X[i : i + 1])[0]) ** 2, rel=1e-6)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"alphas": []}, "alphas is empty"),
        ({"alphas": [0.0]}, r"alphas\[0\] == 0.0, must be > 0.0"),
        ({"alphas": [np.nan]}, r"alphas\[0\] is nan"),
        (
            {"cv": 3, "store_cv_results": True},
            "cv!=None and store_cv_results=True",
        ),
        ({"gcv_mode": "qr"}, "gcv_mode is 'qr'"),
        ({"select_alpha": "aic"}, "select_alpha is 'aic'; it must be min or 1se"),
        ({"fit_intercept": 1}, "fit_intercept is 1"),
    ],
)
def test_bad_searches(options, sentence):
    X, Y = data(12, 3)
    with pytest.raises(ValueError, match=sentence):
        RidgeCV(**options).fit(X, Y)


def test_one_alpha_in_a_list_serves_all_targets():
    rng = np.random.default_rng(3)
    X, Y = rng.standard_normal((30, 4)), rng.standard_normal((30, 2))
    one, plain = Ridge(alpha=[2.0]).fit(X, Y), Ridge(alpha=2.0).fit(X, Y)
    np.testing.assert_array_equal(one.coef_, plain.coef_)
    with pytest.raises(ValueError, match="do not correspond: 3 != 2"):
        Ridge(alpha=[1.0, 2.0, 3.0]).fit(X, Y)


@pytest.mark.parametrize("options", [{}, {"scoring": "r2"}, {"alpha_per_target": True}], ids=str)
@pytest.mark.parametrize("columns", [None, 1, 2])
def test_shapes_of_the_best_score(options, columns):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((30, 4))
    y = rng.standard_normal(30 if columns is None else (30, columns))
    ours, theirs = RidgeCV(**options).fit(X, y), sk.RidgeCV(**options).fit(X, y)
    assert np.shape(ours.best_score_) == np.shape(theirs.best_score_)
    assert np.shape(ours.alpha_) == np.shape(theirs.alpha_)
    np.testing.assert_allclose(ours.best_score_, theirs.best_score_)


@pytest.mark.parametrize("shape", [(442, 10), (60, 100)])
@pytest.mark.parametrize("solver", ["auto", "lsqr", "sparse_cg", "svd"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_no_count_exceeds_its_limit(shape, solver):
    X, Y = data(*shape)
    for y in (Y[:, 0], Y):
        model = Ridge(solver=solver, max_iter=1).fit(1e4 * X, y)
        assert np.all(model.n_iter_ == 1)
    classifier = banditcd.RidgeClassifier(solver=solver, max_iter=1)
    classifier.fit(100.0 * X, np.digitize(Y[:, 0], [-0.5, 0.5]))
    assert np.all(classifier.n_iter_ == 1)
    if solver == "auto":  # the limit is none of a direct solve
        exact = sk.Ridge(solver="svd").fit(1e4 * X, Y).coef_
        np.testing.assert_allclose(model.coef_, exact, rtol=1e-9, atol=1e-9 * np.abs(exact).max())


@pytest.mark.parametrize("kind", [Ridge, banditcd.RidgeCV])
def test_counts_have_an_axis_for_targets_as_in_scikit_learn(kind):
    X, Y = data(60, 5)
    theirs = sk.Ridge(solver="lsqr")
    for y in (Y[:, 0], Y[:, :1], Y):
        counts, known = kind().fit(X, y).n_iter_, theirs.fit(X, y).n_iter_
        assert (counts.shape, counts.dtype) == (known.shape, known.dtype)


@pytest.mark.parametrize("solver", ["auto", "svd", "cholesky", "cg"])
def test_a_tolerance_of_zero_is_silent_where_the_solve_is_exact(solver):
    """As in scikit-learn; the certificate says what was asked for and what is left."""
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((30, 4)), rng.standard_normal(30)
    model = Ridge(tol=0.0, solver=solver).fit(X, y)  # warnings are errors
    assert model.certificate_.gap <= 1e-15 * model.certificate_.primal
    assert not model.certificate_.converged or model.certificate_.gap == 0.0
    RidgeCV(tol=0.0).fit(X, y)


def test_no_penalties_to_choose_from_are_told():
    X, y = np.arange(10.0)[:, None], np.arange(10) % 2
    for kind in (RidgeCV, RidgeClassifierCV):
        with pytest.raises(ValueError, match="alphas is None; give one penalty or a sequence"):
            kind(alphas=None).fit(X, y)
