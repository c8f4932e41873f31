"""The same models as scikit-learn's classifiers, over all options."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn import linear_model as sk
from sklearn import svm as sksvm
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.fixes import parse_version

import banditcd
from banditcd import LinearSVC, LogisticRegression, LogisticRegressionCV, logistic_path
from tests.storage_and_gaps import STORES
from tests.versions import their_class_weight, their_l1_ratio

NEWEST = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="compares with the words of scikit-learn >= 1.9",
)
OTHER_DEFAULTS = {"solver", "l1_ratios", "scoring", "use_legacy_attributes"}


def data(n=60, d=6, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) + 0.3
    scores = X @ rng.standard_normal((d, classes)) + 1.5 * rng.standard_normal((n, classes))
    X = X.astype(np.float32).astype(np.float64)
    return X, np.array(["a", "b", "c", "d"])[scores.argmax(axis=1)]


WEIGHT = np.random.default_rng(1).integers(0, 3, 60).astype(float)


def objective(model, X, y, weight, asked=None):
    """The documented objective of a model, for the parameters of ``asked``."""
    asked = asked or model
    weight = np.ones(len(X)) if weight is None else weight
    weight = weight * np.array([(asked.class_weight or {}).get(label, 1.0) for label in y])
    sign = np.where(y == "b", 1.0, -1.0)
    coef = model.coef_.astype(np.float64)
    margin = sign * (X @ coef[0] + float(model.intercept_[0]))
    size = asked.l1_ratio * np.abs(coef) + 0.5 * (1.0 - asked.l1_ratio) * coef**2
    return float(asked.C * weight @ np.logaddexp(0.0, -margin) + size.sum())


@NEWEST
@pytest.mark.parametrize(
    ("name", "module"),
    [("LogisticRegression", sk), ("LogisticRegressionCV", sk), ("LinearSVC", sksvm)],
)
def test_every_parameter_of_scikit_learn_is_accepted(name, module):
    theirs = inspect.signature(getattr(module, name)).parameters
    ours = inspect.signature(getattr(banditcd, name)).parameters
    for key, parameter in theirs.items():
        assert ours[key].kind == parameter.kind, key
        if key not in OTHER_DEFAULTS:
            assert ours[key].default == parameter.default, key


@NEWEST
@pytest.mark.filterwarnings("ignore:The max_iter was reached")  # saga with uneven weights
@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("class_weight", [None, "balanced", {"a": 2.0, "b": 0.5}, {"b": 3.0}])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(("ratio", "C"), [(0.0, 1.0), (0.0, np.inf), (1.0, 0.5), (0.4, 1.0)])
def test_logistic(weight, class_weight, intercept, ratio, C):
    X, y = data()
    options = {"C": C, "l1_ratio": ratio, "fit_intercept": intercept, "class_weight": class_weight}
    solver = "newton-cholesky" if ratio == 0.0 else "saga"
    theirs = sk.LogisticRegression(solver=solver, tol=1e-9, max_iter=10_000, **options)
    theirs.fit(X, y, sample_weight=weight)
    for store in STORES.values():
        ours = LogisticRegression(tol=1e-12, **options).fit(store(X), y, sample_weight=weight)
        assert ours.n_iter_.shape == (1,)
        if theirs.n_iter_[0] == theirs.max_iter:  # it went astray; ours has to be better
            loss = objective(ours, X, y, weight), objective(theirs, X, y, weight, ours)
            assert loss[0] == pytest.approx(ours.certificate_.primal, rel=1e-9)
            assert loss[0] < loss[1]
            continue
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-5)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-5)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
        np.testing.assert_array_equal(ours.predict(store(X)), theirs.predict(X))


@pytest.mark.parametrize("ratio", [0.0, 1.0])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_several_classes_are_one_against_the_rest(ratio, class_weight):
    X, y = data(classes=4)
    options = {"l1_ratio": ratio, "class_weight": class_weight, "tol": 1e-12}
    options["multi_class"] = "ovr"
    ours = LogisticRegression(**options, n_jobs=2).fit(X, y, sample_weight=WEIGHT)
    for k, name in enumerate(ours.classes_):
        alone = LogisticRegression(**options).fit(X, y == name, sample_weight=WEIGHT)
        np.testing.assert_allclose(ours.coef_[k], alone.coef_[0], atol=1e-8)
        assert ours.dual_gap_[k] == ours.certificate_[k].gap
    if class_weight is None:
        solver = "newton-cholesky" if ratio == 0.0 else "liblinear"
        words = their_l1_ratio(ratio)
        scaling = {} if ratio == 0.0 else {"intercept_scaling": 1e4}
        theirs = OneVsRestClassifier(
            sk.LogisticRegression(solver=solver, tol=1e-10, max_iter=10_000, **words, **scaling)
        ).fit(X, y)
        ours = LogisticRegression(**options).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)
    assert ours.decision_function(X).shape == (60, 4)
    assert ours.dual_gap_.shape == (4,)
    logs = ours.predict_log_proba(X)
    np.testing.assert_allclose(np.exp(logs), ours.predict_proba(X))
    np.testing.assert_allclose(ours.predict_proba(X).sum(axis=1), 1.0)


def test_older_words_for_the_penalty():
    X, y = data()
    new = {"l2": {"l1_ratio": 0.0}, "l1": {"l1_ratio": 1.0}, None: {"C": np.inf}}
    for word, options in new.items():
        old = LogisticRegression(word, tol=1e-10).fit(X, y)
        np.testing.assert_array_equal(
            old.coef_, LogisticRegression(tol=1e-10, **options).fit(X, y).coef_
        )
    old = LogisticRegression("elasticnet", l1_ratio=0.3).fit(X, y)
    np.testing.assert_array_equal(old.coef_, LogisticRegression(l1_ratio=0.3).fit(X, y).coef_)
    assert LogisticRegression(solver="saga").fit(X, y).certificate_.converged


CLASS_WEIGHTS = [None, "balanced", {"a": 2.0, "b": 0.5}]


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("class_weight", CLASS_WEIGHTS)
@pytest.mark.parametrize("intercept", [{}, {"intercept_scaling": 3.0}, {"fit_intercept": False}])
def test_support_vectors(loss, classes, class_weight, intercept):
    X, y = data(classes=classes)
    for weight in (None, WEIGHT):
        options = {"loss": loss, "class_weight": class_weight, **intercept}
        theirs = sksvm.LinearSVC(tol=1e-11, max_iter=10**7, dual=True, **options)
        theirs.set_params(class_weight=their_class_weight(class_weight, y, weight))
        theirs.fit(X, y, sample_weight=weight)
        ours = LinearSVC(tol=1e-11, max_iter=10**5, **options).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
        assert ours.coef_.shape == theirs.coef_.shape
        assert isinstance(ours.n_iter_, int)


def test_an_unpenalized_intercept_is_the_limit_of_a_weak_penalty():
    X, y = data()
    for loss in ("hinge", "squared_hinge"):
        free = LinearSVC(loss=loss, penalize_intercept=False, tol=1e-10, max_iter=10**5)
        weak = LinearSVC(loss=loss, intercept_scaling=1e3, tol=1e-10, max_iter=10**5)
        free.fit(X + 5.0, y)
        weak.fit(X + 5.0, y)
        assert free.certificate_.primal <= weak.certificate_.primal * (1.0 + 1e-9)
        np.testing.assert_allclose(free.coef_, weak.coef_, atol=1e-2)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("ratio", [1.0, 0.3, 0.0])
@pytest.mark.parametrize("several", ["multinomial", "ovr"])
def test_paths(kind, ratio, several):
    X, y = data(classes=4)
    grid = [10.0, 0.1, 1.0]
    options = {"l1_ratio": ratio, "tol": 1e-12, "multi_class": several}
    Cs, coefs, intercepts, gaps, n_iters = logistic_path(
        kind(X), y, Cs=grid, return_n_iter=True, **options
    )
    np.testing.assert_array_equal(Cs, sorted(grid))
    assert coefs.shape == (4, 6, 3)
    assert intercepts.shape == (4, 3)
    assert gaps.shape == n_iters.shape == ((3,) if several == "multinomial" else (4, 3))
    for k, C in enumerate(Cs):
        single = LogisticRegression(C=C, **options).fit(X, y)
        # An L1 norm does not fix what is added to all classes of a feature.
        free = 0.0 if several == "ovr" else 1.0
        apart = coefs[:, :, k] - single.coef_
        np.testing.assert_allclose(apart - free * apart.mean(axis=0), 0.0, atol=1e-4)
        np.testing.assert_allclose(intercepts[:, k], single.intercept_, atol=1e-4)
    X, y = data()
    Cs, coefs, _, _ = logistic_path(kind(X), y, Cs=20, l1_ratio=ratio, tol=1e-6)
    assert coefs.shape == (6, 20)
    if ratio > 0.0:
        assert not coefs[:, 0].any()
        assert coefs[:, 1].any()
        assert Cs[-1] == pytest.approx(1e3 * Cs[0])


@NEWEST
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scoring": "neg_log_loss"},
        {"refit": False},
        {"fit_intercept": False},
        {"use_legacy_attributes": True, "class_weight": "balanced"},
        {"cv": 3, "Cs": [1.0, 0.1]},
    ],
)
def test_searches(options):
    X, y = data(n=100)
    given = {"Cs": 4, "l1_ratios": (0.0,), "use_legacy_attributes": False, **options}
    ours = LogisticRegressionCV(tol=1e-12, **given).fit(X, y)  # coefficients: the root of it
    given.setdefault("scoring", "accuracy")
    theirs = sk.LogisticRegressionCV(
        solver="newton-cholesky", tol=1e-10, max_iter=1000, **given
    ).fit(X, y)
    np.testing.assert_allclose(ours.C_, theirs.C_)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert np.shape(ours.l1_ratio_) == np.shape(theirs.l1_ratio_)
    assert ours.n_iter_.shape == theirs.n_iter_.shape
    if isinstance(theirs.scores_, dict):
        assert ours.scores_.keys() == theirs.scores_.keys()
        np.testing.assert_allclose(ours.scores_["b"], theirs.scores_["b"], atol=1e-6)
        assert ours.coefs_paths_["b"].shape == theirs.coefs_paths_["b"].shape
    else:
        np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-6)
        np.testing.assert_allclose(ours.coefs_paths_, theirs.coefs_paths_, atol=1e-4)
    weight = np.arange(100.0)
    assert ours.score(X, y, sample_weight=weight) == pytest.approx(
        theirs.score(X, y, sample_weight=weight), abs=1e-6
    )


def test_one_standard_error_and_several_ratios():
    X, y = data(n=100, classes=3)
    options = {"Cs": 6, "l1_ratios": (0.0, 0.5, 1.0), "scoring": "neg_log_loss"}
    options["use_legacy_attributes"] = False
    best = LogisticRegressionCV(**options).fit(X, y)
    assert best.scores_.shape == (5, 3, 6)
    assert best.coefs_paths_.shape == (5, 3, 6, 3, 7)
    mean = best.scores_.mean(axis=0)
    ratio, place = np.unravel_index(mean.argmax(), mean.shape)
    assert (best.l1_ratio_, best.C_) == (best.l1_ratios_[ratio], best.Cs_[place])
    careful = LogisticRegressionCV(select_C="1se", **options).fit(X, y)
    assert careful.l1_ratio_ == best.l1_ratio_
    assert careful.C_ <= best.C_
    scores = best.scores_[:, ratio]
    within = mean[ratio] >= mean[ratio, place] - scores[:, place].std(ddof=1) / np.sqrt(5)
    assert min(best.Cs_[within]) == careful.C_
    direct = LogisticRegression(C=careful.C_, l1_ratio=careful.l1_ratio_).fit(X, y)
    np.testing.assert_allclose(direct.predict_proba(X), careful.predict_proba(X), atol=1e-2)
