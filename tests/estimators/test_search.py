"""LassoCV and ElasticNetCV."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn import linear_model as sk
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit
from sklearn.utils.fixes import parse_version

from banditcd import (
    ElasticNetCV,
    GroupLassoCV,
    Lasso,
    LassoCV,
    MultiTaskElasticNetCV,
    MultiTaskLassoCV,
)

FOLDS = KFold(4, shuffle=True, random_state=0)
NEWEST = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="compares with the words of scikit-learn >= 1.9",
)


@NEWEST
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [True, False])
def test_errors_and_choice_of_scikit_learn(store, weighted, intercept, make_data):
    X, y = make_data(60, 8)
    weight = np.random.default_rng(0).random(60) if weighted else None
    options = {"alphas": 12, "cv": FOLDS, "fit_intercept": intercept, "tol": 1e-9}
    theirs = sk.LassoCV(max_iter=10000, **options).fit(X, y, sample_weight=weight)
    ours = LassoCV(**options).fit(store(X), y, sample_weight=weight)
    np.testing.assert_allclose(ours.alphas_, theirs.alphas_, rtol=1e-6)
    np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-4)
    assert ours.alpha_ == pytest.approx(theirs.alpha_, rel=1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-3)
    assert ours.certificate_.converged
    assert not hasattr(ours, "l1_ratio_")


@NEWEST
@pytest.mark.parametrize("alphas", [10, [0.01, 0.1, 1.0]])
def test_several_ratios(alphas, make_data):
    X, y = make_data(60, 8)
    options = {"l1_ratio": [0.3, 0.9], "alphas": alphas, "cv": FOLDS, "tol": 1e-9}
    theirs = sk.ElasticNetCV(max_iter=10000, **options).fit(X, y)
    ours = ElasticNetCV(**options).fit(X, y)
    assert ours.mse_path_.shape == theirs.mse_path_.shape
    assert ours.alphas_.shape == theirs.alphas_.shape
    np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-4)
    assert (ours.alpha_, ours.l1_ratio_) == pytest.approx((theirs.alpha_, theirs.l1_ratio_))


def test_threads_change_nothing(make_data):
    X, y = make_data(60, 8)
    one = LassoCV(alphas=10, cv=3).fit(X, y)
    two = LassoCV(alphas=10, cv=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.mse_path_, two.mse_path_)
    np.testing.assert_array_equal(one.coef_, two.coef_)


@pytest.mark.parametrize("kind", [LassoCV, GroupLassoCV, MultiTaskLassoCV, MultiTaskElasticNetCV])
def test_one_standard_error(kind, make_data):
    X, y = make_data(60, 8)
    if kind in (MultiTaskLassoCV, MultiTaskElasticNetCV):
        y = np.column_stack([y, X[:, 0] - y])
    model = kind(alphas=30, cv=FOLDS, select_alpha="1se").fit(X, y)
    assert model.alpha_ > clone(model).set_params(select_alpha="min").fit(X, y).alpha_
    with pytest.raises(ValueError, match="select_alpha is 'best'"):
        kind(select_alpha="best").fit(X, y)
    mean = model.mse_path_.mean(axis=1)
    best = mean.argmin()
    limit = mean[best] + model.mse_path_[best].std(ddof=1) / 2.0
    position = int(np.flatnonzero(model.alphas_ == model.alpha_)[0])
    assert mean[position] <= limit
    assert position <= best
    assert np.all(mean[:position] > limit)


@pytest.mark.parametrize("rule", ["aic", "bic"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csc_matrix])
def test_information_criteria(rule, kind, make_data):
    X, y = make_data(80, 10)
    model = LassoCV(alphas=40, select_alpha=rule, tol=1e-8).fit(kind(X), y)
    assert not hasattr(model, "mse_path_")
    rate = 2.0 if rule == "aic" else np.log(80)
    for k in (5, 20, 39):
        single = Lasso(model.alphas_[k], tol=1e-8).fit(X, y)
        rss = np.sum((y - single.predict(X)) ** 2)
        expected = 80 * np.log(rss / 80) + rate * (np.count_nonzero(single.coef_) + 1)
        assert model.criterion_[k] == pytest.approx(expected, rel=1e-4)
    assert model.alpha_ == model.alphas_[np.argmin(model.criterion_)]


def test_degrees_of_freedom_with_an_l2_part(make_data):
    X, y = make_data(50, 6)
    model = ElasticNetCV(l1_ratio=0.5, alphas=[0.3], select_alpha="bic", tol=1e-10).fit(X, y)
    active = X[:, model.coef_ != 0] - X[:, model.coef_ != 0].mean(axis=0)
    inner = active.T @ active
    df = np.trace(active @ np.linalg.solve(inner + 50 * 0.15 * np.eye(len(inner)), active.T)) + 1
    rss = np.sum((y - model.predict(X)) ** 2)
    assert float(model.criterion_) == pytest.approx(50 * np.log(rss / 50) + np.log(50) * df)


def test_prediction_along_the_path(store, make_data):
    X, y = make_data(50, 6)
    model = LassoCV(alphas=9, cv=3, store_path=True, tol=1e-9).fit(store(X), y)
    predicted = model.predict_path(X)
    assert predicted.shape == (50, 9)
    for k in (0, 4, 8):
        single = Lasso(model.alpha_path_[k], tol=1e-9).fit(X, y)
        np.testing.assert_allclose(predicted[:, k], single.predict(X), atol=1e-3)
    position = int(np.flatnonzero(model.alphas_ == model.alpha_)[0])
    np.testing.assert_allclose(model.coef_path_[:, position], model.coef_, atol=1e-4)
    model.set_params(store_path=False).fit(X, y)
    assert not hasattr(model, "coef_path_")


def test_groups_and_time_series(make_data):
    X, y = make_data(40, 5)
    groups = np.arange(40) % 4
    model = LassoCV(alphas=5, cv=GroupKFold(4)).fit(X, y, groups=groups)
    assert model.mse_path_.shape == (5, 4)
    assert LassoCV(alphas=5, cv=TimeSeriesSplit(3)).fit(X, y).mse_path_.shape == (5, 3)
    pairs = [(np.arange(30), np.arange(30, 40)), (np.arange(40) >= 10, np.arange(40) < 10)]
    assert LassoCV(alphas=5, cv=pairs).fit(X, y).mse_path_.shape == (5, 2)


def test_metadata_routing(make_data):
    X, y = make_data(40, 5)
    weight, groups = np.arange(40.0) + 1.0, np.arange(40) % 4
    with sklearn.config_context(enable_metadata_routing=True):
        splitter = GroupKFold(4).set_split_request(groups=True)
        model = LassoCV(alphas=5, cv=splitter).set_fit_request(sample_weight=True)
        model.fit(X, y, sample_weight=weight, groups=groups)
    plain = LassoCV(alphas=5, cv=GroupKFold(4)).fit(X, y, sample_weight=weight, groups=groups)
    np.testing.assert_array_equal(model.mse_path_, plain.mse_path_)


def test_options_reach_every_fold(make_data):
    X, y = make_data(60, 8)
    weights = np.array([0.0, np.inf, *np.ones(6)])
    model = LassoCV(alphas=8, cv=3, penalty_weights=weights, positive=True, standardize=True)
    model.fit(X, y)
    assert np.all(model.coef_ >= 0.0)
    assert model.coef_[1] == 0.0
    assert np.ptp(model.mse_path_) > 0.0
    engine = LassoCV(alphas=[0.5, 0.1], cv=3, selector="cyclic", tol=1e-8, max_iter=3000)
    record = LassoCV(alphas=[0.5, 0.1], cv=3, tol=1e-8)
    np.testing.assert_allclose(engine.fit(X, y).mse_path_, record.fit(X, y).mse_path_, rtol=1e-3)


def test_one_warning_for_all_folds(make_data):
    X, y = make_data(40, 100)
    with pytest.warns(ConvergenceWarning, match=r"\d+ of 61 solves; worst: the duality gap") as log:
        LassoCV(alphas=20, cv=3, max_iter=1, tol=1e-12).fit(X, y)
    assert len(log) == 1


def test_progress_is_shown_only_when_asked_for(make_data, monkeypatch, capsys):
    X, y = make_data(30, 4)
    LassoCV(alphas=3, cv=2).fit(X, y)
    assert capsys.readouterr() == ("", "")
    LassoCV(alphas=3, cv=2, verbose=True).fit(X, y)
    assert "Folds" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    LassoCV(alphas=3, cv=2, verbose=True).fit(X, y)
    *folds, certificate = sys.stderr.getvalue().splitlines()
    assert folds == ["Folds: 1 of 2", "Folds: 2 of 2"]
    assert certificate.startswith("banditcd: LassoCV converged: gap")
