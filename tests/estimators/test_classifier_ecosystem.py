"""The classifiers with selectors, among their neighbors, and with bad input."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.fixes import parse_version

from banditcd import (
    CVDisplay,
    LinearSVC,
    LogisticRegression,
    LogisticRegressionCV,
    PathDisplay,
    Ridge,
    RidgeCV,
    logistic_path,
    selectors,
)

RNG = np.random.default_rng(0)
X = RNG.standard_normal((40, 3))
Y = np.where(X[:, 0] + 0.5 * RNG.standard_normal(40) > 0, "yes", "no")
CLASSIFIERS = [LogisticRegression(), LogisticRegressionCV(Cs=[0.1, 1.0], cv=3), LinearSVC()]
REGRESSORS = [Ridge(), RidgeCV()]


@pytest.fixture(params=[*CLASSIFIERS, *REGRESSORS], ids=lambda e: type(e).__name__)
def estimator(request):
    return clone(request.param)


def response(estimator):
    return Y if sklearn.base.is_classifier(estimator) else X[:, 0] - X[:, 1]


def test_pandas_and_polars(estimator):
    y = response(estimator)
    plain = clone(estimator).fit(X, y)
    frames = [pd.DataFrame(X, columns=["a", "b", "c"])]
    if parse_version(sklearn.__version__) >= parse_version("1.9"):  # knows the newest polars
        frames.append(pytest.importorskip("polars").DataFrame(X, schema=["a", "b", "c"]))
    for frame in frames:
        model = clone(estimator).fit(frame, pd.Series(y))
        assert list(model.feature_names_in_) == ["a", "b", "c"]
        if sklearn.base.is_classifier(model):
            np.testing.assert_array_equal(model.predict(frame), plain.predict(X))
        else:  # a frame is stored by columns: BLAS adds in another order, to other last bits
            answers = model.predict(frame), plain.predict(X)
            np.testing.assert_allclose(*answers, rtol=1e-12, atol=1e-14)
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            model.predict(X)
    assert not hasattr(model.fit(X, y), "feature_names_in_")


def test_pickle_and_clone(estimator):
    y = response(estimator)
    if "selector" in estimator.get_params():
        estimator.set_params(selector=selectors.Cyclic(), max_iter=5000)
    estimator.fit(X, y)
    copy = pickle.loads(pickle.dumps(estimator))  # noqa: S301
    np.testing.assert_array_equal(copy.predict(X), estimator.predict(X))
    assert copy.certificate_ == estimator.certificate_
    assert not hasattr(clone(estimator), "coef_")


def test_pipeline_search_and_routed_weights():
    pipeline = make_pipeline(StandardScaler(), LinearSVC())
    search = GridSearchCV(pipeline, {"linearsvc__C": [0.1, 1.0]}, cv=3).fit(X, Y)
    assert search.best_score_ > 0.7
    weight = np.arange(40.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        routed = GridSearchCV(model, {"C": [1.0]}, cv=2).fit(X, Y, sample_weight=weight)
        scorer = sklearn.metrics.get_scorer("accuracy").set_score_request(sample_weight=True)
        searched = LogisticRegressionCV(
            Cs=[1.0], cv=GroupKFold(4).set_split_request(groups=True), scoring=scorer
        ).set_fit_request(sample_weight=True)
        searched.fit(X, Y, sample_weight=weight, groups=np.arange(40) % 4)
        assert 0.5 < searched.score(X, Y, sample_weight=weight) <= 1.0
        ridge = RidgeCV(cv=GroupKFold(4).set_split_request(groups=True))
        ridge.fit(X, X[:, 0], groups=np.arange(40) % 4)
    direct = LogisticRegression().fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(routed.best_estimator_.coef_, direct.coef_)
    np.testing.assert_allclose(searched.coef_, direct.coef_, atol=1e-2)
    assert next(iter(searched.scores_.values())).shape == (4, 1)
    grouped = LogisticRegressionCV(Cs=[1.0], cv=GroupKFold(4), use_legacy_attributes=False)
    grouped.fit(X, Y, groups=np.arange(40) % 4)
    assert grouped.scores_.shape == (4, 1, 1)
    with pytest.raises(ValueError, match=r"LogisticRegressionCV\.fit got color"):
        LogisticRegressionCV().fit(X, Y, color="red")
    with pytest.raises(ValueError, match=r"LogisticRegressionCV\.score got color"):
        grouped.score(X, Y, color="red")


@pytest.mark.parametrize("name", ["b_max_r", "uniform", "shuffled", "acf", "sqrt_r"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(l1_ratio=1.0, fit_intercept=False),
        LogisticRegression(l1_ratio=0.5, lower=-1.0),
        LogisticRegression(),
        LogisticRegression(dual=True, fit_intercept=False),
        LinearSVC(loss="hinge"),
        LinearSVC(fit_intercept=False),
    ],
    ids=str,
)
def test_any_selector_reaches_the_same_certificate(name, kind, model):
    model = clone(model).set_params(tol=1e-5, class_weight="balanced", max_iter=20_000)
    weight = np.arange(40) % 3 + 0.5
    native = clone(model).fit(kind(X), Y, sample_weight=weight)
    model.set_params(selector=name, random_state=0).fit(kind(X), Y, sample_weight=weight)
    ours, other = model.certificate_, native.certificate_
    assert ours.regime == name
    assert ours.converged
    assert other.converged
    smooth = isinstance(model, LogisticRegression) and model.l1_ratio == 0.0
    assert other.target == pytest.approx((1e-4 if smooth else 1.0) * ours.target)  # accuracy.md
    assert max(ours.dual, other.dual) <= min(ours.primal, other.primal) * (1.0 + 1e-12)
    if not isinstance(model, LinearSVC):
        with pytest.raises(ValueError, match="needs finite coordinate-wise gaps"):
            LogisticRegression(selector="ada_gap").fit(X, Y)


@pytest.mark.parametrize("selector", ["auto", "cyclic"])
def test_histories(selector):
    ovr = {"multi_class": "ovr"}
    for model in (LogisticRegression(l1_ratio=1.0, **ovr), LogisticRegression(**ovr), LinearSVC()):
        model.set_params(selector=selector, record_history=True, max_iter=5000).fit(X, Y)
        trace = model.history_
        assert trace.gap[-1] == pytest.approx(model.dual_gap_[0], abs=1e-12)
        assert trace.objective[-1] == pytest.approx(model.certificate_.primal)
        assert np.all(np.diff(trace.seconds) >= 0.0)
        assert not hasattr(model.set_params(record_history=False).fit(X, Y), "history_")
        three = model.set_params(record_history=True).fit(X, np.arange(40) % 3)
        assert len(three.history_) == 3


def test_pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    options = {"l1_ratios": (0.5, 1.0), "store_path": True, "use_legacy_attributes": False}
    model = LogisticRegressionCV(Cs=4, cv=3, **options)
    model.fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    display = PathDisplay.from_estimator(model)
    assert len(display.lines_) == np.count_nonzero(model.coef_path_.any(axis=1))
    assert display.ax_.get_xlabel().startswith("1 / C")
    scores = CVDisplay.from_estimator(model)
    chosen = int(np.flatnonzero(model.l1_ratios_ == model.l1_ratio_)[0])
    np.testing.assert_array_equal(scores.errors, model.scores_[:, chosen].T)
    assert scores.ax_.get_ylabel() == "test accuracy"
    older = clone(model).set_params(use_legacy_attributes=True).fit(X, Y)
    np.testing.assert_array_equal(CVDisplay.from_estimator(older).errors, scores.errors)
    three = clone(model).fit(X, np.arange(40) % 3)
    assert PathDisplay.from_estimator(three, label=2).coefs.shape == (3, 4)
    with pytest.raises(ValueError, match="label is None; choose the class to draw among 0, 1, 2"):
        PathDisplay.from_estimator(three)
    Cs, coefs, *_ = logistic_path(X, Y, Cs=5)
    assert PathDisplay(1.0 / Cs, coefs, penalty_name="1 / C").plot().alphas.shape == (5,)
    plt.close("all")


def test_sparse_coefficients():
    model = LogisticRegression(l1_ratio=1.0, C=0.3).fit(X, Y)
    dense = model.decision_function(X)
    model.sparsify()
    assert sparse.issparse(model.coef_)
    np.testing.assert_allclose(model.decision_function(X), dense)
    assert isinstance(model.densify().coef_, np.ndarray)
    assert model.sparse_coef_.shape == (1, 3)


BAD = [
    (LogisticRegression, {"C": 0.0}, r"C is 0.0; it must be a number greater than 0 \(inf"),
    (LogisticRegression, {"C": "1"}, "C is '1'"),
    (LogisticRegression, {"l1_ratio": 2.0}, "l1_ratio is 2.0"),
    (LogisticRegression, {"penalty": "l3"}, "penalty is 'l3'; it must be 'l2', 'l1'"),
    (LogisticRegression, {"solver": "sgd"}, "solver is 'sgd'; it must be one of auto"),
    (LogisticRegression, {"tol": -1.0}, "tol is -1.0"),
    (LogisticRegression, {"max_iter": -1}, "max_iter is -1"),
    (LogisticRegression, {"multi_class": "crammer"}, "multi_class is 'crammer'; it must be"),
    (LogisticRegression, {"dual": 1}, "dual is 1"),
    (LogisticRegression, {"selector": "cyclic", "dual": True}, "an unpenalized intercept does not"),
    (
        LogisticRegression,
        {"selector": "cyclic", "dual": True, "l1_ratio": 1.0},
        "dual=True with a selector needs an L2 penalty",
    ),
    (
        LogisticRegression,
        {"selector": "cyclic", "dual": True, "fit_intercept": False, "lower": 0.0},
        "A dual cost knows no penalty_weights, lower or upper",
    ),
    (
        LogisticRegression,
        {"selector": "cyclic", "dual": True, "fit_intercept": False, "C": np.inf},
        "C must be finite",
    ),
    (LogisticRegression, {"class_weight": "fair"}, "class_weight is 'fair'"),
    (LogisticRegression, {"class_weight": {"maybe": 1.0}}, "has the key 'maybe', but the classes"),
    (LogisticRegression, {"class_weight": {"yes": -1.0}}, r"class_weight\['yes'\] is -1.0"),
    (LogisticRegression, {"penalty_weights": [1.0, -1.0, 1.0]}, "must not be negative"),
    (LogisticRegression, {"lower": 1.0}, "lower <= 0 <= upper"),
    (LinearSVC, {"multi_class": "crammer_singer"}, "multi_class is 'crammer_singer'"),
    (LinearSVC, {"loss": "log"}, "loss is 'log'; it must be one of hinge, squared_hinge"),
    (LinearSVC, {"C": np.inf}, "C is inf; it must be a number, greater than 0 and finite"),
    (LinearSVC, {"dual": "maybe"}, "dual is 'maybe'"),
    (LinearSVC, {"intercept_scaling": 0.0}, "intercept_scaling is 0.0"),
    (LinearSVC, {"selector": "cyclic", "penalize_intercept": False}, "an unpenalized intercept"),
    (LinearSVC, {"selector": "magic"}, "Unknown selector 'magic'"),
    (LogisticRegressionCV, {"Cs": []}, "Cs is empty"),
    (LogisticRegressionCV, {"Cs": [1.0, 0.0]}, r"Cs\[1\] is 0.0"),
    (LogisticRegressionCV, {"Cs": "many"}, "Cs is 'many'"),
    (LogisticRegressionCV, {"l1_ratios": [0.5, 3.0]}, r"l1_ratios\[1\] is 3.0"),
    (LogisticRegressionCV, {"l1_ratios": []}, "l1_ratios is empty"),
    (LogisticRegressionCV, {"penalty": None}, "penalty is None"),
    (LogisticRegressionCV, {"select_C": "2se"}, "select_C is '2se'; it must be best or 1se"),
    (LogisticRegressionCV, {"refit": False, "store_path": True}, "refit=False averages the folds"),
]


@pytest.mark.parametrize(("kind", "options", "sentence"), BAD)
def test_bad_parameters(kind, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        kind(**options).fit(X, Y)


def test_bad_paths_and_data():
    with pytest.raises(ValueError, match=r"Unexpected parameters: C\. Known: class_weight"):
        logistic_path(X, Y, C=1.0)
    with pytest.raises(ValueError, match=r"eps is 0\.0"):
        logistic_path(X, Y, eps=0.0)
    for model in (LogisticRegression(), LinearSVC()):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            model.fit(np.where(X > 1.0, np.nan, X), Y)
        with pytest.raises(ValueError, match="X has values whose squares overflow"):
            model.fit(X * 1e200, Y)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            model.fit(X, Y[:-1])
        with pytest.raises(ValueError, match="sample_weight has negative values"):
            model.fit(X, Y, sample_weight=-np.ones(40))
        weight = (Y == "yes").astype(float)
        model.set_params(class_weight={"yes": 0.0})
        with pytest.raises(ValueError, match="Every sample weighs 0 once"):
            model.fit(X, Y, sample_weight=weight)
